//! A run of a recipe that learns a neural network, in a folder.
//!
//! `config.toml` has the settings, `metrics.jsonl` a line of figures per stage (an epoch, an
//! iteration), event files the same for TensorBoard, `checkpoint.safetensors` all that is needed to go
//! on, and `model.safetensors` the best network so far.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use ludens_core::ParseError;
use ludens_nn::{Checkpoint, Model};
use serde_json::Value;

use crate::Error;
use crate::tensorboard::Events;

/// The best network's file.
pub const MODEL: &str = "model.safetensors";
const CHECKPOINT: &str = "checkpoint.safetensors";
const METRICS: &str = "metrics.jsonl";
const CONFIG: &str = "config.toml";

/// The settings of a recipe.
pub trait Settings: Default {
    /// The recipe's name in `config.toml`.
    const RECIPE: &'static str;
    /// What counts the lines of `metrics.jsonl`: `epoch`, `iteration`. A checkpoint's notes have it
    /// with an `s` at the end.
    const STAGE: &'static str;

    /// Changes a setting.
    ///
    /// # Errors
    /// When there is none of this name, or the value is out of range.
    fn set(&mut self, key: &str, value: &str) -> Result<(), ParseError>;

    /// All settings with their values, as [`set`](Settings::set) reads them.
    fn texts(&self) -> Vec<(&'static str, String)>;
}

/// A folder that keeps a run.
pub struct Folder {
    path: PathBuf,
    metrics: File,
    events: Events,
}

impl Folder {
    /// Begins a run in a folder that has none.
    ///
    /// # Errors
    /// When there is a run already, or the folder cannot be written.
    pub fn create(
        path: &Path,
        game: &str,
        seed: u64,
        config: &impl Settings,
    ) -> Result<Folder, Error> {
        if path.join(CONFIG).exists() {
            let path = path.display();
            let told = format!("{path} holds a run already: resume it, or name another folder");
            return Err(Error::Run(told));
        }
        std::fs::create_dir_all(path).map_err(|error| failed(path, error))?;
        let folder = Folder::open(path)?;
        let recipe = recipe_of(config);
        let mut text = format!("recipe = {recipe:?}\ngame = {game:?}\nseed = {seed}\n");
        for (key, value) in config.texts() {
            text.push_str(&format!("{key} = {value:?}\n"));
        }
        let file = path.join(CONFIG);
        std::fs::write(&file, text).map_err(|error| failed(&file, error))?;
        Ok(folder)
    }

    /// Goes on with the run of a folder: its settings, its seed, and its checkpoint if it got as far.
    ///
    /// # Errors
    /// When there is none, it is damaged, or it is of another game.
    pub fn resume<C: Settings>(
        path: &Path,
        game: &str,
    ) -> Result<(Folder, u64, C, Option<Checkpoint>), Error> {
        let file = path.join(CONFIG);
        let Ok(text) = std::fs::read_to_string(&file) else {
            return Err(Error::Run(format!("{} holds no run to resume", path.display())));
        };
        let (mut config, mut seed) = (C::default(), None);
        for line in text.lines() {
            let Some((key, value)) = line.split_once(" = ") else { continue };
            let value = value.trim_matches('"');
            match key {
                "recipe" if value == C::RECIPE => {}
                "recipe" => {
                    let (file, recipe) = (file.display(), C::RECIPE);
                    return Err(Error::Run(format!("{file}: a run of {value}, expected {recipe}")));
                }
                "game" if value == game => {}
                "game" => {
                    let file = file.display();
                    return Err(Error::Run(format!("{file}: a run of {value}, expected {game}")));
                }
                "seed" => seed = value.parse().ok(),
                _ => config.set(key, value)?,
            }
        }
        let Some(seed) = seed else {
            return Err(Error::Run(format!("{}: no seed, expected one", file.display())));
        };
        let checkpoint = path.join(CHECKPOINT);
        let checkpoint =
            if checkpoint.exists() { Some(Checkpoint::load(&checkpoint)?) } else { None };
        let counted = format!("{}s", C::STAGE);
        let stages = checkpoint.as_ref().and_then(|c| c.model.notes[&counted].as_u64());
        // Figures of stages after the checkpoint come again.
        let metrics = path.join(METRICS);
        let text = std::fs::read_to_string(&metrics).unwrap_or_default();
        let known = |line: &&str| {
            let stage = serde_json::from_str::<Value>(line).ok().and_then(|v| v[C::STAGE].as_u64());
            stage.is_some_and(|stage| Some(stage) <= stages)
        };
        let kept: String = text.lines().filter(known).map(|line| format!("{line}\n")).collect();
        std::fs::write(&metrics, kept).map_err(|error| failed(&metrics, error))?;
        Ok((Folder::open(path)?, seed, config, checkpoint))
    }

    fn open(path: &Path) -> Result<Folder, Error> {
        let metrics = File::options().append(true).create(true).open(path.join(METRICS));
        let metrics = metrics.map_err(|error| failed(path, error))?;
        let events = Events::create(path).map_err(|error| failed(path, error))?;
        Ok(Folder { path: path.to_owned(), metrics, events })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a line of figures, and scalars for TensorBoard.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn note(
        &mut self,
        step: u64,
        figures: &Value,
        scalars: &[(&str, f32)],
    ) -> Result<(), Error> {
        let fail = |error| failed(&self.path, error);
        writeln!(self.metrics, "{figures}").map_err(fail)?;
        self.events.scalars(step, scalars).map_err(fail)
    }

    /// Saves all that is needed to go on.
    ///
    /// # Errors
    /// When it cannot be written; the last one is still there.
    pub fn save(&self, checkpoint: &Checkpoint) -> Result<(), Error> {
        Ok(checkpoint.save(&self.path.join(CHECKPOINT))?)
    }

    /// Saves the best network.
    ///
    /// # Errors
    /// When it cannot be written; the last one is still there.
    pub fn save_model(&self, model: &Model) -> Result<(), Error> {
        Ok(model.save(&self.path.join(MODEL))?)
    }
}

fn recipe_of<C: Settings>(_: &C) -> &'static str {
    C::RECIPE
}

fn failed(path: &Path, error: std::io::Error) -> Error {
    Error::Run(format!("{}: {error}", path.display()))
}
