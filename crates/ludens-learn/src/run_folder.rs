//! A run in a folder: settings, figures, networks.
//!
//! `config.toml` has the settings, `metrics.jsonl` a line of figures per step of the run, event files
//! the same for TensorBoard. Networks are written whole or not at all, so a run that is killed goes
//! on from its last save. A folder has one writer, see [`FolderLock`].

use std::io::Write;
use std::path::{Path, PathBuf};

use ludens_core::ParseError;
use ludens_core::error::quote;
use ludens_core::file::{atomic_copy, atomic_write};
use ludens_ntuple::file;
use serde_json::Value;

use crate::config_file::{self, CONFIG};
use crate::error::failed;
use crate::metrics::{METRICS, Metrics};
use crate::tensorboard::Events;
use crate::{Error, FolderLock, MODEL, Settings, run};

/// Bytes of settings, figures or games in one file at most.
pub(crate) const LARGEST_TEXT: u64 = 1 << 30;

/// Files that tell of a run, of whatever recipe.
const TRACES: [&str; 5] =
    [CONFIG, run::MODEL, MODEL, crate::network_folder::CHECKPOINT, crate::probs::folder::STATE];

/// A folder that keeps a run.
pub struct RunFolder {
    path: PathBuf,
    metrics: Metrics,
    events: Events,
    _lock: FolderLock,
}

/// The game of the run in a folder, with its variant.
///
/// # Errors
/// When there is no run, or what tells of it is damaged.
pub fn game_of(folder: &Path) -> Result<String, Error> {
    let model = folder.join(run::MODEL);
    if model.exists() {
        let header = file::header(&model)?;
        let game = header["game"].as_str();
        let missing = || Error::Run(format!("{}: a network of no game", model.display()));
        return game.map(str::to_owned).ok_or_else(missing);
    }
    let entries = config_file::read(folder)?;
    config_file::value(folder, &entries, "game").map(str::to_owned)
}

/// Takes a folder for a new run, and makes it if there is none.
pub(crate) fn vacant(folder: &Path) -> Result<FolderLock, Error> {
    std::fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    let lock = FolderLock::take(folder)?;
    if let Some(trace) = TRACES
        .iter()
        .find(|name| folder.join(name).exists())
        .or_else(|| has_figures(folder).then_some(&METRICS))
    {
        let folder = folder.display();
        let told =
            format!("{folder} holds a run already ({trace}): resume it, or name another folder");
        return Err(Error::Run(told));
    }
    Ok(lock)
}

fn has_figures(folder: &Path) -> bool {
    std::fs::metadata(folder.join(METRICS)).is_ok_and(|file| file.len() > 0)
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
        settings.usable()?;
        let folder = RunFolder::open(path, vacant(path)?)?;
        folder.write_config(game, seed, settings)?;
        Ok(folder)
    }

    /// Goes on with the run of a folder: its settings as `change` leaves them, and its seed.
    ///
    /// # Errors
    /// When there is none, it is in use, damaged, or of another game or recipe, `change` fails, or the
    /// settings cannot be used; nothing of the run is written then.
    pub fn resume<S: Settings>(
        path: &Path,
        game: &str,
        change: impl FnOnce(&mut S) -> Result<(), ParseError>,
    ) -> Result<(RunFolder, u64, S), Error> {
        // A folder without a run gets no lock.
        config_file::read(path)?;
        let lock = FolderLock::take(path)?;
        let entries = config_file::read(path)?;
        let value = |name| config_file::value(path, &entries, name);
        let file = path.join(CONFIG);
        let wrong = |what: String| Error::Run(format!("{}: {what}", file.display()));
        for (name, expected) in [("recipe", S::RECIPE), ("game", game)] {
            let found = value(name)?;
            if found != expected {
                return Err(wrong(format!("a run of {found}, expected {expected}")));
            }
        }
        let seed = value("seed")?;
        let seed = seed.parse().map_err(|_| {
            wrong(format!("found the seed {}, expected a whole number", quote(seed)))
        })?;
        let mut settings = S::default();
        // All of them: one that is missing would silently be another run's.
        for parameter in S::PARAMETERS {
            let set = settings.set(parameter.name, value(parameter.name)?);
            set.map_err(|error| wrong(error.to_string()))?;
        }
        let known = |name: &str| {
            ["recipe", "game", "seed"].contains(&name)
                || S::PARAMETERS.iter().any(|parameter| parameter.name == name)
        };
        if let Some((name, _)) = entries.iter().find(|(name, _)| !known(name)) {
            return Err(wrong(format!("found {}, expected a setting's name", quote(name))));
        }
        change(&mut settings)?;
        settings.usable()?;
        let folder = RunFolder::open(path, lock)?;
        folder.write_config(game, seed, &settings)?;
        Ok((folder, seed, settings))
    }

    fn open(path: &Path, lock: FolderLock) -> Result<RunFolder, Error> {
        let metrics = Metrics::open(path)?;
        let events = Events::create(path).map_err(|error| failed(path, error))?;
        Ok(RunFolder { path: path.to_owned(), metrics, events, _lock: lock })
    }

    fn write_config<S: Settings>(&self, game: &str, seed: u64, settings: &S) -> Result<(), Error> {
        config_file::write(&self.path, Some(S::RECIPE), game, seed, &settings.texts())
    }

    /// Whether there is the file from which the run goes on; a run that was just begun has none.
    ///
    /// # Errors
    /// When it is lost: something has been learned already, over which nothing must be begun anew.
    pub fn is_saved(&self, checkpoint: &str) -> Result<bool, Error> {
        if self.file(checkpoint).exists() {
            return Ok(true);
        }
        if !has_figures(&self.path) && !self.file(MODEL).exists() {
            return Ok(false);
        }
        let path = self.path.display();
        Err(Error::Run(format!(
            "{path} has lost {checkpoint}, from which its run would go on: put it back, or begin anew in another folder"
        )))
    }

    /// Forgets figures of steps after `last`, which come again; `name` is the step's field.
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub fn rewind(&mut self, name: &str, last: u64) -> Result<(), Error> {
        self.metrics.rewind(name, last)
    }

    /// Makes the figures so far last, before a save counts them.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn sync(&self) -> Result<(), Error> {
        self.metrics.sync()
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
        self.metrics.add(figures)?;
        self.events.scalars(step, scalars).map_err(|error| failed(&self.path, error))
    }

    /// Writes a file whole or not at all.
    ///
    /// # Errors
    /// When it cannot be written; an older one of the same name is still there.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        let path = self.path.join(name);
        let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        let written = folder.and_then(|()| atomic_write(&path, |file| file.write_all(bytes)));
        written.map_err(|error| failed(&path, error))
    }

    /// Copies a file to another name, whole or not at all.
    ///
    /// # Errors
    /// When it cannot be written; an older one of the same name is still there.
    pub fn copy(&self, from: &str, to: &str) -> Result<(), Error> {
        let path = self.path.join(to);
        atomic_copy(&self.path.join(from), &path).map_err(|error| failed(&path, error))
    }
}
