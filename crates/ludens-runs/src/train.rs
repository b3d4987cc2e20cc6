//! Recipes by name: learning from scratch to a folder with a network.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ludens_core::error::quote;
use ludens_core::params::spec;
use ludens_core::{Notation, Parameter, ParseError, Variant};
use ludens_games::{Game2048, Game2584, Threes};
use ludens_learn::alphazero::AlphaZeroConfig;
use ludens_learn::ppo::PpoConfig;
use ludens_learn::probs::ProbsConfig;
use ludens_learn::run::Run;
use ludens_learn::supervised::SupervisedConfig;
use ludens_learn::td::Learnable;
use ludens_learn::{Settings, TdConfig, Trainer, cpu_time, game_of};
use serde_json::{Map, Value, json};

use crate::curves::curves;
use crate::{imitate, predict, reinforce, self_play};
use ludens_engine::games;

pub use ludens_learn::Error as TrainError;

/// A recipe as messages list it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecipeInfo {
    /// Its name in `ludens train NAME`.
    pub name: &'static str,
    /// What it does, in a few words.
    pub about: &'static str,
    /// What can be set.
    pub parameters: &'static [Parameter],
}

impl RecipeInfo {
    /// Games in which a setting has another default than its parameter says, with that default.
    pub fn by_game(&self, setting: &str) -> Vec<(&'static str, String)> {
        match self.name {
            "alphazero" => differing(setting, AlphaZeroConfig::for_game),
            "probs" => differing(setting, ProbsConfig::for_game),
            _ => Vec::new(),
        }
    }
}

fn differing<S: Settings>(setting: &str, of: fn(&str) -> S) -> Vec<(&'static str, String)> {
    let text = |config: S| config.texts().into_iter().find(|(name, _)| *name == setting);
    let usual = text(S::default());
    // Forms of one game for other players have its name as well.
    let mut games: Vec<&'static str> = games().iter().map(|info| info.name).collect();
    games.dedup();
    let own = |game| text(of(game)).filter(|own| Some(own) != usual.as_ref());
    games.into_iter().filter_map(|game| Some((game, own(game)?.1))).collect()
}

/// What to learn, and where to keep it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TrainRequest {
    /// The recipe's name.
    pub recipe: String,
    /// A variant of the recipe's game; a run that goes on knows its own.
    pub game: Option<String>,
    /// Settings that differ from the defaults, in order.
    pub settings: Vec<(String, String)>,
    /// The seed of a new run.
    pub seed: u64,
    /// The folder that keeps the run; nothing is kept without.
    pub run: Option<PathBuf>,
    /// Whether to go on with the run of the folder.
    pub resume: bool,
    /// The network that a new run begins with, where a recipe can: a run's folder or a file.
    pub from: Option<PathBuf>,
}

/// How far a run has come.
#[derive(Clone, PartialEq, Debug)]
pub struct TrainProgress {
    /// How far, how well, how fast, in one line.
    pub line: String,
    /// Time until the end at this speed.
    pub left: Duration,
    /// All figures with stable names.
    pub json: Value,
}

/// All recipes.
pub fn recipes() -> Vec<RecipeInfo> {
    let td = |name| {
        let about = "temporal differences with an n-tuple network";
        RecipeInfo { name, about, parameters: TdConfig::parameters() }
    };
    let imitation = RecipeInfo {
        name: "former-supervised",
        about: "a network that imitates a beam's games",
        parameters: SupervisedConfig::PARAMETERS,
    };
    let ppo = RecipeInfo {
        name: "ppo",
        about: "a network that learns by playing",
        parameters: PpoConfig::PARAMETERS,
    };
    let alphazero = RecipeInfo {
        name: "alphazero",
        about: "self-play with a tree search, for games of two and Former",
        parameters: AlphaZeroConfig::PARAMETERS,
    };
    let probs = RecipeInfo {
        name: "probs",
        about: "self-play that predicts beam searches, for games of two",
        parameters: ProbsConfig::PARAMETERS,
    };
    vec![td("2048-td"), td("2584-td"), td("threes-td"), imitation, ppo, alphazero, probs]
}

/// Learns until all episodes are played or `stop` asks for an end, which comes with
/// the end of a block; `tell` hears of every block.
///
/// # Errors
/// When the request is wrong, memory is short, or the folder cannot be used.
pub fn train(
    request: &TrainRequest,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(&TrainProgress),
) -> Result<Option<TrainProgress>, TrainError> {
    let begins = ["former-supervised", "ppo"];
    if let Some(from) = request.from.as_ref().filter(|_| !begins.contains(&&*request.recipe)) {
        let found = quote(&from.display().to_string());
        let expected = format!("nothing: only {} begin so", begins.join(" and "));
        return Err(ParseError::new("--from", found, expected).into());
    }
    let request = &TrainRequest { game: game(request)?, ..request.clone() };
    match request.recipe.as_str() {
        "2048-td" => td::<Game2048>(request, stop, tell),
        "2584-td" => td::<Game2584>(request, stop, tell),
        "threes-td" => td::<Threes>(request, stop, tell),
        "former-supervised" => imitate::former(request, stop, tell),
        "ppo" => reinforce::ppo(request, stop, tell),
        "alphazero" => self_play::alphazero(request, stop, tell),
        "probs" => predict::probs(request, stop, tell),
        other => {
            let known: Vec<&str> = recipes().iter().map(|recipe| recipe.name).collect();
            let expected = format!("one of: {}", known.join(", "));
            Err(ParseError::new("recipe", quote(other), expected).into())
        }
    }
}

