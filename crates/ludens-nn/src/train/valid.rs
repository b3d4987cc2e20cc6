//! One batch through a network of valid convolutions, forward and backward.

use super::layer::{Form, Layer};
use super::machine::Machine;
use super::pass::Gradients;
use crate::buffer::Buffer;
use crate::valid::{Stage, Valid, convolution_name, dense_name};
use crate::{Outputs, Weights};

/// A layer as it was on the way forward.
struct Tape {
    name: String,
    layer: Layer,
    /// Rows that it saw.
    input: Buffer,
    /// What came out, after the activation if it has one.
    out: Buffer,
    activated: bool,
}

/// What all layers of a pass need.
struct Pass<'a> {
    weights: &'a Weights,
    machine: Machine,
    valid: Valid,
    gradients: Gradients,
}

/// The loss of a batch and its gradients.
pub(super) fn gradients(
    weights: &Weights,
    valid: Valid,
    machine: Machine,
    inputs: &[f32],
    loss: impl FnOnce(&Outputs, &mut Outputs) -> f32,
) -> (f32, Gradients) {
    let spec = *weights.spec();
    let size = spec.inputs();
    let count = inputs.len() / size;
    let mut pass = Pass { weights, machine, valid, gradients: Gradients::new() };
    let [first, second] = valid.stages(&spec);

    // Forward: convolutions, linear layers, heads.
    let one = pass.convolve(0, first, inputs, spec.planes, count, true);
    let stride = one.layer.stride();
    let two = pass.convolve(1, second, &one.out, stride, count, false);
    let (stride, width) = (two.layer.stride(), valid.flat(&spec));
    let mut flat = Buffer::zeros(count * width);
    let boards = two.out.chunks_exact(second.cells() * stride).zip(inputs.chunks_exact(size));
    for (flat, (board, input)) in flat.chunks_exact_mut(width).zip(boards) {
        second.flatten(stride, |to, from| flat[to] = board[from]);
        if let (true, Some(last)) = (valid.flag, flat.last_mut()) {
            *last = valid.flag_of(&spec, input);
        }
    }
    if valid.flag {
        valid.activate(&mut flat);
    }
    let mut dense: Vec<Tape> = Vec::new();
    for (index, units) in valid.units().enumerate() {
        let (input, width) = match dense.last() {
            Some(tape) => (&*tape.out, tape.layer.outputs),
            None => (&*flat, width),
        };
        let tape = pass.linear(dense_name(index), input, width, units, count, true);
        dense.push(tape);
    }
    let (input, width) = match dense.last() {
        Some(tape) => (&*tape.out, tape.layer.outputs),
        None => (&*flat, width),
    };
    let mut outputs = Outputs::zeros(&spec, count);
    let head = |name: &str, units: usize, out: &mut [f32]| {
        let tape = pass.linear(format!("{name}.linear"), input, width, units, count, false);
        let rows = tape.out.chunks_exact(tape.layer.stride());
        out.chunks_exact_mut(units)
            .zip(rows)
            .for_each(|(out, row)| out.copy_from_slice(&row[..units]));
        tape
    };
    let policy = spec.policy.map(|_| head("policy", spec.actions, &mut outputs.policy));
    let value = spec.value.map(|_| head("value", 1, &mut outputs.values));
    let (result, slopes) = outputs.loss(&spec, loss);

    // Backward.
    let mut slope: Option<Buffer> = None;
    for (tape, slopes, units) in
        [(policy, &slopes.policy, spec.actions), (value, &slopes.values, 1)]
    {
        let Some(tape) = tape else { continue };
        let mut rows = Buffer::zeros(tape.out.len());
        let padded = rows.chunks_exact_mut(tape.layer.stride());
        padded.zip(slopes.chunks_exact(units)).for_each(|(row, s)| row[..units].copy_from_slice(s));
        let below = pass.back(tape, rows);
        match &mut slope {
            Some(sum) => sum.iter_mut().zip(&*below).for_each(|(sum, x)| *sum += x),
            None => slope = Some(below),
        }
    }
    let mut slope = slope.expect("a network has a head");
    while let Some(tape) = dense.pop() {
        let rows = resized(&slope, count, tape.layer.stride());
        slope = pass.back(tape, rows);
    }
    let row = slope.len() / count;
    if valid.flag {
        let width = valid.flat(&spec);
        for (slope, flat) in slope.chunks_exact_mut(row).zip(flat.chunks_exact(width)) {
            valid.activate_back(&mut slope[..width], flat);
        }
    }
    let mut rows = Buffer::zeros(two.out.len());
    let boards = rows.chunks_exact_mut(second.cells() * stride);
    for (board, slope) in boards.zip(slope.chunks_exact(row)) {
        second.flatten(stride, |to, from| board[from] = slope[to]);
    }
    let patches = pass.back(two, rows);
    let (stride, per) = (one.layer.stride(), patches.len() / count);
    let mut rows = Buffer::zeros(one.out.len());
    for (board, patches) in
        rows.chunks_exact_mut(second.board() * stride).zip(patches.chunks_exact(per))
    {
        second.scatter(patches, per / second.cells(), board, stride);
    }
    pass.back(one, rows);
    (result, pass.gradients)
}

