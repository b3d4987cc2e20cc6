//! The symmetries of a board: 8 on square ones, 4 on others.
//!
//! The bits of a [`Sym`] say what to do, in this order: 4 exchanges rows and
//! columns (square boards only), 1 mirrors left and right, 2 mirrors top and
//! bottom. So 0 to 3 are the identity, the two mirrors and the half turn.

use ludens_core::Sym;

use super::{Grid, Size, Slide};

/// Exchanges rows and columns.
pub(super) const TRANSPOSE: u32 = 4;
/// Exchanges left and right.
pub(super) const MIRROR: u32 = 1;
/// Exchanges top and bottom.
pub(super) const FLIP: u32 = 2;

/// The number of symmetries of a board.
pub const fn count(size: Size) -> u32 {
    if size.rows() == size.cols() { 8 } else { 4 }
}

/// Where a symmetry takes a square of the board.
///
/// ```
/// use ludens_core::Sym;
/// use ludens_games::tiles::{Size, symmetry};
/// assert_eq!(symmetry::map_square(Size::new(2, 3).unwrap(), 0, Sym(1)), 2);
/// ```
pub const fn map_square(size: Size, square: usize, sym: Sym) -> usize {
    let (mut row, mut col) = (square / 4, square % 4);
    if sym.0 & TRANSPOSE != 0 {
        (row, col) = (col, row);
    }
    if sym.0 & MIRROR != 0 {
        col = size.cols() - 1 - col;
    }
    if sym.0 & FLIP != 0 {
        row = size.rows() - 1 - row;
    }
    row * 4 + col
}

/// Where a symmetry takes a direction.
pub const fn map_slide(slide: Slide, sym: Sym) -> Slide {
    let mut index = slide as usize;
    if sym.0 & TRANSPOSE != 0 {
        // Up and left, right and down.
        index ^= 3;
    }
    let swapped = if index & 1 == 0 { FLIP } else { MIRROR };
    if sym.0 & swapped != 0 {
        index ^= 2;
    }
    Slide::ALL[index]
}

/// A whole board moved by a symmetry. Squares off the board keep what they have.
pub fn map_grid<T: Copy>(size: Size, grid: &Grid<T>, sym: Sym) -> Grid<T> {
    let mut out = *grid;
    for square in size.squares() {
        out[map_square(size, square, sym)] = grid[square];
    }
    out
}
