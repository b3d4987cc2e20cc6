//! Boards as n-tuple networks see them: 1 for discs of the player to move and 2 for the
//! other's.

use ludens_core::cells::rectangle;
use ludens_core::{CellShape, Cells, NoVariant};

use crate::cells::write_stones;

use super::Othello;

impl Cells for Othello {
    fn cell_shape(_: &NoVariant) -> CellShape {
        let symmetries = rectangle(8, 8, 8);
        CellShape {
            cells: 64,
            board: u64::MAX,
            values: 3,
            extras: 1,
            symmetries,
            turns: Vec::new(),
        }
    }

    fn write_cells(after: &Self, out: &mut [u8]) {
        write_stones(after.own, after.opp, out);
    }

    #[inline]
    fn shown(&self) -> Self {
        *self
    }
}
