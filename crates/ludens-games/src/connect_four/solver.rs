//! Perfect play.
//!
//! The score of a position is that of P. Pons: 0 for a draw; otherwise the number of stones
//! the winner has left when four are in a line, plus one, counted from the own half of 42
//! and negative for a loss of the player to move. The larger, the sooner the win.
//!
//! Null-window searches close in on the score. In each, moves that let the opponent win at
//! once are never tried, those that make the most threats come first, and a table shared by
//! all threads keeps bounds. Left and right count as the same.
//!
//! - J. D. Allen, The complete book of Connect 4, 1989; V. Allis, A knowledge-based approach
//!   of Connect-Four, 1988.
//! - P. Pons, Solving Connect 4: how to build a perfect AI, 2015-2019.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use ludens_core::Game;
use ludens_core::memory::table;
use ludens_core::platform::thread;

use super::book::Book;
use super::threats::completing;
use super::{BOTTOM, COLUMNS, Column, ConnectFour, ROWS, STRIDE, has_four, mirror};

/// Cells of the board.
const CELLS: i32 = (COLUMNS * ROWS) as i32;
/// Columns from the middle outwards.
const MIDDLE_FIRST: [u32; 7] = [3, 2, 4, 1, 5, 0, 6];
/// With fewer stones than this, mirror images share an entry: later ones are too many for it
/// to pay for the time.
const MIRRORED: i32 = 22;
/// With fewer stones than this, what is known of all moves is looked at before any is searched.
const PEEKED: i32 = 30;
/// Nodes between looks at the clock, a power of two.
const PATIENCE: u64 = 1 << 14;
/// The same where a few thousand nodes may be all that is left for other work.
const LITTLE_PATIENCE: u64 = 1 << 10;

/// A table of bounds that threads share without locks: a key and a bound in one word.
pub struct Bounds {
    words: Vec<AtomicU64>,
}

impl Bounds {
    /// A table of at most `bytes` bytes, and at least a few entries; smaller where memory is short.
    pub fn new(bytes: usize) -> Self {
        const LEAST: usize = 1024;
        let entries = (bytes / size_of::<AtomicU64>()).max(LEAST);
        Bounds { words: table(1 << entries.ilog2(), LEAST, AtomicU64::default) }
    }

    #[inline]
    fn word(&self, key: u64) -> &AtomicU64 {
        // The upper bits of the product depend on all bits of the key.
        let shift = 64 - self.words.len().ilog2();
        &self.words[(key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> shift) as usize]
    }

    /// The bound of a position, as [`Search`] writes it; 0 for none.
    #[inline]
    fn get(&self, key: u64) -> i32 {
        let word = self.word(key).load(Ordering::Relaxed);
        if word >> 8 == key { (word & 0xFF) as i32 } else { 0 }
    }

    #[inline]
    fn put(&self, key: u64, bound: i32) {
        self.word(key).store(key << 8 | bound as u64, Ordering::Relaxed);
    }
}

/// A search on one thread.
pub struct Search<'a> {
    bounds: &'a Bounds,
    book: Option<&'a Book>,
    stop: &'a dyn Fn(u64) -> bool,
    patience: u64,
    nodes: u64,
    stopped: bool,
}

/// The smallest score there is.
const LEAST: i32 = -CELLS / 2 + 3;

/// What names a position in the table.
#[inline]
pub(super) fn key(own: u64, all: u64, stones: i32) -> u64 {
    let key = own + all + BOTTOM;
    if stones < MIRRORED { key.min(mirror(own) + mirror(all) + BOTTOM) } else { key }
}

/// The score of a won game by how many stones lie after the winning one.
pub(super) fn win_at(stones: i32) -> i32 {
    (CELLS + 2 - stones) / 2
}

impl<'a> Search<'a> {
    /// A search that asks now and then whether it should `stop` after a number of nodes.
    pub fn new(bounds: &'a Bounds, stop: &'a dyn Fn(u64) -> bool) -> Self {
        Search { bounds, book: None, stop, patience: PATIENCE, nodes: 0, stopped: false }
    }

    /// The search with an opening book: what is in it is not searched.
    #[must_use]
    pub fn with_book(mut self, book: &'a Book) -> Self {
        self.book = Some(book);
        self
    }

