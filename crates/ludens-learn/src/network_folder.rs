//! The folder of a run that learns one neural network stage by stage: besides what every
//! [`RunFolder`] has, `checkpoint.safetensors` with all that is needed to go on, and
//! `model.safetensors` with the best network so far. A run that began with a network keeps that as
//! `start.safetensors`.

use std::path::Path;

use ludens_nn::{Checkpoint, Model};
use serde_json::Value;

use crate::{Error, RunFolder, Settings};

/// The best network's file.
pub const MODEL: &str = "model.safetensors";
pub(crate) const CHECKPOINT: &str = "checkpoint.safetensors";
const START: &str = "start.safetensors";

/// Settings of a recipe that learns in stages.
pub trait Stages: Settings {
    /// What counts the lines of `metrics.jsonl`: `epoch`, `iteration`.
    const STAGE: &'static str;

    /// Filters of the network.
    fn width(&self) -> usize;
}

/// A folder that keeps a run.
pub struct NetworkFolder {
    run: RunFolder,
}

impl NetworkFolder {
    /// A run that was just begun.
    pub fn begun(run: RunFolder) -> Self {
        NetworkFolder { run }
    }

    /// A run that goes on, with its checkpoint if it got as far.
    ///
    /// # Errors
    /// When the checkpoint is damaged, or lost: the run had come further.
    pub fn resumed(run: RunFolder) -> Result<(Self, Option<Checkpoint>), Error> {
        let saved = run.is_saved(CHECKPOINT)?;
        let checkpoint = saved.then(|| Checkpoint::load(&run.file(CHECKPOINT))).transpose()?;
        Ok((NetworkFolder { run }, checkpoint))
    }

    /// Forgets figures of stages after those that the run goes on from: they come again.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn rewind<S: Stages>(&mut self, stages: u64) -> Result<(), Error> {
        self.run.rewind(S::STAGE, stages)
    }

    /// Keeps the network that the run begins with.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save_start(&self, model: &Model) -> Result<(), Error> {
        Ok(model.save(&self.run.file(START))?)
    }

    /// The network that the run began with, if it was given one.
    ///
    /// # Errors
    /// When it is damaged.
    pub fn start(&self) -> Result<Option<Model>, Error> {
        let path = self.run.file(START);
        Ok(if path.exists() { Some(Model::load(&path)?) } else { None })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.run.path()
    }

    /// Adds a line of figures, and scalars for TensorBoard.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn note(
        &mut self,
        stage: u64,
        figures: &Value,
        scalars: &[(&str, f32)],
    ) -> Result<(), Error> {
        self.run.note(stage, figures, scalars)
    }

    /// Saves all that is needed to go on.
    ///
    /// # Errors
    /// When it cannot be written; the last one is still there.
    pub fn save(&self, checkpoint: &Checkpoint) -> Result<(), Error> {
        self.run.sync()?;
        Ok(checkpoint.save(&self.run.file(CHECKPOINT))?)
    }

    /// Saves the best network.
    ///
    /// # Errors
    /// When it cannot be written; the last one is still there.
    pub fn save_model(&self, model: &Model) -> Result<(), Error> {
        Ok(model.save(&self.run.file(MODEL))?)
    }
}
