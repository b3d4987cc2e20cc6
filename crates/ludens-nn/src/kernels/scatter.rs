//! Convolutions of inputs that are mostly zeros.

use super::{Then, begin, finish, padded, volume};
use crate::buffer::Buffer;
use crate::simd::{Kernel, Level, Simd};

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
