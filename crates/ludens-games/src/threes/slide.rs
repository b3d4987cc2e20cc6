//! Slides of a whole board at once.
//!
//! A board is sixteen nibbles, one per square; squares off a smaller board are
//! empty. Flags for squares stand in the lowest bit of each nibble.

use ludens_core::Reward;

use crate::tiles::nibbles::{ONES as FLAGS, occupied};
use crate::tiles::{Slide, Slides};

/// Flags of the first row.
pub(super) const FIRST_ROW: u64 = 0x1111;
/// Flags of the first column, and of the first two.
pub(super) const FIRST_COLUMN: u64 = 0x0001_0001_0001_0001;
const FIRST_TWO: u64 = 0x0011_0011_0011_0011;
/// Flags of the last column, and of the last two.
const LAST_COLUMN: u64 = FIRST_COLUMN << 12;
const LAST_TWO: u64 = FIRST_TWO << 8;

/// The index of the largest tile, 6144, which merges no more.
pub(super) const LARGEST: u8 = 14;

/// The number on a tile; 0 for none.
#[inline]
pub(super) const fn value(index: u8) -> u32 {
    if index < 3 { index as u32 } else { 3 << (index - 3) }
}

/// Whether two tiles merge: a 1 and a 2, or equal ones from 3 on but the largest.
pub(super) fn merges(a: u8, b: u8) -> bool {
    a.min(b) == 1 && a.max(b) == 2 || a == b && (3..LARGEST).contains(&a)
}

/// What a tile of each index counts: 3 to the power of its index less 2.
pub(super) const POINTS: [Reward; 16] = {
    let mut values = [0; 16];
    let (mut index, mut power) = (3, 3);
    while index <= LARGEST as usize {
        values[index] = power;
        power *= 3;
        index += 1;
    }
    values
};

/// Whether any tile has index 7 (the tile 48) or more.
#[inline]
pub(super) fn has_48(board: u64) -> bool {
    (board >> 3 | board >> 2 & board >> 1 & board) & FLAGS != 0
}

/// The index of the largest tile.
#[inline]
pub(super) fn largest(board: u64) -> u8 {
    (0..16).map(|cell| (board >> (4 * cell) & 15) as u8).max().unwrap_or(0)
}

/// What the tiles of a board count.
#[inline]
pub(super) fn score(board: u64) -> Reward {
    (0..16).map(|cell| POINTS[(board >> (4 * cell) & 15) as usize]).sum()
}

/// Cells that merge with their neighbour.
#[derive(Clone, Copy)]
struct Pairs {
    /// Two equal tiles.
    equal: u64,
    /// A 1 and a 2.
    mixed: u64,
}

impl Pairs {
    /// The cells of `board` that merge with the same cell of `other`.
    #[inline]
    fn of(board: u64, other: u64) -> Pairs {
        let (either, differ) = (board | other, board ^ other);
        // 3 and more, but not the largest tile, which alone has its three high bits set.
        let high = board >> 3 | board >> 2 | board >> 1 & board;
        let mergeable = high & !(board >> 3 & board >> 2 & board >> 1);
        let equal = mergeable & !occupied(differ) & FLAGS;
        // Of two tiles below 4 that differ in both bits only 0 and 3 are not 1 and 2.
        let low = !(either >> 3 | either >> 2);
        let zero_or_three = !(board ^ board >> 1);
        let mixed = low & differ & differ >> 1 & !zero_or_three & FLAGS;
        Pairs { equal, mixed }
    }

    /// The same pairs, flagged at their other square.
    #[inline]
    fn shifted(self, by: u32) -> Pairs {
        Pairs { equal: self.equal << by, mixed: self.mixed << by }
    }

    /// All flags.
    #[inline]
    fn all(self) -> u64 {
        self.equal | self.mixed
    }
}

