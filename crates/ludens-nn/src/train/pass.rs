//! One batch forward and backward.

mod heads;
mod normalise;

use std::collections::{BTreeMap, HashMap};

use super::kernels::Collect;
use super::layer::{Form, Layer, total};
use super::machine::{Machine, PARTS};
use crate::buffer::Buffer;
use crate::kernels::{Entries, Scatter, Sparse, Then, padded};
use crate::simd::Vectors;
use crate::weights::block_name;
use crate::{Outputs, Spec, Weights};

/// Gradients by tensor.
pub(super) type Gradients = BTreeMap<String, Vec<f32>>;
/// Means and variances of a batch by normalisation.
pub(super) type Statistics = Vec<(String, [Vec<f32>; 2])>;

/// Where normalisations take their means and variances from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum By {
    /// The batch.
    Batch,
    /// The running ones, as when the network runs.
    Running,
}

/// Buffers to use again, by length. What they hold is arbitrary.
#[derive(Default)]
pub(super) struct Pool(HashMap<usize, Vec<Buffer>>);

impl Pool {
    fn take(&mut self, len: usize) -> Buffer {
        self.0.get_mut(&len).and_then(Vec::pop).unwrap_or_else(|| Buffer::zeros(len))
    }

    fn put(&mut self, buffer: Buffer) {
        self.0.entry(buffer.len()).or_default().push(buffer);
    }
}

/// What all layers of a pass need.
struct Pass<'a> {
    weights: &'a Weights,
    spec: Spec,
    machine: Machine,
    by: By,
    pool: &'a mut Pool,
    gradients: Gradients,
    statistics: Statistics,
}

/// The loss of a batch, its gradients, and the statistics of the normalisations.
pub(super) fn gradients(
    weights: &Weights,
    machine: Machine,
    by: By,
    pool: &mut Pool,
    inputs: &[f32],
    loss: impl FnOnce(&Outputs, &mut Outputs) -> f32,
) -> (f32, Gradients, Statistics) {
    let spec = *weights.spec();
    let (gradients, statistics) = (Gradients::new(), Statistics::new());
    let mut pass = Pass { weights, spec, machine, by, pool, gradients, statistics };
    let value = pass.run(inputs, loss);
    (value, pass.gradients, pass.statistics)
}

