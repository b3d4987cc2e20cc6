//! Boards as n-tuple networks see them, with the hint besides.

use ludens_core::{CellShape, Cells, Downgrade};

use super::{Hint, Threes, ThreesAfter, ThreesVariant};
use crate::tiles::Slide;
use crate::tiles::cells::shape;

impl Cells for Threes {
    fn cell_shape(variant: &ThreesVariant) -> CellShape {
        shape(variant.size(), 16, 4)
    }

    fn write_cells(after: &ThreesAfter, out: &mut [u8]) {
        out.copy_from_slice(&after.grid());
    }

    /// Where the next tile may come is not among the cells.
    #[inline(always)]
    fn shown(&self) -> ThreesAfter {
        ThreesAfter { board: self.board, supply: self.supply, slide: Slide::Up, lines: 0 }
    }

    #[inline(always)]
    fn word(after: &ThreesAfter) -> Option<u64> {
        Some(after.board)
    }

    #[inline]
    fn extra(after: &ThreesAfter) -> usize {
        after.hint() as usize - Hint::One as usize
    }

    fn tile(number: u8) -> u64 {
        match number {
            0..=3 => u64::from(number),
            _ => 3 << (number - 3),
        }
    }
}

/// What tiles merge depends on their values.
impl Downgrade for Threes {
    const POSSIBLE: bool = false;

    fn downgraded(&self, _: u64) -> Option<Self> {
        None
    }
}
