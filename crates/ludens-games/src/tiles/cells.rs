//! The cells of sliding games as n-tuple networks see them: the sixteen squares.

use ludens_core::CellShape;
use ludens_core::cells::rectangle;

use super::Size;

/// The squares of a board, with what a square and the rest can hold.
pub(crate) fn shape(size: Size, values: usize, extras: usize) -> CellShape {
    let mut symmetries = rectangle(size.rows(), size.cols(), 4);
    for map in &mut symmetries {
        // Squares off the board stay where they are.
        map.extend(map.len() as u8..16);
    }
    CellShape { cells: 16, board: u64::from(size.mask()), values, extras, symmetries }
}

#[cfg(test)]
mod tests {
    use ludens_core::Sym;

    use super::*;
    use crate::tiles::symmetry::{count, map_grid};

    #[test]
    fn symmetries_are_those_of_the_board() {
        for size in Size::all() {
            let mut grid = [0u8; 16];
            for (i, square) in size.squares().enumerate() {
                grid[square] = i as u8 + 1;
            }
            let shape = shape(size, 16, 1);
            assert_eq!(shape.symmetries.len(), count(size) as usize);
            let mut found: Vec<[u8; 16]> = shape
                .symmetries
                .iter()
                .map(|map| std::array::from_fn(|i| grid[usize::from(map[i])]))
                .collect();
            assert_eq!(found[0], grid);
            let mut expected: Vec<[u8; 16]> =
                (0..count(size)).map(|sym| map_grid(size, &grid, Sym(sym))).collect();
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected, "{size}");
        }
    }
}
