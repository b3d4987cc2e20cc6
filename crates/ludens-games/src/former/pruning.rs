//! Which moves a proof need not look at.
//!
//! Words used here. A *run* is all of one shape within a maximal run of adjacent
//! columns that hold it. Its *parts* are its groups. A run of one part is *whole*.
//! Columns never shift, so a group never reaches beyond its run, and a move changes
//! no other run's columns.
//!
//! **Runs.** Every run takes at least one move, so `runs` is a lower bound. A move
//! that takes a whole run lowers it by 1; any other leaves of its run one run or
//! several, so the bound stays or rises. With `moves` left, `slack = moves - runs`
//! is what may still be wasted, and what a move wastes is the number of runs it
//! leaves of its own: known before anything falls.
//!
//! **Whole.** Without slack every move must take a whole run. A position without
//! slack and without a whole run is lost.
//!
//! **Touch.** After a move that uses up the slack some run must be whole (unless the
//! board is empty). A run of several parts can only become whole if every one of
//! them gets a new neighbour. In a column where something falls let `g` be the row of
//! the lowest cell taken. What falls comes to rest in row `g` or above, so new
//! neighbours are: in that column, cells from row `g` up and the one just below; in
//! the columns beside, cells that come to rest in row `g` or above, which were
//! there or higher before. If each run of several parts keeps a part outside of all
//! these, and no other run is whole, the move is lost, and nothing has to fall to see
//! it. (Used where the move does not split its own run.)
//!
//! **Crown.** A whole run with nothing above it may be taken at once, and no other
//! move needs to be tried. Nothing lies above its cells, now or later, so they
//! never carry anything; nothing of their shape lies in their columns or beside, so
//! no other group ever contains one. Take any line from here, leave these cells out of
//! it and put their removal first: the other cells fall as before, the groups of
//! the other moves are the same, and at least one move of the line, which took
//! only such cells, is gone. The new line is not longer.

use std::ops::ControlFlow;

use ludens_core::ArrayVec;

use super::grid::Grid;
use super::{Former, lowest};

/// Which of the rules are in use; all of them by default.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pruning {
    /// Count runs of columns. The other rules but `crown` need this one.
    pub runs: bool,
    /// Without slack, demand a whole run.
    pub whole: bool,
    /// See where new neighbours can arise before letting anything fall.
    pub touch: bool,
    /// Take a whole run with nothing above it at once.
    pub crown: bool,
}

impl Pruning {
    /// No rule at all: every move is looked at.
    pub const NONE: Pruning = Pruning { runs: false, whole: false, touch: false, crown: false };
}

impl Default for Pruning {
    fn default() -> Self {
        Pruning { runs: true, whole: true, touch: true, crown: true }
    }
}

/// A group and the number of its run.
struct Part {
    cells: u64,
    run: u8,
}

/// The cells of a run, and where its parts are in the list of parts.
struct Run {
    cells: u64,
    first: u8,
    end: u8,
}

impl Run {
    fn is_whole(&self) -> bool {
        self.end - self.first == 1
    }
}

/// Calls `f` with the cells of every run, until it breaks.
#[inline(always)]
fn each_run(
    position: &Former,
    grid: Grid,
    mut f: impl FnMut(u64) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for shape in 0..position.variant.shapes() {
        let mut left = position.cells_of(shape);
        while left != 0 {
            let run = left & grid.first_run(left);
            left &= !run;
            f(run)?;
        }
    }
    ControlFlow::Continue(())
}

/// The runs of a position and their parts, 64 at most: there are no more cells.
struct Anatomy {
    parts: ArrayVec<Part, 64>,
    runs: ArrayVec<Run, 64>,
}

impl Anatomy {
    #[inline(always)]
    fn new(position: &Former, grid: Grid) -> Self {
        let (mut parts, mut runs) = (ArrayVec::new(), ArrayVec::new());
        let links = position.links(grid);
        let _ = each_run(position, grid, |cells| {
            let (first, run) = (parts.len() as u8, runs.len() as u8);
            let mut rest = cells;
            while rest != 0 {
                let group = links.flood(lowest(rest));
                rest &= !group;
                parts.push(Part { cells: group, run });
            }
            runs.push(Run { cells, first, end: parts.len() as u8 });
            ControlFlow::Continue(())
        });
        Anatomy { parts, runs }
    }

