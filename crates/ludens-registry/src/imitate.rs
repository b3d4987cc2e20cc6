//! The recipe `former-supervised`: networks that imitate an expert.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ludens_core::params::spec;
use ludens_core::{Notation, Solver, Variant};
use ludens_games::former::{Evaluation, Former, FormerVariant};
use ludens_learn::supervised::{
    Epoch, Experts, GAMES, Games, Imitation, Plan, Played, SupervisedConfig, generate, samples,
};
use ludens_learn::{NetworkFolder, Settings, Stages};
use ludens_nn::{Checkpoint, FormerCells};
use ludens_search::{Beam, ByBound, Exact, Rounds};
use serde_json::{Value, json};

use crate::self_play::open;
use crate::train::{TrainError, TrainProgress, TrainRequest, variant};

/// The beam of the exact solver's first guess: ends of games are small.
const GUESS: usize = 64;

pub(crate) fn former(
    request: &TrainRequest,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(&TrainProgress),
) -> Result<Option<TrainProgress>, TrainError> {
    let variant = variant::<Former>(request.game.as_deref())?;
    let game = spec(Former::NAME, &variant.write());
    let (mut folder, seed, config, checkpoint) = settled::<SupervisedConfig>(request, &game)?;

    let Some(played) = expert_games(&config, variant, &game, seed, folder.path(), stop, tell)?
    else {
        return Ok(None);
    };

    // Learning, epoch by epoch.
    let split = samples(&played, config.longest);
    let mut imitation = match checkpoint {
        None => Imitation::new(config, FormerCells, variant, seed, split)?,
        Some(checkpoint) => {
            Imitation::resume(config, FormerCells, variant, seed, split, checkpoint)?
        }
    };
    let begin = Instant::now();
    let (first, first_step, all) = imitation.progress();
    let mut last = None;
    while !imitation.is_done() && !stop.load(Ordering::Relaxed) {
        let mut saved = Instant::now();
        let epoch = imitation.epoch(stop, |now| {
            if saved.elapsed().as_secs_f64() >= config.save {
                folder.save(&now.checkpoint(&game))?;
                saved = Instant::now();
            }
            Ok(())
        })?;
        if let Some(epoch) = &epoch {
            let (json, line) = (figures(epoch, &config, imitation.samples()), told(epoch, &config));
            let scalars = scalars(epoch, &config);
            folder.note(epoch.number, &json, &scalars)?;
            if epoch.best {
                let notes = json!({"config": settings(&config), "seed": seed, "figures": json});
                folder.save_model(&imitation.model(&game, notes))?;
            }
            let (epochs, ..) = imitation.progress();
            let done = (epochs - first) * all - first_step.min((epochs - first) * all);
            let left = left(begin, done, config.epochs.saturating_sub(epochs) * all);
            let progress = TrainProgress { line, left, json };
            tell(&progress);
            last = Some(progress);
        }
        folder.save(&imitation.checkpoint(&game))?;
    }
    Ok(last)
}

/// The games of the expert in a folder, those that are missing played; `None` when it was stopped.
pub(crate) fn expert_games(
    config: &SupervisedConfig,
    variant: FormerVariant,
    game: &str,
    seed: u64,
    folder: &Path,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(&TrainProgress),
) -> Result<Option<Vec<Played<Former>>>, TrainError> {
    let evaluation = Evaluation::default();
    let player = || -> Box<dyn Solver<Former>> {
        let rounds = Rounds::plain(config.beam);
        Box::new(Beam { heuristic: evaluation, ceiling: ByBound, rounds })
    };
    let exact =
        || -> Box<dyn Solver<Former>> { Box::new(Exact { heuristic: evaluation, width: GUESS }) };
    let experts = Experts { player: &player, exact: &exact };
    let mut games = Games::open(&folder.join(GAMES), game, seed)?;
    let begin = Instant::now();
    let lines = config.branches + 1;
    let before = games.numbers()?.len() as u64 / lines;
    let plan = Plan {
        seed,
        count: config.games,
        branches: config.branches,
        ends: config.exact,
        threads: config.threads,
    };
    generate(&mut games, &variant, &plan, &experts, stop, &mut |done| {
        let json = json!({"stage": "games", "games": done, "of": config.games});
        let line = format!("{done} of {} games", config.games);
        let left = left(begin, done.saturating_sub(before), config.games - done);
        tell(&TrainProgress { line, left, json });
    })?;
    if stop.load(Ordering::Relaxed) {
        return Ok(None);
    }
    Ok(Some(games.read(&variant, config.games, lines)?))
}

/// The folder of a run that begins or goes on, with its seed, its settings and its checkpoint.
pub(crate) fn settled<S: Stages>(
    request: &TrainRequest,
    game: &str,
) -> Result<(NetworkFolder, u64, S, Option<Checkpoint>), TrainError> {
    let (run, seed, settings) = open(request, game, S::default(), |_| Ok(()))?;
    if !request.resume {
        return Ok((NetworkFolder::begun(run), seed, settings, None));
    }
    let (folder, checkpoint) = NetworkFolder::resumed::<S>(run)?;
    Ok((folder, seed, settings, checkpoint))
}

/// The time that the rest takes at the pace so far.
pub(crate) fn left(begin: Instant, done: u64, rest: u64) -> Duration {
    let seconds = begin.elapsed().as_secs_f64() / done.max(1) as f64 * rest as f64;
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}

/// All settings by name.
pub(crate) fn settings(config: &impl Settings) -> Value {
    config.texts().into_iter().map(|(key, value)| (key.to_owned(), json!(value))).collect()
}

fn figures(epoch: &Epoch, config: &SupervisedConfig, (learn, held): (usize, usize)) -> Value {
    json!({
        "stage": "learning",
        "epoch": epoch.number,
        "of": config.epochs,
        "samples": learn,
        "held_back": held,
        "loss": epoch.learned,
        "validation": epoch.held.to_json(config.kind),
        "best": epoch.best,
    })
}

fn scalars(epoch: &Epoch, config: &SupervisedConfig) -> Vec<(&'static str, f32)> {
    let mut scalars =
        vec![("loss/learning", epoch.learned as f32), ("loss/validation", epoch.held.loss as f32)];
    if config.kind.has_policy() {
        scalars.push(("accuracy/top1", epoch.held.top1 as f32));
        scalars.push(("accuracy/top3", epoch.held.top3 as f32));
    }
    if config.kind.has_value() {
        scalars.push(("loss/mse", epoch.held.mse as f32));
    }
    scalars
}

fn told(epoch: &Epoch, config: &SupervisedConfig) -> String {
    let mut line = format!(
        "epoch {} of {} | loss {:.4} | held back {:.4}",
        epoch.number, config.epochs, epoch.learned, epoch.held.loss
    );
    if config.kind.has_policy() {
        let [one, three] = [epoch.held.top1, epoch.held.top3].map(|share| 100.0 * share);
        line.push_str(&format!(" | top 1 {one:.1} %, top 3 {three:.1} %"));
    }
    line
}
