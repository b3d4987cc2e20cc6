//! Boards as n-tuple networks see them: cells column by column from the left, each from the
//! bottom; 0 for an empty cell, else a shape's number and one.

use ludens_core::{CellShape, Cells};

use super::{Former, FormerVariant};

impl Cells for Former {
    /// The one symmetry of cells is the mirror; renaming shapes moves none.
    fn cell_shape(variant: &FormerVariant) -> CellShape {
        let (rows, cells) = (variant.rows(), variant.cells() as u8);
        let same: Vec<u8> = (0..cells).collect();
        let mirrored = same.iter().map(|cell| cells - rows - cell / rows * rows + cell % rows);
        CellShape {
            cells: usize::from(cells),
            board: u64::MAX >> (64 - u32::from(cells)),
            values: usize::from(variant.shapes()) + 1,
            extras: 1,
            symmetries: vec![same.clone(), mirrored.collect()],
            turns: Vec::new(),
        }
    }

    fn write_cells(after: &Self, out: &mut [u8]) {
        let [a, b, c] = after.planes;
        for (cell, number) in out.iter_mut().enumerate() {
            let bit = |cells: u64| (cells >> cell & 1) as u8;
            // Empty cells have shape 0.
            *number = bit(after.occupied) + (bit(a) | bit(b) << 1 | bit(c) << 2);
        }
    }

    #[inline]
    fn shown(&self) -> Self {
        *self
    }
}

#[cfg(test)]
mod tests {
    use ludens_core::{Game, Rng, Sym, Symmetric};

    use super::*;

    #[test]
    fn cells_are_the_shapes_and_mirror_with_the_board() {
        for (rows, cols, shapes) in [(9, 7, 4), (2, 3, 2), (8, 8, 5)] {
            let variant = FormerVariant::new(rows, cols, shapes).unwrap();
            let shape = Former::cell_shape(&variant);
            let read = |board: &Former| {
                let mut cells = vec![0; shape.cells];
                Former::write_cells(board, &mut cells);
                cells
            };
            let mut rng = Rng::new(3);
            let mut board = Former::start(&variant, &mut rng);
            while let Some((_, next, _)) = board.step(&mut rng) {
                let cells = read(&board);
                for (cell, &number) in cells.iter().enumerate() {
                    let (column, row) = (cell / usize::from(rows), cell % usize::from(rows));
                    assert_eq!(board.shape_at(column, row).map_or(0, |s| s + 1), number);
                }
                let image = read(&board.map(Sym(1)));
                let mapped: Vec<u8> =
                    shape.symmetries[1].iter().map(|&from| cells[usize::from(from)]).collect();
                assert_eq!(image, mapped);
                board = next;
            }
        }
    }
}
