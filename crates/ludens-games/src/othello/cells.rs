//! Boards as n-tuple networks see them: 1 for discs of the player to move and 2 for the
//! other's.

use ludens_core::cells::rectangle;
use ludens_core::{CellShape, Cells, NoVariant};

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
        for (cell, number) in out.iter_mut().enumerate() {
            *number = (after.own >> cell & 1 | (after.opp >> cell & 1) << 1) as u8;
        }
    }

    #[inline]
    fn shown(&self) -> Self {
        *self
    }
}
