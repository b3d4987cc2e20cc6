//! Weights that learn, and the mean of them that plays.

use std::path::Path;

use ludens_nn::{Checkpoint, Describe, Engine, Model, Trainer, Weights};
use serde_json::Value;

use crate::Error;

/// Weights that learn, and their running mean: what learns jumps about, the mean plays.
pub(crate) struct Averaged<S> {
    pub(crate) trainer: Trainer<S>,
    pub(crate) mean: Weights<S>,
    /// How slowly the mean follows.
    inertia: f32,
}

impl<S: Describe> Averaged<S> {
    /// Begins with weights that have not learned.
    pub(crate) fn new(weights: Weights<S>, inertia: f32) -> Self {
        Averaged { mean: weights.clone(), trainer: Trainer::new(weights), inertia }
    }

    /// Goes on from what [`save`](Averaged::save) wrote, with the notes; these tell where the mean is.
    pub(crate) fn load(
        state: &Path,
        network: impl Fn(&Value) -> std::path::PathBuf,
        game: &str,
        encoder: &str,
        inertia: f32,
    ) -> Result<(Self, Value), Error> {
        let checkpoint = Checkpoint::<S>::load(state)?;
        checkpoint.model.check(game, encoder)?;
        let notes = checkpoint.model.notes.clone();
        let trainer = checkpoint.trainer()?;
        let mean = Model::<S>::load(&network(&notes))?;
        mean.check(game, encoder)?;
        if mean.weights.spec() != trainer.weights().spec() {
            let told = format!("{} and its mean are different networks", state.display());
            return Err(Error::Run(told));
        }
        Ok((Averaged { trainer, mean: mean.weights, inertia }, notes))
    }

    /// The same with another engine.
    pub(crate) fn engine(self, engine: Engine) -> Result<Self, Error> {
        Ok(Averaged { trainer: self.trainer.engine(engine)?, ..self })
    }

    /// The same on so many threads.
    pub(crate) fn threads(self, threads: usize) -> Self {
        Averaged { trainer: self.trainer.threads(threads), ..self }
    }

    /// Follows a step of the trainer.
    pub(crate) fn follow(&mut self) {
        // The first steps are followed closely.
        let steps = self.trainer.steps() as f32;
        let inertia = self.inertia.min((1.0 + steps) / (10.0 + steps));
        for slot in self.mean.spec().slots() {
            let now = self.trainer.weights().get(&slot.name);
            for (mean, now) in self.mean.get_mut(&slot.name).iter_mut().zip(now) {
                // Not the other way around: without inertia the mean is what learns, to the bit.
                *mean = now + inertia * (*mean - now);
            }
        }
    }

    /// The network that plays, for a file.
    pub(crate) fn model(&self, game: &str, encoder: &str, notes: &Value) -> Model<S> {
        let (game, encoder) = (game.to_owned(), encoder.to_owned());
        Model { game, encoder, weights: self.mean.clone(), notes: notes.clone() }
    }

    /// Writes what is needed to go on to `state`, and the network that plays to `network`.
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
