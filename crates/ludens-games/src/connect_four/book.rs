//! An opening book: exact scores of positions with few stones.
//!
//! Left and right count as the same. A file is `LUDENSC4` and then eight bytes per position,
//! little-endian and in ascending order: the name of the position in the upper 56 bits, its score
//! (see [`solver`](super::solver)) plus 64 in the lower eight.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use ludens_core::{Game, ParseError};

use super::solver::{key, win_at};
use super::{COLUMNS, ConnectFour, STRIDE};

/// What a file begins with.
const MAGIC: &[u8; 8] = b"LUDENSC4";
/// Bytes of a position with its score.
const ENTRY: usize = size_of::<u64>();
/// What makes scores positive.
const OFFSET: i32 = 64;
/// The most stones of a position: with more, the solver is fast enough.
pub const MOST_STONES: i32 = 12;

/// What names a position: mirror images have one name.
fn name(position: &ConnectFour) -> u64 {
    key(position.own, position.all, position.stone_count())
}

/// Exact scores of positions.
///
/// ```
/// use ludens_core::Notation;
/// use ludens_games::ConnectFour;
/// use ludens_games::connect_four::book::Book;
/// let at = |moves: &str| ConnectFour::parse(&Default::default(), moves).unwrap();
/// let mut book = Book::default();
/// book.insert(&at("112233"), 18);
/// assert_eq!(book.score(&at("776655")), Some(18));
/// assert_eq!(book.score(&at("112244")), None);
/// assert_eq!(Book::parse(&book.bytes()), Ok(book));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Book {
    scores: BTreeMap<u64, i8>,
    /// The most stones of its positions.
    stones: i32,
}

impl Book {
    /// Reads a file.
    ///
    /// # Errors
    /// When it is no book, is cut short, or its entries are out of order or out of range.
    pub fn parse(bytes: &[u8]) -> Result<Self, ParseError> {
        let wrong = |found: &str, expected: &str| ParseError::new("book", found, expected);
        let Some(entries) = bytes.strip_prefix(MAGIC) else {
            return Err(wrong("other bytes", "LUDENSC4 first"));
        };
        let (entries, rest) = entries.as_chunks::<ENTRY>();
        if !rest.is_empty() {
            return Err(wrong("a part of an entry", "eight bytes each"));
        }
        let mut book = Book::default();
        let mut last = 0;
        for entry in entries {
            let word = u64::from_le_bytes(*entry);
            let (name, score) = (word >> 8, (word & 0xFF) as i32 - OFFSET);
            let stones = named_position(name).map(|here| here.stone_count());
            let possible =
                |stones: &i32| *stones <= MOST_STONES && score.abs() <= win_at(stones + 1);
            let Some(stones) = stones.filter(possible) else {
                return Err(wrong("an entry out of range", "few stones and a possible score"));
            };
            if name <= last {
                return Err(wrong("entries out of order", "each name once, ascending"));
            }
            book.scores.insert(name, score as i8);
            book.stones = book.stones.max(stones);
            last = name;
        }
        Ok(book)
    }

    /// The file.
    pub fn bytes(&self) -> Vec<u8> {
        let word = |(&name, &score): (&u64, &i8)| name << 8 | (i32::from(score) + OFFSET) as u64;
        let entries = self.scores.iter().map(word).flat_map(u64::to_le_bytes);
        MAGIC.iter().copied().chain(entries).collect()
    }

    /// How many positions it has.
    pub fn len(&self) -> usize {
        self.scores.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.scores.is_empty()
    }

    /// The score of a position to the player to move.
    pub fn score(&self, position: &ConnectFour) -> Option<i32> {
        self.named(name(position), position.stone_count())
    }

    /// The same by what names the position in tables of the solver.
    #[inline]
    pub(super) fn named(&self, name: u64, stones: i32) -> Option<i32> {
        if stones > self.stones {
            return None;
        }
        self.scores.get(&name).map(|&score| i32::from(score))
    }

    /// Adds a position; one with more than [`MOST_STONES`] stones is left out.
    pub fn insert(&mut self, position: &ConnectFour, score: i32) {
        let stones = position.stone_count();
        if stones <= MOST_STONES {
            self.scores.insert(name(position), score as i8);
            self.stones = self.stones.max(stones);
        }
    }

    /// The scores of the moves to the player who makes them; `None` where one is not known.
    pub fn moves(&self, position: &ConnectFour) -> Option<Vec<i32>> {
        let stones = position.stone_count();
        let score = |column| match position.apply(column) {
            (_, reward) if reward != 0 => Some(win_at(stones + 1)),
            (next, _) => self.score(&next).map(|score| -score),
        };
        position.actions().map(score).collect()
    }

    /// Its positions with their scores, by name.
    pub fn entries(&self) -> impl Iterator<Item = (ConnectFour, i32)> {
        let entry = |(&name, &score): (&u64, &i8)| Some((named_position(name)?, i32::from(score)));
        self.scores.iter().filter_map(entry)
    }

    /// What follows on a position and is not known, one of each pair of mirror images.
    pub fn unknown_after(&self, position: &ConnectFour) -> Vec<ConnectFour> {
        let next = position.actions().map(|column| position.apply(column).0);
        let open = next.filter(|next| !next.is_over() && self.score(next).is_none());
        let by_name: BTreeMap<u64, ConnectFour> = open.map(|next| (name(&next), next)).collect();
        by_name.into_values().collect()
    }

