//! The kernels that only learning needs: products summed over the cells of a batch.
//!
//! The gradient of a layer's weights is a sum, over all cells, of inputs times gradients of
//! outputs. A tile of it, some inputs by one or two vectors of outputs, stays in registers while
//! the kernel runs over the cells of a few boards.

#![expect(
    unsafe_code,
    reason = "sums in registers and unchecked loads: see docs/results/neural.md"
)]

use crate::kernels::{Sparse, blocks, volume, with_count};
use crate::simd::{Kernel, Simd};

/// Boards that are summed up while the sums stay near.
const GROUP: usize = 4;

/// Adds to the gradient of a 3x3 convolution, or of a linear layer: `taps` is 9 or 1.
///
/// The gradient is tap after tap, input after input, all outputs of `width` together.
pub(crate) struct Correlate<'a> {
    pub(crate) taps: usize,
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    /// Boards of cells of `depth` numbers, `stride` apart.
    pub(crate) input: &'a [f32],
    pub(crate) depth: usize,
    pub(crate) stride: usize,
    /// Boards of cells of `width` numbers.
    pub(crate) slope: &'a [f32],
    pub(crate) width: usize,
    /// `taps * depth * width` sums.
    pub(crate) gradient: &'a mut [f32],
}

impl Kernel for Correlate<'_> {
    #[inline(always)]
    unsafe fn run<S: Simd>(self) {
        let Correlate { taps, rows, cols, input, depth, stride, slope, width, gradient } = self;
        let board = volume([rows, cols, width]);
        let boards = slope.len() / board;
        assert!(taps == 9 || taps == 1, "3x3 or 1x1");
        assert_eq!(slope.len(), boards * board, "whole boards");
        assert_eq!(width % S::LANES, 0, "whole vectors");
        assert_eq!(gradient.len(), volume([taps, depth, width]), "one sum per weight");
        if boards == 0 {
            return;
        }
        let last = volume([boards * rows * cols - 1, stride]);
        let fits = input.len().checked_sub(last).is_some_and(|left| left >= depth);
        assert!(fits, "as many inputs");
        for first_board in (0..boards).step_by(GROUP) {
            let group = first_board..(first_board + GROUP).min(boards);
            for tap in 0..taps {
                let (dy, dx) = if taps == 9 { (tap / 3, tap % 3) } else { (1, 1) };
                let mut from = 0;
                while from < depth {
                    let count = S::CELLS.min(depth - from);
                    for (first, vectors) in blocks(width, S::LANES) {
                        let tile = Tile { rows, cols, stride, width, dy, dx };
                        with_count!(count, |C| {
                            // SAFETY: the assertions above; tap, inputs and outputs are within them.
                            unsafe {
                                let sums =
                                    gradient.as_mut_ptr().add((tap * depth + from) * width + first);
                                let input = input.as_ptr().add(from);
                                let slope = slope.as_ptr().add(first);
                                match vectors {
                                    1 => tile.add::<S, C, 1>(group.clone(), input, slope, sums),
                                    _ => tile.add::<S, C, 2>(group.clone(), input, slope, sums),
                                }
                            }
                        });
                    }
                    from += count;
                }
            }
        }
    }
}

/// Where a tap's inputs are.
struct Tile {
    rows: usize,
    cols: usize,
    stride: usize,
    width: usize,
    dy: usize,
    dx: usize,
}

