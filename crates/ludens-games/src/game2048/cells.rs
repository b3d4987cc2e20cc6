//! Boards as n-tuple networks see them.

use ludens_core::{CellShape, Cells};

use super::{After2048, Game2048, Variant2048};
use crate::tiles::cells::shape;

impl Cells for Game2048 {
    fn cell_shape(variant: &Variant2048) -> CellShape {
        shape(variant.setup.size, 18, 1)
    }

    fn write_cells(after: &After2048, out: &mut [u8]) {
        out.copy_from_slice(&after.0.grid());
    }

    #[inline(always)]
    fn shown(&self) -> After2048 {
        After2048(*self)
    }

    #[inline(always)]
    fn word(after: &After2048) -> Option<u64> {
        Some(after.0.board | (15 * after.0.high_nibbles()))
    }

    fn tile(number: u8) -> u64 {
        if number == 0 { 0 } else { 1 << number }
    }
}