    /// The most plausible position whose moves are not all known: few moves from the start, by
    /// moves that lose little. `None` once all moves with at most [`MOST_STONES`] stones are known.
    pub fn wanted(&self) -> Option<ConnectFour> {
        let start = ConnectFour::default();
        let mut seen = BTreeSet::from([name(&start)]);
        let mut open = BinaryHeap::from([Reverse((0, name(&start), start))]);
        while let Some(Reverse((cost, _, here))) = open.pop() {
            let Some(scores) = self.moves(&here) else { return Some(here) };
            let best = scores.iter().copied().max().unwrap_or(0);
            for (column, score) in here.actions().zip(scores) {
                let next = here.apply(column).0;
                let goes_on = !next.is_over() && next.stone_count() < MOST_STONES;
                if goes_on && seen.insert(name(&next)) {
                    let cost = cost + PLY_COST + (best - score).min(MOST_LOSS);
                    open.push(Reverse((cost, name(&next), next)));
                }
            }
        }
        None
    }
}

/// What a move costs in the order of [`Book::wanted`] besides the points of score that it loses.
const PLY_COST: i32 = 2;
/// A move costs no more than this for what it loses.
const MOST_LOSS: i32 = 4;

/// The position of a name; `None` for what is no name. A column's stones lie below its highest
/// bit, and its lower bits are those of the player to move.
fn named_position(name: u64) -> Option<ConnectFour> {
    let (mut own, mut all) = (0, 0);
    for column in 0..COLUMNS {
        let shift = column * STRIDE;
        let bits = name >> shift & ((1 << STRIDE) - 1);
        let height = bits.checked_ilog2()?;
        all |= ((1 << height) - 1) << shift;
        own |= (bits ^ 1 << height) << shift;
    }
    let here = ConnectFour { own, all };
    // Not the mirror image, nothing beside the board, and as many stones as in play.
    let whole = name >> (COLUMNS * STRIDE) == 0 && self::name(&here) == name;
    let ahead = here.other().count_ones().wrapping_sub(here.own.count_ones());
    (whole && ahead <= 1).then_some(here)
}

#[cfg(test)]
mod tests {
    use ludens_core::{Notation, Rng};

    use super::super::BOTTOM;
    use super::super::solver::{Bounds, Search};
    use super::*;

    fn at(moves: &str) -> ConnectFour {
        ConnectFour::parse(&Default::default(), moves).unwrap()
    }

    #[test]
    fn names_lead_back_to_positions() {
        let mut rng = Rng::new(5);
        for _ in 0..200 {
            let mut here = ConnectFour::default();
            for _ in 0..MOST_STONES {
                let found = named_position(name(&here)).unwrap();
                assert!(found == here || name(&found) == name(&here));
                let Some((_, next, _)) = here.step(&mut rng) else { break };
                here = next;
            }
        }
        assert_eq!(named_position(0), None);
        assert_eq!(named_position(u64::MAX), None);
        // The mirror image of a name, and three stones of one player.
        assert_eq!(named_position(at("7").all + BOTTOM), None);
        assert_eq!(named_position(BOTTOM + 14), None);
    }

    #[test]
    fn damaged_files_are_refused() {
        let mut book = Book::default();
        book.insert(&at("4"), -1);
        book.insert(&at("44"), 1);
        let whole = book.bytes();
        assert_eq!(Book::parse(&whole), Ok(book));
        let message = |bytes: &[u8]| Book::parse(bytes).unwrap_err().to_string();
        assert!(message(&whole[1..]).contains("other bytes"));
        assert!(message(&whole[..20]).contains("a part of an entry"));
        let swapped = [&whole[..8], &whole[16..24], &whole[8..16]].concat();
        assert!(message(&swapped).contains("out of order"));
        let mut wild = whole.clone();
        wild[8] = 255;
        assert!(message(&wild).contains("out of range"));
    }

    #[test]
    fn what_is_wanted_begins_at_the_start_and_follows_good_moves() {
        let mut book = Book::default();
        assert_eq!(book.wanted(), Some(ConnectFour::default()));
        // Mirror images are one position.
        assert_eq!(book.unknown_after(&ConnectFour::default()).len(), 4);
        for (column, score) in ["1", "2", "3", "4"].into_iter().zip([2, 1, 0, -1]) {
            book.insert(&at(column), score);
        }
        assert_eq!(book.moves(&ConnectFour::default()), Some(vec![-2, -1, 0, 1, 0, -1, -2]));
        assert_eq!(book.wanted(), Some(at("4")));
    }

    /// What a search finds in the book it does not search.
    #[test]
    fn searches_stop_at_the_book() {
        let here = at("4444443");
        let mut book = Book::default();
        for column in here.actions() {
            let next = here.apply(column).0;
            book.insert(&next, i32::from(column.0));
        }
        let (bounds, never) = (Bounds::new(1 << 16), |_| false);
        let mut search = Search::new(&bounds, &never).with_book(&book);
        // The first column has the least score, 0, which is a draw.
        assert_eq!(search.score(&here), Some(0));
        assert!(search.nodes() < 100, "{}", search.nodes());
    }
}
