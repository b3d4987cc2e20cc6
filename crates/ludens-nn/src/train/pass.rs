//! One batch forward and backward.

use std::collections::{BTreeMap, HashMap};

use super::kernels::Collect;
use super::layer::{Form, Layer, total};
use super::machine::{Machine, PARTS};
use crate::buffer::Buffer;
use crate::kernels::{Entries, Scatter, Sparse, Then, padded};
use crate::spec::{Head, Range};
use crate::weights::{EPSILON, block_name};
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

/// A normalisation with ReLU, as it was on the way forward.
struct Normed {
    name: String,
    channels: usize,
    stride: usize,
    /// What was normalised, without gain and bias.
    hat: Buffer,
    /// What came out.
    out: Buffer,
    /// One over the standard deviations.
    inverse: Vec<f32>,
}

/// A head, as it was on the way forward.
enum Tape {
    Cells(Layer),
    Pooled(Layer, Buffer),
    Dense(Layer),
    Reduced(Box<Reduced>),
}

/// A head of few planes, as it was on the way forward.
struct Reduced {
    reduce: Layer,
    planes: Normed,
    hidden: Option<(Layer, Buffer)>,
    linear: Layer,
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
        if spec.range == Range::Unit {
            outputs.values.iter_mut().for_each(|value| *value = value.tanh());
        }

        // The loss, and what its slope is below the last function.
        let mut slopes = Outputs::zeros(&spec, count);
        let result = loss(&outputs, &mut slopes);
        if spec.range == Range::Unit {
            let pairs = slopes.values.iter_mut().zip(&outputs.values);
            pairs.for_each(|(slope, value)| *slope *= 1.0 - value * value);
        }

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

    /// Normalises by the batch, adds what is skipped to, and cuts off below 0.
    fn normalise(
        &mut self,
        name: &str,
        mut z: Buffer,
        channels: usize,
        skip: Option<&[f32]>,
    ) -> Normed {
        let (machine, stride) = (self.machine, padded(channels, self.machine.level));
        let count = (z.len() / stride) as f32;
        let zeros = vec![0.0; stride];
        let mut mean = match self.by {
            By::Batch => machine.sums(stride, &z, &z, |x, _| x / count),
            By::Running => self.row(&format!("{name}.norm.running_mean"), stride),
        };
        let mut out = self.pool.take(z.len());
        machine.map(&mut z, &out, [&mean, &zeros], |x, _, mean, _| x - mean);
        let mut variance = match self.by {
            By::Batch => machine.sums(stride, &z, &z, |x, _| x * x / count),
            By::Running => self.row(&format!("{name}.norm.running_var"), stride),
        };
        let inverse: Vec<f32> = variance.iter().map(|var| 1.0 / (var + EPSILON).sqrt()).collect();
        machine.map(&mut z, &out, [&inverse, &zeros], |x, _, inverse, _| x * inverse);
        let gain = self.row(&format!("{name}.norm.weight"), stride);
        let bias = self.row(&format!("{name}.norm.bias"), stride);
        match skip {
            None => {
                let f = |_, x: f32, gain: f32, bias: f32| (x * gain + bias).max(0.0);
                machine.map(&mut out, &z, [&gain, &bias], f);
            }
            Some(skip) => {
                out.copy_from_slice(skip);
                let f = |skip: f32, x: f32, gain: f32, bias: f32| (x * gain + bias + skip).max(0.0);
                machine.map(&mut out, &z, [&gain, &bias], f);
            }
        }
        if self.by == By::Batch {
            mean.truncate(channels);
            variance.truncate(channels);
            // Running variances are those of the whole, not of the sample.
            let more = if count > 1.0 { count / (count - 1.0) } else { 1.0 };
            variance.iter_mut().for_each(|var| *var *= more);
            self.statistics.push((name.to_owned(), [mean, variance]));
        }
        Normed { name: name.to_owned(), channels, stride, hat: z, out, inverse }
    }

    /// Nothing comes back through what was cut off.
    fn mask(&self, block: &Normed, slope: &mut [f32]) {
        let zeros = vec![0.0; block.stride];
        let f = |slope: f32, out: f32, _, _| if out > 0.0 { slope } else { 0.0 };
        self.machine.map(slope, &block.out, [&zeros, &zeros], f);
    }