/// The rows of a buffer with another number of numbers: those that are new are 0.
fn resized(rows: &[f32], count: usize, stride: usize) -> Buffer {
    let mut out = Buffer::zeros(count * stride);
    let from = rows.len() / count;
    let both = stride.min(from);
    for (out, row) in out.chunks_exact_mut(stride).zip(rows.chunks_exact(from)) {
        out[..both].copy_from_slice(&row[..both]);
    }
    out
}

impl Pass<'_> {
    fn layer(&self, name: &str, inputs: usize, outputs: usize) -> Layer {
        let factors = self.weights.get(&format!("{name}.weight"));
        let bias = self.weights.get(&format!("{name}.bias"));
        Layer::pack(self.machine, Form::Rows(inputs), outputs, factors, Some(bias))
    }

    fn convolve(
        &self,
        index: usize,
        stage: Stage,
        boards: &[f32],
        stride: usize,
        count: usize,
        activated: bool,
    ) -> Tape {
        let name = convolution_name(index);
        let layer = self.layer(&name, stage.patch(), stage.outputs);
        let row = layer.input_stride();
        let mut input = Buffer::zeros(count * stage.cells() * row);
        let per = input.chunks_exact_mut(stage.cells() * row);
        for (board, patches) in boards.chunks_exact(stage.board() * stride).zip(per) {
            stage.gather(board, stride, patches, row);
        }
        self.forward(name, layer, input, activated)
    }

    /// A linear layer on rows, of which the first `inputs` numbers count.
    fn linear(
        &self,
        name: String,
        rows: &[f32],
        inputs: usize,
        outputs: usize,
        count: usize,
        activated: bool,
    ) -> Tape {
        let layer = self.layer(&name, inputs, outputs);
        let input = resized(rows, count, layer.input_stride());
        self.forward(name, layer, input, activated)
    }

    fn forward(&self, name: String, layer: Layer, input: Buffer, activated: bool) -> Tape {
        let mut out = Buffer::zeros(input.len() / layer.input_stride() * layer.stride());
        layer.forward([1, 1], &input, &mut out);
        if activated {
            self.valid.activate(&mut out);
        }
        Tape { name, layer, input, out, activated }
    }

    /// Notes a layer's gradients and gives the slope of its inputs.
    fn back(&mut self, tape: Tape, mut slope: Buffer) -> Buffer {
        let Tape { name, layer, input, out, activated } = tape;
        if activated {
            self.valid.activate_back(&mut slope, &out);
        }
        self.gradients.insert(format!("{name}.weight"), layer.gradient([1, 1], &input, &slope));
        let mut bias = self.machine.sums(layer.stride(), &slope, &slope, |x, _| x);
        bias.truncate(layer.outputs);
        self.gradients.insert(format!("{name}.bias"), bias);
        let mut below = Buffer::zeros(input.len());
        layer.backward([1, 1], &slope, &mut below);
        below
    }
}
