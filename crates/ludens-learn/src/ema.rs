//! Weights that learn, and the exponential moving average of them that plays.

use std::path::Path;

use ludens_nn::{Checkpoint, Describe, Engine, Model, Trainer, Weights};
use serde_json::Value;

use crate::Error;

/// Weights that learn, and their exponential moving average: what learns jumps about, the mean plays.
pub(crate) struct Ema<S> {
    pub(crate) trainer: Trainer<S>,
    pub(crate) mean: Weights<S>,
    /// How slowly the mean follows: its share of the next mean.
    decay: f32,
}

impl<S: Describe> Ema<S> {
    /// Starts with weights that have not learned.
    pub(crate) fn new(weights: Weights<S>, decay: f32) -> Self {
        Ema { mean: weights.clone(), trainer: Trainer::new(weights), decay }
    }

    /// Resumes from what [`save`](Ema::save) wrote, with the notes; these tell where the mean is.
    pub(crate) fn load(
        state: &Path,
        network: impl Fn(&Value) -> std::path::PathBuf,
        game: &str,
        encoder: &str,
        decay: f32,
    ) -> Result<(Self, Value), Error> {
        let checkpoint = Checkpoint::<S>::load(state)?;
        checkpoint.model.check(game, encoder)?;
        let notes = checkpoint.model.notes.clone();
        let trainer = checkpoint.trainer()?;
        let mean = Model::<S>::load(&network(&notes))?;
        mean.check(game, encoder)?;
        if mean.weights.spec() != trainer.weights().spec() {
            let message = format!("{} and its mean are different networks", state.display());
            return Err(Error::Run(message));
        }
        Ok((Ema { trainer, mean: mean.weights, decay }, notes))
    }

    /// Starts with the network of a file's bytes.
    pub(crate) fn of_network(
        network: &[u8],
        game: &str,
        encoder: &str,
        decay: f32,
    ) -> Result<Self, Error> {
        let model = Model::<S>::from_bytes("the network that plays", network)?;
        model.check(game, encoder)?;
        Ok(Ema::new(model.weights, decay))
    }

    /// The same with another engine.
    pub(crate) fn engine(self, engine: Engine) -> Result<Self, Error> {
        Ok(Ema { trainer: self.trainer.engine(engine)?, ..self })
    }

    /// The same on n threads.
    pub(crate) fn threads(self, threads: usize) -> Self {
        Ema { trainer: self.trainer.threads(threads), ..self }
    }

    /// Follows a step of the trainer.
    pub(crate) fn follow(&mut self) {
        // The first steps are followed closely.
        let steps = self.trainer.steps() as f32;
        let decay = self.decay.min((1.0 + steps) / (10.0 + steps));
        for tensor in self.mean.spec().tensor_specs() {
            let now = self.trainer.weights().get(&tensor.name);
            for (mean, now) in self.mean.get_mut(&tensor.name).iter_mut().zip(now) {
                // Not the other way around: without decay the mean is what learns, to the bit.
                *mean = now + decay * (*mean - now);
            }
        }
    }

    /// The network that plays, for a file.
    pub(crate) fn model(&self, game: &str, encoder: &str, notes: &Value) -> Model<S> {
        let (game, encoder) = (game.to_owned(), encoder.to_owned());
        Model { game, encoder, weights: self.mean.clone(), notes: notes.clone() }
    }

    /// Writes what is needed to resume to `state`, and the network that plays to `network`.
    pub(crate) fn save(
        &self,
        state: &Path,
        network: &Path,
        game: &str,
        encoder: &str,
        notes: &Value,
    ) -> Result<(), Error> {
        let mean = self.model(game, encoder, notes);
        mean.save(network)?;
        let model = Model { weights: self.trainer.weights().clone(), ..mean };
        Ok(Checkpoint::of(&self.trainer, model).save(state)?)
    }
}
