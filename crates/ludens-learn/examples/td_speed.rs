//! Training moves per second of processor time on 2048, by layout and method: the
//! fastest block of 500 episodes.
//!
//! `cargo run --release -p ludens-learn --example td_speed -- [EPISODES [KEY=VALUE..]]`

use ludens_core::error::quote;
use ludens_games::Game2048;
use ludens_learn::{Settings, TdConfig, Trainer, cpu_time};

#[expect(clippy::print_stdout, reason = "a program for people")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let episodes = args.next().unwrap_or("3000".to_owned());
    let settings: Vec<String> = args.collect();
    for layout in ["4x6", "8x6"] {
        for method in ["td", "tc"] {
            let mut config = TdConfig::default();
            let own = [("layout", layout), ("method", method), ("block", "500")];
            for (key, value) in own.into_iter().chain([("episodes", episodes.as_str())]) {
                config.set(key, value)?;
            }
            for setting in &settings {
                let (key, value) = setting.split_once('=').ok_or_else(|| quote(setting))?;
                config.set(key, value)?;
            }
            let mut trainer: Trainer<Game2048> = Trainer::new(Default::default(), config, 42)?;
            // Blocks at the beginning pay for the memory they touch first.
            let mut fastest: f64 = 0.0;
            while !trainer.is_done() {
                let begin = cpu_time().unwrap_or_default();
                let moves = trainer.block().moves as f64;
                let spent = cpu_time().unwrap_or_default() - begin;
                fastest = fastest.max(moves / spent.as_secs_f64());
            }
            let (speed, mean) = (fastest / 1e6, trainer.last().mean());
            println!("{layout} {method}: fastest block {speed:.3} M moves/s, last mean {mean:.0}");
        }
    }
    Ok(())
}
