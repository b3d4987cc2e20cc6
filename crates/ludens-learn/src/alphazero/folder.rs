//! A run of the recipe in a folder: besides what every run has, `games/` with a file per iteration of
//! the window, `checkpoint.safetensors` and `mean-N.safetensors` to go on from, and
//! `model.safetensors`, the network that plays.

use std::path::PathBuf;

use ludens_core::{Deterministic, Notation, file};
use serde_json::{Value, json};

use super::cycle::{AlphaZero, Iteration};
use super::game::SelfPlay;
use super::planner::Planner;
use super::pupil::Pupil;
use crate::error::failed;
use crate::run_folder::LARGEST_TEXT;
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

/// Saves the state after an iteration, `None` before the first, and then the network that plays.
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
    let mean = folder.file(&mean_of(&notes));
    folder.sync()?;
    state.pupil.save(&folder.file(CHECKPOINT), &mean, game, &notes)?;
    publish(folder, state)
}

/// Copies the network that plays from the saved state; what is not needed any more is removed last. A
/// run that goes on does it again, for it may have been killed before.
///
/// # Errors
/// When a file cannot be written.
pub fn publish<G: Deterministic + Notation, P: Pupil<G>, T: Planner<G>>(
    folder: &RunFolder,
    state: &AlphaZero<G, P, T>,
) -> Result<(), Error> {
    let iterations = state.iterations();
    let mean = mean_of(&json!({"iterations": iterations}));
    folder.copy(&mean, MODEL)?;
    if iterations > 0 {
        if state.config.keep > 0 && iterations.is_multiple_of(state.config.keep) {
            folder.copy(&mean, &format!("after-{iterations}.safetensors"))?;
        }
        let before = json!({"iterations": iterations - 1});
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
/// When a file is lost, cannot be read, or holds what are no games.
pub fn games<G: Deterministic + Notation>(
    folder: &RunFolder,
    variant: &G::Variant,
    iterations: u64,
) -> Result<Vec<Vec<SelfPlay<G>>>, Error> {
    let mut all = Vec::new();
    for number in 1..=iterations {
        let path: PathBuf = folder.file(&games_name(number));
        // Those that the window has left behind are gone: the first ones, never the last.
        if all.is_empty() && number < iterations && !path.exists() {
            continue;
        }
        let text = file::read_text(&path, LARGEST_TEXT).map_err(|error| failed(&path, error))?;
        let mut games = Vec::new();
        for line in text.lines() {
            let value: Value = serde_json::from_str(line)
                .map_err(|error| Error::Run(format!("{}: {error}", path.display())))?;
            games.push(SelfPlay::from_json(variant, &value)?);
        }
        all.push(games);
    }
    Ok(all)
}
