//! The folder of a run, of whatever recipe.
//!
//! - `config.toml`: recipe, game, seed, builds, parent and all settings ([`RunConfig`]).
//! - `metrics.jsonl`: a line of metrics per step; event files with the same for TensorBoard.
//! - The recipe's files: a checkpoint to resume from, the network that plays, and more.
//!
//! All files but the metrics are written whole or not at all. A run that is killed is resumed from its
//! last checkpoint; metrics beyond it are dropped. A folder has one writer ([`FolderLock`]). Nothing is
//! written before [`start`](RunDir::start): what is refused leaves nothing behind.

mod config;
mod lock;
mod metrics;
mod open;
mod tensorboard;

use std::io::Write;
use std::path::{Path, PathBuf};

use ludens_core::file::{atomic_copy, atomic_write};
use serde_json::Value;

use crate::Error;
use crate::error::failed;
use config::CONFIG;
use metrics::{METRICS, Metrics};
use tensorboard::Events;

pub use config::{RunConfig, renamed};
pub use lock::FolderLock;
pub(crate) use open::Planes;
pub use open::{Run, RunRequest};

/// Bytes of settings, metrics or games in one file at most.
pub(crate) const LARGEST_TEXT: u64 = 1 << 30;
/// The file of the network that plays.
pub const MODEL: &str = "model.safetensors";
/// The file that recipes with neural networks are resumed from.
pub const CHECKPOINT: &str = "checkpoint.safetensors";

/// Files that tell of a run, of whatever recipe.
const TRACES: [&str; 5] = [CONFIG, crate::td::MODEL, MODEL, CHECKPOINT, crate::probs::STATE];

/// A folder that keeps a run.
pub struct RunDir {
    path: PathBuf,
    config: RunConfig,
    /// The text of the file, as long as it is there.
    written: Option<String>,
    lock: Option<FolderLock>,
    metrics: Metrics,
    events: Events,
    checkpoint: bool,
}

/// The game of the run in a folder, with its variant.
///
/// # Errors
/// When there is no run, or its `config.toml` is damaged.
pub fn game_of(folder: &Path) -> Result<String, Error> {
    RunConfig::of(folder)?.game.ok_or_else(|| config::lacks(&folder.join(CONFIG), "game"))
}

impl RunDir {
    /// A folder for a new run; it need not exist yet.
    ///
    /// # Errors
    /// When it is in use or holds a run already.
    pub fn new(path: &Path, config: RunConfig) -> Result<RunDir, Error> {
        let lock = FolderLock::exists(path).then(|| FolderLock::take(path)).transpose()?;
        let dir = RunDir::with(path, config, lock);
        dir.check_vacant()?;
        Ok(dir)
    }

    /// The folder of a run that is to be resumed from a file, with the run's configuration. A run that had just been
    /// started has no such file.
    ///
    /// # Errors
    /// When there is no run, it is in use or damaged, or the file is lost: something has been learned
    /// already, over which nothing must be started anew.
    pub fn resume(path: &Path, checkpoint: &str) -> Result<RunDir, Error> {
        // A folder without a run gets no lock.
        RunConfig::of(path)?;
        let lock = FolderLock::take(path)?;
        let mut dir = RunDir::with(path, RunConfig::default(), Some(lock));
        dir.config = RunConfig::of(path)?;
        dir.checkpoint = dir.file(checkpoint).exists();
        if !dir.checkpoint && (dir.has_metrics() || dir.file(MODEL).exists()) {
            let path = path.display();
            return Err(Error::Run(format!(
                "{path} has lost {checkpoint}, from which its run would be resumed: put it back, or start anew in another folder"
            )));
        }
        Ok(dir)
    }

    fn with(path: &Path, config: RunConfig, lock: Option<FolderLock>) -> RunDir {
        let (metrics, events) = (Metrics::of(path), Events::of(path));
        let path = path.to_owned();
        RunDir { path, config, written: None, lock, metrics, events, checkpoint: false }
    }

    fn has_metrics(&self) -> bool {
        std::fs::metadata(self.file(METRICS)).is_ok_and(|file| file.len() > 0)
    }

    fn check_vacant(&self) -> Result<(), Error> {
        let metrics = self.has_metrics().then_some(&METRICS);
        let trace = TRACES.iter().find(|name| self.file(name).exists()).or(metrics);
        let Some(trace) = trace else { return Ok(()) };
        let path = self.path.display();
        Err(Error::Run(format!(
            "{path} holds a run already ({trace}): resume it, or name another folder"
        )))
    }

    /// Makes the folder of a new run; writes the configuration, which may have changed. May be called
    /// again.
    ///
    /// # Errors
    /// When another process was faster, or the folder cannot be written.
    pub fn start(&mut self) -> Result<(), Error> {
        if self.lock.is_none() {
            std::fs::create_dir_all(&self.path).map_err(|error| failed(&self.path, error))?;
            self.lock = Some(FolderLock::take(&self.path)?);
            self.check_vacant()?;
        }
        let text = self.config.text()?;
        if self.written.as_ref() != Some(&text) {
            self.write(CONFIG, text.as_bytes())?;
            self.written = Some(text);
        }
        Ok(())
    }

    /// Records another configuration, with the builds so far.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn record(&mut self, mut config: RunConfig) -> Result<(), Error> {
        let builds = std::mem::take(&mut config.builds).into_iter();
        config.builds = std::mem::take(&mut self.config.builds);
        let new = builds.filter(|build| config.builds.last() != Some(build)).collect::<Vec<_>>();
        config.builds.extend(new);
        self.config = config;
        self.start()
    }

    /// Drops metrics whose `counter` is beyond `last`: they come again.
    ///
    /// # Errors
    /// When files cannot be read or written.
    pub fn rewind(&mut self, counter: &str, last: u64) -> Result<(), Error> {
        self.metrics.rewind(counter, last)?;
        self.events.rewind(last).map_err(|error| failed(&self.path, error))
    }

    /// What the run is.
    pub fn config(&self) -> &RunConfig {
        &self.config
    }

    /// Whether there is a checkpoint to resume from.
    pub fn has_checkpoint(&self) -> bool {
        self.checkpoint
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of a file in the folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Appends metrics of a step, also for TensorBoard.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn add_metrics(&mut self, step: u64, metrics: &Value) -> Result<(), Error> {
        self.metrics.add(metrics)?;
        self.events.add(step, metrics).map_err(|error| failed(&self.path, error))
    }

    /// All metrics so far.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn metrics(&self) -> Result<Vec<Value>, Error> {
        self.metrics.all()
    }

    /// Makes the metrics so far last, before a checkpoint counts them.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn sync(&self) -> Result<(), Error> {
        self.metrics.sync()
    }

    /// Writes a file whole or not at all.
    ///
    /// # Errors
    /// When it cannot be written; an older one of the same name is still there.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        let path = self.file(name);
        let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        let written = folder.and_then(|()| atomic_write(&path, |file| file.write_all(bytes)));
        written.map_err(|error| failed(&path, error))
    }

    /// Copies a file to another name, whole or not at all.
    ///
    /// # Errors
    /// When it cannot be written; an older one of the same name is still there.
    pub fn copy(&self, from: &str, to: &str) -> Result<(), Error> {
        let path = self.file(to);
        atomic_copy(&self.file(from), &path).map_err(|error| failed(&path, error))
    }
}

impl Drop for RunDir {
    fn drop(&mut self) {
        // A run that never started was refused.
        if self.written.is_none()
            && let Some(lock) = self.lock.take()
        {
            lock.undo();
        }
    }
}
