//! Sevn as Clark (2021), section 3.7, reads it: starts only.
//!
//! One pixel at a known place of each tile; reference colours from the grid of scores above the
//! board; hue, saturation and value from 0 to 1, the value divided by 100; a priority queue of the
//! distances between tiles and references; tiles are assigned greedily, and a reference leaves
//! when its group is full. Hue is a plain number there, not a circle.
//!
//! The text does not say where the places are. Tiles are looked at a quarter in from their top
//! left, off any letter on them, and the grid of scores is taken to be a row of fields over the
//! board, three quarters of a cell above it.

use ludens_games::sevn::Base;

use super::Seen;
use super::sevn::seen;
use crate::board::Board;
use crate::colour::{Colour, distance, hsv};

/// Where a tile is looked at.
const PLACE: f64 = 0.25;
/// How far above the board the references are, in cells.
const ABOVE: f64 = 0.75;
/// What the value is divided by.
const VALUE_DIVISOR: f32 = 100.0;
/// References nearer to each other than this are no grid of scores.
const SAME: f32 = 0.02;

fn place(colour: Colour) -> [f32; 3] {
    let [hue, saturation, value] = hsv(colour);
    [hue, saturation, value / VALUE_DIVISOR]
}

/// Reads a start.
pub(super) fn see(variant: &Base, board: &Board) -> Seen {
    let n = variant.get();
    let tiles: Vec<[f32; 3]> = (0..n * n)
        .map(|cell| place(board.single((cell % n) as f64 + PLACE, (cell / n) as f64 + PLACE)))
        .collect();
    let above: Vec<[f32; 3]> =
        (0..n).map(|i| place(board.single(i as f64 + 0.5, -ABOVE))).collect();
    let distinct = (0..n).all(|i| (0..i).all(|j| distance(above[i], above[j]) > SAME));
    let references = if distinct { above } else { farthest(&tiles, n) };
    let groups = greedy(&tiles, &references, n);
    let sure = tiles.iter().zip(&groups).map(|(&tile, &group)| {
        let other = (0..n).filter(|&r| r != group).map(|r| distance(tile, references[r]));
        crate::colour::margin(
            distance(tile, references[group]),
            other.min_by(f32::total_cmp).unwrap_or(1.0),
        )
    });
    let sure = sure.collect();
    let mut seen = seen(variant, &groups, &vec![false; n * n], sure);
    if !distinct {
        seen.notes.push(
            "no grid of scores above the board: references are tiles unlike each other".to_owned(),
        );
    }
    seen
}

/// Tiles that are as unlike each other as can be, one after the other.
fn farthest(tiles: &[[f32; 3]], count: usize) -> Vec<[f32; 3]> {
    let mut chosen = vec![tiles[0]];
    while chosen.len() < count {
        let near = |tile: &[f32; 3]| {
            chosen.iter().map(|&c| distance(*tile, c)).fold(f32::INFINITY, f32::min)
        };
        let next = tiles.iter().max_by(|a, b| near(a).total_cmp(&near(b))).copied();
        chosen.extend(next);
    }
    chosen
}

/// The reference of each tile: the nearest pair first, `capacity` tiles for each.
fn greedy(tiles: &[[f32; 3]], references: &[[f32; 3]], capacity: usize) -> Vec<usize> {
    let mut queue: Vec<(f32, usize, usize)> = Vec::with_capacity(tiles.len() * references.len());
    for (tile, &at) in tiles.iter().enumerate() {
        queue.extend(
            references.iter().enumerate().map(|(r, &other)| (distance(at, other), tile, r)),
        );
    }
    queue.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut found = vec![None; tiles.len()];
    let mut members = vec![0; references.len()];
    for (_, tile, reference) in queue {
        if found[tile].is_none() && members[reference] < capacity {
            found[tile] = Some(reference);
            members[reference] += 1;
        }
    }
    found.into_iter().map(|group| group.unwrap_or(0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_references_leave() {
        let tiles = [0.0, 0.1, 0.2, 0.9].map(|x| [x, 0.0, 0.0]);
        let references = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
        assert_eq!(greedy(&tiles, &references, 2), [0, 0, 1, 1]);
        assert_eq!(farthest(&tiles, 2), [[0.0, 0.0, 0.0], [0.9, 0.0, 0.0]]);
    }
}
