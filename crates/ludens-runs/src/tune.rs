//! Settings of a recipe by trial: `ludens tune`.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use ludens_arena::export::save;
use ludens_arena::plot::{BoxItem, BoxPlot, Labels, LinePlot, Series};
use ludens_core::error::quote;
use ludens_core::params::spec;
use ludens_core::{Notation, ParseError, Rng, Variant};
use ludens_games::former::{Former, FormerVariant};
use ludens_learn::supervised::{Expert, Imitation, Kind, Played, SupervisedConfig, samples};
use ludens_learn::tune::{Dimension, Domain, Study, Trial, importance};
use ludens_learn::{FolderLock, Settings};
use ludens_nn::FormerCells;
use serde_json::{Map, Value, json};

use crate::imitate::{Lessons, left};
use crate::train::{TrainError, TrainProgress, variant};

/// What is tuned: table 5.3 of the Former text.
const SPACE: [Dimension; 3] = [
    Dimension { name: "batch", domain: Domain::Choice(&[32.0, 64.0, 128.0, 256.0]) },
    Dimension { name: "rate", domain: Domain::Log(1e-6, 1e-2) },
    Dimension { name: "decay", domain: Domain::Log(1e-6, 1e-2) },
];
/// Epochs of a trial unless `--set epochs` says otherwise, as in the text.
const EPOCHS: u64 = 5;

/// What to tune, and where to keep it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TuneRequest {
    /// The recipe's name.
    pub recipe: String,
    /// A variant of the recipe's game.
    pub game: Option<String>,
    /// Trials in all, with those that the folder has already.
    pub trials: u64,
    /// Settings that are the same in all trials.
    pub settings: Vec<(String, String)>,
    /// The seed of games, networks and suggestions.
    pub seed: u64,
    /// The folder that keeps games, trials and plots.
    pub run: PathBuf,
}

/// Runs trials until there are as many as asked for or `stop` asks for an end; `tell` hears of
/// each.
///
/// # Errors
/// When the request is wrong, or the folder cannot be used.
pub fn tune(
    request: &TuneRequest,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(&TrainProgress),
) -> Result<Option<TrainProgress>, TrainError> {
    if request.recipe != "former-supervised" {
        let expected = "former-supervised";
        return Err(ParseError::new("recipe", quote(&request.recipe), expected).into());
    }
    let variant = variant::<Former>(request.game.as_deref())?;
    let game = spec(Former::NAME, &variant.write());
    let mut config = SupervisedConfig { epochs: EPOCHS, ..SupervisedConfig::default() };
    for (key, value) in &request.settings {
        if let Some(tuned) = SPACE.iter().find(|dimension| dimension.name == key) {
            let expected = "a setting that is not tuned";
            return Err(ParseError::new("setting", quote(tuned.name), expected).into());
        }
        config.set(key, value)?;
    }
    if config.expert == Expert::Own {
        let expected = "beam: a study begins with fresh networks";
        return Err(ParseError::new("setting expert", "own", expected).into());
    }
    let folder = request.run.as_path();
    std::fs::create_dir_all(folder)
        .map_err(|error| TrainError::Run(format!("{}: {error}", folder.display())))?;
    let _lock = FolderLock::take(folder)?;
    // How fast it goes, and the settings that are tuned, do not make it another study.
    let fixed = config.texts().into_iter().filter(|(key, _)| {
        !["threads", "save"].contains(key) && SPACE.iter().all(|tuned| tuned.name != *key)
    });
    let about = fixed.map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(",");
    let about = format!("{game} {about}");
    let study = Study::open(folder, &about, SPACE.to_vec(), request.seed)?;
    let lessons = Lessons { config: &config, variant, game: &game, seed: request.seed, own: None };
    let Some(played) = lessons.play(folder, stop, tell)? else { return Ok(None) };

    let (begin, first) = (Instant::now(), study.done()?.len() as u64);
    let mut last = None;
    while !stop.load(Ordering::Relaxed) {
        let done = study.done()?.len() as u64;
        if done >= request.trials {
            break;
        }
        let (number, values) = study.next()?;
        let clock = Instant::now();
        let Some(loss) = trial(&values, config, variant, request.seed, &played, stop)? else {
            break;
        };
        study.finish(number, loss, clock.elapsed().as_secs_f64())?;
        let trials = study.done()?;
        let json = figures(&trials, config.kind);
        let count = trials.len() as u64;
        let left = left(begin, count - first, request.trials - count);
        let line = told(&trials, request.trials, config.kind);
        let progress = TrainProgress { line, left, json };
        tell(&progress);
        last = Some(progress);
    }
    let trials = study.done()?;
    plots(folder, &trials, config.kind)?;
    Ok(last.or_else(|| {
        let line = told(&trials, request.trials, config.kind);
        let json = figures(&trials, config.kind);
        (!trials.is_empty()).then_some(TrainProgress { line, left: Default::default(), json })
    }))
}

