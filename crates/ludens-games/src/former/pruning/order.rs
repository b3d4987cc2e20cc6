//! Which moves are covered by another order of the same moves.
//!
//! Two moves of a position *commute* if each leaves the other's group as it is: the
//! same cells, connected and joined by no others. Then both orders take the same
//! cells and lead to the same position.

use ludens_core::ArrayVec;
use ludens_core::bits::{pdep, pext};

use super::super::grid::{Grid, Links};
use super::super::{Former, lowest};

/// What a move leads to.
struct Successor {
    child: Former,
    links: Links,
}

/// A group that may be taken, and what is known about it so far.
struct Sibling {
    group: u64,
    near: u64,
    successor: Option<Successor>,
}

/// The moves of one position that are looked at together.
pub(super) struct Siblings<'a> {
    position: &'a Former,
    grid: Grid,
    list: ArrayVec<Sibling, 64>,
    /// The moves, by index, that another line covers already.
    covered: u64,
}

impl<'a> Siblings<'a> {
    pub(super) fn new(position: &'a Former, grid: Grid) -> Self {
        Siblings { position, grid, list: ArrayVec::new(), covered: 0 }
    }

    /// Adds a move, which gets the next index.
    #[inline(always)]
    pub(super) fn push(&mut self, group: u64, covered: bool) {
        self.covered |= u64::from(covered) << self.list.len();
        let near = self.position.near(self.grid, group);
        self.list.push(Sibling { group, near, successor: None });
    }

    /// The position after a move.
    #[inline(always)]
    pub(super) fn child(&mut self, index: usize) -> Former {
        self.successor(index).child
    }

    /// The moves that need not be tried after a move: those covered here that commute
    /// with it, each by the lowest cell its group has then.
    #[inline(always)]
    pub(super) fn covered_after(&mut self, index: usize) -> u64 {
        let mut covered = 0;
        let mut left = self.covered;
        while left != 0 {
            let other = left.trailing_zeros() as usize;
            left &= left - 1;
            if self.keeps(index, other) && self.keeps(other, index) {
                covered |= lowest(self.fallen(index, other));
            }
        }
        covered
    }

    /// Counts a move as covered from here on, because it has been tried.
    #[inline(always)]
    pub(super) fn cover(&mut self, index: usize) {
        self.covered |= 1 << index;
    }

    #[inline(always)]
    fn successor(&mut self, index: usize) -> &Successor {
        let sibling = &mut self.list[index];
        if sibling.successor.is_none() {
            let child = self.position.without(self.grid, sibling.group);
            sibling.successor = Some(Successor { child, links: child.links(self.grid) });
        }
        sibling.successor.as_ref().expect("it has just been made")
    }

    /// Where the cells of `other` are after the move.
    #[inline(always)]
    fn fallen(&mut self, index: usize, other: usize) -> u64 {
        let kept = self.position.occupied & !self.list[index].group;
        let cells = self.list[other].group;
        pdep(pext(cells, kept), self.successor(index).child.occupied)
    }

    /// Whether the move leaves the group of `other` as it is.
    #[inline(always)]
    fn keeps(&mut self, index: usize, other: usize) -> bool {
        if self.list[other].group & self.list[index].near == 0 {
            return true;
        }
        let cells = self.fallen(index, other);
        self.successor(index).links.flood(lowest(cells)) == cells
    }
}
