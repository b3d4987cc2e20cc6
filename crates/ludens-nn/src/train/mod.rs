//! Learning: gradients of the networks of this crate, and optimizers.
//!
//! A [`Trainer`] sees slices only. For every batch it runs the network forward, asks a closure
//! for the loss and its slope by the outputs, runs backward, and takes a step. So all
//! recipes (imitation, policy gradients, self-play) share it and differ in their closures.

mod adam;
#[cfg(feature = "burn")]
mod burn;
#[cfg(feature = "files")]
mod checkpoint;
mod clipped;
mod engine;
mod graph;
#[cfg(test)]
mod graph_tests;
mod kernels;
mod layer;
mod loss;
mod machine;
mod optimizer;
mod pass;
mod rows;
#[cfg(test)]
mod tests;
mod valid;
#[cfg(test)]
mod valid_tests;

pub use adam::Adam;
#[cfg(feature = "files")]
pub use checkpoint::Checkpoint;
pub use clipped::{Clipped, Taken, clipped_loss};
pub use engine::Engine;
pub use loss::{PolicyOutput, policy_loss, squared_policy_loss, value_loss};
pub use optimizer::{Optimizer, Sgd};

use std::collections::BTreeMap;

use ludens_core::ParseError;

use crate::simd::Level;
use crate::{Describe, Graph, GraphSpec, Outputs, Spec, Weights};
use engine::Ready;
use pass::{By, Gradients, Statistics};

/// How much of a batch's statistics the running ones take over.
const MOMENTUM: f32 = 0.1;

/// Learns the weights of a network.
///
/// ```
/// use ludens_core::Rng;
/// use ludens_nn::{Adam, Spec, Trainer, Weights, value_loss};
/// let mut trainer = Trainer::new(Weights::random(Spec::value(3, 3, 2, 8, 2), &mut Rng::new(1)));
/// let inputs = [[0.0; 18], [1.0; 18]].concat();
/// let mut step = || {
///     trainer.step(&Adam { rate: 1e-2, ..Adam::default() }, &inputs, |out, slope| {
///         let one = |i: usize, slope: &mut f32| value_loss(out.values[i], i as f32, 0.5, slope);
///         (one(0, &mut slope.values[0]) + one(1, &mut slope.values[1])) / 2.0
///     })
/// };
/// let first = step();
/// let last = (0..100).map(|_| step()).last().unwrap();
/// assert!(last < first / 10.0, "{first} {last}");
/// ```
pub struct Trainer<S = Spec> {
    weights: Weights<S>,
    engine: Ready,
    machine: machine::Machine,
    adam: adam::State,
    pool: pass::Pool,
}

impl<S: Describe> Trainer<S> {
    /// Begins with these weights.
    pub fn new(weights: Weights<S>) -> Self {
        Trainer {
            weights,
            engine: Ready::Native,
            machine: machine::Machine { level: Level::best(), threads: 1 },
            adam: adam::State::default(),
            pool: pass::Pool::default(),
        }
    }

    /// The same on `threads` threads, at least 1. What is learned does not depend on it.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.machine.threads = threads.max(1);
        self
    }

    /// The same with another engine. Threads count for [`Engine::Native`] only.
    ///
    /// # Errors
    /// When this program or this machine does not have it, as [`Engine::check`] says.
    pub fn engine(self, engine: Engine) -> Result<Self, ParseError> {
        Ok(Trainer { engine: engine.open()?, ..self })
    }

    /// The weights as they are now.
    pub fn weights(&self) -> &Weights<S> {
        &self.weights
    }

    /// Steps taken.
    pub fn steps(&self) -> u64 {
        self.adam.steps
    }

    /// Everything that a later [`resume`](Trainer::resume) needs, as named tensors.
    pub fn state(&self) -> BTreeMap<String, Vec<f32>> {
        self.adam.tensors()
    }

    /// Goes on from weights and a [`state`](Trainer::state).
    ///
    /// # Errors
    /// When the state is not of this network.
    pub fn resume(
        weights: Weights<S>,
        state: BTreeMap<String, Vec<f32>>,
        steps: u64,
    ) -> Result<Self, crate::Error> {
        let adam = adam::State::from_tensors(weights.spec(), state, steps)?;
        Ok(Trainer { adam, ..Trainer::new(weights) })
    }

    /// Takes a step, unless something is no number; gives the loss back.
    fn take(&mut self, optimizer: Optimizer, loss: f32, gradients: &Gradients) -> Option<f32> {
        let squares: f64 = gradients.values().flatten().map(|x| f64::from(*x).powi(2)).sum();
        (loss.is_finite() && squares.is_finite()).then(|| {
            let norm = squares.sqrt() as f32;
            let max_grad_norm = optimizer.max_grad_norm();
            let shrink = if norm > max_grad_norm { max_grad_norm / norm } else { 1.0 };
            let weights = &mut self.weights;
            match optimizer {
                Optimizer::Adam(adam) => self.adam.step(&adam, weights, gradients, shrink),
                Optimizer::Sgd(sgd) => self.adam.descend(&sgd, weights, gradients, shrink),
            }
            loss
        })
    }
}

