//! Positions that descend from one board, and what is known about their length.
//!
//! What is left of a board is a set of its cells, so a position's name is a set
//! of the start's cells: one word. Different sets may leave the same columns; of
//! these the name is the one that lies lowest, column by column.
//!
//! If the start is its own mirror image but for the names of its shapes, the mirror
//! image of what is left can be left as well, by the mirrored cells, and takes as
//! many moves; of the two sets the smaller one is the name. Renaming alone changes no
//! set of cells. Images under anything that is no symmetry of the start have other
//! cells of it, if any, and are not looked for.

use ludens_core::Descent;
use ludens_core::bits::{pdep, pext};

use super::grid::Grid;
use super::pruning::Pruning;
use super::strips::Strips;
use super::symmetry::mirror;
use super::{Former, Group, lowest};

/// Columns up to this height have a table of their names.
const TABLE_ROWS: u8 = 12;

/// Strips hardly ever need more moves than this beyond the number of runs, so
/// they are asked only where the slack is not larger.
const STRIPS_SLACK: u32 = 4;

/// A start board and the names of what can be left of its columns.
pub struct FormerOrigin {
    board: Former,
    rules: Pruning,
    /// For every column, the lowest set of its cells that reads the same, by set.
    /// Empty where columns are too high for a table.
    lowest: Vec<u16>,
    /// The bound from pairs of columns, where it is in use.
    pub(super) strips: Option<Strips>,
    /// Whether mirrored positions share a name.
    symmetric: bool,
    /// Whether the processor has all instructions on bits that help.
    #[cfg(target_arch = "x86_64")]
    fast: bool,
}

/// The lowest cells of a column that spell the shapes of `kept`, bottom up:
/// each shape is taken at its first cell above the one before.
///
/// This gives equal sets for equal words, as it depends only on the word; and it
/// never fails, as the cells of `kept` themselves spell it.
fn lowest_spelling(column: [u64; 4], kept: u64) -> u64 {
    let [occupied, planes @ ..] = column;
    let (mut left, mut free, mut spelled) = (kept, occupied, 0);
    while left != 0 {
        let cell = lowest(left);
        left ^= cell;
        let same = planes
            .iter()
            .fold(free, |cells, &plane| cells & if plane & cell != 0 { plane } else { !plane });
        let cell = lowest(same);
        spelled |= cell;
        // Only cells above it remain; written so that bit 63 works too.
        free &= !(cell | (cell - 1));
    }
    spelled
}

impl FormerOrigin {
    /// The origin of a board, for searches that use these rules.
    pub fn new(board: Former, rules: Pruning) -> Self {
        let rows = board.variant.rows();
        let mut lowest = Vec::new();
        if rows <= TABLE_ROWS {
            for column in 0..board.variant.cols() {
                let shift = u32::from(column) * u32::from(rows);
                let [a, b, c] = board.planes;
                let cells = [board.occupied, a, b, c].map(|x| x >> shift & ((1 << rows) - 1));
                lowest.extend(
                    (0..1u64 << rows).map(|kept| lowest_spelling(cells, kept & cells[0]) as u16),
                );
            }
        }
        let strips = if rules.strips && !lowest.is_empty() {
            let name = |column: usize, kept| u64::from(lowest[column << rows | kept as usize]);
            Strips::new(&board, name)
        } else {
            None
        };
        FormerOrigin {
            board,
            rules,
            lowest,
            strips,
            symmetric: rules.mirror && board.is_symmetric(),
            #[cfg(target_arch = "x86_64")]
            fast: is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt"),
        }
    }

    /// The rules of a search from here.
    pub fn rules(&self) -> Pruning {
        self.rules
    }

    /// The name of the position left by these cells, given that only the columns
    /// of `changed` may need to be looked at.
    #[inline(always)]
    fn name(&self, grid: Grid, kept: u64, changed: u64) -> u64 {
        let rows = u32::from(self.board.variant.rows());
        let (mut name, mut left) = (kept, changed);
        while left != 0 {
            let column = grid.lowest_column(left);
            left &= !column;
            let cells = kept & column;
            let shift = column.trailing_zeros();
            let spelled = if self.lowest.is_empty() {
                let [a, b, c] = self.board.planes;
                lowest_spelling([self.board.occupied & column, a, b, c], cells)
            } else {
                let table = (shift / rows) << rows;
                u64::from(self.lowest[table as usize + (cells >> shift) as usize]) << shift
            };
            name = name & !column | spelled;
        }
        name
    }
}

