//! Adam with weight decay as a part of the loss, or apart from it (AdamW).
//!
//! References: D. Kingma, J. Ba, Adam: a method for stochastic optimization, ICLR 2015; I. Loshchilov,
//! F. Hutter, Decoupled weight decay regularization, ICLR 2019.

use std::collections::BTreeMap;

use super::Sgd;
use crate::{Describe, Error, Weights};

/// The settings of a step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Adam {
    /// Learning rate.
    pub rate: f32,
    /// Weight decay: half of it times the sum of squares is added to the loss.
    pub decay: f32,
    /// Weight decay apart from the loss: every step takes this times the rate of each weight away.
    pub decoupled: f32,
    /// How slowly the mean of gradients changes.
    pub beta1: f32,
    /// How slowly the mean of their squares changes.
    pub beta2: f32,
    /// Added to the root of that.
    pub epsilon: f32,
    /// Gradients longer than this, all tensors together, are made as short.
    pub max_grad_norm: f32,
}

impl Default for Adam {
    fn default() -> Self {
        Adam {
            rate: 1e-3,
            decay: 0.0,
            decoupled: 0.0,
            beta1: 0.9,
            beta2: 0.999,
            epsilon: 1e-8,
            max_grad_norm: f32::INFINITY,
        }
    }
}

/// Means of gradients and of their squares, by tensor.
#[derive(Default)]
pub(super) struct State {
    pub(super) steps: u64,
    means: BTreeMap<String, [Vec<f32>; 2]>,
    /// Whether steps were taken that keep no means.
    descended: bool,
}

/// The tensor of a state that has no means.
const DESCENDED: &str = "descended";

impl State {
    pub(super) fn step<S: Describe>(
        &mut self,
        adam: &Adam,
        weights: &mut Weights<S>,
        gradients: &BTreeMap<String, Vec<f32>>,
        shrink: f32,
    ) {
        self.steps += 1;
        let power = i32::try_from(self.steps).unwrap_or(i32::MAX);
        let (left1, left2) = (1.0 - adam.beta1.powi(power), 1.0 - adam.beta2.powi(power));
        for (name, gradient) in gradients {
            let zeros = || [vec![0.0; gradient.len()], vec![0.0; gradient.len()]];
            let [first, second] = self.means.entry(name.clone()).or_insert_with(zeros);
            let moments = first.iter_mut().zip(second);
            for ((weight, slope), (m, v)) in
                weights.get_mut(name).iter_mut().zip(gradient).zip(moments)
            {
                let slope = shrink * slope + adam.decay * *weight;
                *weight -= adam.rate * adam.decoupled * *weight;
                *m += (1.0 - adam.beta1) * (slope - *m);
                *v += (1.0 - adam.beta2) * (slope * slope - *v);
                *weight -= adam.rate * (*m / left1) / ((*v / left2).sqrt() + adam.epsilon);
            }
        }
    }

    /// A step of plain gradient descent, which remembers nothing but that it was taken.
    pub(super) fn descend<S: Describe>(
        &mut self,
        sgd: &Sgd,
        weights: &mut Weights<S>,
        gradients: &BTreeMap<String, Vec<f32>>,
        shrink: f32,
    ) {
        self.steps += 1;
        self.descended = true;
        for (name, gradient) in gradients {
            for (weight, slope) in weights.get_mut(name).iter_mut().zip(gradient) {
                *weight -= sgd.rate * (shrink * slope + sgd.decay * *weight);
            }
        }
    }

    pub(super) fn tensors(&self) -> BTreeMap<String, Vec<f32>> {
        let both = self.means.iter().flat_map(|(name, [first, second])| {
            [(format!("first.{name}"), first.clone()), (format!("second.{name}"), second.clone())]
        });
        let none = self.descended.then(|| (DESCENDED.to_owned(), vec![1.0]));
        both.chain(none).collect()
    }

    pub(super) fn from_tensors(
        spec: &impl Describe,
        mut tensors: BTreeMap<String, Vec<f32>>,
        steps: u64,
    ) -> Result<State, Error> {
        let mut means = BTreeMap::new();
        let descended = tensors.remove(DESCENDED).is_some();
        if steps > 0 && !descended {
            for tensor in super::learned(spec) {
                let mut part = |kind: &str| {
                    let name = format!("{kind}.{}", tensor.name);
                    let found =
                        tensors.remove(&name).filter(|numbers| numbers.len() == tensor.len());
                    found.ok_or_else(|| Error::Weights {
                        what: format!("no tensor '{name}' of {} numbers", tensor.len()),
                    })
                };
                means.insert(tensor.name.clone(), [part("first")?, part("second")?]);
            }
        }
        Ok(State { steps, means, descended })
    }
}
