//! Settings of a recipe by trial: `ludens tune`.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use ludens_arena::plot::{BoxItem, BoxPlot, Labels, LinePlot, Series};
use ludens_core::error::quote;
use ludens_core::params::spec;
use ludens_core::{Notation, ParseError, Variant};
use ludens_games::former::Former;
use ludens_learn::supervised::{self, Expert, Experts, SupervisedConfig};
use ludens_learn::tune::{OpenStudy, Tunable};
use ludens_learn::{Report, RunRequest, Settings, drive};
use ludens_nn::FormerCells;
use serde_json::Value;

use crate::recipes::with_experts;
use crate::train::{TrainError, TrainProgress, build, game_for, recipe};

/// Epochs of a trial unless `--set epochs` says otherwise, as in Urheim (2025).
const EPOCHS: u64 = 5;

/// What to tune, and where to keep it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TuneRequest {
    /// The recipe's name.
    pub recipe: String,
    /// The game with its variant.
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

/// Runs trials until there are as many as asked for or `stop` asks for an end; `report` is told of
/// each.
///
/// # Errors
/// When the request is wrong, or the folder cannot be used.
pub fn tune(
    request: &TuneRequest,
    stop: &AtomicBool,
    report: Report<'_>,
) -> Result<Option<TrainProgress>, TrainError> {
    let (info, short) = recipe(&request.recipe)?;
    let game = game_for((info, short), request.game.clone())?;
    let run = RunRequest {
        dir: Some(request.run.clone()),
        settings: request.settings.clone(),
        seed: request.seed,
        build: build(),
        ..RunRequest::default()
    };
    match info.name {
        SupervisedConfig::RECIPE => former(&run, &game, request.trials, stop, report),
        other => {
            let expected = "supervised: the other recipes name no settings to tune";
            Err(ParseError::new("recipe", quote(other), expected).into())
        }
    }
}

fn former(
    request: &RunRequest,
    game: &str,
    trials: u64,
    stop: &AtomicBool,
    report: Report<'_>,
) -> Result<Option<TrainProgress>, TrainError> {
    let variant = ludens_engine::variant_of::<Former>(game)?;
    let game = spec(Former::NAME, &variant.write());
    let defaults = SupervisedConfig { epochs: EPOCHS, ..SupervisedConfig::default() };
    let study = OpenStudy::open(request, &game, defaults, |config| match config.expert {
        Expert::Beam | Expert::LookAheadBeam => Ok(()),
        Expert::Network => {
            let expected = "beam or look-ahead-beam: a study starts with fresh networks";
            Err(ParseError::new("setting expert", "network", expected))
        }
    })?;
    let (config, seed) = (study.config, request.seed);
    let games = with_experts(|experts| {
        let player = || (experts.player)(&config);
        let experts = Experts { player: &player, exact: experts.exact };
        let folder = study.dir.path();
        supervised::played(folder, &variant, &config, seed, &experts, stop, &mut *report)
    })?;
    let Some(games) = games else { return Ok(None) };
    let objective = |config, stop: &AtomicBool| {
        supervised::trial(config, FormerCells, variant, seed, &games, stop)
    };
    let (recipe, dir) = study.tune(trials, &objective)?;
    drive(recipe, Some(dir), &|metrics| plots::<SupervisedConfig>(metrics), stop, report)
}

/// The best so far over the trials, and what mattered, as SVG.
fn plots<S: Tunable>(metrics: &[Value]) -> Vec<(&'static str, String)> {
    let trials = metrics
        .iter()
        .filter_map(|line| Some((line["last"]["trial"].as_f64()?, line["last"]["loss"].as_f64()?)));
    let trials: Vec<(f64, f64)> = trials.collect();
    let mut least = f64::INFINITY;
    let so_far = trials.iter().map(|(number, loss)| {
        least = least.min(*loss);
        (*number, least)
    });
    let series = vec![
        Series { name: "best so far".to_owned(), points: so_far.collect() },
        Series { name: "trials".to_owned(), points: trials.clone() },
    ];
    let last = metrics.last().unwrap_or(&Value::Null);
    let labels = Labels::new("Convergence", "trial", last["measure"].as_str().unwrap_or("loss"));
    let convergence = LinePlot { labels, log_x: false, steps: false, series, levels: Vec::new() };
    let mut plots = vec![("convergence.svg", convergence.to_svg())];
    if let Some(importance) = last["importance"].as_object() {
        let bar = |name: &str| {
            let share = importance[name].as_f64().unwrap_or_default();
            let five = [0.0, 0.0, share, share, share];
            BoxItem { name: name.to_owned(), five, mean: share }
        };
        let boxes = S::SPACE.iter().map(|dimension| bar(dimension.name)).collect();
        let labels = Labels::new("Permutation importance", "", "share");
        plots.push(("importance.svg", BoxPlot { labels, boxes }.to_svg()));
    }
    plots
}