impl Trainer {
    /// One step: `loss` gets what the network says of the batch and writes the slope of the loss
    /// by each output; its result is given back. Nothing is learned from a loss that is not
    /// finite.
    ///
    /// # Panics
    /// When the inputs are not whole positions, or none.
    pub fn step(
        &mut self,
        optimizer: impl Into<Optimizer>,
        inputs: &[f32],
        loss: impl FnOnce(&Outputs, &mut Outputs) -> f32,
    ) -> f32 {
        let (value, gradients, statistics) = self.pass(By::Batch, inputs, loss);
        let Some(value) = self.take(optimizer.into(), value, &gradients) else { return f32::NAN };
        self.blend(statistics, MOMENTUM);
        value
    }

    /// The same with normalisations as they are when the network runs: by the running statistics,
    /// which stay as they are. The network says of a position what it says when it runs, whatever
    /// else is in the batch.
    ///
    /// # Panics
    /// When the inputs are not whole positions, or none.
    pub fn step_frozen(
        &mut self,
        optimizer: impl Into<Optimizer>,
        inputs: &[f32],
        loss: impl FnOnce(&Outputs, &mut Outputs) -> f32,
    ) -> f32 {
        let (value, gradients, _) = self.pass(By::Running, inputs, loss);
        self.take(optimizer.into(), value, &gradients).unwrap_or(f32::NAN)
    }

    /// Moves the running statistics of normalisations by a share, 0 to 1, towards those of a batch.
    ///
    /// # Panics
    /// When the inputs are not whole positions, or none.
    pub fn observe(&mut self, inputs: &[f32], share: f32) {
        let (_, _, statistics) = self.pass(By::Batch, inputs, |_, _| 0.0);
        self.blend(statistics, share);
    }

    fn pass(
        &mut self,
        by: By,
        inputs: &[f32],
        loss: impl FnOnce(&Outputs, &mut Outputs) -> f32,
    ) -> (f32, Gradients, Statistics) {
        let size = self.weights.spec().inputs();
        let batch = inputs.len() / size;
        assert!(batch > 0 && inputs.len() == batch * size, "whole positions");
        // These have one engine.
        if let crate::Tower::Valid(form) = self.weights.spec().tower {
            let (value, gradients) =
                valid::gradients(&self.weights, form, self.machine, inputs, loss);
            return (value, gradients, Statistics::new());
        }
        match &self.engine {
            Ready::Native => {
                pass::gradients(&self.weights, self.machine, by, &mut self.pool, inputs, loss)
            }
            #[cfg(feature = "burn")]
            Ready::Burn(device) => burn::boards::gradients(&self.weights, device, by, inputs, loss),
        }
    }

    fn blend(&mut self, statistics: Statistics, share: f32) {
        for (name, [mean, variance]) in statistics {
            for (part, new) in [("running_mean", mean), ("running_var", variance)] {
                let running = self.weights.get_mut(&format!("{name}.norm.{part}"));
                for (old, new) in running.iter_mut().zip(new) {
                    *old += share * (new - *old);
                }
            }
        }
    }
}

impl Trainer<GraphSpec> {
    /// One step on graphs, as [`Trainer::step`] takes one on boards. The policy's outputs are those
    /// of all graphs' action nodes, one after the other.
    ///
    /// # Panics
    /// When there are no graphs, or graphs of another network.
    pub fn step_graphs(
        &mut self,
        optimizer: impl Into<Optimizer>,
        graphs: &[Graph],
        loss: impl FnOnce(&Outputs, &mut Outputs) -> f32,
    ) -> f32 {
        assert!(!graphs.is_empty(), "a batch has graphs");
        let (value, gradients) = match &self.engine {
            Ready::Native => graph::gradients(&self.weights, self.machine, graphs, loss),
            #[cfg(feature = "burn")]
            Ready::Burn(device) => burn::graphs::gradients(&self.weights, device, graphs, loss),
        };
        self.take(optimizer.into(), value, &gradients).unwrap_or(f32::NAN)
    }
}

/// The names of tensors that gradients change.
fn learned(spec: &impl Describe) -> impl Iterator<Item = crate::TensorSpec> {
    use crate::Role::{Mean, Variance};
    spec.tensor_specs().into_iter().filter(|tensor| !matches!(tensor.role, Mean | Variance))
}
