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
//! **Whole.** Without slack every move must take a whole run. There are few of those,
//! so whether they clear the board is found out at once (`ending.rs`), and a move that
//! uses up the slack is kept only if they do.
//!
//! **Touch.** After a move that uses up the slack some run must be whole (unless the
//! board is empty). A run of several parts can only become whole if every one of
//! them gets a new neighbour. If each run of several parts keeps a part that gets
//! none (`Former::near`), and no other run is whole, the move is lost, and nothing has
//! to fall to see it. (Used where the move does not split its own run.)
//!
//! **Crown.** A whole run with nothing above it may be taken at once, and no other
//! move needs to be tried. Nothing lies above its cells, now or later, so they
//! never carry anything; nothing of their shape lies in their columns or beside, so
//! no other group ever contains one. Take any line from here, leave these cells out of
//! it and put their removal first: the other cells fall as before, the groups of
//! the other moves are the same, and at least one move of the line, which took
//! only such cells, is gone. The new line is not longer.
//!
//! **Order.** Where moves `x` and `y` commute (`order.rs`) and `x` comes first in the
//! list, `x` need not be tried right after `y`, nor later as long as all moves between
//! commute with `x`: the same moves with `x` instead of `y` lead to the same
//! position. Every position carries the set of moves *covered* in this way; where
//! several lines meet in a position, a move is covered only if all of them say so.
//! Why a shortest line remains: of all shortest lines that take crowns at once, look at
//! the first one, comparing moves by their indices in the lists. Were one of its moves
//! `x` covered where it is made, then already on this line itself, because of an
//! earlier index where `x` could be made, stood before the move `y` that is made, and
//! commutes with all moves from there on. Making `x` there instead leads to a
//! shortest line that is earlier in the order (what follows can be arranged to take
//! crowns at once), which cannot be. The other rules never take a move away that begins a
//! shortest line within `moves`, so they do not interfere. Where mirrored positions share
//! a name, all this is said of lines from name to name, whose moves are those of the
//! positions that the names recall.

mod anatomy;
mod ending;
mod order;

use ludens_core::ArrayVec;

use super::grid::Grid;
use super::{Former, lowest};
use anatomy::Anatomy;
use order::Siblings;

/// Which of the rules are in use; all of them by default.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pruning {
    /// Count runs of columns. The other rules but `crown` and `order` need this one.
    pub runs: bool,
    /// Without slack, look for whole runs that clear the board.
    pub whole: bool,
    /// See where new neighbours can arise before letting anything fall.
    pub touch: bool,
    /// Take a whole run with nothing above it at once.
    pub crown: bool,
    /// Try moves that commute in one order only.
    pub order: bool,
    /// Bound what is left by what pairs of columns need (`strips.rs`).
    pub strips: bool,
    /// Give mirrored positions one name if the start is symmetric (`descent.rs`).
    pub mirror: bool,
}

impl Pruning {
    /// No rule at all: every move is looked at.
    pub const NONE: Pruning = Pruning {
        runs: false,
        whole: false,
        touch: false,
        crown: false,
        order: false,
        strips: false,
        mirror: false,
    };
}

impl Default for Pruning {
    fn default() -> Self {
        Pruning {
            runs: true,
            whole: true,
            touch: true,
            crown: true,
            order: true,
            strips: true,
            mirror: true,
        }
    }
}

/// A move that remains.
struct Choice {
    group: u64,
    /// What may be wasted after it.
    slack: u32,
    covered: bool,
}

impl Former {
    /// [`prune`](Former::prune) for the daily puzzle's number of rows.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn prune_nine_rows(
        &self,
        rules: &Pruning,
        moves: u32,
        covered: u64,
        admit: impl Fn(u64, u32) -> Option<u64>,
        f: impl FnMut(u64, Former, u64, u64),
    ) {
        self.prune(Grid::NINE_ROWS, rules, moves, covered, admit, f);
    }

    /// The moves that remain, by the rules, with what they lead to, its name and the
    /// moves covered there; `covered` are those covered here, each by its lowest cell.
    /// `admit` gives the name that a move leads to, with the slack after it, or
    /// nothing if the move is lost.
    #[inline(always)]
    pub(super) fn prune(
        &self,
        grid: Grid,
        rules: &Pruning,
        moves: u32,
        covered: u64,
        admit: impl Fn(u64, u32) -> Option<u64>,
        mut f: impl FnMut(u64, Former, u64, u64),
    ) {
        // 1. What may be wasted. Where that is nothing, only whole runs count, and
        //    the other groups need not even be found.
        let mut slack = u32::MAX;
        if rules.runs {
            let Some(rest) = moves.checked_sub(self.column_run_bound()) else { return };
            if rest == 0 && rules.whole {
                return self.take_whole_runs(grid, rules, covered, |group, child, covered| {
                    if let Some(name) = admit(group, 0).filter(|_| child.clears(grid, rules)) {
                        f(group, child, name, covered);
                    }
                });
            }
            slack = rest;
        }
        // 2. A whole run with nothing above it goes first, and alone.
        let anatomy = Anatomy::new(self, grid);
        let crown = if rules.crown { anatomy.crown(self, grid) } else { None };
        let tried = crown.map_or(0..anatomy.parts.len(), |run| run.parts());
        let mut choices: ArrayVec<Choice, 64> = ArrayVec::new();
        for (index, part) in anatomy.parts.iter().enumerate() {
            let covered = rules.order && covered & lowest(part.cells) != 0;
            if !covered && !tried.contains(&index) {
                continue;
            }
            // 3. What the move wastes must be there.
            let rest = anatomy.runs[usize::from(part.run)].cells & !part.cells;
            let left = if rest == 0 { 0 } else { grid.column_runs(rest) };
            let Some(slack) = slack.checked_sub(left) else { continue };
            // 4. If that uses up the slack, a whole run must follow, or the end.
            let demand = rules.whole && slack == 0 && self.occupied != part.cells;
            if demand && rules.touch && left < 2 && !anatomy.may_leave_whole(self, grid, part) {
                continue;
            }
            choices.push(Choice { group: part.cells, slack, covered });
        }
        // 5. Of moves that commute one order is enough.
        let mut siblings = Siblings::new(self, grid);
        for choice in &choices {
            siblings.push(choice.group, choice.covered);
        }
        for (index, choice) in choices.iter().enumerate() {
            if choice.covered {
                continue;
            }
            if let Some(name) = admit(choice.group, choice.slack) {
                let child = siblings.child(index);
                // 6. Without slack the end is near enough to be looked for.
                let ends = rules.whole && choice.slack == 0;
                if !ends || child.clears(grid, rules) {
                    let covered = if rules.order { siblings.covered_after(index) } else { 0 };
                    f(choice.group, child, name, covered);
                }
            }
            siblings.cover(index);
        }
    }
}