/// What settings come to: the loss of a value, the top 1 of a policy with a minus, on the games held
/// back after the best epoch; not finite when learning failed, `None` when it was stopped.
fn trial(
    values: &[f64],
    mut config: SupervisedConfig,
    variant: FormerVariant,
    seed: u64,
    played: &[Played<Former>],
    stop: &AtomicBool,
) -> Result<Option<f64>, TrainError> {
    for (dimension, value) in SPACE.iter().zip(values) {
        config.set(dimension.name, &value.to_string())?;
    }
    let split = samples(played, config.longest);
    let mut imitation = Imitation::new(config, FormerCells, variant, seed, split)?;
    let mut best = f64::INFINITY;
    while !imitation.is_done() {
        match imitation.epoch(stop, |_| Ok(())) {
            Ok(Some(epoch)) => {
                let held = &epoch.held;
                best = best.min(if config.kind == Kind::Policy { -held.top1 } else { held.loss });
            }
            Ok(None) => return Ok(None),
            // A rate that is too large for the network is a bad trial, not a fault.
            Err(TrainError::Run(_)) => return Ok(Some(f64::NAN)),
            Err(error) => return Err(error),
        }
    }
    Ok(Some(best))
}

fn best_of(trials: &[Trial]) -> Option<&Trial> {
    let finite = trials.iter().filter(|trial| trial.loss.is_finite());
    finite.min_by(|a, b| a.loss.total_cmp(&b.loss))
}

fn named(values: &[f64]) -> Map<String, Value> {
    let pairs = SPACE.iter().zip(values);
    pairs.map(|(dimension, value)| (dimension.name.to_owned(), json!(value))).collect()
}

/// Importance by name, if the trials tell.
fn importances(trials: &[Trial]) -> Option<Vec<f64>> {
    let usable: Vec<&Trial> = trials.iter().filter(|trial| trial.loss.is_finite()).collect();
    // The forest only compares values, so their scale does not matter.
    let rows: Vec<Vec<f64>> = usable.iter().map(|trial| trial.values.clone()).collect();
    let losses: Vec<f64> = usable.iter().map(|trial| trial.loss).collect();
    importance(&rows, &losses, &mut Rng::new(0))
}

fn figures(trials: &[Trial], kind: Kind) -> Value {
    let measure = match kind {
        Kind::Policy => "-top1",
        Kind::Value => "mse",
        Kind::Both => "loss",
    };
    let row = |trial: &Trial| {
        let loss = Some(trial.loss).filter(|loss| loss.is_finite());
        let settings = named(&trial.values);
        json!({"trial": trial.number, "settings": settings, "loss": loss, "seconds": trial.seconds})
    };
    json!({
        "stage": "tuning",
        "trials": trials.len(),
        "measure": measure,
        "last": trials.last().map(row),
        "best": best_of(trials).map(row),
        "importance": importances(trials).map(|found| named(&found)),
    })
}

fn told(trials: &[Trial], all: u64, kind: Kind) -> String {
    let Some(best) = best_of(trials) else { return format!("{} of {all} trials", trials.len()) };
    let (name, figure) =
        if kind == Kind::Policy { ("top 1", -best.loss) } else { ("loss", best.loss) };
    let settings: Vec<String> = SPACE
        .iter()
        .zip(&best.values)
        .map(|(dimension, value)| match dimension.domain {
            Domain::Log(..) => format!("{}={value:.2e}", dimension.name),
            Domain::Choice(_) => format!("{}={value}", dimension.name),
        })
        .collect();
    format!("{} of {all} trials | best {name} {figure:.4} by {}", trials.len(), settings.join(","))
}

/// The best so far over the trials, and what mattered, as SVG.
fn plots(folder: &Path, trials: &[Trial], kind: Kind) -> Result<(), TrainError> {
    let write = |name: &str, svg: &str| {
        save(&folder.join(name), svg).map_err(|error| TrainError::Run(error.to_string()))
    };
    let measure = match kind {
        Kind::Policy => "minus top 1",
        Kind::Value => "mean squared error",
        Kind::Both => "loss",
    };
    let finite = || trials.iter().filter(|trial| trial.loss.is_finite());
    let all = finite().map(|trial| (trial.number as f64, trial.loss)).collect();
    let mut least = f64::INFINITY;
    let so_far = finite().map(|trial| {
        least = least.min(trial.loss);
        (trial.number as f64, least)
    });
    let series = vec![
        Series { name: "best so far".to_owned(), points: so_far.collect() },
        Series { name: "trials".to_owned(), points: all },
    ];
    let labels = Labels::new("Convergence", "trial", measure);
    let convergence = LinePlot { labels, log_x: false, steps: false, series, levels: Vec::new() };
    write("convergence.svg", &convergence.to_svg())?;
    if let Some(found) = importances(trials) {
        let bar = |(dimension, share): (&Dimension, f64)| BoxItem {
            name: dimension.name.to_owned(),
            five: [0.0, 0.0, share, share, share],
            mean: share,
        };
        let boxes = SPACE.iter().zip(found).map(bar).collect();
        let labels = Labels::new("Permutation importance", "", "share");
        write("importance.svg", &BoxPlot { labels, boxes }.to_svg())?;
    }
    Ok(())
}
