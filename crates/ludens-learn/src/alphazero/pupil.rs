//! Networks that learn from lessons.

use std::path::Path;

use ludens_core::{Evaluator, Game, Rng};
use ludens_nn::{Cached, Describe};
use serde_json::Value;

use super::game::Lesson;
use crate::Error;
use crate::averaged::Averaged;

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
    pub(super) taught: usize,
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

impl<S: Describe> Averaged<S> {
    /// Ends a step of the trainer that gave a loss: the mean losses of policy and value, which
    /// are no numbers where it is none.
    pub(super) fn finish(&mut self, loss: f32, tally: &Tally) -> [f32; 2] {
        if !loss.is_finite() {
            return [f32::NAN; 2];
        }
        self.follow();
        [tally.policy / tally.taught as f32, tally.value * tally.scale]
    }
}
