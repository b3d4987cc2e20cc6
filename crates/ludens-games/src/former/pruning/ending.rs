//! Clearing the board without waste: whole runs only, to the end.

use std::ops::ControlFlow;

use ludens_core::ArrayVec;

use super::super::grid::Grid;
use super::super::{Former, lowest};
use super::Pruning;
use super::order::Siblings;

/// How many positions may wait to be looked at.
const OPEN: usize = 64;

impl Former {
    /// The whole runs; only one of those with nothing above it, if `crown` says
    /// that it may go first.
    #[inline(always)]
    fn whole_runs(&self, grid: Grid, crown: bool) -> ArrayVec<u64, 64> {
        let links = self.links(grid);
        let mut whole = ArrayVec::new();
        let _ = self.each_run(grid, |run| {
            if links.flood(lowest(run)) == run {
                if crown && self.is_bare(grid, run) {
                    whole.clear();
                    whole.push(run);
                    return ControlFlow::Break(());
                }
                whole.push(run);
            }
            ControlFlow::Continue(())
        });
        whole
    }

    /// Whether whole runs alone clear the board. May say yes wrongly where there are
    /// very many to choose from.
    #[inline(always)]
    pub(super) fn clears(&self, grid: Grid, rules: &Pruning) -> bool {
        let mut open: ArrayVec<(Former, u64), OPEN> = ArrayVec::new();
        open.push((*self, 0));
        while let Some((position, covered)) = open.pop() {
            if position.occupied == 0 {
                return true;
            }
            let mut full = false;
            position.take_whole_runs(grid, rules, covered, |_, child, covered| {
                full |= open.try_push((child, covered)).is_err();
            });
            if full {
                return true;
            }
        }
        false
    }

    /// Calls `f` with the moves that take a whole run, what they lead to, and the
    /// moves covered there.
    #[inline(always)]
    pub(super) fn take_whole_runs(
        &self,
        grid: Grid,
        rules: &Pruning,
        covered: u64,
        mut f: impl FnMut(u64, Former, u64),
    ) {
        let whole = self.whole_runs(grid, rules.crown);
        let mut siblings = Siblings::new(self, grid);
        for &run in &whole {
            siblings.push(run, covered & lowest(run) != 0);
        }
        for (index, &run) in whole.iter().enumerate() {
            if covered & lowest(run) == 0 {
                let child = siblings.child(index);
                let covered = if rules.order { siblings.covered_after(index) } else { 0 };
                siblings.cover(index);
                f(run, child, covered);
            }
        }
    }
}
