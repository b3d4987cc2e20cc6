//! Layers that learn: forward on a batch, backward with gradients.

use crate::buffer::Buffer;
use crate::kernels::{Convolve, Matrix, Multiply, Then, padded};
use crate::simd::{Level, Vectors};
use crate::train::kernels::Correlate;
use crate::train::machine::{Machine, PARTS};

/// How a layer's weights lie in their tensor.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form {
    /// A 3x3 convolution between planes of this number.
    Conv(usize),
    /// A linear layer, or a 1x1 convolution, and its inputs.
    Rows(usize),
    /// A linear layer on whole boards: cells, and channels of a cell. Tensors have channel after
    /// channel, activations cell after cell.
    Flat(usize, usize),
}

impl Form {
    /// Taps, and inputs of each as activations have them.
    pub(super) fn inputs(self, level: Level) -> (usize, usize) {
        match self {
            Form::Conv(channels) => (9, channels),
            Form::Rows(inputs) => (1, inputs),
            Form::Flat(cells, channels) => (1, cells * padded(channels, level)),
        }
    }

    /// Where a weight is in the tensor.
    pub(super) fn index(
        self,
        level: Level,
        output: usize,
        tap: usize,
        input: usize,
    ) -> Option<usize> {
        match self {
            Form::Conv(channels) => Some((output * channels + input) * 9 + tap),
            Form::Rows(inputs) => Some(output * inputs + input),
            Form::Flat(cells, channels) => {
                let (cell, channel) =
                    (input / padded(channels, level), input % padded(channels, level));
                (channel < channels).then(|| (output * channels + channel) * cells + cell)
            }
        }
    }
}

/// The weights of a layer, packed for both directions.
pub(super) struct Layer {
    machine: Machine,
    pub(super) form: Form,
    pub(super) outputs: usize,
    forward: Matrix,
    backward: Matrix,
}

impl Layer {
    pub(super) fn pack(
        machine: Machine,
        form: Form,
        outputs: usize,
        factors: &[f32],
        bias: Option<&[f32]>,
    ) -> Layer {
        let level = machine.level;
        let (taps, inputs) = form.inputs(level);
        let at = |output, tap, input| {
            form.index(level, output, tap, input).map_or(0.0, |at| factors[at])
        };
        let bias = |output: usize| bias.map_or(0.0, |bias| bias[output]);
        let forward = Matrix::pack(level, outputs, taps * inputs, bias, |output, input| {
            at(output, input / inputs, input % inputs)
        });
        // The slope of an input is a sum over the outputs that saw it: turned around, taps too.
        let backward = Matrix::pack(
            level,
            inputs,
            taps * outputs,
            |_| 0.0,
            |input, output| at(output % outputs, taps - 1 - output / outputs, input),
        );
        Layer { machine, form, outputs, forward, backward }
    }

    /// Numbers of a row of outputs.
    pub(super) fn stride(&self) -> usize {
        self.forward.outputs
    }

    /// Numbers of a row of inputs.
    pub(super) fn input_stride(&self) -> usize {
        self.backward.outputs
    }

    pub(super) fn forward(&self, board: [usize; 2], input: &[f32], output: &mut [f32]) {
        self.apply(&self.forward, board, input, output);
    }

    /// The slope of the inputs.
    pub(super) fn backward(&self, board: [usize; 2], slope: &[f32], input_slope: &mut [f32]) {
        self.apply(&self.backward, board, slope, input_slope);
    }

    fn apply(&self, matrix: &Matrix, [rows, cols]: [usize; 2], input: &[f32], output: &mut [f32]) {
        let (level, then) = (self.machine.level, Then::Keep);
        let convolution = matches!(self.form, Form::Conv(_));
        let size = if convolution { rows * cols * matrix.outputs } else { matrix.outputs };
        let count = output.len() / size;
        let (stride, share) = (input.len() / count, self.machine.share(count));
        let parts = input.chunks(share * stride).zip(output.chunks_mut(share * size)).collect();
        self.machine.each(parts, |(input, output)| {
            if convolution {
                level.run(Convolve { matrix, rows, cols, input, output, skip: None, then });
            } else {
                level.run(Multiply { matrix, input, stride, output, then });
            }
        });
    }

    /// The gradient of the weights, in the tensor's order.
    pub(super) fn gradient(
        &self,
        [rows, cols]: [usize; 2],
        input: &[f32],
        slope: &[f32],
    ) -> Vec<f32> {
        let level = self.machine.level;
        let (taps, depth) = self.form.inputs(level);
        let (stride, width) = (self.input_stride(), self.stride());
        // Layers on rows see a board as one row of cells.
        let [rows, cols] = if taps == 9 { [rows, cols] } else { [1, 1] };
        let (cells, len) = (rows * cols, taps * depth * width);
        // Sums of large layers do not fit into the cache: fewer of them.
        let parts = if len > LARGE { PARTS / 2 } else { PARTS };
        let part = (slope.len() / (cells * width)).div_ceil(parts).max(1) * cells;
        let parts = input.chunks(part * stride).zip(slope.chunks(part * width)).collect();
        let sums = self.machine.each(parts, |(input, slope)| {
            let mut sums = Buffer::zeros(len);
            let gradient = &mut *sums;
            level.run(Correlate { taps, rows, cols, input, depth, stride, slope, width, gradient });
            sums
        });
        let sums = total(sums);
        let mut out = vec![0.0; self.outputs * taps * depth];
        let mut len = 0;
        for tap in 0..taps {
            for input in 0..depth {
                for output in 0..self.outputs {
                    if let Some(at) = self.form.index(level, output, tap, input) {
                        out[at] = sums[(tap * depth + input) * width + output];
                        len = len.max(at + 1);
                    }
                }
            }
        }
        out.truncate(len);
        out
    }
}

/// Numbers of a gradient beyond which it is large.
const LARGE: usize = 1 << 16;

/// The sum of buffers of the same length, at least one.
pub(super) fn total(parts: Vec<Buffer>) -> Buffer {
    let mut parts = parts.into_iter();
    let mut total = parts.next().expect("a batch has at least one part");
    for part in parts {
        total.iter_mut().zip(&*part).for_each(|(sum, x)| *sum += x);
    }
    total
}
