//! Moves, and the list of them.

use super::Sevn;
use super::grid::PLANES;
use crate::action_list::action_list;

/// The tiles to take, as a set of cells: bit `row * base + column`, row 0 at
/// the top, column 0 at the left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Tiles(pub u128);

/// The legal moves, colour by colour. Within a colour the sets count in binary:
/// with takeable tiles 1, 2, 3 in row order they are 1, 2, 12, 3, 13, 23, 123.
#[derive(Clone, Copy, Debug)]
pub struct Moves {
    planes: [u128; PLANES],
    /// The takeable tiles of all colours.
    free: u128,
    /// The colour after the current one.
    next_colour: u8,
    /// The takeable tiles of the current colour.
    set: u128,
    /// The part of `set` given last; empty when the colour is done.
    subset: u128,
    left: u32,
}

impl Moves {
    #[inline]
    pub(super) fn new(position: &Sevn, free: u128, left: u32) -> Self {
        Moves { planes: position.planes, free, next_colour: 0, set: 0, subset: 0, left }
    }
}

/// The subset of `set` after `subset` in binary order; the empty one after the last.
#[inline(always)]
pub(super) fn next_subset(subset: u128, set: u128) -> u128 {
    subset.wrapping_sub(set) & set
}

/// Those `cells` whose tile has the colour.
#[inline]
pub(super) fn of_colour(planes: &[u128; PLANES], cells: u128, colour: usize) -> u128 {
    let code = colour + 1;
    (0..PLANES)
        .fold(cells, |set, bit| set & if code >> bit & 1 == 1 { planes[bit] } else { !planes[bit] })
}

action_list!(
    Moves,
    Tiles,
    next: |list| {
        if list.left == 0 {
            return None;
        }
        list.left -= 1;
        list.subset = next_subset(list.subset, list.set);
        while list.subset == 0 {
            let colour = usize::from(list.next_colour);
            list.set = of_colour(&list.planes, list.free, colour);
            list.subset = next_subset(0, list.set);
            list.next_colour += 1;
        }
        Some(Tiles(list.subset))
    },
    left: |list| list.left
);
