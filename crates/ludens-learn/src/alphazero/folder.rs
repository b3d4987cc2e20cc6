//! A run of the recipe in a folder: besides what every run has, `games/` with a file per iteration of
//! the window, `checkpoint.safetensors` and `mean-N.safetensors` to go on from, and
//! `model.safetensors`, the network that plays.

use std::path::PathBuf;

use ludens_core::{Deterministic, Notation};
use serde_json::{Value, json};

use super::cycle::{AlphaZero, Iteration};
use super::game::SelfPlay;
use super::planner::Planner;
use super::pupil::Pupil;
use crate::{Error, RunFolder, Settings};

/// The network's file.
pub const MODEL: &str = "model.safetensors";
/// What is needed to go on.
pub const CHECKPOINT: &str = "checkpoint.safetensors";
const GAMES: &str = "games";

/// The name of the mean's file that belongs to a checkpoint's notes.
pub fn mean_of(notes: &Value) -> String {
    format!("mean-{}.safetensors", notes["iterations"].as_u64().unwrap_or_default())
}

fn games_name(number: u64) -> String {
    format!("{GAMES}/{number:06}.jsonl")
}

/// Saves the state after an iteration; `None` before the first. What is not needed any more is
/// removed last.
///
/// # Errors
/// When a file cannot be written; the last state is still there.
pub fn save<G: Deterministic + Notation, P: Pupil<G>, T: Planner<G>>(
    folder: &RunFolder,
    game: &str,
    seed: u64,
    state: &AlphaZero<G, P, T>,
    iteration: Option<(&Iteration<G>, &Value)>,
) -> Result<(), Error> {
    if let Some((iteration, _)) = iteration {
        let mut text = String::new();
        for game in &iteration.games {
            text.push_str(&format!("{}\n", game.to_json()));
        }
        folder.write(&games_name(iteration.number), text.as_bytes())?;
    }
    let settings = state.config.texts().into_iter();
    let settings: Value = settings.map(|(key, value)| (key.to_owned(), json!(value))).collect();
    let notes = json!({
        "recipe": "alphazero",
        "iterations": state.iterations(),
        "seconds": state.seconds(),
        "seed": seed,
        "config": settings,
        "figures": iteration.map(|(_, figures)| figures),
    });
    let mean = mean_of(&notes);
    state.pupil.save(&folder.file(CHECKPOINT), &folder.file(&mean), game, &notes)?;
    folder.copy(&mean, MODEL)?;
    if let Some((iteration, _)) = iteration {
        if state.config.keep > 0 && iteration.number.is_multiple_of(state.config.keep) {
            folder.copy(&mean, &format!("after-{}.safetensors", iteration.number))?;
        }
        let before = json!({"iterations": iteration.number - 1});
        // Leftovers cost room, not correctness: a failure to remove them is none of the run.
        let _ = std::fs::remove_file(folder.file(&mean_of(&before)));
        for number in (1..state.oldest()).rev() {
            if std::fs::remove_file(folder.file(&games_name(number))).is_err() {
                break;
            }
        }
    }
    Ok(())
}

/// The games of the iterations of the window, in order.
///
/// # Errors
/// When a file cannot be read or holds what are no games.
pub fn games<G: Deterministic + Notation>(
    folder: &RunFolder,
    variant: &G::Variant,
    iterations: u64,
) -> Result<Vec<Vec<SelfPlay<G>>>, Error> {
    let mut all = Vec::new();
    for number in 1..=iterations {
        let file: PathBuf = folder.file(&games_name(number));
        // Those that the window has left behind are gone.
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        let mut games = Vec::new();
        for line in text.lines() {
            let value: Value = serde_json::from_str(line)
                .map_err(|error| Error::Run(format!("{}: {error}", file.display())))?;
            games.push(SelfPlay::from_json(variant, &value)?);
        }
        all.push(games);
    }
    Ok(all)
}
