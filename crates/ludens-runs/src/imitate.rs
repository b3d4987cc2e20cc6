//! The recipe `former-supervised`: networks that imitate an expert.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ludens_core::params::spec;
use ludens_core::{Notation, ParseError, Solver, Variant};
use ludens_games::former::{Evaluation, Former, FormerVariant};
use ludens_learn::Settings;
use ludens_learn::supervised::{
    Epoch, Expert, Experts, GAMES, Games, Imitation, Plan, Played, SupervisedConfig, generate,
    samples,
};
use ludens_nn::{FormerCells, NetValue, Network};
use ludens_search::{Beam, ByBound, Exact, Greedy, Rounds};
use serde_json::{Value, json};

use crate::stages::{Begun, begin};
use crate::train::{TrainError, TrainProgress, TrainRequest, variant};

type Learning = Imitation<Former, FormerCells>;

/// The beam of the exact solver's first guess: ends of games are small.
const GUESS: usize = 64;

pub(crate) fn former(
    request: &TrainRequest,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(&TrainProgress),
) -> Result<Option<TrainProgress>, TrainError> {
    let variant = variant::<Former>(request.game.as_deref())?;
    let game = spec(Former::NAME, &variant.write());
    let Begun { mut folder, seed, config, checkpoint, start, weights } =
        begin::<Former, FormerCells, SupervisedConfig>(request, &game, |config, spec| {
            match (spec, config.expert) {
                (Some(spec), Expert::Own) => spec.require(false, true)?,
                (None, Expert::Own) => {
                    let expected = "--from DIR with the network that plays";
                    return Err(ParseError::new("setting expert", "own", expected));
                }
                (_, Expert::Beam) => {}
            }
            spec.map_or(Ok(()), |spec| Learning::check(config, &variant, spec))
        })?;
    let own = match (config.expert, &start) {
        (Expert::Beam, _) => None,
        (Expert::Own, Some(model)) => {
            let network = Arc::new(Network::new(&model.weights));
            Some(NetValue::new(network, FormerCells, &variant)?)
        }
        (Expert::Own, None) => {
            let told = format!("{} has lost the network that plays", folder.path().display());
            return Err(TrainError::Run(told));
        }
    };
    let lessons = Lessons { config: &config, variant, game: &game, seed, own };
    let Some(played) = lessons.play(folder.path(), stop, tell)? else { return Ok(None) };

    // Learning, epoch by epoch.
    let split = samples(&played, config.longest);
    let resumed = checkpoint.is_some();
    let mut imitation = match (checkpoint, weights) {
        (Some(checkpoint), _) => {
            Learning::resume(config, FormerCells, variant, seed, split, checkpoint)?
        }
        (None, Some(weights)) => {
            Learning::from(config, FormerCells, variant, seed, split, weights)?
        }
        (None, None) => Learning::new(config, FormerCells, variant, seed, split)?,
    };
    let (epochs, ..) = imitation.progress();
    folder.rewind::<SupervisedConfig>(epochs)?;
    if !resumed {
        // Before the first network, so that a folder with one has a checkpoint.
        folder.save(&imitation.checkpoint(&game))?;
    }
    let since = Instant::now();
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
            let left = left(since, done, config.epochs.saturating_sub(epochs) * all);
            let progress = TrainProgress { line, left, json };
            tell(&progress);
            last = Some(progress);
        }
        folder.save(&imitation.checkpoint(&game))?;
    }
    Ok(last)
}

/// Which games the expert plays.
pub(crate) struct Lessons<'a> {
    pub(crate) config: &'a SupervisedConfig,
    pub(crate) variant: FormerVariant,
    pub(crate) game: &'a str,
    pub(crate) seed: u64,
    /// The values by which the expert plays if it is no beam.
    pub(crate) own: Option<NetValue<Former, FormerCells>>,
}

impl Lessons<'_> {
    /// The games in a folder, those that are missing played; `None` when it was stopped.
    pub(crate) fn play(
        &self,
        folder: &Path,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(&TrainProgress),
    ) -> Result<Option<Vec<Played<Former>>>, TrainError> {
        let Lessons { config, variant, game, seed, .. } = *self;
        let evaluation = Evaluation::default();
        let player = || -> Box<dyn Solver<Former>> {
            match &self.own {
                Some(value) => Box::new(Greedy(value.clone())),
                None => {
                    let rounds = Rounds::plain(config.beam);
                    Box::new(Beam { heuristic: evaluation, ceiling: ByBound, rounds })
                }
            }
        };
        let exact = || -> Box<dyn Solver<Former>> {
            Box::new(Exact { heuristic: evaluation, width: GUESS })
        };
        let experts = Experts { player: &player, exact: &exact };
        let mut games = Games::open(&folder.join(GAMES), game, seed)?;
        let since = Instant::now();
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
            let left = left(since, done.saturating_sub(before), config.games - done);
            tell(&TrainProgress { line, left, json });
        })?;
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        Ok(Some(games.read(&variant, config.games, lines)?))
    }
}

/// The time that the rest takes at the pace so far.
pub(crate) fn left(since: Instant, done: u64, rest: u64) -> Duration {
    let seconds = since.elapsed().as_secs_f64() / done.max(1) as f64 * rest as f64;
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
