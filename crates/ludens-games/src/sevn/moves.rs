//! Moves, and the list of them.

use super::Sevn;
use super::grid::PLANES;

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

impl Iterator for Moves {
    type Item = Tiles;

    #[inline]
    fn next(&mut self) -> Option<Tiles> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        self.subset = next_subset(self.subset, self.set);
        while self.subset == 0 {
            let colour = usize::from(self.next_colour);
            self.set = of_colour(&self.planes, self.free, colour);
            self.subset = next_subset(0, self.set);
            self.next_colour += 1;
        }
        Some(Tiles(self.subset))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl ExactSizeIterator for Moves {}