impl Former {
    /// The name of what is left without these cells, where `name` is the position's own.
    #[inline]
    pub(super) fn descendant(&self, origin: &FormerOrigin, name: u64, cells: u64) -> u64 {
        // The cells of a column have the same order in the position and the name.
        let removed = pdep(pext(cells, self.occupied), name);
        with_grid!(self, |grid| origin.name(grid, name & !removed, removed))
    }
}

/// The lowest cells of mirrored groups, which are given by their lowest cells.
fn mirrored_groups(position: &Former, mut groups: u64) -> u64 {
    let mut mirrored = 0;
    while groups != 0 {
        let cell = groups.trailing_zeros() as u8;
        groups &= groups - 1;
        mirrored |= lowest(mirror(&position.variant, position.group_of(cell)));
    }
    mirrored
}

impl Descent for Former {
    type Origin = FormerOrigin;
    type Step = u64;

    fn origin(&self, memory: usize) -> FormerOrigin {
        let mut origin = FormerOrigin::new(*self, Pruning::default());
        if let Some(strips) = &mut origin.strips {
            strips.keep_to(memory);
        }
        origin
    }

    fn first(origin: &FormerOrigin) -> u64 {
        origin.board.occupied
    }

    #[inline]
    fn recall(origin: &FormerOrigin, name: u64) -> Former {
        let board = &origin.board;
        let rows = u32::from(board.variant.rows());
        let column = u64::MAX >> (64 - rows);
        let mut occupied = 0;
        for c in 0..u32::from(board.variant.cols()) {
            let count = (name >> (c * rows) & column).count_ones();
            // Two shifts, because a column of 64 cells may be full.
            occupied |= ((((1u64 << (count / 2)) << (count - count / 2)).wrapping_sub(1)) & column)
                << (c * rows);
        }
        let planes = board.planes.map(|plane| pdep(pext(plane, name), occupied));
        Former { occupied, planes, variant: board.variant }
    }

    #[inline]
    fn descend(
        &self,
        origin: &FormerOrigin,
        name: u64,
        moves: u32,
        covered: u64,
        mut f: impl FnMut(u64, Former, u64, u64),
    ) {
        let f = |step, child: Former, name, covered| {
            if origin.symmetric {
                let image = mirror(&self.variant, name);
                if image < name {
                    return f(step, child, image, mirrored_groups(&child, covered));
                }
            }
            f(step, child, name, covered);
        };
        let admit = |group, slack| {
            let name = self.descendant(origin, name, group);
            let strips = if slack <= STRIPS_SLACK { origin.strips.as_ref() } else { None };
            let lost = strips.is_some_and(|strips| strips.need_more(name, moves - 1));
            (!lost).then_some(name)
        };
        #[cfg(target_arch = "x86_64")]
        if self.variant.rows() == 9 && origin.fast {
            #[expect(unsafe_code, reason = "counting and gathering bits is most of the work")]
            // SAFETY: `fast` says that the processor has these instructions.
            return unsafe { self.prune_nine_rows(&origin.rules, moves, covered, admit, f) };
        }
        with_grid!(self, |grid| self.prune(grid, &origin.rules, moves, covered, admit, f));
    }

    fn action(&self, group: u64) -> Group {
        Group::of(group)
    }

    fn retrace(origin: &FormerOrigin, line: Vec<Group>) -> Vec<Group> {
        if !origin.symmetric {
            return line;
        }
        let mut name = Former::first(origin);
        let mut mirrored = false;
        line.into_iter()
            .map(|group| {
                let here = Former::recall(origin, name);
                let cells = here.group_of(group.0);
                let image = mirror(&here.variant, cells);
                let played = Group::of(if mirrored { image } else { cells });
                name = here.descendant(origin, name, cells);
                let other = mirror(&here.variant, name);
                if other < name {
                    name = other;
                    mirrored = !mirrored;
                }
                played
            })
            .collect()
    }

    fn fewest_moves(&self) -> u32 {
        self.column_run_bound()
    }
}
