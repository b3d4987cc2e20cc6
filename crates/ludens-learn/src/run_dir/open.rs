//! How runs start and resume.

use std::path::{Path, PathBuf};

use ludens_core::error::quote;
use ludens_core::{Game, ParseError, Rng};
use ludens_nn::{Checkpoint, Encoder, Model, Spec, Weights};

use super::config::{CONFIG, lacks, wrong};
use super::{CHECKPOINT, RunConfig, RunDir, renamed};
use crate::{Error, Settings};

/// The network that a run started with.
const START: &str = "start.safetensors";

/// What was asked for.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RunRequest {
    /// The folder that keeps the run.
    pub dir: Option<PathBuf>,
    /// Whether to resume the run of the folder.
    pub resume: bool,
    /// Settings that differ from the defaults, or from those of the run to resume, in order.
    pub settings: Vec<(String, String)>,
    /// The seed of a new run.
    pub seed: u64,
    /// The file of the network that a new run starts with, where a recipe can.
    pub from: Option<PathBuf>,
    /// The games of an expert that a new run takes a copy of, where a recipe learns from such games: the
    /// folder of a run or a file.
    pub expert_games: Option<PathBuf>,
    /// Version and hash of the program.
    pub build: String,
}

/// A run that starts or resumes.
pub struct Run<S> {
    /// Its folder, if it has one.
    pub dir: Option<RunDir>,
    /// All settings.
    pub config: S,
    /// The seed.
    pub seed: u64,
}

impl RunRequest {
    fn folder(&self) -> Result<&Path, ParseError> {
        let expected = "--run DIR with a folder for metrics, checkpoints and the network";
        let path = self.dir.as_deref();
        path.ok_or_else(|| ParseError::new("run", "no folder", expected))
    }

    /// The settings by their present names.
    fn named<'a>(&'a self, recipe: &str) -> impl Iterator<Item = (&'a str, &'a str)> {
        let name = move |key: &'a str| renamed(recipe, key).unwrap_or(key);
        self.settings.iter().map(move |(key, value)| (name(key), value.as_str()))
    }

    /// Refuses a request without a folder, for recipes that cannot do without.
    ///
    /// # Errors
    /// When there is none.
    pub fn with_folder(&self) -> Result<&Self, ParseError> {
        self.folder().map(|_| self)
    }

    /// Starts or resumes a run of a game. A new run has the `defaults` and must pass `check`; a resumed one
    /// must have been of the same game and goes on from its file `checkpoint`. Nothing is written yet.
    ///
    /// # Errors
    /// When a setting is wrong, or the folder cannot be used as asked.
    pub fn open<S: Settings>(
        &self,
        game: &str,
        defaults: S,
        checkpoint: &str,
        check: impl FnOnce(&S) -> Result<(), ParseError>,
    ) -> Result<Run<S>, Error> {
        if self.resume {
            return self.resume(game, checkpoint);
        }
        let mut config = defaults;
        for (key, value) in self.named(S::RECIPE) {
            config.set(key, value)?;
        }
        config.usable()?;
        check(&config)?;
        let mut recorded = RunConfig::new(game, self.seed, &config);
        recorded.builds.push(self.build.clone());
        recorded.parent = self.from.as_ref().map(|from| from.display().to_string());
        let dir = self.dir.as_ref().map(|path| RunDir::new(path, recorded)).transpose()?;
        Ok(Run { dir, config, seed: self.seed })
    }

    fn resume<S: Settings>(&self, game: &str, checkpoint: &str) -> Result<Run<S>, Error> {
        let mut dir = RunDir::resume(self.folder()?, checkpoint)?;
        let path = dir.file(CONFIG);
        let recipe = dir.config.recipe.as_deref().unwrap_or("td");
        for (found, expected) in [(Some(recipe), S::RECIPE), (dir.config.game.as_deref(), game)] {
            let found = found.ok_or_else(|| lacks(&path, "game"))?;
            if found != expected {
                return Err(wrong(&path, &format!("a run of {found}, expected {expected}")));
            }
        }
        let seed = dir.config.seed().map_err(|error| wrong(&path, &error.to_string()))?;
        let seed = seed.ok_or_else(|| lacks(&path, "seed"))?;
        let mut config: S = dir.config.all_settings(&path)?;
        for (key, value) in self.named(S::RECIPE) {
            let mut changed = config.clone();
            changed.set(key, value)?;
            if !S::CHANGEABLE.contains(&key) && changed.texts() != config.texts() {
                let expected = format!("one of {} in a resumed run", S::CHANGEABLE.join(", "));
                return Err(ParseError::new("setting", quote(key), expected).into());
            }
            config = changed;
        }
        config.usable()?;
        dir.config.recipe = Some(S::RECIPE.to_owned());
        dir.config.set_settings(&config);
        if dir.config.builds.last() != Some(&self.build) {
            dir.config.builds.push(self.build.clone());
        }
        Ok(Run { dir: Some(dir), config, seed })
    }
}

