//! Packs the network of a run so that it fits into a program, and plays with it.
//!
//! `cargo run --release -p ludens-learn --example pack -- GAME RUN STEP BIT FILE [GAMES]`
//! keeps entries in levels STEP points apart where a bit lowers the error by BIT (see
//! [`Precision`]), and plays GAMES (1000) greedy games with the whole network and the packed one.

use std::path::Path;
use std::time::Instant;

use ludens_core::{AfterNotation, Cells, Rng};
use ludens_games::{Game2048, Game2584, Threes};
use ludens_learn::Tally;
use ludens_learn::td::MODEL;
use ludens_ntuple::pack::Precision;
use ludens_ntuple::{Network, Probe, file, pack};
use serde_json::json;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.first().map(String::as_str) {
        Some("2048") => packed::<Game2048>(&args),
        Some("2584") => packed::<Game2584>(&args),
        Some("threes") => packed::<Threes>(&args),
        _ => {
            Err("expected GAME RUN STEP BIT FILE [GAMES] with the game 2048, 2584 or threes".into())
        }
    }
}

#[expect(clippy::print_stdout, reason = "a program for people")]
fn packed<G: Cells + AfterNotation>(args: &[String]) -> Result<(), Box<dyn std::error::Error>> {
    let [_, run, step, bit, out, ..] = args else {
        return Err("expected RUN, STEP, BIT and FILE".into());
    };
    let games: u64 = args.get(5).map_or(Ok(1000), |games| games.parse())?;
    let variant = G::Variant::default();
    let loaded = file::load::<G>(&Path::new(run).join(MODEL), G::NAME, &variant, true)?;
    let about = json!({
        "config": loaded.run["config"], "seed": loaded.run["seed"], "episodes": loaded.run["episodes"],
    });
    let coherence = loaded.coherence.as_ref();
    let precision = Precision { step: step.parse()?, bit: bit.parse()? };
    let bytes = pack::pack(G::NAME, &loaded.network, coherence, precision, &about)?;
    std::fs::write(out, &bytes)?;
    let begin = Instant::now();
    let small = pack::unpack::<G>(out, &bytes, G::NAME, &variant)?;
    println!("{} bytes, unpacked in {:.0?}", bytes.len(), begin.elapsed());
    for (name, network) in [("whole", &loaded.network), ("packed", &small)] {
        let tally = play::<G>(network, &variant, games);
        let (mean, rates) = (tally.mean(), tally.rates::<G>());
        println!("{name}: mean {mean:.0} of {games} games, rates {rates:?}");
    }
    Ok(())
}

/// Greedy games.
fn play<G: Cells + AfterNotation>(network: &Network, variant: &G::Variant, games: u64) -> Tally {
    let mut tally = Tally::default();
    let mut probe = Probe::default();
    for game in 0..games {
        let mut rng = Rng::stream(1, game);
        let mut position = G::start(variant, &mut rng);
        let mut last = None;
        let mut score = position.score().unwrap_or(0);
        loop {
            let mut best: Option<(f32, G::After, i64)> = None;
            position.children(|_, after, reward| {
                network.probe::<G>(&after, &mut probe);
                let value = reward as f32 + network.value(&probe);
                if best.is_none_or(|(most, ..)| value > most) {
                    best = Some((value, after, i64::from(reward)));
                }
            });
            let Some((_, after, reward)) = best else { break };
            let (next, bonus) = G::apply_outcome(&after, G::sample(&after, &mut rng));
            (position, last) = (next, Some(after));
            score += reward + i64::from(bonus);
            tally.moves += 1;
        }
        tally.count::<G>(score, last.as_ref(), network.form().shape.cells);
    }
    tally
}
