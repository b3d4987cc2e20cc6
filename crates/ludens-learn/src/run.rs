//! A run in a folder: its settings, its figures, and its network.
//!
//! `config.toml` has the settings, `metrics.jsonl` a line of figures per block, and
//! `model.ntuple` the network with all that is needed to go on. The network is written
//! whole or not at all, so a run that is killed goes on from its last save.

use std::io::Write;
use std::path::{Path, PathBuf};

use ludens_core::file::atomic_write;
use ludens_ntuple::file;
use serde_json::Value;

use crate::error::failed;
use crate::metrics::Metrics;
use crate::run_folder::vacant;
use crate::td::Learnable;
use crate::{Error, FolderLock, Trainer, config_file};

/// The network's file.
pub const MODEL: &str = "model.ntuple";

/// A folder that keeps a run. It has one writer, see [`FolderLock`].
pub struct Run {
    folder: PathBuf,
    game: String,
    metrics: Metrics,
    _lock: FolderLock,
}

impl Run {
    /// Begins a run in a folder that has none.
    ///
    /// # Errors
    /// When there is a run already, or the folder cannot be written.
    pub fn create<G: Learnable>(
        folder: &Path,
        game: &str,
        trainer: &Trainer<G>,
    ) -> Result<Self, Error> {
        let lock = vacant(folder)?;
        let metrics = Metrics::open(folder)?;
        let run = Run { folder: folder.to_owned(), game: game.to_owned(), metrics, _lock: lock };
        run.save(trainer)?;
        run.write_config(trainer)?;
        Ok(run)
    }

    /// Goes on with the run of a folder.
    ///
    /// # Errors
    /// When there is none, it is in use, damaged, or of another game; nothing of it is written then.
    pub fn resume<G: Learnable>(
        folder: &Path,
        game: &str,
        variant: &G::Variant,
    ) -> Result<(Self, Trainer<G>), Error> {
        let model = folder.join(MODEL);
        if !model.exists() {
            return Err(Error::Run(format!("{} holds no run to resume", folder.display())));
        }
        let lock = FolderLock::take(folder)?;
        let loaded = file::load::<G>(&model, game, variant, true)?;
        let trainer = Trainer::resume(*variant, loaded.network, loaded.coherence, &loaded.run)?;
        let mut metrics = Metrics::open(folder)?;
        // Figures of blocks after the last save come again.
        metrics.rewind("episodes", trainer.episodes())?;
        let run = Run { folder: folder.to_owned(), game: game.to_owned(), metrics, _lock: lock };
        Ok((run, trainer))
    }

    /// Writes the settings, for people.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write_config<G: Learnable>(&self, trainer: &Trainer<G>) -> Result<(), Error> {
        let settings = trainer.config().texts();
        config_file::write(&self.folder, None, &self.game, trainer.seed(), &settings)
    }

    /// Adds a line of figures.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn note(&mut self, figures: &Value) -> Result<(), Error> {
        self.metrics.add(figures)
    }

    /// All lines of figures so far.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn figures(&self) -> Result<Vec<Value>, Error> {
        self.metrics.all()
    }

    /// Writes a file beside the run's own, such as a drawing of its figures.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, name: &str, text: &str) -> Result<(), Error> {
        let path = self.folder.join(name);
        let written = atomic_write(&path, |file| file.write_all(text.as_bytes()));
        written.map_err(|error| failed(&path, error))
    }

    /// Saves the network with all that is needed to go on.
    ///
    /// # Errors
    /// When it cannot be written; the last save is still there.
    pub fn save<G: Learnable>(&self, trainer: &Trainer<G>) -> Result<(), Error> {
        self.metrics.sync()?;
        let (network, coherence) = (trainer.network(), trainer.coherence());
        file::save(&self.folder.join(MODEL), &self.game, network, coherence, &trainer.state())?;
        Ok(())
    }

    /// Keeps the network as it is now, without what is needed to go on.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn snapshot<G: Learnable>(&self, trainer: &Trainer<G>) -> Result<(), Error> {
        let path = self.folder.join(snapshot_name(trainer.episodes()));
        file::save(&path, &self.game, trainer.network(), None, &trainer.state())?;
        Ok(())
    }
}

/// The name of the network that is kept after this many episodes.
pub fn snapshot_name(episodes: u64) -> String {
    format!("after-{episodes}.ntuple")
}