    /// Positions looked at.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The score of a position to the player to move; `None` when it was stopped.
    ///
    /// ```
    /// use ludens_core::Notation;
    /// use ludens_games::ConnectFour;
    /// use ludens_games::connect_four::solver::{Bounds, Search};
    /// let bounds = Bounds::new(1 << 20);
    /// let position = ConnectFour::parse(&Default::default(), "112233").unwrap();
    /// // Four of twenty-one stones: 18 are left.
    /// assert_eq!(Search::new(&bounds, &|_| false).score(&position), Some(18));
    /// ```
    pub fn score(&mut self, position: &ConnectFour) -> Option<i32> {
        self.between(position, -CELLS / 2, CELLS / 2)
    }

    /// Whether the player to move wins (1), draws (0) or loses (-1): sooner known than the
    /// score.
    pub fn outcome(&mut self, position: &ConnectFour) -> Option<i32> {
        self.between(position, -1, 1).map(i32::signum)
    }

    /// The score if it lies within the bounds, else the nearer of them or beyond.
    fn between(&mut self, position: &ConnectFour, least: i32, most: i32) -> Option<i32> {
        let &ConnectFour { own, all } = position;
        let stones = position.stone_count();
        if has_four(own ^ all) {
            return Some(-win_at(stones));
        }
        if let Some(score) = self.book.and_then(|book| book.score(position)) {
            return Some(score);
        }
        if completing(own, all) & ConnectFour::open_cells(all) != 0 {
            return Some(win_at(stones + 1));
        }
        let (mut low, mut high) = (least.max(-win_at(stones + 2)), most.min(win_at(stones + 3)));
        while low < high {
            // Near 0 first: most positions are decided late.
            let mut middle = low + (high - low) / 2;
            if middle <= 0 && low / 2 < middle {
                middle = low / 2;
            } else if middle >= 0 && high / 2 > middle {
                middle = high / 2;
            }
            let found = self.negamax(own, all, stones, middle, middle + 1);
            if self.stopped {
                return None;
            }
            if found <= middle { high = found } else { low = found }
        }
        Some(low)
    }

    /// The score within a window, of a player who cannot win at once.
    fn negamax(&mut self, own: u64, all: u64, stones: i32, mut alpha: i32, mut beta: i32) -> i32 {
        // Step 1. Limits.
        self.nodes += 1;
        if self.nodes & (self.patience - 1) == 0 && (self.stop)(self.nodes) {
            self.stopped = true;
        }
        if self.stopped {
            return alpha;
        }
        // Step 2. Moves that do not lose at once.
        let other = own ^ all;
        let mut open = ConnectFour::open_cells(all);
        let threats = completing(other, all);
        let forced = open & threats;
        if forced != 0 {
            if forced & (forced - 1) != 0 {
                return -win_at(stones + 2);
            }
            open = forced;
        }
        // Not below a cell where the opponent would then win.
        open &= !(threats >> 1);
        if open == 0 {
            return -win_at(stones + 2);
        }
        if stones >= CELLS - 2 {
            return 0;
        }
        // Step 3. What can still happen: a loss in four moves at the earliest, a win in three.
        alpha = alpha.max(-win_at(stones + 4));
        beta = beta.min(win_at(stones + 3));
        if alpha >= beta {
            return alpha;
        }
        // Step 4. What is known.
        let key = key(own, all, stones);
        if let Some(score) = self.book.and_then(|book| book.named(key, stones)) {
            return score;
        }
        let known = self.bounds.get(key);
        // 1 to 64 are upper bounds, 65 to 128 lower ones.
        if known > 64 {
            alpha = alpha.max(known - 65 + LEAST);
        } else if known > 0 {
            beta = beta.min(known - 1 + LEAST);
        }
        if alpha >= beta {
            return if known > 64 { alpha } else { beta };
        }
        // Step 5. The moves, those that make the most threats first.
        let mut moves = [(0u64, 0i32); COLUMNS as usize];
        let mut count = 0;
        for column in MIDDLE_FIRST {
            let cell = open & (((1 << ROWS) - 1) << (column * STRIDE));
            if cell == 0 {
                continue;
            }
            let value = completing(own | cell, all | cell).count_ones() as i32;
            let mut at = count;
            while at > 0 && moves[at - 1].1 < value {
                moves[at] = moves[at - 1];
                at -= 1;
            }
            moves[at] = (cell, value);
            count += 1;
        }
        // Step 6. A move that is known to be good enough needs no search.
        if stones < PEEKED {
            for &(cell, _) in &moves[..count] {
                let known = self.bounds.get(self::key(other, all | cell, stones + 1));
                let least = LEAST + known - 1;
                if (1..=64).contains(&known) && -least >= beta {
                    self.bounds.put(key, -least - LEAST + 65);
                    return -least;
                }
            }
        }
        // Step 7. Search.
        for &(cell, _) in &moves[..count] {
            let found = -self.negamax(other, all | cell, stones + 1, -beta, -alpha);
            if self.stopped {
                return alpha;
            }
            if found >= beta {
                self.bounds.put(key, found - LEAST + 65);
                return found;
            }
            alpha = alpha.max(found);
        }
        self.bounds.put(key, alpha - LEAST + 1);
        alpha
    }
}

