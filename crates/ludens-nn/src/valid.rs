//! Networks whose convolutions do not reach beyond the board: what comes out is smaller.
//!
//! Two convolutions without normalisation, a leaky ReLU after the first, then linear layers with
//! leaky ReLUs between them, as in the program of Pastukhov (2024). A convolution is a linear layer
//! on the patches of the board.

use ludens_core::{Params, ParseError};

use crate::Spec;

/// The layers of such a network before its heads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Valid {
    /// Kernel and channels of both convolutions.
    pub convolutions: [[usize; 2]; 2],
    /// Units of the linear layers; 0 for none.
    pub dense: [usize; 2],
    /// The slope of activations below 0, in thousandths: 0 for ReLU.
    pub leak: usize,
    /// Whether the linear layers are also told that the last plane is empty, in Othello that the
    /// player must pass. Then what they see goes through an activation too.
    pub flag: bool,
}

impl Valid {
    /// The smaller network for Connect Four, about 10,000 weights.
    pub const PROBS_10K: Valid =
        Valid { convolutions: [[4, 16], [3, 32]], dense: [42, 0], leak: 0, flag: false };
    /// The larger network for Connect Four, about 100,000 weights.
    pub const PROBS_100K: Valid =
        Valid { convolutions: [[3, 64], [3, 64]], dense: [128, 64], leak: 10, flag: false };
    /// The network for Othello.
    pub const PROBS_REVERSI: Valid =
        Valid { convolutions: [[4, 64], [3, 64]], dense: [256, 128], leak: 10, flag: true };

    /// How a description tells it.
    pub(crate) fn params(&self) -> Vec<(&'static str, String)> {
        let [first, second] =
            self.convolutions.map(|[kernel, channels]| format!("{kernel}x{channels}"));
        let dense: Vec<String> = self.units().map(|units| units.to_string()).collect();
        let mut params =
            vec![("convolutions", format!("{first}-{second}")), ("dense", dense.join("-"))];
        params.retain(|(_, text)| !text.is_empty());
        if self.leak > 0 {
            params.push(("leak", self.leak.to_string()));
        }
        if self.flag {
            params.push(("flag", "1".to_owned()));
        }
        params
    }

    /// Takes what [`params`](Valid::params) gave out of a description of a board.
    pub(crate) fn read(params: &mut Params, rows: usize, cols: usize) -> Result<Valid, ParseError> {
        let text = params.take("convolutions").unwrap_or_default();
        let stage = |text: &str| -> Option<[usize; 2]> {
            let (kernel, channels) = text.split_once('x')?;
            let sizes = [kernel.parse().ok()?, channels.parse().ok()?];
            sizes.iter().all(|size| (1..=1024).contains(size)).then_some(sizes)
        };
        let both = text.split_once('-').and_then(|(one, two)| Some([stage(one)?, stage(two)?]));
        let wrong = || {
            let expected = "KERNELxCHANNELS-KERNELxCHANNELS that fit the board";
            ParseError::new("parameter convolutions", format!("'{text}'"), expected)
        };
        let convolutions = both.ok_or_else(wrong)?;
        let mut dense = [0; 2];
        let units = params.take("dense").unwrap_or_default();
        let parts = units.split('-').filter(|part| !part.is_empty());
        if parts.clone().count() > dense.len() {
            return Err(ParseError::new("parameter dense", format!("'{units}'"), "two at most"));
        }
        for (dense, part) in dense.iter_mut().zip(parts) {
            let size = part.parse().ok().filter(|size| (1..=65_536).contains(size));
            let expected = "numbers from 1 to 65536, such as 128-64";
            *dense = size.ok_or_else(|| {
                ParseError::new("parameter dense", format!("'{units}'"), expected)
            })?;
        }
        let leak = params.number("leak", 0, 0..=1000)?;
        let flag = params.number("flag", 0u8, 0..=1)? != 0;
        let valid = Valid { convolutions, dense, leak, flag };
        if valid.fits(rows, cols) { Ok(valid) } else { Err(wrong()) }
    }

    /// The convolutions on a board of a description.
    pub(crate) fn stages(&self, spec: &Spec) -> [Stage; 2] {
        let [first, second] = self.convolutions;
        let stage = |rows, cols, inputs, [kernel, outputs]: [usize; 2]| Stage {
            rows,
            cols,
            inputs,
            kernel,
            outputs,
        };
        let one = stage(spec.rows, spec.cols, spec.planes, first);
        [one, stage(one.out_rows(), one.out_cols(), one.outputs, second)]
    }

