//! Writes inputs for the fuzzer to start from into `corpus/`: a random game of
//! every sample variant of every game, for each target that can read it.

use std::fs;
use std::io;
use std::path::Path;

use ludens_core::Player;
use ludens_engine::{Table, framework};

/// Moves written into the inputs of the position targets.
const MOVES: usize = 30;

fn main() -> io::Result<()> {
    for info in ludens_engine::games() {
        for params in info.samples {
            let spec = info.spec_with(params);
            let params = spec.split_once(':').map_or("", |(_, params)| params);
            for plies in [0, 1, 5, 60] {
                let name = format!("{}-{plies}", spec.replace([':', '=', ','], "-"));
                let table = random_game(&spec, plies);
                let record = table.record();
                let moves: Vec<&str> =
                    record.moves.iter().take(MOVES).map(|m| m.action.as_str()).collect();
                let position = format!("{params}\n{}\n{}", record.start, moves.join("\n"));
                seed(info.name, &name, &position)?;
                seed("record", &name, &record.write())?;
                if let Ok(episode) = framework::write(&record) {
                    seed("framework", &name, &format!("{spec}\n{episode}"))?;
                }
                seed("names", &name, &spec)?;
                seed("params", &name, params)?;
            }
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
    let mut table = game.random(plies as u64, plies);
    for player in [Player::One, Player::Two].into_iter().take(table.players()) {
        table.seat(player, "random").expect("everybody can play at random");
    }
    while let Some(action) = table.think() {
        table.play(&action).expect("an agent's move is legal");
    }
    table
}

fn seed(target: &str, name: &str, text: &str) -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
    fs::create_dir_all(&folder)?;
    fs::write(folder.join(name), text)
}
