//! A run in a folder: settings, figures, networks.
//!
//! `config.toml` has the settings, `metrics.jsonl` a line of figures per step of the run, event files
//! the same for TensorBoard. Networks are written whole or not at all, so a run that is killed goes
//! on from its last save.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use ludens_core::ParseError;
use serde_json::Value;

use crate::tensorboard::Events;
use crate::{Error, Settings};

const METRICS: &str = "metrics.jsonl";
const CONFIG: &str = "config.toml";

/// A folder that keeps a run.
pub struct RunFolder {
    path: PathBuf,
    metrics: File,
    events: Events,
}

impl RunFolder {
    /// Begins a run in a folder that has none.
    ///
    /// # Errors
    /// When there is a run already, the settings cannot be used, or the folder cannot be written.
    pub fn create<S: Settings>(
        path: &Path,
        game: &str,
        seed: u64,
        settings: &S,
    ) -> Result<RunFolder, Error> {
        let file = path.join(CONFIG);
        if file.exists() {
            let path = path.display();
            let told = format!("{path} holds a run already: resume it, or name another folder");
            return Err(Error::Run(told));
        }
        settings.usable()?;
        std::fs::create_dir_all(path).map_err(|error| failed(path, error))?;
        let folder = RunFolder::open(path)?;
        folder.write_config(game, seed, settings)?;
        Ok(folder)
    }

    /// Goes on with the run of a folder: its settings as `change` leaves them, and its seed.
    ///
    /// # Errors
    /// When there is none, it is damaged or of another game or recipe, `change` fails, or the
    /// settings cannot be used; nothing is written then.
    pub fn resume<S: Settings>(
        path: &Path,
        game: &str,
        change: impl FnOnce(&mut S) -> Result<(), ParseError>,
    ) -> Result<(RunFolder, u64, S), Error> {
        let file = path.join(CONFIG);
        let Ok(text) = std::fs::read_to_string(&file) else {
            return Err(Error::Run(format!("{} holds no run to resume", path.display())));
        };
        let wrong = |what: String| Err(Error::Run(format!("{}: {what}", file.display())));
        let (mut settings, mut seed) = (S::default(), None);
        for line in text.lines() {
            let Some((key, value)) = line.split_once(" = ") else { continue };
            let value = value.trim_matches('"');
            match key {
                "recipe" if value == S::RECIPE => {}
                "recipe" => return wrong(format!("a run of {value}, expected {}", S::RECIPE)),
                "game" if value == game => {}
                "game" => return wrong(format!("a run of {value}, expected {game}")),
                "seed" => seed = value.parse().ok(),
                _ => settings.set(key, value)?,
            }
        }
        let Some(seed) = seed else { return wrong("no seed, expected one".to_owned()) };
        change(&mut settings)?;
        settings.usable()?;
        let folder = RunFolder::open(path)?;
        folder.write_config(game, seed, &settings)?;
        Ok((folder, seed, settings))
    }

    fn open(path: &Path) -> Result<RunFolder, Error> {
        let metrics = File::options().append(true).create(true).open(path.join(METRICS));
        let metrics = metrics.map_err(|error| failed(path, error))?;
        let events = Events::create(path).map_err(|error| failed(path, error))?;
        Ok(RunFolder { path: path.to_owned(), metrics, events })
    }

    /// Writes the settings; where that fails, the old ones are still there.
    fn write_config<S: Settings>(&self, game: &str, seed: u64, settings: &S) -> Result<(), Error> {
        let mut text = format!("recipe = {:?}\ngame = {game:?}\nseed = {seed}\n", S::RECIPE);
        for (key, value) in settings.texts() {
            text.push_str(&format!("{key} = {value:?}\n"));
        }
        self.write(CONFIG, text.as_bytes())
    }

    /// Forgets figures of steps after `last`, which come again; `name` is the step's field.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn rewind(&mut self, name: &str, last: u64) -> Result<(), Error> {
        let file = self.path.join(METRICS);
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let known = |line: &&str| {
            let step = serde_json::from_str::<Value>(line).ok().and_then(|v| v[name].as_u64());
            step.is_some_and(|step| step <= last)
        };
        let kept: String = text.lines().filter(known).map(|line| format!("{line}\n")).collect();
        self.write(METRICS, kept.as_bytes())?;
        let metrics = File::options().append(true).open(&file);
        self.metrics = metrics.map_err(|error| failed(&file, error))?;
        Ok(())
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of a file in the folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
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

    /// Writes a file whole or not at all.
    ///
    /// # Errors
    /// When it cannot be written; an older one of the same name is still there.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        let path = self.path.join(name);
        let temporary = path.with_extension("tmp");
        let write = || {
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder)?;
            }
            let mut file = File::create(&temporary)?;
            file.write_all(bytes)?;
            file.sync_all()?;
            std::fs::rename(&temporary, &path)
        };
        write().map_err(|error| failed(&path, error))
    }

    /// Copies a file to another name, whole or not at all.
    ///
    /// # Errors
    /// When it cannot be written; an older one of the same name is still there.
    pub fn copy(&self, from: &str, to: &str) -> Result<(), Error> {
        let path = self.path.join(to);
        let temporary = path.with_extension("tmp");
        let copy = || {
            std::fs::copy(self.path.join(from), &temporary)?;
            std::fs::rename(&temporary, &path)
        };
        copy().map_err(|error| failed(&path, error))
    }
}

pub(crate) fn failed(path: &Path, error: std::io::Error) -> Error {
    Error::Run(format!("{}: {error}", path.display()))
}
