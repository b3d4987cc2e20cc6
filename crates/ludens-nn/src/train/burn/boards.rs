//! Networks for boards on Burn's tensors.

use burn_tensor::activation::relu;
use burn_tensor::module::conv2d;
use burn_tensor::ops::ConvOptions;
use burn_tensor::{Device, Tensor};

use super::{Leaves, constant, read};
use crate::spec::{Head, Range};
use crate::train::pass::{By, Gradients, Statistics};
use crate::weights::{EPSILON, block_name};
use crate::{Outputs, Weights};

/// A batch on its way forward. Activations are positions, channels, rows, columns.
struct Forward<'a> {
    weights: &'a Weights,
    leaves: Leaves,
    by: By,
    /// The normalisations that saw the batch, and its mean and variance for each.
    seen: Vec<String>,
    moments: Vec<Tensor<1>>,
}

/// The loss of a batch, its gradients, and the statistics of the normalisations.
pub(in crate::train) fn gradients(
    weights: &Weights,
    device: &Device,
    by: By,
    inputs: &[f32],
    loss: impl FnOnce(&Outputs, &mut Outputs) -> f32,
) -> (f32, Gradients, Statistics) {
    let spec = weights.spec();
    let count = inputs.len() / spec.inputs();
    let leaves = Leaves::new(weights, device);
    let (seen, moments) = (Vec::new(), Vec::new());
    let mut forward = Forward { weights, leaves, by, seen, moments };
    let said = forward.run(count, inputs);
    let Forward { leaves, seen, moments, .. } = forward;

    let mut numbers = read(std::iter::once(said.clone()).chain(moments).collect()).into_iter();
    let mut next = || numbers.next().expect("outputs, then two for every normalisation");
    let mut policy = next();
    let values = policy.split_off(count * spec.actions);
    let statistics = seen.into_iter().map(|name| (name, [next(), next()])).collect();

    let mut slopes = Outputs::zeros(spec, count);
    let result = loss(&Outputs { policy, values }, &mut slopes);
    let slopes = [slopes.policy, slopes.values].concat();
    (result, leaves.gradients(said, slopes), statistics)
}

impl Forward<'_> {
    /// All outputs: policies, then values.
    fn run(&mut self, count: usize, inputs: &[f32]) -> Tensor<1> {
        let spec = *self.weights.spec();
        // Positions come cell after cell, each with all its planes.
        let shape = [count, spec.rows, spec.cols, spec.planes];
        let input = constant(inputs.to_vec(), shape, &self.leaves.device).permute([0, 3, 1, 2]);
        let mut here = self.block("stem", input, spec.kernel, None);
        let mut before = here.clone();
        for index in 0..spec.convolutions() {
            // A residual block adds what it began with: the output of two convolutions before.
            let skip = spec.ends_block(index).then_some(before);
            before = here.clone();
            here = self.block(&block_name(index), here, 3, skip);
        }
        let mut base = here.clone().flatten(1, 3);
        if spec.shared > 0 {
            base = relu(self.linear("shared", base));
        }
        let policy = spec.policy.map(|head| self.head("policy", head, &here, &base));
        let value = spec.value.map(|head| self.head("value", head, &here, &base));
        let value = value.map(|value| match spec.range {
            Range::Linear => value,
            Range::Unit => value.tanh(),
        });
        Tensor::cat(policy.into_iter().chain(value).collect(), 0)
    }

    /// A head's outputs, position after position.
    fn head(&mut self, name: &str, head: Head, tower: &Tensor<4>, base: &Tensor<2>) -> Tensor<1> {
        let last = format!("{name}.linear");
        let tower = tower.clone();
        match head {
            Head::Cells => {
                let bias = self.leaves.get(&format!("{name}.conv.bias"), [-1]);
                self.convolve(name, tower, 1, Some(bias)).reshape([-1])
            }
            Head::Pooled => {
                let means = tower.mean_dims(&[2, 3]).flatten(1, 3);
                self.linear(&last, means).reshape([-1])
            }
            Head::Dense => self.linear(&last, base.clone()).reshape([-1]),
            Head::Reduced { hidden, .. } => {
                let planes = self.block(&format!("{name}.reduce"), tower, 1, None);
                let mut units = planes.flatten(1, 3);
                if hidden > 0 {
                    units = relu(self.linear(&format!("{name}.hidden"), units));
                }
                self.linear(&last, units).reshape([-1])
            }
        }
    }

    /// A convolution with its normalisation; then what is skipped to it, and ReLU.
    fn block(
        &mut self,
        name: &str,
        input: Tensor<4>,
        kernel: usize,
        skip: Option<Tensor<4>>,
    ) -> Tensor<4> {
        let z = self.convolve(name, input, kernel, None);
        let normed = self.normalise(name, z);
        relu(match skip {
            Some(skip) => normed + skip,
            None => normed,
        })
    }

    fn convolve(
        &self,
        name: &str,
        input: Tensor<4>,
        kernel: usize,
        bias: Option<Tensor<1>>,
    ) -> Tensor<4> {
        let [_, channels, ..] = input.dims();
        let shape = [-1, channels as isize, kernel as isize, kernel as isize];
        let factors = self.leaves.get(&format!("{name}.conv.weight"), shape);
        conv2d(input, factors, bias, ConvOptions::new([1; 2], [kernel / 2; 2], [1; 2], 1))
    }

    /// Normalises channels by the batch, which is noted, or by the running statistics.
    fn normalise(&mut self, name: &str, z: Tensor<4>) -> Tensor<4> {
        const BY_CHANNEL: [isize; 4] = [1, -1, 1, 1];
        let name_of = |part: &str| format!("{name}.norm.{part}");
        let [positions, channels, rows, cols] = z.dims();
        let [mean, variance] = match self.by {
            By::Batch => {
                let mean = z.clone().mean_dims(&[0, 2, 3]);
                let variance = (z.clone() - mean.clone()).square().mean_dims(&[0, 2, 3]);
                // Running variances are those of the whole, not of the sample.
                let count = (positions * rows * cols) as f32;
                let more = if count > 1.0 { count / (count - 1.0) } else { 1.0 };
                self.seen.push(name.to_owned());
                self.moments.push(mean.clone().reshape([-1]));
                self.moments.push((variance.clone() * more).reshape([-1]));
                [mean, variance]
            }
            By::Running => ["running_mean", "running_var"].map(|part| {
                let numbers = self.weights.get(&name_of(part)).to_vec();
                constant(numbers, [1, channels, 1, 1], &self.leaves.device)
            }),
        };
        let gain = self.leaves.get(&name_of("weight"), BY_CHANNEL);
        let bias = self.leaves.get(&name_of("bias"), BY_CHANNEL);
        (z - mean) * (gain / (variance + EPSILON).sqrt()) + bias
    }

    fn linear(&self, name: &str, input: Tensor<2>) -> Tensor<2> {
        let [_, inputs] = input.dims();
        let factors = self.leaves.get(&format!("{name}.weight"), [-1, inputs as isize]);
        let bias = self.leaves.get(&format!("{name}.bias"), [1, -1]);
        input.matmul(factors.transpose()) + bias
    }
}
