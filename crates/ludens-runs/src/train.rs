//! Recipes by name: learning from scratch to a folder with a network.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ludens_arena::fingerprint;
use ludens_core::error::quote;
use ludens_core::{Parameter, ParseError};
use ludens_learn::alphazero::AlphaZeroConfig;
use ludens_learn::ppo::PpoConfig;
use ludens_learn::probs::ProbsConfig;
use ludens_learn::supervised::SupervisedConfig;
use ludens_learn::{Report, RunConfig, RunRequest, Settings, TdConfig, game_of, renamed};
use ludens_models::file_in;

use crate::defaults;
use crate::presets::preset;
use crate::recipes::{self, Asked};

pub use ludens_learn::Error as TrainError;
pub use ludens_learn::Progress as TrainProgress;
pub use ludens_learn::{Actors, GamesPlayed, GamesWanted};

/// A recipe as messages list it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RecipeInfo {
    /// Its name in `ludens train NAME`.
    pub name: &'static str,
    /// Short names, each for a game.
    pub short: &'static [(&'static str, &'static str)],
    /// What it does, in a few words.
    pub about: &'static str,
    /// What can be set.
    pub parameters: &'static [Parameter],
    /// The game where none is named.
    game: Option<&'static str>,
    /// Whether a run may start with the network of another.
    continues: bool,
    /// Whether its games of self-play can be played elsewhere.
    pub self_play: bool,
}

impl RecipeInfo {
    /// Games in which a setting has another default than its parameter says, with that default.
    pub fn by_game(&self, setting: &str) -> Vec<(&'static str, &'static str)> {
        defaults::by_game(self.name, setting)
    }
}

/// What to learn, and where to keep it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TrainRequest {
    /// The recipe's name or short name.
    pub recipe: String,
    /// The game with its variant; a resumed run knows its own.
    pub game: Option<String>,
    /// The settings of a publication, which those of the file and of the request change.
    pub preset: Option<String>,
    /// A file with settings, and maybe game and seed, as runs keep it in `config.toml`.
    pub config: Option<PathBuf>,
    /// Settings that differ from the defaults and from those of the file, in order.
    pub settings: Vec<(String, String)>,
    /// The seed of a new run; 0 or that of the file where none is named.
    pub seed: Option<u64>,
    /// The folder that keeps the run; nothing is kept without.
    pub run: Option<PathBuf>,
    /// Whether to resume the run of the folder.
    pub resume: bool,
    /// The network that a new run starts with, where a recipe can: a run's folder or a file.
    pub from: Option<PathBuf>,
    /// Steps of this call at most; 0 only starts the run.
    pub steps: Option<u64>,
}

/// All recipes.
pub fn recipes() -> [RecipeInfo; 5] {
    let info = |name, about, parameters| RecipeInfo {
        name,
        short: &[],
        about,
        parameters,
        game: None,
        continues: false,
        self_play: false,
    };
    [
        RecipeInfo {
            short: &[("2048-td", "2048"), ("2584-td", "2584"), ("threes-td", "threes")],
            continues: true,
            ..info(
                TdConfig::RECIPE,
                "temporal differences with an n-tuple network",
                TdConfig::PARAMETERS,
            )
        },
        RecipeInfo {
            short: &[("former-supervised", "former")],
            game: Some("former"),
            continues: true,
            ..info(
                SupervisedConfig::RECIPE,
                "a network that imitates an expert's games",
                SupervisedConfig::PARAMETERS,
            )
        },
        RecipeInfo {
            game: Some("former"),
            continues: true,
            ..info(PpoConfig::RECIPE, "a network that learns by playing", PpoConfig::PARAMETERS)
        },
        RecipeInfo {
            self_play: true,
            ..info(
                AlphaZeroConfig::RECIPE,
                "self-play with a tree search, for games of two and Former",
                AlphaZeroConfig::PARAMETERS,
            )
        },
        RecipeInfo {
            self_play: true,
            ..info(
                ProbsConfig::RECIPE,
                "self-play that predicts beam searches, for games of two",
                ProbsConfig::PARAMETERS,
            )
        },
    ]
}

/// The recipe of a name or short name, and the game that a short name is for.
pub(crate) fn recipe(name: &str) -> Result<(RecipeInfo, Option<&'static str>), ParseError> {
    let find = |info: RecipeInfo| {
        let short = info.short.iter().find(|(short, _)| *short == name).map(|(_, game)| *game);
        (info.name == name || short.is_some()).then_some((info, short))
    };
    recipes().into_iter().find_map(find).ok_or_else(|| {
        let names = |info: RecipeInfo| {
            [info.name].into_iter().chain(info.short.iter().map(|(short, _)| *short))
        };
        let known: Vec<&str> = recipes().into_iter().flat_map(names).collect();
        ParseError::new("recipe", quote(name), format!("one of: {}", known.join(", ")))
    })
}

/// Version and hash of the program that runs.
pub(crate) fn build() -> String {
    let hash = fingerprint::of_build().unwrap_or("unknown");
    format!("{} {hash}", env!("CARGO_PKG_VERSION"))
}