/// A board prepared for its four slides.
#[derive(Clone, Copy)]
pub(super) struct Sliding {
    board: u64,
    /// Flags of the empty cells of the board's real size.
    empty: u64,
    /// Flags of the occupied cells.
    tiles: u64,
    /// Pairs along a row; the flag is at the left cell.
    rows: Pairs,
    /// Pairs along a column; the flag is at the upper cell.
    columns: Pairs,
}

impl Sliding {
    /// Prepares a board; `inside` flags the cells of its real size.
    #[inline]
    pub(super) fn new(board: u64, inside: u64) -> Sliding {
        let tiles = occupied(board);
        Sliding {
            board,
            empty: inside & !tiles,
            tiles,
            rows: Pairs::of(board, board >> 4 & !(LAST_COLUMN * 15)),
            columns: Pairs::of(board, board >> 16),
        }
    }

    /// Whether a slide changes anything: tiles that merge, or a tile behind a gap.
    #[inline]
    pub(super) fn is_legal(&self, slide: Slide) -> bool {
        let behind = match slide {
            Slide::Up => self.tiles >> 16,
            Slide::Down => self.tiles << 16,
            Slide::Left => self.tiles >> 4 & !LAST_COLUMN,
            Slide::Right => self.tiles << 4 & !FIRST_COLUMN,
        };
        let pairs = match slide {
            Slide::Up | Slide::Down => self.columns,
            Slide::Left | Slide::Right => self.rows,
        };
        pairs.all() | self.empty & behind != 0
    }

    /// The slides that change something.
    #[inline]
    pub(super) fn legal(&self) -> Slides {
        Slides::from_bits(
            Slide::ALL.iter().fold(0, |bits, &s| bits | u8::from(self.is_legal(s)) << s as u8),
        )
    }

    /// The board after a slide, and what it pays.
    ///
    /// In each line the first cell from the wall that is empty, or merges with
    /// the cell behind it, takes in the cell behind it; all cells further from
    /// the wall move up by one.
    #[inline]
    pub(super) fn slide(&self, slide: Slide) -> (u64, Reward) {
        let board = self.board;
        // The tiles one cell further from the wall, and the pairs at the cell
        // nearer to it.
        let (behind, pairs) = match slide {
            Slide::Up => (board >> 16, self.columns),
            Slide::Down => (board << 16, self.columns.shifted(16)),
            Slide::Left => (board >> 4 & !(LAST_COLUMN * 15), self.rows),
            Slide::Right => (board << 4 & !(FIRST_COLUMN * 15), self.rows.shifted(4)),
        };
        let merge = pairs.all();
        let begin = self.empty | merge;
        // Flags of the cells further from the wall than the first one to take in.
        let after = match slide {
            Slide::Up => {
                let near = begin << 16 | begin << 32;
                near | near << 16
            }
            Slide::Down => {
                let near = begin >> 16 | begin >> 32;
                near | near >> 16
            }
            Slide::Left => {
                let near = begin << 4 & !FIRST_COLUMN | begin << 8 & !FIRST_TWO;
                near | near << 4 & !FIRST_COLUMN
            }
            Slide::Right => {
                let near = begin >> 4 & !LAST_COLUMN | begin >> 8 & !LAST_TWO;
                near | near >> 4 & !LAST_COLUMN
            }
        };
        let moved = (after | self.empty) * 15;
        let merged = merge & !after;
        let equal = pairs.equal & merged;
        // 1 and 2 make 3 by an or; equal tiles stay under it and grow by one.
        let next = (board & !moved | behind & moved | behind & (merged * 15)) + equal;
        (next, self.pays(merged, equal))
    }

    /// What the merges at these cells pay: as much as one of two equal tiles
    /// counts, and 3 for a new 3.
    #[inline]
    fn pays(&self, merged: u64, equal: u64) -> Reward {
        let mut reward = 3 * (merged ^ equal).count_ones() as Reward;
        let mut left = equal;
        while left != 0 {
            let shift = left.trailing_zeros();
            reward += POINTS[(self.board >> shift & 15) as usize];
            left &= left - 1;
        }
        reward
    }
}
