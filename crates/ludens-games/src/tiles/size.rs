//! Board sizes and the numbering of squares and cells.

use std::fmt;

use ludens_core::error::quote;
use ludens_core::{Param, ParseError};

/// The rows and columns of a board: 1 to 4 each, and at least two cells.
///
/// ```
/// use ludens_games::tiles::Size;
/// let size = Size::new(2, 3).unwrap();
/// assert_eq!(size.to_string(), "2x3");
/// assert_eq!(size.square(3), 4);
/// assert_eq!(size.cell(4), 3);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Size(u8);

/// The squares of every size by code. Code 0, a single square, is no size.
const MASKS: [u16; 16] = {
    let mut masks = [0; 16];
    let mut code = 0;
    while code < 16 {
        let (rows, cols) = (code / 4 + 1, code % 4 + 1);
        let row = (1u32 << cols) - 1;
        masks[code] = ((row * 0x1111) & ((1 << (4 * rows)) - 1)) as u16;
        code += 1;
    }
    masks
};

impl Size {
    /// Four rows of four.
    pub const FULL: Size = Size(0xF);

    /// The parameter that sets a size.
    pub const BOARD: Param<Size> = Param::custom(
        "board",
        "ROWSxCOLUMNS with 1 to 4 each and at least two cells",
        "1234x",
        "4x4",
        |_, text| Size::read(text),
    )
    .help("size of the board");

    /// The size with these rows and columns, if it is one.
    pub const fn new(rows: usize, cols: usize) -> Option<Size> {
        let fits = 1 <= rows && rows <= 4 && 1 <= cols && cols <= 4 && rows * cols >= 2;
        if fits { Some(Size(((rows - 1) * 4 + cols - 1) as u8)) } else { None }
    }

    /// All sizes, smallest code first.
    pub fn all() -> impl Iterator<Item = Size> {
        (1..16).map(Size)
    }

    /// The size as four bits: rows less one, then columns less one. Never 0.
    #[inline]
    pub const fn code(self) -> u8 {
        self.0
    }

    /// The size of a [`code`](Size::code).
    ///
    /// # Panics
    /// When it is no code.
    #[inline]
    pub const fn from_code(code: u8) -> Size {
        assert!(code >= 1 && code <= 0xF, "no code of a board size");
        Size(code)
    }

    /// The number of rows.
    #[inline]
    pub const fn rows(self) -> usize {
        (self.0 >> 2) as usize + 1
    }

    /// The number of columns.
    #[inline]
    pub const fn cols(self) -> usize {
        (self.0 & 3) as usize + 1
    }

    /// The number of cells.
    #[inline]
    pub const fn cells(self) -> usize {
        self.rows() * self.cols()
    }

    /// The square of a cell.
    #[inline]
    pub const fn square(self, cell: usize) -> usize {
        cell / self.cols() * 4 + cell % self.cols()
    }

    /// The cell of a square of the board.
    #[inline]
    pub const fn cell(self, square: usize) -> usize {
        square / 4 * self.cols() + square % 4
    }

    /// The squares of the board as bits, square 0 lowest.
    #[inline]
    pub const fn mask(self) -> u16 {
        MASKS[self.0 as usize]
    }

    /// The squares of the board, row by row.
    pub fn squares(self) -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator + Clone {
        (0..self.cells()).map(move |cell| self.square(cell))
    }

    /// Reads `2x3`.
    ///
    /// # Errors
    /// When the text is no size, or a size that is not allowed.
    pub fn parse(text: &str) -> Result<Size, ParseError> {
        Size::read(text).ok_or_else(|| Size::BOARD.parameter.refusal(text))
    }

    /// Refuses more start tiles than there are cells.
    ///
    /// # Errors
    /// When there are more.
    pub(crate) fn check_start(self, start: u8) -> Result<(), ParseError> {
        if usize::from(start) <= self.cells() {
            return Ok(());
        }
        let expected = format!("a number from 1 to {}", self.cells());
        Err(ParseError::new("parameter start", quote(&start.to_string()), expected))
    }

    fn read(text: &str) -> Option<Size> {
        let digit = |t: &str| match t.as_bytes() {
            [d @ b'1'..=b'4'] => Some(usize::from(d - b'0')),
            _ => None,
        };
        let (rows, cols) = text.split_once('x')?;
        Size::new(digit(rows)?, digit(cols)?)
    }
}

impl Default for Size {
    fn default() -> Self {
        Size::FULL
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows(), self.cols())
    }
}