/// The game that a run is for: the one asked for, or else the recipe's.
pub(crate) fn game_for(
    (info, short): (RecipeInfo, Option<&str>),
    asked: Option<String>,
) -> Result<String, ParseError> {
    let missing = || ParseError::new("game", "none", "--game GAME, such as connect-four");
    let usual = short.or(info.game).map(str::to_owned);
    let game = asked.or(usual).ok_or_else(missing)?;
    let name = game.split(':').next().unwrap_or_default();
    match short {
        Some(own) if own != name => {
            Err(ParseError::new("game", quote(name), format!("{own}, the recipe's")))
        }
        _ => Ok(game),
    }
}

/// Learns until the limits of the settings are reached or `stop` asks for an end, which comes with
/// the end of a step; `report` is told of every step.
///
/// # Errors
/// When the request is wrong, memory is short, or the folder cannot be used.
pub fn train(
    request: &TrainRequest,
    stop: &AtomicBool,
    report: Report<'_>,
) -> Result<Option<TrainProgress>, TrainError> {
    train_with(request, None, stop, report)
}

/// The same with games of self-play by others, where there are any.
///
/// # Errors
/// As [`train`], and when the recipe plays no games against itself that others could play.
pub fn train_with(
    request: &TrainRequest,
    actors: Option<Arc<dyn Actors>>,
    stop: &AtomicBool,
    report: Report<'_>,
) -> Result<Option<TrainProgress>, TrainError> {
    let (info, short) = recipe(&request.recipe)?;
    if actors.is_some() && !info.self_play {
        let can: Vec<&str> = recipes().iter().filter(|r| r.self_play).map(|r| r.name).collect();
        let expected = format!("{}, whose games others can play", can.join(" or "));
        return Err(ParseError::new("recipe", quote(info.name), expected).into());
    }
    if let Some(from) = request.from.as_ref().filter(|_| !info.continues) {
        let can: Vec<&str> = recipes().iter().filter(|r| r.continues).map(|r| r.name).collect();
        let expected = format!("nothing: only {} start so", can.join(" and "));
        let found = quote(&from.display().to_string());
        return Err(ParseError::new("--from", found, expected).into());
    }
    let file = request.config.as_deref().map(RunConfig::read).transpose()?.unwrap_or_default();
    if let Some(other) = file.recipe.as_deref().filter(|name| *name != info.name) {
        let expected = format!("{}, as asked for", info.name);
        return Err(ParseError::new("recipe of --config", quote(other), expected).into());
    }
    let preset = request.preset.as_deref().map(|name| preset(name, info.name)).transpose()?;
    if let Some(preset) = preset.filter(|_| request.resume) {
        let expected = "nothing: a resumed run has its settings";
        return Err(ParseError::new("--preset", quote(preset.name), expected).into());
    }
    let game = match (&request.game, &request.run) {
        (None, Some(folder)) if request.resume => Some(game_of(folder)?),
        (game, _) => game.clone().or(file.game.clone()),
    };
    let game = game.or(preset.map(|preset| preset.game.to_owned()));
    let game = game_for((info, short), game)?;
    let own = |(key, value): (&str, &str)| (key.to_owned(), value.to_owned());
    let published = preset.into_iter().flat_map(|preset| preset.settings_for(&game).map(own));
    let asked = Asked {
        request: RunRequest {
            dir: request.run.clone(),
            resume: request.resume,
            settings: published
                .chain(file.settings())
                .chain(request.settings.iter().cloned())
                .collect(),
            seed: request.seed.or(file.seed()?).unwrap_or_default(),
            from: request.from.as_deref().map(file_in),
            build: request.run.as_ref().map_or_else(String::new, |_| build()),
        },
        game: &game,
        actors,
        steps: request.steps,
        stop,
        report,
    };
    match info.name {
        TdConfig::RECIPE => recipes::td(asked),
        SupervisedConfig::RECIPE => recipes::supervised(asked),
        PpoConfig::RECIPE => recipes::ppo(asked),
        AlphaZeroConfig::RECIPE => recipes::alphazero(asked),
        _ => recipes::probs(asked),
    }
}

/// What to tell of settings with names that were others in 0.1.0: among those asked for, in the file
/// and in the folder.
pub fn old_names(request: &TrainRequest) -> Vec<String> {
    let Ok((info, _)) = recipe(&request.recipe) else { return Vec::new() };
    let folder = request.run.as_ref().filter(|_| request.resume).map(|run| run.join("config.toml"));
    let files = request.config.iter().chain(&folder).map(|path| {
        let settings = RunConfig::read(path).map(|config| config.settings().collect());
        (path.display().to_string(), settings.unwrap_or_default())
    });
    let asked = ("--set".to_owned(), request.settings.clone());
    let note = |(place, settings): (String, Vec<(String, String)>)| {
        let old =
            settings.into_iter().filter_map(|(key, _)| Some((renamed(info.name, &key)?, key)));
        let old: Vec<String> = old.map(|(name, key)| format!("{key} is now {name}")).collect();
        (!old.is_empty()).then(|| format!("{place}: {}", old.join(", ")))
    };
    files.chain([asked]).filter_map(note).collect()
}