impl Pass<'_> {
    fn run(&mut self, inputs: &[f32], loss: impl FnOnce(&Outputs, &mut Outputs) -> f32) -> f32 {
        let spec = self.spec;
        let (rows, cols, cells) = (spec.rows, spec.cols, spec.cells());
        let (board, width) = ([rows, cols], spec.channels);
        let count = inputs.len() / spec.inputs();

        // Forward: stem, tower, heads.
        let stem = self.stem();
        let stride = stem.outputs;
        let len = count * cells * stride;
        let mut z = self.pool.take(len);
        let share = self.machine.share(count);
        let parts = inputs
            .chunks(share * spec.inputs())
            .zip(z.chunks_mut(share * cells * stride))
            .collect();
        self.machine.each(parts, |(input, output)| {
            let (matrix, entries, then) = (&stem, &mut Entries::default(), Then::Keep);
            let scatter = Scatter { matrix, rows, cols, input, output, entries, then };
            self.machine.level.run(scatter);
        });
        let mut blocks = vec![self.normalise("stem", z, width, None)];
        let mut layers = Vec::new();
        for index in 0..spec.convolutions() {
            let name = block_name(index);
            let layer = self.layer(&format!("{name}.conv"), Form::Conv(width), width, false);
            let mut z = self.pool.take(len);
            layer.forward(board, &blocks[index].out, &mut z);
            // A residual block adds what it began with: the output of two convolutions before.
            let before = spec.ends_block(index).then(|| std::mem::take(&mut blocks[index - 1].out));
            let block = self.normalise(&name, z, width, before.as_deref());
            if let Some(before) = before {
                blocks[index - 1].out = before;
            }
            blocks.push(block);
            layers.push(layer);
        }
        let tower = std::mem::take(&mut blocks.last_mut().expect("a stem at least").out);
        let shared = (spec.shared > 0).then(|| {
            let layer = self.layer("shared", Form::Flat(cells, width), spec.shared, true);
            let mut out = self.pool.take(count * layer.stride());
            layer.forward(board, &tower, &mut out);
            out.iter_mut().for_each(|x| *x = x.max(0.0));
            (layer, out)
        });
        let base = shared.as_ref().map_or(&*tower, |(_, out)| &**out);
        let mut outputs = Outputs::zeros(&spec, count);
        let (policy, values) = (&mut outputs.policy, &mut outputs.values);
        let policy =
            spec.policy.map(|head| self.head("policy", head, spec.actions, &tower, base, policy));
        let value = spec.value.map(|head| self.head("value", head, 1, &tower, base, values));
        let (result, slopes) = outputs.loss(&spec, loss);

        // Backward: heads, tower, stem.
        let mut slope = self.pool.take(len);
        slope.fill(0.0);
        let mut base_slope = shared.as_ref().map(|(_, out)| Buffer::zeros(out.len()));
        for (name, tape, slopes) in
            [("policy", policy, &slopes.policy), ("value", value, &slopes.values)]
        {
            if let Some(tape) = tape {
                let below = base_slope.as_mut();
                self.head_back(name, tape, slopes, &tower, base, &mut slope, below);
            }
        }
        if let (Some((layer, out)), Some(mut above)) = (shared, base_slope) {
            above
                .iter_mut()
                .zip(&*out)
                .for_each(|(slope, out)| *slope = if *out > 0.0 { *slope } else { 0.0 });
            let below = self.layer_back("shared", &layer, [1, 1], &tower, &above, true);
            add(&mut slope, &below);
            self.pool.put(below);
            self.pool.put(out);
        }
        blocks.last_mut().expect("a stem at least").out = tower;
        // The slope of what residual blocks begin with, waiting for its turn.
        let mut waiting: Option<Buffer> = None;
        for index in (0..spec.convolutions()).rev() {
            let block = blocks.pop().expect("one per convolution and the stem");
            self.mask(&block, &mut slope);
            if spec.ends_block(index) {
                let mut skip = self.pool.take(len);
                skip.copy_from_slice(&slope);
                waiting = Some(skip);
            }
            self.normalise_back(block, &mut slope);
            let input = &blocks.last().expect("the stem at least").out;
            let name = format!("{}.conv", block_name(index));
            let below = self.layer_back(&name, &layers[index], board, input, &slope, false);
            self.pool.put(std::mem::replace(&mut slope, below));
            if let Some(skip) = waiting.take_if(|_| !spec.ends_block(index)) {
                add(&mut slope, &skip);
                self.pool.put(skip);
            }
        }
        let block = blocks.pop().expect("the stem");
        self.mask(&block, &mut slope);
        self.normalise_back(block, &mut slope);
        self.stem_back(&stem, inputs, &slope);
        self.pool.put(slope);
        result
    }

    fn stem(&self) -> Sparse {
        let (planes, taps) = (self.spec.planes, self.spec.kernel * self.spec.kernel);
        let factors = self.weights.get("stem.conv.weight");
        let factor = |output: usize, plane: usize, tap: usize| {
            factors[(output * planes + plane) * taps + tap]
        };
        Sparse::pack(
            self.machine.level,
            self.spec.kernel,
            planes,
            self.spec.channels,
            |_| 0.0,
            factor,
        )
    }

    fn stem_back(&mut self, stem: &Sparse, input: &[f32], slope: &[f32]) {
        let (planes, taps) = (stem.planes, stem.kernel * stem.kernel);
        let (rows, cols, cells) = (self.spec.rows, self.spec.cols, self.spec.cells());
        let part = (input.len() / self.spec.inputs()).div_ceil(PARTS).max(1) * cells;
        let parts = input.chunks(part * planes).zip(slope.chunks(part * stem.outputs)).collect();
        let sums = total(self.machine.each(parts, |(input, slope)| {
            let mut sums = Buffer::zeros(taps * planes * stem.outputs);
            let gradient = &mut *sums;
            self.machine.level.run(Collect { stem, rows, cols, input, slope, gradient });
            sums
        }));
        let mut gradient = vec![0.0; self.spec.channels * planes * taps];
        for (at, gradient) in gradient.iter_mut().enumerate() {
            let (output, plane, tap) = (at / (planes * taps), at / taps % planes, at % taps);
            *gradient = sums[(tap * planes + plane) * stem.outputs + output];
        }
        self.gradients.insert("stem.conv.weight".to_owned(), gradient);
    }

    /// The layer of these tensors: `name.weight` and, if it has one, `name.bias`.
    fn layer(&self, name: &str, form: Form, outputs: usize, bias: bool) -> Layer {
        let factors = self.weights.get(&format!("{name}.weight"));
        let bias = bias.then(|| self.weights.get(&format!("{name}.bias")));
        Layer::pack(self.machine, form, outputs, factors, bias)
    }

    /// Notes a layer's gradients and gives the slope of its inputs.
    fn layer_back(
        &mut self,
        name: &str,
        layer: &Layer,
        board: [usize; 2],
        input: &[f32],
        slope: &[f32],
        bias: bool,
    ) -> Buffer {
        let gradient = layer.gradient(board, input, slope);
        self.gradients.insert(format!("{name}.weight"), gradient);
        if bias {
            let mut sums = self.machine.sums(layer.stride(), slope, slope, |x, _| x);
            sums.truncate(layer.outputs);
            self.gradients.insert(format!("{name}.bias"), sums);
        }
        let mut below = self.pool.take(slope.len() / layer.stride() * layer.input_stride());
        layer.backward(board, slope, &mut below);
        below
    }

    /// Channels of a tensor of the network, followed by zeros for the rest of a row.
    fn row(&self, name: &str, stride: usize) -> Vec<f32> {
        let mut row = self.weights.get(name).to_vec();
        row.resize(stride, 0.0);
        row
    }
}

fn add(sums: &mut [f32], numbers: &[f32]) {
    sums.iter_mut().zip(numbers).for_each(|(sum, x)| *sum += x);
}
