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

use std::sync::atomic::{AtomicI32, AtomicU64, AtomicUsize, Ordering};

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

/// The scores of the columns to the player to move, by column, `None` for full ones; as far
/// as it came when it was stopped. Columns are shared among `threads` threads; counts nodes.
pub fn scores(
    position: &ConnectFour,
    book: Option<&Book>,
    bounds: &Bounds,
    threads: usize,
    stop: &(dyn Fn(u64) -> bool + Sync),
) -> (Vec<(Column, Option<i32>)>, u64) {
    const UNKNOWN: i32 = i32::MIN;
    let columns: Vec<Column> = MIDDLE_FIRST
        .iter()
        .map(|&column| Column(column as u8))
        .filter(|&column| position.is_legal(column))
        .collect();
    let symmetric = mirror(position.own) == position.own && mirror(position.all) == position.all;
    let next = AtomicUsize::new(0);
    let nodes = AtomicU64::new(0);
    let found: Vec<AtomicI32> = columns.iter().map(|_| AtomicI32::new(UNKNOWN)).collect();
    thread::map(0..threads.clamp(1, columns.len().max(1)), |_| {
        let mut search = Search { book, patience: LITTLE_PATIENCE, ..Search::new(bounds, stop) };
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(&column) = columns.get(at) else { break };
            // The right half of a symmetric board is the left one.
            if symmetric && u32::from(column.0) > COLUMNS / 2 {
                continue;
            }
            let Some(score) = search.score(&position.apply(column).0) else { break };
            found[at].store(-score, Ordering::Relaxed);
        }
        nodes.fetch_add(search.nodes(), Ordering::Relaxed);
    });
    let read = |at: usize| match found[at].load(Ordering::Relaxed) {
        UNKNOWN => None,
        score => Some(score),
    };
    let of = |column: Column| {
        let twin = Column(COLUMNS as u8 - 1 - column.0);
        let own = columns.iter().position(|&c| c == column).and_then(read);
        own.or_else(|| symmetric.then(|| columns.iter().position(|&c| c == twin).and_then(read))?)
    };
    let mut all: Vec<(Column, Option<i32>)> = columns.iter().map(|&c| (c, of(c))).collect();
    all.sort();
    (all, nodes.into_inner())
}

#[cfg(test)]
#[path = "solver_tests.rs"]
mod tests;