    /// The slope of what was normalised, in place.
    fn normalise_back(&mut self, block: Normed, slope: &mut [f32]) {
        let (machine, stride) = (self.machine, block.stride);
        let count = (slope.len() / stride) as f32;
        let mut bias = machine.sums(stride, slope, slope, |slope, _| slope);
        let mut gain = machine.sums(stride, slope, &block.hat, |slope, hat| slope * hat);
        if self.by == By::Batch {
            // Every number has moved the batch's mean and variance too.
            let means = |sums: &[f32]| sums.iter().map(|sum| sum / count).collect::<Vec<f32>>();
            let (mean, tilt) = (means(&bias), means(&gain));
            let f = |slope: f32, hat: f32, mean: f32, tilt: f32| slope - mean - hat * tilt;
            machine.map(slope, &block.hat, [&mean, &tilt], f);
        }
        let factor = self.row(&format!("{}.norm.weight", block.name), stride);
        let f = |slope: f32, _, gain: f32, inverse: f32| slope * gain * inverse;
        machine.map(slope, &block.hat, [&factor, &block.inverse], f);
        bias.truncate(block.channels);
        gain.truncate(block.channels);
        self.gradients.insert(format!("{}.norm.weight", block.name), gain);
        self.gradients.insert(format!("{}.norm.bias", block.name), bias);
        self.pool.put(block.hat);
        self.pool.put(block.out);
    }

    /// A head forward: `outputs` numbers per position into `out`.
    fn head(
        &mut self,
        name: &str,
        head: Head,
        outputs: usize,
        tower: &[f32],
        base: &[f32],
        out: &mut [f32],
    ) -> Tape {
        let (spec, level) = (self.spec, self.machine.level);
        let (cells, width) = (spec.cells(), spec.channels);
        let count = out.len() / outputs;
        let last = format!("{name}.linear");
        match head {
            Head::Cells => {
                let layer = self.layer(&format!("{name}.conv"), Form::Rows(width), 1, true);
                self.linear(&layer, tower, count * cells, 1, out);
                Tape::Cells(layer)
            }
            Head::Pooled => {
                let layer = self.layer(&last, Form::Rows(width), outputs, true);
                let stride = padded(width, level);
                let mut means = self.pool.take(count * stride);
                means.fill(0.0);
                for (mean, board) in
                    means.chunks_exact_mut(stride).zip(tower.chunks_exact(cells * stride))
                {
                    board.chunks_exact(stride).for_each(|cell| add(mean, cell));
                    mean.iter_mut().for_each(|sum| *sum /= cells as f32);
                }
                self.linear(&layer, &means, count, outputs, out);
                Tape::Pooled(layer, means)
            }
            Head::Dense => {
                let form = if spec.shared > 0 {
                    Form::Rows(spec.shared)
                } else {
                    Form::Flat(cells, width)
                };
                let layer = self.layer(&last, form, outputs, true);
                self.linear(&layer, base, count, outputs, out);
                Tape::Dense(layer)
            }
            Head::Reduced { planes, hidden } => {
                let part = format!("{name}.reduce");
                let reduce = self.layer(&format!("{part}.conv"), Form::Rows(width), planes, false);
                let mut z = self.pool.take(count * cells * reduce.stride());
                reduce.forward([1, 1], tower, &mut z);
                let normed = self.normalise(&part, z, planes, None);
                let flat = Form::Flat(cells, planes);
                if hidden == 0 {
                    let linear = self.layer(&last, flat, outputs, true);
                    self.linear(&linear, &normed.out, count, outputs, out);
                    let tape = Reduced { reduce, planes: normed, hidden: None, linear };
                    return Tape::Reduced(Box::new(tape));
                }
                let between = self.layer(&format!("{name}.hidden"), flat, hidden, true);
                let mut units = self.pool.take(count * between.stride());
                between.forward([1, 1], &normed.out, &mut units);
                units.iter_mut().for_each(|x| *x = x.max(0.0));
                let linear = self.layer(&last, Form::Rows(hidden), outputs, true);
                self.linear(&linear, &units, count, outputs, out);
                let hidden = Some((between, units));
                Tape::Reduced(Box::new(Reduced { reduce, planes: normed, hidden, linear }))
            }
        }
    }

