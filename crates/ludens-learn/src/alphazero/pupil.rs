//! Networks that learn from lessons.

use std::path::Path;

use ludens_core::{Evaluator, Game, Rng};
use ludens_nn::{Cached, Checkpoint, Describe, Engine, Model, Trainer, Weights};
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

/// The losses of a batch, added up while it is learned from.
pub(super) struct Tally {
    pub(super) policy: f32,
    pub(super) value: f32,
    /// What a lesson's losses count.
    pub(super) scale: f32,
    /// Lessons that teach a policy.
    taught: usize,
}

impl Tally {
    /// Nothing yet, of these lessons.
    pub(super) fn of<G>(lessons: &[&Lesson<G>]) -> Self {
        let taught = lessons.iter().filter(|lesson| !lesson.policy.is_empty()).count().max(1);
        Tally { policy: 0.0, value: 0.0, scale: 1.0 / lessons.len() as f32, taught }
    }

    /// The loss of the batch.
    pub(super) fn loss(&self) -> f32 {
        (self.policy + self.value) * self.scale
    }
}

/// So many evaluators like one, each remembering so many positions.
pub(super) fn remembering<G: Game>(
    judge: &(impl Evaluator<G> + Clone + 'static),
    count: usize,
    cache: usize,
) -> Vec<Box<dyn Evaluator<G>>> {
    let one = || Box::new(Cached::new(judge.clone(), cache)) as Box<dyn Evaluator<G>>;
    std::iter::repeat_with(one).take(count).collect()
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

    /// The same with another engine.
    pub(super) fn engine(self, engine: Engine) -> Result<Self, Error> {
        Ok(Averaged { trainer: self.trainer.engine(engine)?, ..self })
    }

    /// Ends a step of the trainer that gave a loss: the mean losses of policy and value, which
    /// are no numbers where it is none.
    pub(super) fn finish(&mut self, loss: f32, tally: &Tally) -> [f32; 2] {
        if !loss.is_finite() {
            return [f32::NAN; 2];
        }
        self.follow();
        [tally.policy / tally.taught as f32, tally.value * tally.scale]
    }

    /// Follows a step of the trainer.
    fn follow(&mut self) {
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
