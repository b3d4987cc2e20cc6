//! The cells of sliding games as n-tuple networks see them: the sixteen squares.

use ludens_core::cells::rectangle;
use ludens_core::{CellShape, Sym};

use super::symmetry::map_slide;
use super::{Size, Slide};

/// The squares of a board, with what a square and the rest can hold.
pub(crate) fn shape(size: Size, values: usize, extras: usize) -> CellShape {
    let mut symmetries = rectangle(size.rows(), size.cols(), 4);
    for map in &mut symmetries {
        // Squares off the board stay where they are.
        map.extend(map.len() as u8..16);
    }
    // Their numbers are those of the symmetries of the game.
    let turn = |sym| Slide::ALL.map(|slide| map_slide(slide, Sym(sym)) as u8).to_vec();
    let turns = (0..symmetries.len() as u32).map(turn).collect();
    CellShape { cells: 16, board: u64::from(size.mask()), values, extras, symmetries, turns }
}

#[cfg(test)]
mod tests {
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
            for (sym, map) in shape.symmetries.iter().enumerate() {
                let found: [u8; 16] = std::array::from_fn(|i| grid[usize::from(map[i])]);
                assert_eq!(found, map_grid(size, &grid, Sym(sym as u32)), "{size}");
            }
            assert_eq!(shape.turns[0], [0, 1, 2, 3]);
            assert_eq!(shape.turns.len(), shape.symmetries.len());
        }
    }
}
