//! Training moves per second of processor time on 2048, by layout and method.
//!
//! `cargo run --release -p ludens-learn --example td_speed -- [EPISODES [KEY=VALUE..]]`

use ludens_core::error::quote;
use ludens_games::Game2048;
use ludens_learn::{TdConfig, Trainer, cpu_time};

#[expect(clippy::print_stdout, reason = "a program for people")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let episodes = args.next().unwrap_or("5000".to_owned());
    let settings: Vec<String> = args.collect();
    for layout in ["4x6", "8x6"] {
        for method in ["td", "tc"] {
            let mut config = TdConfig::default();
            for (key, value) in [("layout", layout), ("method", method), ("episodes", &episodes)] {
                config.set(key, value)?;
            }
            for setting in &settings {
                let (key, value) = setting.split_once('=').ok_or_else(|| quote(setting))?;
                config.set(key, value)?;
            }
            let mut trainer: Trainer<Game2048> = Trainer::new(Default::default(), config, 42)?;
            let begin = cpu_time().unwrap_or_default();
            let mut moves = 0;
            while !trainer.is_done() {
                moves += trainer.block().moves;
            }
            let seconds = (cpu_time().unwrap_or_default() - begin).as_secs_f64();
            println!(
                "{layout} {method}: {:.3} M moves/s of {seconds:.1} s, mean of the last block {:.0}",
                moves as f64 / seconds / 1e6,
                trainer.last().mean()
            );
        }
    }
    Ok(())
}