impl Tile {
    /// Adds the products of `C` inputs and `N` vectors of slopes over the boards of a group.
    ///
    /// # Safety
    /// The processor has the instructions; inputs and slopes of these boards can be read, and
    /// `C` rows of sums, `width` apart, be written.
    #[inline(always)]
    unsafe fn add<S: Simd, const C: usize, const N: usize>(
        &self,
        boards: std::ops::Range<usize>,
        input: *const f32,
        slope: *const f32,
        out: *mut f32,
    ) {
        let Tile { rows, cols, stride, width, dy, dx } = *self;
        // Output cells whose input cell, shifted by the tap, lies on the board.
        let (left, right) = (usize::from(dx == 0), cols - usize::from(dx == 2));
        // SAFETY: the caller's; only cells on the board are looked at.
        unsafe {
            let mut sums: [[S::Vector; N]; C] = std::array::from_fn(|c| {
                std::array::from_fn(|n| S::load(out.add(c * width + n * S::LANES)))
            });
            for board in boards {
                for y in usize::from(dy == 0)..rows - usize::from(dy == 2) {
                    let row = (board * rows + y) * cols;
                    let source = (board * rows + y + dy - 1) * cols + dx;
                    for x in left..right {
                        let slope = slope.add((row + x) * width);
                        let vectors: [S::Vector; N] =
                            std::array::from_fn(|n| S::load(slope.add(n * S::LANES)));
                        let input = input.add((source + x - 1) * stride);
                        for (c, sums) in sums.iter_mut().enumerate() {
                            let x = S::splat(*input.add(c));
                            for (sum, vector) in sums.iter_mut().zip(vectors) {
                                *sum = S::fma(x, vector, *sum);
                            }
                        }
                    }
                }
            }
            for (c, sums) in sums.into_iter().enumerate() {
                for (n, sum) in sums.into_iter().enumerate() {
                    S::store(out.add(c * width + n * S::LANES), sum);
                }
            }
        }
    }
}

/// Adds to the gradient of a stem: only what is not zero in the input counts.
pub(crate) struct Collect<'a> {
    pub(crate) stem: &'a Sparse,
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    pub(crate) input: &'a [f32],
    pub(crate) slope: &'a [f32],
    /// Tap after tap, plane after plane, all outputs together.
    pub(crate) gradient: &'a mut [f32],
}

impl Kernel for Collect<'_> {
    #[inline(always)]
    unsafe fn run<S: Simd>(self) {
        let Collect { stem, rows, cols, input, slope, gradient } = self;
        stem.check::<S>();
        let (planes, width, reach) = (stem.planes, stem.outputs, stem.kernel / 2);
        let weights = volume([stem.kernel, stem.kernel, planes, width]);
        assert_eq!(gradient.len(), weights, "one per weight");
        assert_eq!(input.len() / planes, slope.len() / width, "as many slopes as cells");
        let cells = volume([rows, cols]);
        let boards = input.chunks_exact(volume([cells, planes]));
        let boards = boards.zip(slope.chunks_exact(volume([cells, width])));
        for (board, slope) in boards {
            for (at, &value) in board.iter().enumerate().filter(|(_, value)| **value != 0.0) {
                let (cell, plane) = (at / planes, at % planes);
                let (v, u) = (cell / cols, cell % cols);
                // Output cells that have this one in their window.
                for y in v.saturating_sub(reach)..(v + reach + 1).min(rows) {
                    for x in u.saturating_sub(reach)..(u + reach + 1).min(cols) {
                        let tap = (v + reach - y) * stem.kernel + u + reach - x;
                        let row = (tap * planes + plane) * width;
                        let sums = &mut gradient[row..row + width];
                        let slope = &slope[(y * cols + x) * width..][..width];
                        // SAFETY: both slices have `width` numbers, checked to be whole vectors.
                        unsafe {
                            let factor = S::splat(value);
                            for lane in (0..width).step_by(S::LANES) {
                                let to = sums.as_mut_ptr().add(lane);
                                let vector = S::load(slope.as_ptr().add(lane));
                                S::store(to, S::fma(factor, vector, S::load(to)));
                            }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::tests::{refused, sparse, wide};
    use crate::simd::Level;

    #[test]
    fn outputs_that_are_no_whole_vectors_are_refused() {
        let Some(wide) = wide() else { return };
        let stem = sparse(Level::PORTABLE, 3);
        let (rows, cols, gradient) = (2, 2, &mut [0.0; 9 * 2 * 8]);
        let (input, slope) = (&[1.0; 8], &[1.0; 32]);
        let collect = Collect { stem: &stem, rows, cols, input, slope, gradient };
        assert!(refused(wide, collect, "whole vectors"));
    }

    /// Rows so far apart that the last one seems to be the first again.
    #[test]
    fn strides_that_wrap_around_are_refused() {
        let (taps, rows, cols, depth, width) = (1, 3, 1, 1, 8);
        let (input, stride, slope) = (&[1.0; 8], usize::MAX / 2 + 1, &[1.0; 24]);
        let gradient = &mut [0.0; 8];
        let correlate =
            Correlate { taps, rows, cols, input, depth, stride, slope, width, gradient };
        assert!(refused(Level::PORTABLE, correlate, "sizes of what lies in memory"));
    }
}