    /// Numbers that the linear layers see of a position.
    pub(crate) fn flat(&self, spec: &Spec) -> usize {
        let [_, last] = self.stages(spec);
        last.cells() * last.outputs + usize::from(self.flag)
    }

    /// The units of the linear layers that there are.
    pub(crate) fn units(&self) -> impl Iterator<Item = usize> {
        self.dense.into_iter().filter(|units| *units > 0)
    }

    /// Whether a board is large enough.
    pub fn fits(&self, rows: usize, cols: usize) -> bool {
        let reach: usize =
            self.convolutions.iter().map(|[kernel, _]| kernel.saturating_sub(1)).sum();
        rows.min(cols) > reach && self.convolutions.iter().all(|[kernel, _]| *kernel > 0)
    }

    /// The activation, in place.
    pub(crate) fn activate(&self, numbers: &mut [f32]) {
        let leak = self.leak as f32 / 1000.0;
        numbers.iter_mut().for_each(|x| *x = if *x > 0.0 { *x } else { leak * *x });
    }

    /// What comes back through the activation, in place; `out` is what it gave.
    pub(crate) fn activate_back(&self, slope: &mut [f32], out: &[f32]) {
        let leak = self.leak as f32 / 1000.0;
        slope.iter_mut().zip(out).for_each(|(slope, out)| {
            if *out <= 0.0 {
                *slope *= leak;
            }
        });
    }

    /// Whether the last plane of a position is empty, as a number.
    pub(crate) fn flag_of(&self, spec: &Spec, input: &[f32]) -> f32 {
        let last = input.iter().skip(spec.planes - 1).step_by(spec.planes);
        if last.into_iter().all(|x| *x == 0.0) { 1.0 } else { 0.0 }
    }
}

/// A convolution: the board that it sees, and its kernel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stage {
    rows: usize,
    cols: usize,
    pub(crate) inputs: usize,
    pub(crate) kernel: usize,
    pub(crate) outputs: usize,
}

impl Stage {
    fn out_rows(&self) -> usize {
        self.rows + 1 - self.kernel
    }

    fn out_cols(&self) -> usize {
        self.cols + 1 - self.kernel
    }

    /// Cells that come out.
    pub(crate) fn cells(&self) -> usize {
        self.out_rows() * self.out_cols()
    }

    /// Cells that go in.
    pub(crate) fn board(&self) -> usize {
        self.rows * self.cols
    }

    /// Numbers of a patch.
    pub(crate) fn patch(&self) -> usize {
        self.kernel * self.kernel * self.inputs
    }

    /// Calls `f` with places of a position's patches, rows of `row` numbers, and the places on its
    /// board that they are from, rows of `stride` numbers. A patch has channel after channel.
    fn pairs(&self, row: usize, stride: usize, mut f: impl FnMut(usize, usize)) {
        let (kernel, taps) = (self.kernel, self.kernel * self.kernel);
        for cell in 0..self.cells() {
            let (y, x) = (cell / self.out_cols(), cell % self.out_cols());
            for tap in 0..taps {
                let from = (y + tap / kernel) * self.cols + x + tap % kernel;
                for channel in 0..self.inputs {
                    f(cell * row + channel * taps + tap, from * stride + channel);
                }
            }
        }
    }

    /// The patches of a position.
    pub(crate) fn gather(&self, board: &[f32], stride: usize, patches: &mut [f32], row: usize) {
        self.pairs(row, stride, |patch, from| patches[patch] = board[from]);
    }

    /// Adds what comes back through the patches to the slope of the board.
    pub(crate) fn scatter(&self, patches: &[f32], row: usize, board: &mut [f32], stride: usize) {
        self.pairs(row, stride, |patch, from| board[from] += patches[patch]);
    }

    /// Calls `f` with places of what comes out of a position when it is one list, channel after
    /// channel, and of the rows of `stride` numbers that it is from.
    pub(crate) fn flatten(&self, stride: usize, mut f: impl FnMut(usize, usize)) {
        let cells = self.cells();
        for cell in 0..cells {
            for channel in 0..self.outputs {
                f(channel * cells + cell, cell * stride + channel);
            }
        }
    }
}

/// The name of a convolution's tensors.
pub(crate) fn convolution_name(index: usize) -> String {
    format!("convolutions.{index}")
}

/// The name of a linear layer's tensors.
pub(crate) fn dense_name(index: usize) -> String {
    format!("dense.{index}")
}
