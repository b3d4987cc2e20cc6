//! The layers of a network, as fast as the processor allows.
//!
//! Activations lie cell after cell, the channels of a cell together, rounded up to whole
//! vectors. A *tile* is a few cells of a row (or a few positions of a batch) by one or two
//! vectors of output channels; its sums stay in registers while the kernel runs over
//! taps and input channels: two vectors of weights are loaded, every cell's input is
//! spread over a vector and multiplied with both. Nothing is copied or padded, and taps
//! that lie outside the board are left out.

#![expect(
    unsafe_code,
    reason = "sums in registers and unchecked loads: see docs/results/neural.md"
)]

mod convolve;
mod multiply;
mod scatter;

pub(crate) use convolve::Convolve;
pub(crate) use multiply::Multiply;
pub(crate) use scatter::{Entries, Scatter, Sparse};

use crate::buffer::Buffer;
use crate::simd::{Level, Simd, Vectors};

/// Runs an expression with a number from 1 to 8 as a constant.
macro_rules! with_count {
    ($count:expr, |$constant:ident| $body:expr) => {
        with_count!(@arms $count, $constant, $body, 1, 2, 3, 4, 5, 6, 7, 8)
    };
    (@arms $count:expr, $constant:ident, $body:expr, $($n:literal),*) => {
        match $count {
            $($n => { const $constant: usize = $n; $body })*
            _ => unreachable!("tiles have 1 to 8 cells"),
        }
    };
}

pub(crate) use with_count;

/// Channels in whole vectors.
pub(crate) fn padded(channels: usize, level: Level) -> usize {
    channels.next_multiple_of(level.lanes())
}

/// The product of sizes. Kernels look where it says without checking again, so that one
/// which wraps around must not pass for a small one.
///
/// # Panics
/// When there is no such number.
pub(crate) fn volume<const N: usize>(sizes: [usize; N]) -> usize {
    let volume = sizes.into_iter().try_fold(1, usize::checked_mul);
    volume.expect("sizes of what lies in memory")
}

/// Output channels in blocks of two vectors, and one at the end of an odd number:
/// first channel and vectors of each.
pub(crate) fn blocks(channels: usize, lanes: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..channels).step_by(2 * lanes).map(move |first| (first, ((channels - first) / lanes).min(2)))
}

/// A matrix with a bias: output channels by `depth` inputs, packed block by block.
pub(crate) struct Matrix {
    /// Inputs of an output.
    pub(crate) depth: usize,
    /// Output channels, in whole vectors.
    pub(crate) outputs: usize,
    /// Floats of the vectors that the blocks are made of.
    lanes: usize,
    weights: Buffer,
    bias: Buffer,
}

impl Matrix {
    /// Packs the factors that `factor(output, input)` gives.
    pub(crate) fn pack(
        level: Level,
        outputs: usize,
        depth: usize,
        bias: impl Fn(usize) -> f32,
        factor: impl Fn(usize, usize) -> f32,
    ) -> Matrix {
        let (lanes, rounded) = (level.lanes(), padded(outputs, level));
        let mut weights = Buffer::zeros(volume([rounded, depth]));
        for (first, vectors) in blocks(rounded, lanes) {
            let wide = vectors * lanes;
            for input in 0..depth {
                for lane in 0..wide.min(outputs.saturating_sub(first)) {
                    weights[first * depth + input * wide + lane] = factor(first + lane, input);
                }
            }
        }
        let mut biases = Buffer::zeros(rounded);
        (0..outputs).for_each(|output| biases[output] = bias(output));
        Matrix { depth, outputs: rounded, lanes, weights, bias: biases }
    }

    /// Makes sure that every block has the weights and the bias that a kernel loads.
    ///
    /// # Panics
    /// When the matrix was packed for vectors of another length.
    #[inline(always)]
    fn check<S: Simd>(&self) {
        assert_eq!(self.lanes, S::LANES, "a matrix packed for these vectors");
        assert_eq!(self.outputs % S::LANES, 0, "whole vectors");
        assert_eq!(self.weights.len(), volume([self.outputs, self.depth]), "all weights");
        assert_eq!(self.bias.len(), self.outputs, "a bias for every output");
    }
}

/// What happens to the sums of a layer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Then {
    /// Nothing.
    Keep,
    /// Numbers below 0 become 0.
    Relu,
}

/// Adds to `sums` the products of `depth` inputs of every cell from `FROM` to before `TO`
/// with the weights of a block.
///
/// # Safety
/// The processor has the instructions. For every one of these cells `depth` floats can be
/// read at `input + cell * stride`, and `depth * N` vectors at `weights`.
#[inline(always)]
unsafe fn accumulate<
    S: Simd,
    const C: usize,
    const N: usize,
    const LEFT: usize,
    const RIGHT: usize,
>(
    mut sums: [[S::Vector; N]; C],
    input: *const f32,
    stride: usize,
    weights: *const f32,
    depth: usize,
) -> [[S::Vector; N]; C] {
    for k in 0..depth {
        // SAFETY: the caller's: k is below depth, the cells are those named.
        unsafe {
            let row = weights.add(k * N * S::LANES);
            let row: [S::Vector; N] = std::array::from_fn(|n| S::load(row.add(n * S::LANES)));
            for (cell, sums) in sums.iter_mut().enumerate().take(C - RIGHT).skip(LEFT) {
                let x = S::splat(*input.add(cell * stride + k));
                for (sum, row) in sums.iter_mut().zip(row) {
                    *sum = S::fma(x, row, *sum);
                }
            }
        }
    }
    sums
}

/// Finishes a tile: adds what is skipped to, applies `then`, and writes.
///
/// # Safety
/// The processor has the instructions; `N` vectors can be written at `output + cell *
/// stride`, and read at `skip` likewise unless it is null.
#[inline(always)]
unsafe fn finish<S: Simd, const C: usize, const N: usize>(
    sums: [[S::Vector; N]; C],
    output: *mut f32,
    skip: *const f32,
    stride: usize,
    then: Then,
) {
    for (cell, sums) in sums.into_iter().enumerate() {
        for (n, mut sum) in sums.into_iter().enumerate() {
            let at = cell * stride + n * S::LANES;
            // SAFETY: the caller's.
            unsafe {
                if !skip.is_null() {
                    sum = S::add(sum, S::load(skip.add(at)));
                }
                if then == Then::Relu {
                    sum = S::max(sum, S::splat(0.0));
                }
                S::store(output.add(at), sum);
            }
        }
    }
}

/// The bias in every cell.
///
/// # Safety
/// The processor has the instructions; `N` vectors can be read at `bias`.
#[inline(always)]
unsafe fn begin<S: Simd, const C: usize, const N: usize>(bias: *const f32) -> [[S::Vector; N]; C] {
    // SAFETY: the caller's.
    let row = std::array::from_fn(|n| unsafe { S::load(bias.add(n * S::LANES)) });
    [row; C]
}

#[cfg(test)]
pub(crate) mod tests;
