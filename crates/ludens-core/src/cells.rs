//! Positions as cells with small numbers, the form in which n-tuple networks see them.

use crate::Game;

/// The cells of a variant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CellShape {
    /// How many cells there are, at most 64; some may be off the board and always 0.
    pub cells: usize,
    /// The cells on the board, as bits.
    pub board: u64,
    /// How many numbers a cell can hold: each is below this.
    pub values: usize,
    /// How many values [`Cells::extra`] has, at least 1.
    pub extras: usize,
    /// What maps the board onto itself, the identity first: where entry `i` of a
    /// map is `j`, the mapped board has at cell `i` what the board had at cell `j`.
    pub symmetries: Vec<Vec<u8>>,
    /// What each of them does to the numbers of actions (see
    /// [`FixedActions`](crate::FixedActions)): where entry `a` of a map is `b`, action `a`
    /// of the board is action `b` of the mapped one. Empty where networks value no actions.
    pub turns: Vec<Vec<u8>>,
}

/// A game whose afterstates (positions, where there is no chance) are cells with
/// small numbers, so that n-tuple networks can value them.
pub trait Cells: Game {
    /// The cells of a variant.
    fn cell_shape(variant: &Self::Variant) -> CellShape;

    /// Writes the number in every cell; `out` is as long as there are cells.
    fn write_cells(after: &Self::After, out: &mut [u8]);

    /// An afterstate with the cells and the extra of this position, for networks that
    /// value positions.
    fn shown(&self) -> Self::After;

    /// All cells as nibbles of one word, cell 0 lowest, for games of at most 16
    /// cells; numbers above 15 become 15. `None` where there are more cells, or a
    /// network should distinguish larger numbers.
    #[inline]
    fn word(_after: &Self::After) -> Option<u64> {
        None
    }

    /// What is to be known besides the cells, such as the hint of Threes!, as a
    /// number below [`CellShape::extras`].
    #[inline]
    fn extra(_after: &Self::After) -> usize {
        0
    }

    /// What people call the number in a cell, such as 2048 for 11; 0 for an
    /// empty cell. Larger numbers have larger names.
    fn tile(number: u8) -> u64 {
        u64::from(number)
    }
}

/// A game whose positions can be shown with smaller tiles where some are missing, so that
/// a network evaluates what it knows better.
pub trait Downgrade: Game {
    /// Whether any position can.
    const POSSIBLE: bool;

    /// The position with smaller tiles, in which the same moves are legal and good. `None`
    /// when no tile is missing, or the set of its tiles' numbers, as bits, is below
    /// `threshold`.
    fn downgraded(&self, threshold: u64) -> Option<Self>;
}

/// The symmetries of a rectangle of cells whose rows are `stride` cells apart,
/// for [`CellShape::symmetries`]: 8 for squares, 4 for others.
///
/// ```
/// let maps = ludens_core::cells::rectangle(2, 3, 3);
/// assert_eq!(maps.len(), 4);
/// assert_eq!(maps[0], [0, 1, 2, 3, 4, 5]);
/// assert_eq!(maps[1], [2, 1, 0, 5, 4, 3]);
/// ```
pub fn rectangle(rows: usize, cols: usize, stride: usize) -> Vec<Vec<u8>> {
    let maps = if rows == cols { 8 } else { 4 };
    let cells = (rows - 1) * stride + cols;
    let map = |sym: usize| {
        let mut map: Vec<u8> = (0..cells).map(|cell| cell as u8).collect();
        for row in 0..rows {
            for col in 0..cols {
                let mut from = (row, col);
                if sym & 1 != 0 {
                    from.1 = cols - 1 - from.1;
                }
                if sym & 2 != 0 {
                    from.0 = rows - 1 - from.0;
                }
                if sym & 4 != 0 {
                    from = (from.1, from.0);
                }
                map[row * stride + col] = (from.0 * stride + from.1) as u8;
            }
        }
        map
    };
    (0..maps).map(map).collect()
}
