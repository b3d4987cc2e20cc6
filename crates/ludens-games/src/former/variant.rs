//! The size of a board and the number of its shapes.

use ludens_core::params::differing;
use ludens_core::{Param, Parameter, Params, ParseError, Variant, parameters};

/// A board of at most 64 cells with up to eight shapes.
///
/// ```
/// use ludens_games::former::FormerVariant;
/// let variant = FormerVariant::new(5, 5, 3).unwrap();
/// assert_eq!((variant.rows(), variant.cols(), variant.shapes()), (5, 5, 3));
/// assert!(FormerVariant::new(9, 8, 4).is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FormerVariant {
    rows: u8,
    cols: u8,
    shapes: u8,
}

const ROWS: Param<u8> = Param::int("rows", 1..=64, 9).help("cells of a column");
const COLS: Param<u8> = Param::int("cols", 1..=64, 7).help("cells of a row");
const SHAPES: Param<u8> = Param::int("shapes", 1..=8, 4).help("different shapes");

impl Default for FormerVariant {
    /// The daily puzzle: 9 rows, 7 columns, 4 shapes.
    fn default() -> Self {
        FormerVariant { rows: ROWS.default(), cols: COLS.default(), shapes: SHAPES.default() }
    }
}

impl FormerVariant {
    /// A variant of `rows * cols` cells.
    ///
    /// # Errors
    /// When there are no cells or more than 64, or not 1 to 8 shapes.
    pub fn new(rows: u8, cols: u8, shapes: u8) -> Result<Self, ParseError> {
        let cells = u32::from(rows) * u32::from(cols);
        if !(1..=64).contains(&cells) {
            let found = format!("{rows} rows and {cols} columns");
            return Err(ParseError::new("board", found, "1 to 64 cells"));
        }
        if !(1..=8).contains(&shapes) {
            return Err(ParseError::new("shapes", shapes.to_string(), "1 to 8"));
        }
        Ok(FormerVariant { rows, cols, shapes })
    }

    /// Cells of a column.
    #[inline]
    pub fn rows(&self) -> u8 {
        self.rows
    }

    /// Cells of a row.
    #[inline]
    pub fn cols(&self) -> u8 {
        self.cols
    }

    /// The number of different shapes.
    #[inline]
    pub fn shapes(&self) -> u8 {
        self.shapes
    }

    /// The number of cells.
    #[inline]
    pub fn cells(&self) -> u32 {
        u32::from(self.rows) * u32::from(self.cols)
    }

    /// Column, and row from the bottom, of every cell: from the top, left to right.
    pub(super) fn reading_order(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let (rows, cols) = (usize::from(self.rows), usize::from(self.cols));
        (0..rows).rev().flat_map(move |row| (0..cols).map(move |column| (column, row)))
    }
}

impl Variant for FormerVariant {
    const PARAMETERS: &'static [Parameter] = parameters![ROWS, COLS, SHAPES];

    fn read(params: &mut Params) -> Result<Self, ParseError> {
        Self::new(params.get(&ROWS)?, params.get(&COLS)?, params.get(&SHAPES)?)
    }

    fn write(&self) -> Vec<(&'static str, String)> {
        differing(&[
            (ROWS.name(), &self.rows, &ROWS.default()),
            (COLS.name(), &self.cols, &COLS.default()),
            (SHAPES.name(), &self.shapes, &SHAPES.default()),
        ])
    }
}
