//! A lower bound from pairs of adjacent columns.
//!
//! **One pair.** Look at what the moves of a line do in two adjacent columns, the
//! *strip*. How cells lie and fall there depends on the strip alone, so a move takes of
//! it a union of the strip's own groups of one shape: a single one, or several that
//! hang together outside. A path outside that joins two groups at the left leaves the
//! strip's left column at two rows with something else between, so the rows are at
//! least 2 apart. In the column beside, either all rows from one to the other hold
//! the shape, which are three cells or more, or a row between does not; then the path
//! goes round that row through the next column, again between rows at least 2 apart.
//! So there is a column with at least three cells of the shape, and all columns between
//! it and the strip have at least two. Only where that is so now (cells only ever
//! get fewer) the shape is *open* at that side, and groups of it that touch the side may
//! go together. The fewest such steps that clear the strip are a lower bound on
//! the number of moves that touch it.
//!
//! **Beside it.** Moves that do not touch a column `c` lie at its left or at its right.
//! For those at the left that touch the strip of columns `c-2` and `c-1` the same game
//! is played, but a step costs nothing if it takes a group that touches `c-1` of a
//! shape that `c` has: it may reach into `c`. The moves counted there do not
//! touch `c`, those counted further left do not touch `c-2`, so no move is counted
//! twice. One column alone gives the number of its shapes that its neighbour lacks.
//!
//! The bound is the best sum over all ways to begin with one strip and to go on to
//! both sides. Every strip's game is solved once for each pair of columns as they
//! occur, with all shapes that may be open, and kept.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};

use ludens_core::{ArrayVec, Descent};

use super::grid::Grid;
use super::{Former, FormerOrigin, FormerVariant, Pruning, lowest};

/// Shapes of boards that have strips; sets of them have as many bits.
const SHAPES: u8 = 4;

/// Columns of boards that have strips.
const COLUMNS: usize = 16;

/// Pairs of what can be left of two columns, at most.
const LARGEST: usize = 1 << 18;

/// Bytes of tables that are always allowed: nearly all that most boards need.
const LEAST: usize = 1 << 25;

/// Which moves count in a strip.
#[derive(Clone, Copy)]
enum Counted {
    /// All.
    All,
    /// Those that do not reach the column at the left.
    NotLeft,
    /// Those that do not reach the column at the right.
    NotRight,
}

/// What is known of a column as it is: its number among all it can be, and the sets
/// of shapes of which it has at least one, two and three cells.
#[derive(Clone, Copy, Default)]
struct Column {
    number: u32,
    one: u8,
    two: u8,
    three: u8,
}

/// The lower bounds of all strips of a board.
pub(super) struct Strips {
    rows: u32,
    /// The cells of two columns.
    both: u64,
    /// By column and set of its cells, for sets that are names.
    columns: Vec<Vec<Column>>,
    pairs: Vec<Pair>,
    /// Bytes of the tables, and how many there may be. Strips whose table does not fit
    /// count as needing nothing.
    used: AtomicUsize,
    most: usize,
}

/// Two adjacent columns of the start.
struct Pair {
    origin: FormerOrigin,
    /// What the right column can be.
    width: u32,
    /// What the pair can be.
    size: usize,
    /// By what counts and the shapes open at the left and at the right: for each
    /// state of the pair the fewest steps plus 1, or 0 if not known yet.
    tables: Vec<OnceLock<Box<[AtomicU8]>>>,
}