/// The game of a request: a run that goes on has its own.
fn game(request: &TrainRequest) -> Result<Option<String>, TrainError> {
    match (&request.game, &request.run) {
        (None, Some(folder)) if request.resume => game_of(folder).map(Some),
        (game, _) => Ok(game.clone()),
    }
}

/// The variant of a game that a recipe is for.
pub(crate) fn variant<G: Notation>(game: Option<&str>) -> Result<G::Variant, ParseError> {
    ludens_engine::variant_of::<G>(game.unwrap_or(G::NAME))
}

fn td<G: Learnable>(
    request: &TrainRequest,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(&TrainProgress),
) -> Result<Option<TrainProgress>, TrainError> {
    let variant = variant::<G>(request.game.as_deref())?;
    let game = spec(G::NAME, &variant.write());
    let (mut run, mut trainer) = match (&request.run, request.resume) {
        (Some(folder), true) => {
            let (run, mut trainer) = Run::resume::<G>(folder, &game, &variant)?;
            for (key, value) in &request.settings {
                trainer.config_mut().change(key, value)?;
            }
            run.write_config(&trainer)?;
            (Some(run), trainer)
        }
        (folder, resume) => {
            if resume {
                let expected = "--run DIR with the folder to go on in";
                return Err(ParseError::new("resume", "no folder", expected).into());
            }
            let mut config = TdConfig::default();
            for (key, value) in &request.settings {
                config.set(key, value)?;
            }
            let trainer = Trainer::<G>::new(variant, config, request.seed)?;
            let run = match folder {
                Some(folder) => Some(Run::create(folder, &game, &trainer)?),
                None => None,
            };
            (run, trainer)
        }
    };
    let clock = Clock::new(trainer.episodes());
    let (mut moves, mut saved) = (0, Instant::now());
    // A run that is finished already tells its last figures again.
    let mut progress = match &run {
        Some(run) if trainer.is_done() => finished(run, &trainer)?,
        _ => None,
    };
    if let Some(progress) = &progress {
        tell(progress);
    }
    while !trainer.is_done() && !stop.load(Ordering::Relaxed) {
        let before = trainer.episodes();
        moves += trainer.block().moves;
        let told = clock.progress(&trainer, moves);
        tell(&told);
        if let Some(run) = &mut run {
            run.note(&told.json)?;
            if TdConfig::due(trainer.config().snapshots, before, trainer.episodes()) {
                run.snapshot(&trainer)?;
            }
            let due = saved.elapsed().as_secs_f64() >= trainer.config().save;
            if due || trainer.is_done() || stop.load(Ordering::Relaxed) {
                run.save(&trainer)?;
                for (name, svg) in curves(&game, &run.figures()?) {
                    run.write(name, &svg)?;
                }
                saved = Instant::now();
            }
        }
        progress = Some(told);
    }
    Ok(progress)
}

/// The last figures of a run that had been finished before, as they were kept.
fn finished<G: Learnable>(
    run: &Run,
    trainer: &Trainer<G>,
) -> Result<Option<TrainProgress>, TrainError> {
    Ok(run.figures()?.pop().map(|json| {
        let line = line_of(&json, trainer.config().episodes);
        TrainProgress { line, left: Duration::ZERO, json }
    }))
}

/// The figures of a block for people; `total` are the episodes of the whole run.
fn line_of(figures: &Value, total: u64) -> String {
    let number = |name: &str| figures[name].as_f64().unwrap_or(0.0);
    let rates = figures["rate"].as_object().into_iter().flatten().take(3);
    let rates =
        rates.map(|(tile, rate)| format!("{tile}: {:.1} %", 100.0 * rate.as_f64().unwrap_or(0.0)));
    format!(
        "{} of {total} episodes | mean {:.0} | {} | {:.2} M moves/s",
        number("episodes"),
        number("mean_score"),
        rates.collect::<Vec<_>>().join(", "),
        number("moves_per_s") / 1e6,
    )
}

/// When learning began.
struct Clock {
    begin: Instant,
    cpu: Option<Duration>,
    episodes: u64,
}

impl Clock {
    fn new(episodes: u64) -> Self {
        Clock { begin: Instant::now(), cpu: cpu_time(), episodes }
    }

    fn progress<G: Learnable>(&self, trainer: &Trainer<G>, moves: u64) -> TrainProgress {
        let seconds = self.begin.elapsed().as_secs_f64();
        let cpu =
            cpu_time().zip(self.cpu).map_or(seconds, |(now, then)| (now - then).as_secs_f64());
        let (episodes, total) = (trainer.episodes(), trainer.config().episodes);
        let done = episodes - self.episodes;
        let left = seconds / done as f64 * (total - episodes) as f64;
        let (moves_per_s, moves_per_cpu_s) = (moves as f64 / seconds, moves as f64 / cpu);
        let mut json = Map::new();
        json.insert("episodes".to_owned(), json!(episodes));
        json.extend(trainer.last().to_json::<G>());
        json.insert("alpha".to_owned(), json!(trainer.config().alpha(episodes - 1)));
        json.insert("moves_per_s".to_owned(), json!(moves_per_s.round()));
        json.insert("moves_per_cpu_s".to_owned(), json!(moves_per_cpu_s.round()));
        let json = Value::Object(json);
        let line = line_of(&json, total);
        let left = Duration::try_from_secs_f64(left).unwrap_or_default();
        TrainProgress { line, left, json }
    }
}