    /// Whether a run could be whole once `part` is gone, which does not split its
    /// own run: the rule "touch".
    #[inline(always)]
    fn may_leave_whole(&self, position: &Former, grid: Grid, part: &Part) -> bool {
        let lower = !grid.top_row();
        // The columns where something lies on a cell taken and falls.
        let carried = ((part.cells & lower) << 1) & position.occupied & !part.cells;
        let falling = part.cells & grid.columns(carried);
        let moved = grid.lowest_and_above(falling);
        let near = moved | ((moved >> 1) & lower) | grid.right(moved) | grid.left(moved);
        (0..).zip(&self.runs).any(|(index, run)| {
            let own = index == part.run;
            let others = run.end - run.first - u8::from(own);
            let mut all = self.parts[usize::from(run.first)..usize::from(run.end)].iter();
            let taken = if own { part.cells } else { 0 };
            others == 1
                || others > 1 && all.all(|other| other.cells == taken || other.cells & near != 0)
        })
    }
}

impl Former {
    /// The moves that remain, by the rules, with what they lead to.
    #[inline(always)]
    pub(super) fn prune(
        &self,
        grid: Grid,
        rules: &Pruning,
        moves: u32,
        mut f: impl FnMut(u64, Former),
    ) {
        // 1. What may be wasted. Where that is nothing, only whole runs count, and
        //    the other groups need not even be found.
        let mut slack = u32::MAX;
        if rules.runs {
            let Some(rest) = moves.checked_sub(self.column_run_bound()) else { return };
            if rest == 0 && rules.whole {
                return self.whole_runs(grid, rules, f);
            }
            slack = rest;
        }
        let anatomy = Anatomy::new(self, grid);
        // 2. A whole run with nothing above it goes first, and alone.
        let bare = |run: &&Run| run.is_whole() && self.is_bare(grid, run.cells);
        let crown = if rules.crown { anatomy.runs.iter().find(bare) } else { None };
        let tried = match crown {
            Some(run) => usize::from(run.first)..usize::from(run.end),
            None => 0..anatomy.parts.len(),
        };
        for part in &anatomy.parts[tried] {
            // 3. What the move wastes must be there.
            let rest = anatomy.runs[usize::from(part.run)].cells & !part.cells;
            let left = if rest == 0 { 0 } else { grid.column_runs(rest) };
            let Some(slack) = slack.checked_sub(left) else { continue };
            // 4. If that uses up the slack, a whole run must follow, or the end.
            let demand = rules.whole && slack == 0 && self.occupied != part.cells;
            if demand && rules.touch && left < 2 && !anatomy.may_leave_whole(self, grid, part) {
                continue;
            }
            let child = self.without(grid, part.cells);
            if !demand || child.has_whole_run(grid) {
                f(part.cells, child);
            }
        }
    }

    /// [`prune`](Former::prune) without slack.
    #[inline(always)]
    fn whole_runs(&self, grid: Grid, rules: &Pruning, mut f: impl FnMut(u64, Former)) {
        let links = self.links(grid);
        let mut whole: ArrayVec<u64, 64> = ArrayVec::new();
        let _ = each_run(self, grid, |run| {
            if links.flood(lowest(run)) == run {
                if rules.crown && self.is_bare(grid, run) {
                    whole.clear();
                    whole.push(run);
                    return ControlFlow::Break(());
                }
                whole.push(run);
            }
            ControlFlow::Continue(())
        });
        for run in whole {
            let child = self.without(grid, run);
            if child.occupied == 0 || child.has_whole_run(grid) {
                f(run, child);
            }
        }
    }

    /// Whether nothing but themselves lies above these cells.
    #[inline(always)]
    fn is_bare(&self, grid: Grid, cells: u64) -> bool {
        ((cells & !grid.top_row()) << 1) & self.occupied & !cells == 0
    }

    /// Whether some run is whole.
    #[inline(always)]
    fn has_whole_run(&self, grid: Grid) -> bool {
        let links = self.links(grid);
        let whole = |run| match links.flood(lowest(run)) == run {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        each_run(self, grid, whole).is_break()
    }
}