impl Strips {
    /// The strips of a start board, if it is of a size that can have them. `name`
    /// gives the names of what can be left of a column.
    pub(super) fn new(board: &Former, name: impl Fn(usize, u64) -> u64) -> Option<Self> {
        let (rows, cols) = (board.variant.rows(), usize::from(board.variant.cols()));
        if !(2..=COLUMNS).contains(&cols) || board.variant.shapes() > SHAPES {
            return None;
        }
        let mut columns = Vec::new();
        let mut counts = Vec::new();
        for c in 0..cols {
            let shift = c as u32 * u32::from(rows);
            let mut column = vec![Column::default(); 1 << rows];
            let mut number = 0;
            for kept in (0..1u64 << rows).filter(|&kept| name(c, kept) == kept) {
                let mut entry = Column { number, ..Column::default() };
                for shape in 0..SHAPES {
                    let count = (board.cells_of(shape) >> shift & kept).count_ones();
                    entry.one |= u8::from(count >= 1) << shape;
                    entry.two |= u8::from(count >= 2) << shape;
                    entry.three |= u8::from(count >= 3) << shape;
                }
                column[kept as usize] = entry;
                number += 1;
            }
            columns.push(column);
            counts.push(number);
        }
        if counts.windows(2).any(|pair| (pair[0] * pair[1]) as usize > LARGEST) {
            return None;
        }
        let variant = FormerVariant::new(rows, 2, board.variant.shapes()).ok()?;
        let both = u64::MAX >> (64 - 2 * u32::from(rows));
        let pair = |c: usize| {
            let part = |cells: u64| cells >> (c as u32 * u32::from(rows)) & both;
            let strip =
                Former { occupied: part(board.occupied), planes: board.planes.map(part), variant };
            Pair {
                origin: FormerOrigin::new(strip, Pruning::NONE),
                width: counts[c + 1],
                size: (counts[c] * counts[c + 1]) as usize,
                tables: (0..3 << (2 * SHAPES)).map(|_| OnceLock::new()).collect(),
            }
        };
        let pairs = (0..cols - 1).map(pair).collect();
        let (used, most) = (AtomicUsize::new(0), usize::MAX);
        Some(Strips { rows: u32::from(rows), both, columns, pairs, used, most })
    }

    /// Lets the tables take `memory` bytes, or a few more where that is very little.
    pub(super) fn keep_to(&mut self, memory: usize) {
        self.limit(memory.max(LEAST));
    }

    /// Lets the tables take `most` bytes and no more.
    pub(super) fn limit(&mut self, most: usize) {
        self.most = most;
    }

    /// The bytes that the tables take.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        let tables = self.pairs.iter().flat_map(|pair| &pair.tables);
        tables.filter_map(|table| table.get()).map(|table| table.len()).sum()
    }

    /// The table of one kind of game of a pair, if it fits into memory.
    #[inline(always)]
    fn table<'a>(&'a self, pair: &'a Pair, kind: usize) -> Option<&'a [AtomicU8]> {
        let table = &pair.tables[kind];
        if table.get().is_none() && !self.make(table, pair.size) {
            return None;
        }
        table.get().map(|table| &table[..])
    }

    /// Makes a table, unless it does not fit; says whether there is one.
    #[cold]
    fn make(&self, table: &OnceLock<Box<[AtomicU8]>>, size: usize) -> bool {
        let scratch = self.used.fetch_add(size, Ordering::Relaxed) + size <= self.most;
        let mut made = false;
        if scratch {
            table.get_or_init(|| {
                made = true;
                (0..size).map(|_| AtomicU8::new(0)).collect()
            });
        }
        if !made {
            self.used.fetch_sub(size, Ordering::Relaxed);
        }
        scratch
    }

    /// Whether the position of a name needs more moves than `moves`, as far as
    /// strips show.
    #[inline]
    pub(super) fn need_more(&self, name: u64, moves: u32) -> bool {
        let count = self.columns.len();
        let mut here = [Column::default(); COLUMNS];
        for (c, (entry, column)) in here.iter_mut().zip(&self.columns).enumerate() {
            *entry = column[(name >> (c as u32 * self.rows)) as usize & (column.len() - 1)];
        }
        let here = &here[..count];
        // 1. Shapes that may be joined outside: at the left of each column, and at the
        //    right. It matters only where the column itself has two cells.
        let (mut open_left, mut open_right) = ([0; COLUMNS], [0; COLUMNS]);
        for c in 1..count {
            open_left[c] = here[c - 1].three | here[c - 1].two & open_left[c - 1];
            let d = count - 1 - c;
            open_right[d] = here[d + 1].three | here[d + 1].two & open_right[d + 1];
        }
        let at_left = |c: usize| open_left[c] & here[c].two;
        let at_right = |c: usize| open_right[c] & here[c].two;
        let missing = |c: usize, beside: usize| (here[c].one & !here[beside].one).count_ones();
        // 2. Moves at the right of each column that do not touch it.
        let mut right = [0; COLUMNS];
        for c in (0..count - 1).rev() {
            right[c] = right[c + 1] + missing(c + 1, c);
            if c + 2 < count {
                let reach = here[c].one & here[c + 1].one;
                let fewest = self.fewest(name, c + 1, Counted::NotLeft, reach, at_right(c + 2));
                right[c] = right[c].max(right[c + 2] + fewest);
            }
        }
        // 3. The same at the left, and with it everything from each strip on.
        let mut left = [0; COLUMNS];
        for c in 0..count - 1 {
            if c > 0 {
                left[c] = left[c - 1] + missing(c - 1, c);
            }
            if c > 1 {
                let reach = here[c].one & here[c - 1].one;
                let fewest = self.fewest(name, c - 2, Counted::NotRight, at_left(c - 2), reach);
                left[c] = left[c].max(left[c - 2] + fewest);
            }
            let fewest = self.fewest(name, c, Counted::All, at_left(c), at_right(c + 1));
            if left[c] + fewest + right[c + 1] > moves {
                return true;
            }
        }
        false
    }

    /// The fewest steps that count in the strip that begins with column `c`.
    #[inline(always)]
    fn fewest(&self, name: u64, c: usize, counted: Counted, left: u8, right: u8) -> u32 {
        let strip = name >> (c as u32 * self.rows) & self.both;
        Game { strips: self, column: c, counted, left, right }.fewest(strip)
    }
}

