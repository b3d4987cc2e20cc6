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

use crate::buffer::Buffer;
use crate::simd::{Kernel, Level, Simd};

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
        for row in (0..count).step_by(S::CELLS) {
            let cells = S::CELLS.min(count - row);
            for (first, vectors) in blocks(outputs, S::LANES) {
                with_count!(cells, |C| {
                    // SAFETY: rows up to `row + C` are there by the assertions.
                    unsafe {
                        let input = self.input.as_ptr().add(row * self.stride);
                        let output = self.output.as_mut_ptr().add(row * outputs + first);
                        match vectors {
                            1 => product::<S, C, 1>(
                                matrix,
                                first,
                                input,
                                self.stride,
                                output,
                                self.then,
                            ),
                            _ => product::<S, C, 2>(
                                matrix,
                                first,
                                input,
                                self.stride,
                                output,
                                self.then,
                            ),
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

/// A convolution of any odd kernel whose input is mostly zeros, as boards of pieces are:
/// only what is not zero is multiplied.
pub(crate) struct Scatter<'a> {
    /// Inputs: `kernel * kernel` taps of all planes; packed without blocks.
    pub(crate) matrix: &'a Sparse,
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    /// Boards of `rows * cols` cells of the planes.
    pub(crate) input: &'a [f32],
    /// Boards of cells of `outputs` channels.
    pub(crate) output: &'a mut [f32],
    /// A scratch buffer for the entries of a board.
    pub(crate) entries: &'a mut Entries,
    pub(crate) then: Then,
}

/// The weights of a [`Scatter`]: taps, then planes, then channels.
pub(crate) struct Sparse {
    pub(crate) kernel: usize,
    pub(crate) planes: usize,
    pub(crate) outputs: usize,
    weights: Buffer,
    bias: Buffer,
}

impl Sparse {
    /// Packs the factors that `factor(output, plane, tap)` gives.
    pub(crate) fn pack(
        level: Level,
        kernel: usize,
        planes: usize,
        outputs: usize,
        bias: impl Fn(usize) -> f32,
        factor: impl Fn(usize, usize, usize) -> f32,
    ) -> Sparse {
        let rounded = padded(outputs, level);
        let mut weights = Buffer::zeros(volume([kernel, kernel, planes, rounded]));
        for tap in 0..kernel * kernel {
            for plane in 0..planes {
                for output in 0..outputs {
                    weights[(tap * planes + plane) * rounded + output] = factor(output, plane, tap);
                }
            }
        }
        let mut biases = Buffer::zeros(rounded);
        (0..outputs).for_each(|output| biases[output] = bias(output));
        Sparse { kernel, planes, outputs: rounded, weights, bias: biases }
    }

    /// Makes sure that every tap of every plane has the weights that a kernel loads.
    ///
    /// # Panics
    /// When the kernel is even, or the outputs are not whole vectors of this length.
    #[inline(always)]
    pub(crate) fn check<S: Simd>(&self) {
        let Sparse { kernel, planes, outputs, .. } = *self;
        assert_eq!(kernel % 2, 1, "a kernel with a centre");
        assert_eq!(outputs % S::LANES, 0, "outputs in whole vectors");
        assert_eq!(self.weights.len(), volume([kernel, kernel, planes, outputs]), "all weights");
        assert_eq!(self.bias.len(), outputs, "a bias for every output");
    }
}

/// The numbers of a board that are not 0, cell by cell.
#[derive(Clone, Default)]
pub(crate) struct Entries {
    /// Plane and number.
    list: Vec<(u32, f32)>,
    /// Where each cell's begin, and where the last one's end.
    starts: Vec<u32>,
}

impl Entries {
    fn read(&mut self, board: &[f32], planes: usize) {
        self.list.clear();
        self.starts.clear();
        self.starts.push(0);
        for cell in board.chunks_exact(planes) {
            for (plane, &x) in cell.iter().enumerate() {
                if x != 0.0 {
                    self.list.push((plane as u32, x));
                }
            }
            self.starts.push(self.list.len() as u32);
        }
    }
}

impl Kernel for Scatter<'_> {
    #[inline(always)]
    unsafe fn run<S: Simd>(self) {
        let matrix = self.matrix;
        matrix.check::<S>();
        let (planes, stride) = (matrix.planes, matrix.outputs);
        assert_eq!(self.input.len() / planes, self.output.len() / stride, "as many outputs");
        let board = volume([self.rows, self.cols, planes]);
        assert!(board <= u32::MAX as usize, "entries that 32 bits can count");
        let boards = self.input.chunks_exact(board);
        let cells = volume([self.rows, self.cols, stride]);
        for (input, output) in boards.zip(self.output.chunks_exact_mut(cells)) {
            self.entries.read(input, planes);
            for (cell, output) in output.chunks_exact_mut(stride).enumerate() {
                let (y, x) = (cell / self.cols, cell % self.cols);
                let (rows, cols, then) = (self.rows, self.cols, self.then);
                let window = Window { rows, cols, y, x, then };
                let mut first = 0;
                while first < stride {
                    // SAFETY: the stride is whole vectors, so that one is left from `first` on;
                    // the cell lies on the board, and the entries are this board's.
                    first += unsafe {
                        match (stride - first) / S::LANES {
                            1 => window.gather::<S, 1>(matrix, self.entries, output, first),
                            2 | 3 => window.gather::<S, 2>(matrix, self.entries, output, first),
                            _ => window.gather::<S, 4>(matrix, self.entries, output, first),
                        }
                    };
                }
            }
        }
    }
}

/// The cells around one.
struct Window {
    rows: usize,
    cols: usize,
    y: usize,
    x: usize,
    then: Then,
}

impl Window {
    /// `N` vectors of channels of one cell; gives how many channels they are.
    ///
    /// # Safety
    /// The processor has the instructions; the channels are there; the entries are those
    /// of the board.
    #[inline(always)]
    unsafe fn gather<S: Simd, const N: usize>(
        &self,
        matrix: &Sparse,
        entries: &Entries,
        output: &mut [f32],
        first: usize,
    ) -> usize {
        let reach = matrix.kernel / 2;
        debug_assert!(first + N * S::LANES <= output.len(), "{first}");
        // SAFETY: entries name planes of the matrix, taps are within the kernel, and both were
        // checked to have their weights.
        unsafe {
            let [mut sums] = begin::<S, 1, N>(matrix.bias.as_ptr().add(first));
            for source in self.y.saturating_sub(reach)..(self.y + reach + 1).min(self.rows) {
                let tap_row = (source + reach - self.y) * matrix.kernel;
                for column in self.x.saturating_sub(reach)..(self.x + reach + 1).min(self.cols) {
                    let tap = tap_row + column + reach - self.x;
                    let cell = source * self.cols + column;
                    let from = *entries.starts.get_unchecked(cell) as usize;
                    let to = *entries.starts.get_unchecked(cell + 1) as usize;
                    for &(plane, value) in entries.list.get_unchecked(from..to) {
                        let at = (tap * matrix.planes + plane as usize) * matrix.outputs + first;
                        let (row, value) = (matrix.weights.as_ptr().add(at), S::splat(value));
                        for (n, sum) in sums.iter_mut().enumerate() {
                            *sum = S::fma(value, S::load(row.add(n * S::LANES)), *sum);
                        }
                    }
                }
            }
            finish::<S, 1, N>(
                [sums],
                output.as_mut_ptr().add(first),
                std::ptr::null(),
                0,
                self.then,
            );
        }
        N * S::LANES
    }
}

#[cfg(test)]
pub(crate) mod tests;