    /// A linear layer into rows without padding.
    fn linear(
        &mut self,
        layer: &Layer,
        input: &[f32],
        rows: usize,
        outputs: usize,
        out: &mut [f32],
    ) {
        let mut padded = self.pool.take(rows * layer.stride());
        layer.forward([1, 1], input, &mut padded);
        for (out, row) in out.chunks_exact_mut(outputs).zip(padded.chunks_exact(layer.stride())) {
            out.copy_from_slice(&row[..outputs]);
        }
        self.pool.put(padded);
    }

    /// A head backward: adds to the slope of the tower, or of the shared layer.
    #[expect(clippy::too_many_arguments, reason = "all that the head saw on its way forward")]
    fn head_back(
        &mut self,
        name: &str,
        tape: Tape,
        slopes: &[f32],
        tower: &[f32],
        base: &[f32],
        tower_slope: &mut [f32],
        base_slope: Option<&mut Buffer>,
    ) {
        let last = format!("{name}.linear");
        match tape {
            Tape::Cells(layer) => {
                let above = spread(&layer, slopes, 1);
                let below =
                    self.layer_back(&format!("{name}.conv"), &layer, [1, 1], tower, &above, true);
                add(tower_slope, &below);
                self.pool.put(below);
            }
            Tape::Pooled(layer, means) => {
                let above = spread(&layer, slopes, layer.outputs);
                let below = self.layer_back(&last, &layer, [1, 1], &means, &above, true);
                let (cells, stride) = (self.spec.cells(), layer.input_stride());
                let boards =
                    tower_slope.chunks_exact_mut(cells * stride).zip(below.chunks_exact(stride));
                for (board, mean) in boards {
                    for cell in board.chunks_exact_mut(stride) {
                        cell.iter_mut().zip(mean).for_each(|(x, mean)| *x += mean / cells as f32);
                    }
                }
                self.pool.put(below);
                self.pool.put(means);
            }
            Tape::Dense(layer) => {
                let above = spread(&layer, slopes, layer.outputs);
                let below = self.layer_back(&last, &layer, [1, 1], base, &above, true);
                match base_slope {
                    Some(base_slope) => add(base_slope, &below),
                    None => add(tower_slope, &below),
                }
                self.pool.put(below);
            }
            Tape::Reduced(tape) => {
                let Reduced { reduce, planes, hidden, linear } = *tape;
                let above = spread(&linear, slopes, linear.outputs);
                let mut slope = match &hidden {
                    None => self.layer_back(&last, &linear, [1, 1], &planes.out, &above, true),
                    Some((between, units)) => {
                        let mut slope =
                            self.layer_back(&last, &linear, [1, 1], units, &above, true);
                        slope.iter_mut().zip(&**units).for_each(|(slope, x)| {
                            *slope = if *x > 0.0 { *slope } else { 0.0 };
                        });
                        let name = format!("{name}.hidden");
                        let below =
                            self.layer_back(&name, between, [1, 1], &planes.out, &slope, true);
                        self.pool.put(slope);
                        below
                    }
                };
                self.mask(&planes, &mut slope);
                self.normalise_back(planes, &mut slope);
                let name = format!("{name}.reduce.conv");
                let below = self.layer_back(&name, &reduce, [1, 1], tower, &slope, false);
                add(tower_slope, &below);
                self.pool.put(below);
                self.pool.put(slope);
            }
        }
    }
}

fn add(sums: &mut [f32], numbers: &[f32]) {
    sums.iter_mut().zip(numbers).for_each(|(sum, x)| *sum += x);
}

/// Rows of `outputs` slopes with the padding that a layer's outputs have.
fn spread(layer: &Layer, slopes: &[f32], outputs: usize) -> Buffer {
    let mut rows = Buffer::zeros(slopes.len() / outputs * layer.stride());
    for (row, slopes) in rows.chunks_exact_mut(layer.stride()).zip(slopes.chunks_exact(outputs)) {
        row[..outputs].copy_from_slice(slopes);
    }
    rows
}
