//! The runs of a position and the groups they consist of.

use std::ops::ControlFlow;

use ludens_core::ArrayVec;

use super::super::grid::Grid;
use super::super::{Former, lowest};

/// A group and the number of its run.
pub(super) struct Part {
    pub(super) cells: u64,
    pub(super) run: u8,
}

/// The cells of a run, and where its parts are in the list of parts.
pub(super) struct Run {
    pub(super) cells: u64,
    first: u8,
    end: u8,
}

impl Run {
    /// Where its parts are in the list of parts.
    #[inline(always)]
    pub(super) fn parts(&self) -> std::ops::Range<usize> {
        usize::from(self.first)..usize::from(self.end)
    }

    #[inline(always)]
    pub(super) fn is_whole(&self) -> bool {
        self.end - self.first == 1
    }
}

/// The runs of a position and their parts, 64 at most: there are no more cells.
pub(super) struct Anatomy {
    pub(super) parts: ArrayVec<Part, 64>,
    pub(super) runs: ArrayVec<Run, 64>,
}

impl Anatomy {
    #[inline(always)]
    pub(super) fn new(position: &Former, grid: Grid) -> Self {
        let (mut parts, mut runs): (ArrayVec<Part, 64>, ArrayVec<Run, 64>) = Default::default();
        let links = position.links(grid);
        let high = !(grid.floor() | grid.floor() << 1);
        let _ = position.each_run(grid, |cells| {
            let (first, run) = (parts.len(), runs.len() as u8);
            let mut rest = cells;
            while rest != 0 {
                let group = links.flood(lowest(rest));
                rest &= !group;
                parts.push(Part { cells: group, run });
                // A part close to the floor has the fewest neighbours to come, so it
                // is the first to be asked for them.
                if group & high == 0 {
                    let last = parts.len() - 1;
                    parts.swap(first, last);
                }
            }
            runs.push(Run { cells, first: first as u8, end: parts.len() as u8 });
            ControlFlow::Continue(())
        });
        Anatomy { parts, runs }
    }

    /// A whole run with nothing above it.
    #[inline(always)]
    pub(super) fn crown(&self, position: &Former, grid: Grid) -> Option<&Run> {
        self.runs.iter().find(|run| run.is_whole() && position.is_bare(grid, run.cells))
    }

    /// Whether a run could be whole once `part` is gone, which does not split its
    /// own run: the rule "touch".
    #[inline(always)]
    pub(super) fn may_leave_whole(&self, position: &Former, grid: Grid, part: &Part) -> bool {
        let near = position.near(grid, part.cells);
        (0..).zip(&self.runs).any(|(index, run)| {
            let own = index == part.run;
            let others = run.parts().len() - usize::from(own);
            let taken = if own { part.cells } else { 0 };
            let mut all = self.parts[run.parts()].iter();
            others == 1
                || others > 1 && all.all(|other| other.cells == taken || other.cells & near != 0)
        })
    }
}

impl Former {
    /// Calls `f` with the cells of every run, until it breaks.
    #[inline(always)]
    pub(super) fn each_run(
        &self,
        grid: Grid,
        mut f: impl FnMut(u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for shape in 0..self.variant.shapes() {
            let mut left = self.cells_of(shape);
            while left != 0 {
                let run = left & grid.first_run(left);
                left &= !run;
                f(run)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether nothing but themselves lies above these cells.
    #[inline(always)]
    pub(super) fn is_bare(&self, grid: Grid, cells: u64) -> bool {
        ((cells & !grid.top_row()) << 1) & self.occupied & !cells == 0
    }

    /// All cells that could get a new neighbour when a group goes.
    ///
    /// In a column where something falls let `g` be the row of the lowest cell taken.
    /// What falls comes to rest in row `g` or above, so new neighbours are: in that
    /// column, cells from row `g` up and the one just below; in the columns beside,
    /// cells that come to rest in row `g` or above, which were there or higher before.
    #[inline(always)]
    pub(super) fn near(&self, grid: Grid, group: u64) -> u64 {
        let lower = !grid.top_row();
        // The columns where something lies on a cell taken and falls.
        let carried = ((group & lower) << 1) & self.occupied & !group;
        let moved = grid.lowest_and_above(group & grid.columns(carried));
        moved | ((moved >> 1) & lower) | grid.right(moved) | grid.left(moved)
    }
}
