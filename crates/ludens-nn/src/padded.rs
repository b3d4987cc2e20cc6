//! A network of padded convolutions ready to run: normalisation folded into them, weights packed for
//! this processor.

use crate::buffer::Buffer;
use crate::kernels::{Convolve, Matrix, Scatter, Sparse, Then};
use crate::network::Scratch;
use crate::simd::{Level, Vectors};
use crate::spec::Head;
use crate::weights::{EPSILON, block_name};
use crate::{Spec, Weights};

/// A network whose convolutions keep the board's size.
pub(crate) struct PaddedNetwork {
    spec: Spec,
    level: Level,
    stem: Sparse,
    tower: Vec<Matrix>,
    shared: Option<Matrix>,
    policy: Option<Layers>,
    value: Option<Layers>,
}

/// A head's layers.
enum Layers {
    Cells(Matrix),
    Pooled(Matrix),
    Dense(Matrix),
    Reduced { reduce: Matrix, hidden: Option<Matrix>, linear: Matrix },
}

impl PaddedNetwork {
    pub(crate) fn new(weights: &Weights, level: Level) -> PaddedNetwork {
        let spec = *weights.spec();
        let planes = spec.planes;
        let taps = spec.kernel * spec.kernel;
        let folded = Folded::new(weights, "stem");
        let stem = Sparse::pack(
            level,
            spec.kernel,
            planes,
            spec.channels,
            |output| folded.bias[output],
            |output, plane, tap| folded.factor(output, plane * taps + tap),
        );
        let width = spec.channels;
        let tower = (0..spec.convolutions()).map(|index| {
            let folded = Folded::new(weights, &block_name(index));
            let bias = |output: usize| folded.bias[output];
            Matrix::pack(level, width, 9 * width, bias, |output, input| {
                let (tap, channel) = (input / width, input % width);
                folded.factor(output, channel * 9 + tap)
            })
        });
        let mut network = PaddedNetwork {
            spec,
            level,
            stem,
            tower: tower.collect(),
            shared: None,
            policy: None,
            value: None,
        };
        if spec.shared > 0 {
            network.shared = Some(network.flat(weights, "shared", spec.channels, spec.shared));
        }
        network.policy =
            spec.policy.map(|head| network.head(weights, "policy", head, spec.actions));
        network.value = spec.value.map(|head| network.head(weights, "value", head, 1));
        network
    }

    /// A linear layer on rows.
    fn linear(&self, weights: &Weights, name: &str, inputs: usize, outputs: usize) -> Matrix {
        let factors = weights.get(&format!("{name}.weight"));
        let bias = weights.get(&format!("{name}.bias"));
        let factor = |output: usize, input: usize| factors[output * inputs + input];
        Matrix::pack(self.level, outputs, inputs, |output| bias[output], factor)
    }

    /// A linear layer on all cells with all their channels: files have channel after channel,
    /// activations cell after cell.
    fn flat(&self, weights: &Weights, name: &str, channels: usize, outputs: usize) -> Matrix {
        let (cells, stride) = (self.spec.cells(), crate::kernels::padded(channels, self.level));
        let factors = weights.get(&format!("{name}.weight"));
        let bias = weights.get(&format!("{name}.bias"));
        Matrix::pack(
            self.level,
            outputs,
            cells * stride,
            |output| bias[output],
            |output, input| {
                let (cell, channel) = (input / stride, input % stride);
                if channel < channels {
                    factors[(output * channels + channel) * cells + cell]
                } else {
                    0.0
                }
            },
        )
    }

    fn head(&self, weights: &Weights, name: &str, head: Head, outputs: usize) -> Layers {
        let (width, shared) = (self.spec.channels, self.spec.shared);
        let linear = format!("{name}.linear");
        match head {
            Head::Cells => Layers::Cells(self.linear(weights, &format!("{name}.conv"), width, 1)),
            Head::Pooled => Layers::Pooled(self.linear(weights, &linear, width, outputs)),
            Head::Dense if shared > 0 => {
                Layers::Dense(self.linear(weights, &linear, shared, outputs))
            }
            Head::Dense => Layers::Dense(self.flat(weights, &linear, width, outputs)),
            Head::Reduced { planes, hidden } => {
                let folded = Folded::new(weights, &format!("{name}.reduce"));
                let bias = |output: usize| folded.bias[output];
                let factor = |output, input| folded.factor(output, input);
                let reduce = Matrix::pack(self.level, planes, width, bias, factor);
                let (hidden, linear) = if hidden > 0 {
                    let between = self.flat(weights, &format!("{name}.hidden"), planes, hidden);
                    (Some(between), self.linear(weights, &linear, hidden, outputs))
                } else {
                    (None, self.flat(weights, &linear, planes, outputs))
                };
                Layers::Reduced { reduce, hidden, linear }
            }
        }
    }

