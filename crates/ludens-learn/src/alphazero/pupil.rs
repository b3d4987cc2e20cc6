//! Networks that learn from lessons.

use std::path::Path;

use ludens_core::{Evaluator, Game, Rng};
use ludens_nn::{Checkpoint, Describe, Model, Trainer, Weights};
use serde_json::Value;

use super::game::Lesson;
use crate::Error;

/// A network that learns a policy and a value.
pub trait Pupil<G: Game>: Send {
    /// So many evaluators with the network as it is now, each remembering so many positions.
    ///
    /// # Errors
    /// When the network is for another board.
    fn evaluators(&self, count: usize, cache: usize) -> Result<Vec<Box<dyn Evaluator<G>>>, Error>;

    /// Learns from a batch once. Gives the losses of policy and value, which are not finite when
    /// nothing could be learned.
    fn learn(&mut self, lessons: &[&Lesson<G>], rate: f32, decay: f32, rng: &mut Rng) -> [f32; 2];

    /// Writes all that is needed to go on to `state` and to `network`.
    ///
    /// # Errors
    /// When they cannot be written; older ones are still there.
    fn save(&self, state: &Path, network: &Path, game: &str, notes: &Value) -> Result<(), Error>;
}

/// Weights that learn, and their running mean: what learns jumps about, the mean plays.
pub(super) struct Averaged<S> {
    pub(super) trainer: Trainer<S>,
    pub(super) mean: Weights<S>,
    /// How slowly the mean follows.
    inertia: f32,
}

impl<S: Describe> Averaged<S> {
    /// Begins with weights that have not learned.
    pub(super) fn new(weights: Weights<S>, inertia: f32) -> Self {
        Averaged { mean: weights.clone(), trainer: Trainer::new(weights), inertia }
    }

    /// Goes on from what [`save`](Averaged::save) wrote, with the notes; these tell where the mean is.
    pub(super) fn load(
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

    /// Follows a step of the trainer.
    pub(super) fn follow(&mut self) {
        // The first steps are followed closely.
        let steps = self.trainer.steps() as f32;
        let inertia = self.inertia.min((1.0 + steps) / (10.0 + steps));
        for slot in self.mean.spec().slots() {
            let now = self.trainer.weights().get(&slot.name);
            for (mean, now) in self.mean.get_mut(&slot.name).iter_mut().zip(now) {
                *mean += (1.0 - inertia) * (now - *mean);
            }
        }
    }

    /// The network that plays, for a file.
    pub(super) fn model(&self, game: &str, encoder: &str, notes: &Value) -> Model<S> {
        let (game, encoder) = (game.to_owned(), encoder.to_owned());
        Model { game, encoder, weights: self.mean.clone(), notes: notes.clone() }
    }

    pub(super) fn save(
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