/// Settings of a recipe that learns one network of planes, which may be given.
pub(crate) trait Planes: Settings {
    /// Channels of the network.
    fn channels(&self) -> usize;
}

/// A run that learns one network of planes.
pub(crate) struct NetworkRun<S> {
    pub(crate) dir: RunDir,
    pub(crate) config: S,
    pub(crate) seed: u64,
    pub(crate) checkpoint: Option<Checkpoint>,
    /// The network that the run started with, if it was given one.
    pub(crate) start: Option<Model>,
    /// That network's weights, with as many channels as the settings want, where there is no checkpoint.
    pub(crate) weights: Option<Weights>,
}

impl RunRequest {
    /// Starts or resumes a run that learns one network. A network that it starts with gives it its size,
    /// unless more channels are wanted, and is kept in the folder. Settings and network of a new run must
    /// pass `check`.
    ///
    /// # Errors
    /// When a setting or the network is wrong, or the folder cannot be used as asked.
    pub(crate) fn open_network<G: Game, E: Encoder<G>, S: Planes>(
        &self,
        game: &str,
        mut defaults: S,
        check: impl FnOnce(&S, Option<&Spec>) -> Result<(), ParseError>,
    ) -> Result<NetworkRun<S>, Error> {
        let given = self.from.as_ref().map(|from| self.given::<G, E>(from, game, S::RECIPE));
        let given = given.transpose()?;
        let spec = given.as_ref().map(|model| model.weights.spec());
        if let Some(spec) = spec {
            defaults.set("channels", &spec.channels.to_string())?;
            defaults.set("depth", &(spec.convolutions() + 1).to_string())?;
        }
        let run = self.with_folder()?.open(game, defaults, CHECKPOINT, |config: &S| {
            spec.map_or(Ok(()), |spec| wide_enough(config.channels(), spec))?;
            check(config, spec)
        })?;
        let Run { dir, config, seed } = run;
        let mut dir = dir.ok_or_else(|| Error::Run("a run without its folder".to_owned()))?;
        let has = |name: &str| dir.file(name).exists().then(|| dir.file(name));
        let (checkpoint, start) = match self.resume {
            true => (has(CHECKPOINT), has(START).map(|path| Model::load(&path)).transpose()?),
            false => (None, given),
        };
        let checkpoint = checkpoint.map(|path| Checkpoint::load(&path)).transpose()?;
        let weights = match &start {
            Some(model) if checkpoint.is_none() => {
                // Settings of a resumed run are read from a file.
                wide_enough(config.channels(), model.weights.spec())?;
                // Streams from 0 on belong to games.
                let mut rng = Rng::stream(seed, u64::MAX);
                Some(model.weights.widened(config.channels(), &mut rng))
            }
            _ => None,
        };
        if !self.resume {
            dir.start()?;
            if let Some(model) = &start {
                model.save(&dir.file(START))?;
            }
        }
        Ok(NetworkRun { dir, config, seed, checkpoint, start, weights })
    }

    /// The network that a new run starts with.
    fn given<G: Game, E: Encoder<G>>(
        &self,
        from: &Path,
        game: &str,
        recipe: &str,
    ) -> Result<Model, Error> {
        if self.resume {
            let found = quote(&from.display().to_string());
            let expected = "nothing: a run that is resumed has started already";
            return Err(ParseError::new("--from", found, expected).into());
        }
        if let Some((key, value)) = self.named(recipe).find(|(key, _)| *key == "depth") {
            let expected = "nothing: the network of --from has its depth";
            return Err(ParseError::new(format!("setting {key}"), quote(value), expected).into());
        }
        let model: Model = Model::load(from)?;
        model.check(game, E::NAME)?;
        Ok(model)
    }
}

/// Networks may grow, not shrink.
fn wide_enough(channels: usize, spec: &Spec) -> Result<(), ParseError> {
    if channels >= spec.channels {
        return Ok(());
    }
    let expected = format!("{}, as the network of --from has, or more", spec.channels);
    Err(ParseError::new("setting channels", channels.to_string(), expected))
}
