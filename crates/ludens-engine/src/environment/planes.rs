//! Observations of games without an encoder of networks.

use ludens_core::Game;
use ludens_games::morpion::{Morpion, Point};
use ludens_games::samegame::{SameGame, SameGameVariant};

/// A plane per colour and one for empty cells.
pub(super) fn same_game_shape(variant: &SameGameVariant) -> [usize; 3] {
    [variant.rows(), variant.cols(), variant.colours() + 1].map(usize::from)
}

pub(super) fn same_game(position: &SameGame, out: &mut [f32]) {
    let variant = position.variant();
    let [rows, cols, planes] = same_game_shape(&variant);
    for (cell, out) in out.chunks_exact_mut(planes).enumerate() {
        let (row, column) = (rows - 1 - cell / cols, cell % cols);
        let colour = position.colour_at(column as u8, row as u8);
        out[colour.map_or(planes - 1, usize::from)] = 1.0;
    }
}

/// Points of a side of Morpion's board.
const SIDE: usize = 32;
/// The points, then for each direction those whose line in it is drawn.
pub(super) const MORPION: [usize; 3] = [SIDE, SIDE, 5];

pub(super) fn morpion(position: &Morpion, out: &mut [f32]) {
    let [_, _, planes] = MORPION;
    let at =
        |point: Point| ((SIDE - 1 - usize::from(point.y)) * SIDE + usize::from(point.x)) * planes;
    for y in 0..SIDE as u8 {
        for x in 0..SIDE as u8 {
            let point = Point { x, y };
            if position.has(point) {
                out[at(point)] = 1.0;
            }
        }
    }
    for line in position.lines() {
        for point in line.points() {
            out[at(point) + 1 + line.direction() as usize] = 1.0;
        }
    }
}
