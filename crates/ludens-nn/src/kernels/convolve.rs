//! 3x3 convolutions.

use super::{Matrix, Then, accumulate, begin, blocks, finish, volume, with_count};
use crate::simd::{Kernel, Simd};

/// A 3x3 convolution of boards, with zeros around them.
pub(crate) struct Convolve<'a> {
    /// Inputs: nine taps, row after row, of all input channels.
    pub(crate) matrix: &'a Matrix,
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    /// Boards of `rows * cols` cells of `matrix.outputs` channels.
    pub(crate) input: &'a [f32],
    /// As many boards.
    pub(crate) output: &'a mut [f32],
    /// Boards to add before `then`.
    pub(crate) skip: Option<&'a [f32]>,
    pub(crate) then: Then,
}

impl Kernel for Convolve<'_> {
    #[inline(always)]
    unsafe fn run<S: Simd>(self) {
        let Convolve { matrix, rows, cols, input, output, skip, then } = self;
        matrix.check::<S>();
        let board = volume([rows, cols, matrix.outputs]);
        assert_eq!(input.len() % board, 0, "whole boards");
        assert_eq!(input.len(), output.len(), "as many outputs as inputs");
        assert!(skip.is_none_or(|skip| skip.len() == input.len()), "as many skipped");
        let channels = matrix.depth / 9;
        assert!(matrix.depth == 9 * channels && channels <= matrix.outputs, "nine taps");
        let parts = cols.div_ceil(S::CELLS);
        for start in (0..input.len()).step_by(board) {
            let skip = skip.map_or(std::ptr::null(), |skip| skip[start..].as_ptr());
            let (input, output) = (input[start..].as_ptr(), output[start..].as_mut_ptr());
            let source = Source { matrix, rows, cols, input, skip, then };
            for (first, vectors) in blocks(matrix.outputs, S::LANES) {
                for y in 0..rows {
                    let mut x = 0;
                    for part in 0..parts {
                        // Parts of a row that differ by at most one cell.
                        let cells = (cols - x).div_ceil(parts - part);
                        with_count!(cells, |C| {
                            // SAFETY: the assertions above, and the tile lies on the board.
                            unsafe {
                                match vectors {
                                    1 => source.tile::<S, C, 1>(output, first, y, x),
                                    _ => source.tile::<S, C, 2>(output, first, y, x),
                                }
                            }
                        });
                        x += cells;
                    }
                }
            }
        }
    }
}

/// A board to convolve.
struct Source<'a> {
    matrix: &'a Matrix,
    rows: usize,
    cols: usize,
    input: *const f32,
    skip: *const f32,
    then: Then,
}

impl Source<'_> {
    /// One tile.
    ///
    /// # Safety
    /// The processor has the instructions; the tile lies on the board; input, output and,
    /// unless it is null, `skip` have `rows * cols` cells of `matrix.outputs` channels.
    #[inline(always)]
    unsafe fn tile<S: Simd, const C: usize, const N: usize>(
        &self,
        output: *mut f32,
        first: usize,
        y: usize,
        x: usize,
    ) {
        let (matrix, stride) = (self.matrix, self.matrix.outputs);
        let depth = matrix.depth / 9;
        let (left, right) = (x == 0, x + C == self.cols);
        // SAFETY: rows outside the board are passed over; columns outside are the tile's first
        // or last cell, left out by LEFT and RIGHT; weights have nine taps of `depth`
        // inputs for the block at `first`.
        unsafe {
            let mut sums = begin::<S, C, N>(matrix.bias.as_ptr().add(first));
            let block = matrix.weights.as_ptr().add(first * matrix.depth);
            for dy in 0..3 {
                let Some(from) = (y + dy).checked_sub(1).filter(|&row| row < self.rows) else {
                    continue;
                };
                let row = self.input.add((from * self.cols + x) * stride);
                let (before, after) = (row.wrapping_sub(stride), row.wrapping_add(stride));
                let tap = |dx: usize| block.add((3 * dy + dx) * depth * N * S::LANES);
                sums = if left {
                    accumulate::<S, C, N, 1, 0>(sums, before, stride, tap(0), depth)
                } else {
                    accumulate::<S, C, N, 0, 0>(sums, before, stride, tap(0), depth)
                };
                sums = accumulate::<S, C, N, 0, 0>(sums, row, stride, tap(1), depth);
                sums = if right {
                    accumulate::<S, C, N, 0, 1>(sums, after, stride, tap(2), depth)
                } else {
                    accumulate::<S, C, N, 0, 0>(sums, after, stride, tap(2), depth)
                };
            }
            let at = (y * self.cols + x) * stride + first;
            let skip = if self.skip.is_null() { self.skip } else { self.skip.add(at) };
            finish::<S, C, N>(sums, output.add(at), skip, stride, self.then);
        }
    }
}