    /// Evaluates a few positions.
    pub(crate) fn group(
        &self,
        scratch: &mut Scratch,
        inputs: &[f32],
        policy: &mut [f32],
        values: &mut [f32],
    ) {
        let (spec, level) = (&self.spec, self.level);
        let (rows, cols, cells) = (spec.rows, spec.cols, spec.cells());
        let count = inputs.len() / spec.inputs();
        let stride = self.stem.outputs;
        let len = count * cells * stride;
        scratch.boards.iter_mut().for_each(|board| board.grow(len));
        let Scratch { boards: [here, there, skipped], rows: row_buffers, entries } = scratch;

        // The stem, then convolution after convolution between the buffers.
        let output = &mut here[..len];
        let (matrix, input, then) = (&self.stem, inputs, Then::Relu);
        level.run(Scatter { matrix, rows, cols, input, output, entries, then });
        let residual = matches!(spec.tower, crate::Tower::Residual(_));
        for (index, matrix) in self.tower.iter().enumerate() {
            if !residual {
                let (input, output) = (&here[..len], &mut there[..len]);
                level.run(Convolve { matrix, rows, cols, input, output, skip: None, then });
                std::mem::swap(here, there);
            } else if spec.ends_block(index) {
                let (input, output, skip) =
                    (&there[..len], &mut skipped[..len], Some(&here[..len]));
                level.run(Convolve { matrix, rows, cols, input, output, skip, then });
                std::mem::swap(here, skipped);
            } else {
                let (input, output) = (&here[..len], &mut there[..len]);
                level.run(Convolve { matrix, rows, cols, input, output, skip: None, then });
            }
        }

        let board = cells * stride;
        let [shared_rows, first, second] = row_buffers;
        let base = match &self.shared {
            Some(matrix) => {
                matrix.multiply(level, (&here[..len], board), count, shared_rows, Then::Relu);
                (&**shared_rows, matrix.outputs)
            }
            None => (&here[..len], board),
        };
        let input = Tail { boards: &here[..len], board, base, count };
        if let Some(layers) = &self.policy {
            self.tail(layers, input, spec.actions, first, second, policy);
        }
        if let Some(layers) = &self.value {
            self.tail(layers, input, 1, first, second, values);
            spec.range.apply(values);
        }
    }

    /// A head of a group: `outputs` numbers per position into `out`.
    fn tail(
        &self,
        layers: &Layers,
        input: Tail<'_>,
        outputs: usize,
        first: &mut Buffer,
        second: &mut Buffer,
        out: &mut [f32],
    ) {
        let (level, count) = (self.level, input.count);
        let (stride, cells) = (self.stem.outputs, self.spec.cells());
        let (result, wide): (&[f32], usize) = match layers {
            Layers::Cells(matrix) => {
                matrix.multiply(level, (input.boards, stride), count * cells, first, Then::Keep);
                let planes = first.chunks_exact(matrix.outputs);
                out.iter_mut().zip(planes).for_each(|(logit, cell)| *logit = cell[0]);
                return;
            }
            Layers::Pooled(matrix) => {
                second.grow(count * stride);
                let boards = input.boards.chunks_exact(input.board);
                for (mean, board) in second.chunks_exact_mut(stride).zip(boards) {
                    mean.fill(0.0);
                    for cell in board.chunks_exact(stride) {
                        mean.iter_mut().zip(cell).for_each(|(sum, x)| *sum += x);
                    }
                    mean.iter_mut().for_each(|sum| *sum /= cells as f32);
                }
                matrix.multiply(level, (second, stride), count, first, Then::Keep);
                (first, matrix.outputs)
            }
            Layers::Dense(matrix) => {
                let (rows, stride) = input.base;
                matrix.multiply(level, (rows, stride), count, first, Then::Keep);
                (first, matrix.outputs)
            }
            Layers::Reduced { reduce, hidden, linear } => {
                reduce.multiply(level, (input.boards, stride), count * cells, first, Then::Relu);
                let row = cells * reduce.outputs;
                match hidden {
                    Some(hidden) => {
                        hidden.multiply(level, (first, row), count, second, Then::Relu);
                        linear.multiply(level, (second, hidden.outputs), count, first, Then::Keep);
                        (first, linear.outputs)
                    }
                    None => {
                        linear.multiply(level, (first, row), count, second, Then::Keep);
                        (second, linear.outputs)
                    }
                }
            }
        };
        for (out, row) in out.chunks_exact_mut(outputs).zip(result.chunks_exact(wide)) {
            out.copy_from_slice(&row[..outputs]);
        }
    }
}

/// What the heads of a group stand on.
#[derive(Clone, Copy)]
struct Tail<'a> {
    /// What the tower gave.
    boards: &'a [f32],
    /// Numbers of a board.
    board: usize,
    /// What dense heads see, and the numbers of a position there.
    base: (&'a [f32], usize),
    /// Positions.
    count: usize,
}

/// A convolution with its normalisation folded in.
struct Folded<'a> {
    factors: &'a [f32],
    scale: Vec<f32>,
    bias: Vec<f32>,
}

impl<'a> Folded<'a> {
    fn new(weights: &'a Weights, name: &str) -> Self {
        let norm = |part: &str| weights.get(&format!("{name}.norm.{part}"));
        let (gain, shift) = (norm("weight"), norm("bias"));
        let (mean, variance) = (norm("running_mean"), norm("running_var"));
        let scale: Vec<f32> =
            gain.iter().zip(variance).map(|(gain, var)| gain / (var + EPSILON).sqrt()).collect();
        let bias = (0..scale.len()).map(|i| shift[i] - mean[i] * scale[i]).collect();
        Folded { factors: weights.get(&format!("{name}.conv.weight")), scale, bias }
    }

    /// A factor by output and index among the output's inputs.
    fn factor(&self, output: usize, input: usize) -> f32 {
        let inputs = self.factors.len() / self.scale.len();
        self.factors[output * inputs + input] * self.scale[output]
    }
}
