//! A run of the recipe in a folder: besides what every run has, `values-N.safetensors`,
//! `actions-N.safetensors` and the means of both, `..-mean-N.safetensors`, to go on from, `state.json`
//! that names N, and `model.safetensors` (Q) with `value.safetensors` (V), the networks that play.

use ludens_core::{Deterministic, Duel, file};
use ludens_nn::Encoder;
use serde_json::{Value, json};

use super::cycle::Probs;
use super::networks::Learner;
use crate::error::{failed, noted};
use crate::run_folder::LARGEST_TEXT;
use crate::{Error, RunFolder, Settings};

/// The file of Q.
pub const MODEL: &str = "model.safetensors";
/// The file of V.
pub const VALUE: &str = "value.safetensors";
/// What is needed to go on, with the files that it names.
pub const STATE: &str = "state.json";

/// What learns and its mean, of V and of Q.
fn names(iterations: u64) -> [[String; 2]; 2] {
    let name = |part: &str| format!("{part}-{iterations}.safetensors");
    ["values", "actions"].map(|part| [name(part), name(&format!("{part}-mean"))])
}

/// Saves the state, and then the networks that play.
///
/// # Errors
/// When a file cannot be written; the last state is still there.
pub fn save<G: Duel + Deterministic, E: Encoder<G>>(
    folder: &RunFolder,
    game: &str,
    seed: u64,
    state: &Probs<G, E>,
    figures: Option<&Value>,
) -> Result<(), Error> {
    let settings = state.config.texts().into_iter();
    let settings: Value = settings.map(|(key, value)| (key.to_owned(), json!(value))).collect();
    let iterations = state.iterations();
    let notes = json!({
        "recipe": "probs",
        "iterations": iterations,
        "seconds": state.seconds(),
        "seed": seed,
        "config": settings,
        "figures": figures,
    });
    let files = names(iterations);
    for (learner, [state, mean]) in [&state.values, &state.actions].into_iter().zip(&files) {
        learner.save::<G>(&folder.file(state), &folder.file(mean), game, &notes)?;
    }
    folder.sync()?;
    folder.write(STATE, notes.to_string().as_bytes())?;
    publish(folder, state)
}

/// Copies the networks that play from the saved state; what is not needed any more is removed last. A
/// run that goes on does it again, for it may have been killed before.
///
/// # Errors
/// When a file cannot be written.
pub fn publish<G: Duel + Deterministic, E: Encoder<G>>(
    folder: &RunFolder,
    state: &Probs<G, E>,
) -> Result<(), Error> {
    let iterations = state.iterations();
    let [[_, value], [_, model]] = &names(iterations);
    folder.copy(value, VALUE)?;
    folder.copy(model, MODEL)?;
    let keep = state.config.keep;
    if keep > 0 && iterations > 0 && iterations.is_multiple_of(keep) {
        folder.copy(model, &format!("after-{iterations}.safetensors"))?;
    }
    if let Some(before) = iterations.checked_sub(1) {
        // Leftovers cost room, not correctness: a failure to remove them is none of the run.
        let old = names(before).into_iter().flatten();
        old.for_each(|name| drop(std::fs::remove_file(folder.file(&name))));
    }
    Ok(())
}

/// Goes on from what was saved: V, Q, iterations and seconds.
///
/// # Errors
/// When a file cannot be read or is of another game.
pub fn load<G: Duel + Deterministic, E: Encoder<G>>(
    folder: &RunFolder,
    game: &str,
    fresh: Probs<G, E>,
    encoder: E,
    variant: &G::Variant,
) -> Result<Probs<G, E>, Error> {
    let path = folder.file(STATE);
    let text = file::read_text(&path, LARGEST_TEXT).map_err(|error| failed(&path, error))?;
    let state: Value = serde_json::from_str(&text)
        .map_err(|error| Error::Run(format!("{}: {error}", path.display())))?;
    let iterations = noted(&state, "iterations")?;
    let config = &fresh.config;
    let load = |files: &[String; 2], moves| {
        let [state, mean] = files.each_ref().map(|name| folder.file(name));
        Learner::load::<G>(encoder, variant, [&state, &mean], game, config, moves)
    };
    let [values, actions] = &names(iterations);
    let (values, actions) = (load(values, false)?, load(actions, true)?);
    let seconds = state["seconds"].as_f64().unwrap_or_default();
    Ok(fresh.resumed(values, actions, iterations, seconds))
}
