//! The committed inputs in `fuzz/corpus`, which the fuzzer starts from and the tests replay: a random
//! game of every sample variant of every game, for each target that can read it.

use std::fs;

use anyhow::Context;
use ludens_core::Player;
use ludens_engine::analysis::Request;
use ludens_engine::{Table, framework};

use crate::checks::root;

/// Moves written into the inputs of the position targets.
const MOVES: usize = 30;
/// Random moves before the game of an input begins.
const PLIES: usize = 5;

/// Writes them anew, beside whatever else lies there.
///
/// # Errors
/// When a file cannot be written.
pub fn write() -> anyhow::Result<()> {
    for info in ludens_engine::games() {
        for params in info.samples {
            let spec = info.spec_with(params);
            let params = spec.split_once(':').map_or("", |(_, params)| params);
            let name = spec.replace([':', '=', ','], "-");
            let table = random_game(&spec, PLIES);
            let record = table.record();
            let moves = record.moves.iter().take(MOVES).map(|played| played.action.as_str());
            let moves = moves.collect::<Vec<_>>().join("\n");
            seed(info.name, &name, &format!("{params}\n{}\n{moves}\nundo", record.start))?;
            seed("record", &name, &record.write())?;
            // Episodes start where games do.
            if let Ok(episode) = framework::write(&random_game(&spec, 0).record()) {
                seed("framework", &name, &format!("{spec}\n{episode}"))?;
            }
            seed("names", &name, &spec)?;
            seed("params", &name, params)?;
        }
    }
    for day in ["2024-11-23", "2024-02-29", "9999-12-31", "0001-01-01", "2025-02-29"] {
        seed("date", day, day)?;
    }
    Ok(())
}

/// A random game from a position some random moves after the start.
fn random_game(spec: &str, plies: usize) -> Box<dyn Table> {
    let game = ludens_engine::game(spec).expect("samples are variants");
    let mut table = game.random(PLIES as u64, plies);
    for player in [Player::One, Player::Two].into_iter().take(table.players()) {
        table.seat(player, "random").expect("everybody can play at random");
    }
    let request = Request::default();
    while table.play_agent(&request, Request::never()).expect("a legal move").is_some() {}
    table
}

fn seed(target: &str, name: &str, text: &str) -> anyhow::Result<()> {
    let folder = root().join("fuzz/corpus").join(target);
    let path = folder.join(name);
    fs::create_dir_all(&folder)
        .and_then(|()| fs::write(&path, text))
        .with_context(|| path.display().to_string())
}
