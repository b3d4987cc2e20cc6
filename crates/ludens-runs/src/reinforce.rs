//! The recipe `ppo`: networks that learn by playing.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ludens_core::error::quote;
use ludens_core::params::spec;
use ludens_core::{Notation, ParseError, Solo, Variant};
use ludens_games::{Former, Game2048};
use ludens_learn::MODEL;
use ludens_learn::ppo::{Iteration, Ppo, PpoConfig};
use ludens_nn::{Encoder, FormerCells, TileCells};
use serde_json::json;

use crate::imitate::settings;
use crate::stages::{Begun, begin};
use crate::train::{TrainError, TrainProgress, TrainRequest, variant};

pub(crate) fn ppo(
    request: &TrainRequest,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(&TrainProgress),
) -> Result<Option<TrainProgress>, TrainError> {
    let game = request.game.as_deref().unwrap_or(Former::NAME);
    match game.split(':').next().unwrap_or_default() {
        Former::NAME => run::<Former, _>(FormerCells, request, stop, tell),
        Game2048::NAME => run::<Game2048, _>(TileCells, request, stop, tell),
        other => Err(ParseError::new("game", quote(other), "former or 2048").into()),
    }
}

fn run<G: Solo + Notation, E: Encoder<G>>(
    encoder: E,
    request: &TrainRequest,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(&TrainProgress),
) -> Result<Option<TrainProgress>, TrainError> {
    let game = request.game.clone().unwrap_or_else(|| Former::NAME.to_owned());
    let variant = variant::<G>(Some(&game))?;
    let game = spec(G::NAME, &variant.write());
    let Begun { mut folder, seed, config, checkpoint, weights, .. } =
        begin::<G, E, PpoConfig>(request, &game, |_, spec| {
            spec.map_or(Ok(()), |spec| Ppo::<G, E>::check(&variant, spec))
        })?;
    let resumed = checkpoint.is_some();
    let mut ppo = match (checkpoint, weights) {
        (Some(checkpoint), _) => Ppo::<G, E>::resume(config, encoder, variant, seed, checkpoint)?,
        (None, Some(weights)) => Ppo::from(config, encoder, variant, seed, weights)?,
        (None, None) => Ppo::new(config, encoder, variant, seed)?,
    };
    folder.rewind::<PpoConfig>(ppo.iterations())?;
    if !resumed {
        // Before the first network, so that a folder with one has a checkpoint.
        folder.save(&ppo.checkpoint(&game))?;
    }
    let (since, first) = (Instant::now(), ppo.steps());
    let (mut saved, mut last) = (Instant::now(), None);
    while !ppo.is_done() && !stop.load(Ordering::Relaxed) {
        let before = ppo.checkpoint(&game);
        let Some(iteration) = ppo.iteration(stop)? else {
            // One that was cut short has moved the network already: what was before it counts.
            folder.save(&before)?;
            return Ok(last);
        };
        let json = iteration.to_json();
        folder.note(iteration.number, &json, &scalars(&iteration))?;
        if iteration.best {
            let notes = json!({"config": settings(&config), "seed": seed, "figures": json});
            folder.save_model(&ppo.model(&game, notes))?;
        }
        if saved.elapsed().as_secs_f64() >= config.save {
            folder.save(&ppo.checkpoint(&game))?;
            saved = Instant::now();
        }
        let pace = since.elapsed().as_secs_f64() / (ppo.steps() - first).max(1) as f64;
        let rest = config.steps.saturating_sub(ppo.steps()) as f64;
        let left = Duration::try_from_secs_f64(pace * rest).unwrap_or_default();
        let progress = TrainProgress { line: told(&iteration, &config), left, json };
        tell(&progress);
        last = Some(progress);
    }
    if last.is_some() {
        folder.save(&ppo.checkpoint(&game))?;
    }
    // A run so short that no game ended has no best network; it keeps the last one.
    let kept = last.is_none() && folder.path().join(MODEL).exists();
    if ppo.steps() > 0 && !ppo.has_best() && !kept {
        let figures = last.as_ref().map(|progress: &TrainProgress| &progress.json);
        let notes = json!({"config": settings(&config), "seed": seed, "figures": figures});
        folder.save_model(&ppo.model(&game, notes))?;
    }
    Ok(last)
}

fn scalars(iteration: &Iteration) -> [(&'static str, f32); 7] {
    [
        ("games/reward", iteration.reward as f32),
        ("games/moves", iteration.moves as f32),
        ("loss/actor", iteration.actor as f32),
        ("loss/critic", iteration.critic as f32),
        ("policy/entropy", iteration.entropy as f32),
        ("policy/clipped", iteration.clipped as f32),
        ("rate", iteration.rate as f32),
    ]
}

fn told(iteration: &Iteration, config: &PpoConfig) -> String {
    format!(
        "{} of {} moves | reward {:.2} in {} games | actor {:.4}, critic {:.4}, entropy {:.3}",
        iteration.steps,
        config.steps,
        iteration.reward,
        iteration.games,
        iteration.actor,
        iteration.critic,
        iteration.entropy
    )
}
