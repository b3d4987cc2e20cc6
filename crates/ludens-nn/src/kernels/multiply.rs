//! Products of a matrix with the vectors of a batch.

use super::{Matrix, Then, accumulate, begin, blocks, finish, volume, with_count};
use crate::buffer::Buffer;
use crate::simd::{Kernel, Level, Simd, Vectors};

/// A linear layer.
pub(crate) struct Multiply<'a> {
    pub(crate) matrix: &'a Matrix,
    /// Rows of `matrix.depth` numbers, `stride` apart.
    pub(crate) input: &'a [f32],
    pub(crate) stride: usize,
    /// Rows of `matrix.outputs` numbers.
    pub(crate) output: &'a mut [f32],
    pub(crate) then: Then,
}

impl Matrix {
    /// A linear layer of `rows` rows that are `stride` apart, into a buffer that grows as needed.
    pub(crate) fn multiply(
        &self,
        level: Level,
        (input, stride): (&[f32], usize),
        rows: usize,
        out: &mut Buffer,
        then: Then,
    ) {
        out.grow(rows * self.outputs);
        let output = &mut out[..rows * self.outputs];
        level.run(Multiply { matrix: self, input, stride, output, then });
    }
}

impl Kernel for Multiply<'_> {
    #[inline(always)]
    unsafe fn run<S: Simd>(self) {
        let (matrix, outputs) = (self.matrix, self.matrix.outputs);
        matrix.check::<S>();
        let count = self.output.len() / outputs;
        assert_eq!(self.output.len(), count * outputs, "whole rows");
        if count == 0 {
            return;
        }
        let last = volume([count - 1, self.stride]);
        let fits = self.input.len().checked_sub(last).is_some_and(|left| left >= matrix.depth);
        assert!(fits, "as many inputs as outputs");
        let (stride, then) = (self.stride, self.then);
        for row in (0..count).step_by(S::CELLS) {
            let cells = S::CELLS.min(count - row);
            for (first, vectors) in blocks(outputs, S::LANES) {
                with_count!(cells, |C| {
                    // SAFETY: rows up to `row + C` are there by the assertions.
                    unsafe {
                        let input = self.input.as_ptr().add(row * self.stride);
                        let output = self.output.as_mut_ptr().add(row * outputs + first);
                        match vectors {
                            1 => product::<S, C, 1>(matrix, first, input, stride, output, then),
                            _ => product::<S, C, 2>(matrix, first, input, stride, output, then),
                        }
                    }
                });
            }
        }
    }
}

/// One block of a linear layer for `C` rows.
///
/// # Safety
/// The processor has the instructions; `C` rows can be read and written.
#[inline(always)]
unsafe fn product<S: Simd, const C: usize, const N: usize>(
    matrix: &Matrix,
    first: usize,
    input: *const f32,
    stride: usize,
    output: *mut f32,
    then: Then,
) {
    // SAFETY: the caller's, and the matrix has a block at `first`.
    unsafe {
        let weights = matrix.weights.as_ptr().add(first * matrix.depth);
        let sums = begin::<S, C, N>(matrix.bias.as_ptr().add(first));
        let sums = accumulate::<S, C, N, 0, 0>(sums, input, stride, weights, matrix.depth);
        finish::<S, C, N>(sums, output, std::ptr::null(), matrix.outputs, then);
    }
}