/// The game of one strip, with shapes that go beyond its sides.
struct Game<'a> {
    strips: &'a Strips,
    column: usize,
    counted: Counted,
    left: u8,
    right: u8,
}

impl Game<'_> {
    /// The fewest steps that count and clear what is left of the strip.
    #[inline(always)]
    fn fewest(&self, strip: u64) -> u32 {
        let pair = &self.strips.pairs[self.column];
        let number = |c: usize, cells: u64| {
            let column = &self.strips.columns[c];
            column[cells as usize & (column.len() - 1)].number
        };
        let state = number(self.column, strip) * pair.width
            + number(self.column + 1, strip >> self.strips.rows);
        let kind = (self.counted as usize) << (2 * SHAPES)
            | usize::from(self.left) << SHAPES
            | usize::from(self.right);
        let Some(table) = self.strips.table(pair, kind) else { return 0 };
        match table[state as usize].load(Ordering::Relaxed) {
            0 => {
                let fewest = self.solve(&pair.origin, strip);
                // Never more than there are cells, which are fewer than 64.
                table[state as usize].store(fewest as u8 + 1, Ordering::Relaxed);
                fewest
            }
            known => u32::from(known) - 1,
        }
    }

    /// [`fewest`](Game::fewest) by trying every step.
    fn solve(&self, origin: &FormerOrigin, strip: u64) -> u32 {
        if strip == 0 {
            return 0;
        }
        let here = Former::recall(origin, strip);
        let grid = Grid::new(here.variant.rows());
        let links = here.links(grid);
        let sides = [self.strips.both >> self.strips.rows, !(self.strips.both >> self.strips.rows)];
        let mut best = u32::MAX;
        for shape in 0..here.variant.shapes() {
            // 1. The sides where the shape goes on, and the one where that is free.
            let set =
                |shapes: u8, side: usize| if shapes >> shape & 1 != 0 { sides[side] } else { 0 };
            let (left, right) = (set(self.left, 0), set(self.right, 1));
            let free = match self.counted {
                Counted::All => 0,
                Counted::NotLeft => left,
                Counted::NotRight => right,
            };
            let mut step = |cells: u64| {
                let next = here.descendant(origin, strip, cells);
                let cost = u32::from(cells & free == 0);
                // What is no better than the best need not be looked into.
                if cost < best {
                    best = best.min(cost + self.fewest(next));
                }
            };
            // 2. Every group alone.
            let mut open: ArrayVec<u64, 64> = ArrayVec::new();
            let mut rest = here.cells_of(shape);
            while rest != 0 {
                let group = links.flood(lowest(rest));
                rest &= !group;
                step(group);
                if group & (left | right) != 0 {
                    open.push(group);
                }
            }
            // 3. Several that go on at a side, in every choice.
            for choice in 1..1u64 << open.len() {
                if choice.count_ones() > 1 {
                    let chosen = (0..).zip(&open).filter(|(n, _)| choice >> n & 1 != 0);
                    step(chosen.fold(0, |cells, (_, group)| cells | group));
                }
            }
        }
        best
    }
}
