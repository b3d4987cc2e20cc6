//! Boards as n-tuple networks see them: cells as the bits are numbered, 1 for stones of the
//! player to move and 2 for the other's.

use ludens_core::{CellShape, Cells, NoVariant};

use crate::cells::write_stones;

use super::{BOARD, COLUMNS, ConnectFour, ROWS, STRIDE};

impl Cells for ConnectFour {
    fn cell_shape(_: &NoVariant) -> CellShape {
        let cells = (COLUMNS * STRIDE - 1) as u8;
        let same: Vec<u8> = (0..cells).collect();
        let mut mirrored = same.clone();
        for column in 0..COLUMNS {
            for row in 0..ROWS {
                let cell = (column * STRIDE + row) as usize;
                mirrored[cell] = ((COLUMNS - 1 - column) * STRIDE + row) as u8;
            }
        }
        let symmetries = vec![same, mirrored];
        CellShape {
            cells: usize::from(cells),
            board: BOARD,
            values: 3,
            extras: 1,
            symmetries,
            turns: Vec::new(),
        }
    }

    fn write_cells(after: &Self, out: &mut [u8]) {
        write_stones(after.own, after.other(), out);
    }

    #[inline]
    fn shown(&self) -> Self {
        *self
    }
}
