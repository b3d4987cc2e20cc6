//! Networks that learn from samples.

use std::path::{Path, PathBuf};

use ludens_core::{Evaluator, Game, Rng};
use ludens_nn::{Cached, Describe, Optimizer};
use serde_json::Value;

use super::AlphaZeroConfig;
use super::game::Sample;
use crate::Error;
use crate::ema::Ema;

/// A network that learns a policy and a value.
pub trait Learner<G: Game>: Sized + Send {
    /// What describes the network besides the settings.
    type Architecture;

    /// A fresh network.
    ///
    /// # Errors
    /// When there is no such engine.
    fn new(
        architecture: &Self::Architecture,
        variant: &G::Variant,
        config: &AlphaZeroConfig,
        rng: &mut Rng,
    ) -> Result<Self, Error>;

    /// Resumes from what [`save`](Learner::save) wrote, with the notes; `network` says by them where the
    /// network that plays is.
    ///
    /// # Errors
    /// When a file cannot be read or is of another game or encoder.
    fn load(
        variant: &G::Variant,
        config: &AlphaZeroConfig,
        state: &Path,
        network: impl Fn(&Value) -> PathBuf,
        game: &str,
    ) -> Result<(Self, Value), Error>;

    /// The network of a file's bytes, which has learned nothing since.
    ///
    /// # Errors
    /// When it is of another game or encoder.
    fn of_network(
        variant: &G::Variant,
        config: &AlphaZeroConfig,
        network: &[u8],
        game: &str,
    ) -> Result<Self, Error>;

    /// The network that plays, as a file has it, without notes.
    ///
    /// # Errors
    /// When it cannot be written as safetensors.
    fn network(&self, game: &str) -> Result<Vec<u8>, Error>;

    /// `count` evaluators with the network as it is now, each remembering `cache` positions.
    ///
    /// # Errors
    /// When the network is for another board.
    fn evaluators(&self, count: usize, cache: usize) -> Result<Vec<Box<dyn Evaluator<G>>>, Error>;

    /// Learns from a batch once. Gives the losses of policy and value, which are not finite when
    /// nothing could be learned.
    fn learn(&mut self, samples: &[&Sample<G>], by: &Optimizer, rng: &mut Rng) -> [f32; 2];

    /// The same losses of the network that plays, which learns nothing.
    fn losses(&self, samples: &[&Sample<G>]) -> [f32; 2];

    /// Writes all that is needed to resume to `state` and to `network`.
    ///
    /// # Errors
    /// When they cannot be written; older ones are still there.
    fn save(&self, state: &Path, network: &Path, game: &str, notes: &Value) -> Result<(), Error>;
}

/// The losses of a batch, added up while it is learned from.
pub(super) struct BatchLosses {
    pub(super) policy: f32,
    pub(super) value: f32,
    /// The weight of a sample's losses.
    pub(super) scale: f32,
    /// Samples with a policy.
    pub(super) with_policy: usize,
    /// All samples.
    samples: usize,
}

impl BatchLosses {
    /// Of these samples.
    pub(super) fn of<G>(samples: &[&Sample<G>]) -> Self {
        let with_policy = samples.iter().filter(|sample| !sample.policy.is_empty()).count().max(1);
        let samples = samples.len();
        BatchLosses { policy: 0.0, value: 0.0, scale: 1.0 / samples as f32, with_policy, samples }
    }

    /// The same with losses that are summed over the batch, or not.
    pub(super) fn summed(self, summed: bool) -> Self {
        BatchLosses { scale: if summed { 1.0 } else { self.scale }, ..self }
    }

    /// The loss of the batch.
    pub(super) fn loss(&self) -> f32 {
        (self.policy + self.value) * self.scale
    }

    /// The mean losses of policy and value.
    pub(super) fn means(&self) -> [f32; 2] {
        [self.policy / self.with_policy as f32, self.value / self.samples as f32]
    }
}

/// `count` evaluators like one, each remembering `cache` positions.
pub(super) fn remembering<G: Game>(
    evaluator: &(impl Evaluator<G> + Clone + 'static),
    count: usize,
    cache: usize,
) -> Vec<Box<dyn Evaluator<G>>> {
    let one = || Box::new(Cached::new(evaluator.clone(), cache)) as Box<dyn Evaluator<G>>;
    std::iter::repeat_with(one).take(count).collect()
}

impl<S: Describe> Ema<S> {
    /// Ends a step of the trainer that gave a loss: the mean losses of policy and value, which
    /// are no numbers where it is none.
    pub(super) fn finish(&mut self, loss: f32, losses: &BatchLosses) -> [f32; 2] {
        if !loss.is_finite() {
            return [f32::NAN; 2];
        }
        self.follow();
        losses.means()
    }
}