/// The results of all legal columns to the player to move (1, 0, -1), from the left; `None` for those that it
/// was stopped before.
///
/// ```
/// use ludens_core::Notation;
/// use ludens_games::ConnectFour;
/// use ludens_games::connect_four::solver::{Bounds, results};
/// let position = ConnectFour::parse(&Default::default(), "112233").unwrap();
/// let found = results(&position, &Bounds::new(1 << 20), &|_| false);
/// assert_eq!(found[3], Some(1));
/// ```
pub fn results(
    position: &ConnectFour,
    bounds: &Bounds,
    stop: &dyn Fn(u64) -> bool,
) -> Vec<Option<i8>> {
    let mut search = Search::new(bounds, stop);
    let result = |column| search.outcome(&position.apply(column).0).map(|value| -value as i8);
    position.actions().map(result).collect()
}

/// What is known of a legal column: the least and the largest score it may have to the player to move.
pub type ColumnBounds = (Column, i32, i32);

/// The scores of the columns to the player to move, by column; as far as it came when it was
/// stopped. Who wins is asked of every column before the score of any: it is sooner known.
/// Columns are shared among `threads` threads; `report` is called after every step. Counts nodes.
pub fn scores(
    position: &ConnectFour,
    book: Option<&Book>,
    bounds: &Bounds,
    threads: usize,
    stop: &(dyn Fn(u64) -> bool + Sync),
    report: &(dyn Fn(&[ColumnBounds]) + Sync),
) -> (Vec<ColumnBounds>, u64) {
    /// No score is further from 0.
    const MOST: i32 = CELLS / 2;
    let symmetric = mirror(position.own) == position.own && mirror(position.all) == position.all;
    let twin = |column: Column| Column(COLUMNS as u8 - 1 - column.0);
    // The right half of a symmetric board is the left one.
    let columns: Vec<Column> = MIDDLE_FIRST
        .iter()
        .map(|&column| Column(column as u8))
        .filter(|&column| position.is_legal(column))
        .filter(|&column| !symmetric || u32::from(column.0) <= COLUMNS / 2)
        .collect();
    let all = |known: &[(i32, i32)]| {
        let own = columns.iter().zip(known).map(|(&column, &(low, high))| (column, low, high));
        let twins = own.clone().map(|(column, low, high)| (twin(column), low, high));
        let twins = twins.filter(|&(column, ..)| symmetric && u32::from(column.0) > COLUMNS / 2);
        let mut all: Vec<ColumnBounds> = own.chain(twins).collect();
        all.sort();
        all
    };
    let known = Mutex::new(vec![(-MOST, MOST); columns.len()]);
    let (next, nodes) = (AtomicUsize::new(0), AtomicU64::new(0));
    thread::map(0..threads.clamp(1, columns.len().max(1)), |_| {
        let mut search = Search { book, patience: LITTLE_PATIENCE, ..Search::new(bounds, stop) };
        loop {
            let task = next.fetch_add(1, Ordering::Relaxed);
            if task >= 2 * columns.len() {
                break;
            }
            let (outcome, at) = (task < columns.len(), task % columns.len());
            let (low, high) = known.lock().unwrap_or_else(PoisonError::into_inner)[at];
            if low == high {
                continue;
            }
            let after = position.apply(columns[at]).0;
            let (least, most) = if outcome { (-1, 1) } else { (-high, -low) };
            let Some(score) = search.between(&after, least, most) else { break };
            // Beyond the window a score says no more than who wins.
            let found = match -score {
                1.. if outcome => (1, high),
                ..=-1 if outcome => (low, -1),
                exact => (exact, exact),
            };
            let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
            // Another thread may know more by now.
            let (low, high) = known[at];
            known[at] = (low.max(found.0), high.min(found.1));
            report(&all(&known));
        }
        nodes.fetch_add(search.nodes(), Ordering::Relaxed);
    });
    (all(&known.into_inner().unwrap_or_else(PoisonError::into_inner)), nodes.into_inner())
}

#[cfg(test)]
#[path = "solver_tests.rs"]
mod tests;
