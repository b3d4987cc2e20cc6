//! Boards as two words of eight bytes, two rows each, square 0 lowest, and
//! slides of whole boards without branches.
//!
//! Indices stay far below 64, so sums of bytes do not run over into the next one.

use ludens_core::bits::nth_bit;

use crate::tiles::{Grid, Size, nibbles};

/// Rows one and two, and rows three and four.
pub(super) type Rows = [u64; 2];

/// The lowest bit of every byte.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The highest bit of every byte.
const TOPS: u64 = ONES << 7;
/// All bits of a byte but the highest.
const BELOW: u64 = TOPS - ONES;
/// All bytes but the last one of each row.
const INNER: u64 = 0x00FF_FFFF_00FF_FFFF;

/// The highest bit of every byte that is not 0.
#[inline(always)]
const fn filled(x: u64) -> u64 {
    (x + BELOW) & TOPS
}

/// The lower seven bits of every byte whose highest bit is set in `tops`.
#[inline(always)]
const fn bytes(tops: u64) -> u64 {
    tops - (tops >> 7)
}

/// `x - y + 0x41` in every byte.
#[inline(always)]
const fn difference(x: u64, y: u64) -> u64 {
    x + 0x41 * ONES - y
}

/// Where the tiles of `x` and `y` merge, as highest bits.
#[inline(always)]
const fn merging(x: u64, y: u64) -> u64 {
    // 0 where they are neighbours in the series, and 0 where both are 1 or
    // one is 1 and the other is missing.
    let apart = (difference(x, y) & !(2 * ONES)) ^ (0x40 * ONES);
    let ones = (x | y) ^ ONES;
    !((apart + BELOW) & (ones + BELOW)) & (x + BELOW) & (y + BELOW) & TOPS
}

/// Moves tiles one byte down where there is none, at the bytes set in `at`.
#[inline(always)]
const fn pull(x: u64, at: u64) -> u64 {
    let moved = (x >> 8) & bytes(!(x + BELOW) & TOPS & at);
    (x | moved) ^ (moved << 8)
}

/// Two rows slid to the left, and the tiles just made in the bytes they were
/// made at.
#[inline(always)]
pub(super) const fn slide_left(x: u64) -> (u64, u64) {
    const EVEN: u64 = 0x00FF_00FF_00FF_00FF;
    const SECOND: u64 = 0x0000_FF00_0000_FF00;
    const THIRD: u64 = 0x00FF_0000_00FF_0000;

    // 1. Close the gaps: four rounds of exchanges sort four bytes.
    let x = pull(pull(pull(pull(x, EVEN), SECOND), EVEN), SECOND);

    // 2. Find the pairs that merge, those nearest to the wall first: a pair
    //    falls out when the one before it, which shares a tile with it, merges.
    let y = (x >> 8) & INNER;
    let pairs = merging(x, y);
    let pairs = pairs & !((pairs & 0x0000_0080_0000_0080) << 8);
    let pairs = bytes(pairs & !((pairs & SECOND) << 8));

    // 3. Merge: the new tile is one above the larger, so one or two above `x`.
    //    The difference ends in 00 where `y` is larger, in 01 or 10 elsewhere.
    let difference = difference(x, y);
    let rise = 2 * ONES - ((difference | difference >> 1) & ONES);
    let x = (x & !(pairs << 8)) + (rise & pairs);
    let made = x & pairs;

    // 4. Close the gaps behind the new tiles.
    (pull(pull(x, SECOND), THIRD), made)
}

/// Which slides (up, right, down, left) change a board of this size.
#[inline(always)]
pub(super) fn moves(rows: Rows, size: Size) -> [bool; 4] {
    let (filled, empty) = (rows.map(filled), empty(rows, size).map(|x| x << 7));
    // The board one row up: what lies below each square.
    let below = |[a, b]: Rows| [a >> 32 | b << 32, b >> 32];
    let (under, under_filled, under_empty) = (below(rows), below(filled), below(empty));
    let (mut up, mut right, mut down, mut left) = (0, 0, 0, 0);
    for half in 0..2 {
        let pairs = merging(rows[half], (rows[half] >> 8) & INNER);
        left |= (filled[half] >> 8) & empty[half] & INNER | pairs;
        right |= filled[half] & (empty[half] >> 8) & INNER | pairs;
        let pairs = merging(rows[half], under[half]);
        up |= under_filled[half] & empty[half] | pairs;
        down |= filled[half] & under_empty[half] | pairs;
    }
    [up != 0, right != 0, down != 0, left != 0]
}

/// Rows and columns exchanged.
#[inline(always)]
pub(super) const fn transpose([a, b]: Rows) -> Rows {
    const WORDS: u64 = 0x0000_FFFF_0000_FFFF;
    let (a, b) = (exchange_pairs(a), exchange_pairs(b));
    [a & WORDS | (b & WORDS) << 16, (a >> 16) & WORDS | b & !WORDS]
}

/// In each 2x2 block of two rows, the two bytes off the diagonal exchanged.
#[inline(always)]
const fn exchange_pairs(x: u64) -> u64 {
    const OFF: u64 = 0xFF00_FF00;
    x & !(OFF | OFF << 24) | (x & OFF) << 24 | (x >> 24) & OFF
}

/// The half turn of the 4x4 grid.
#[inline(always)]
pub(super) const fn half_turn([a, b]: Rows) -> Rows {
    [b.swap_bytes(), a.swap_bytes()]
}

/// The lowest bit of every byte of a board that is 0.
#[inline(always)]
pub(super) const fn empty([a, b]: Rows, size: Size) -> Rows {
    const BOARDS: [Rows; 16] = {
        let mut boards = [[0; 2]; 16];
        let mut code = 1;
        while code < 16 {
            let board = nibbles::board(Size::from_code(code));
            boards[code as usize] = [widen(board as u32), widen((board >> 32) as u32)];
            code += 1;
        }
        boards
    };
    let [c, d] = BOARDS[size.code() as usize];
    [!((a + BELOW) >> 7) & c, !((b + BELOW) >> 7) & d]
}

/// The lowest bits of eight nibbles as those of eight bytes.
const fn widen(x: u32) -> u64 {
    let x = x as u64;
    let x = (x | x << 16) & 0x0000_FFFF_0000_FFFF;
    let x = (x | x << 8) & 0x00FF_00FF_00FF_00FF;
    (x | x << 4) & ONES
}

/// The lowest bits of the bytes gathered, one bit per square.
#[inline(always)]
pub(super) const fn gather([a, b]: Rows) -> u16 {
    // The product moves bit 8 i to bit 56 + i.
    const MOVE: u64 = 0x0102_0408_1020_4080;
    (a.wrapping_mul(MOVE) >> 56 | (b.wrapping_mul(MOVE) >> 56) << 8) as u16
}

/// The `n`-th of some squares, given by the lowest bits of their bytes.
#[inline(always)]
pub(super) fn nth([a, b]: Rows, n: u32) -> Rows {
    // One of the two has no such bit: counts stay far below 64.
    [nth_bit(a, n), nth_bit(b, n.wrapping_sub(a.count_ones()) & 63)]
}

/// A tile on an empty square.
#[inline(always)]
pub(super) const fn with_tile([a, b]: Rows, square: u8, index: u8) -> Rows {
    let tile = (index as u64) << (8 * (square & 7));
    if square < 8 { [a | tile, b] } else { [a, b | tile] }
}

/// The rows of a grid.
pub(super) fn pack(grid: &Grid<u8>) -> Rows {
    let word = |half: usize| std::array::from_fn(|i| grid[8 * half + i]);
    [u64::from_le_bytes(word(0)), u64::from_le_bytes(word(1))]
}

/// The grid of some rows.
pub(super) fn unpack(rows: Rows) -> Grid<u8> {
    std::array::from_fn(|square| rows[square / 8].to_le_bytes()[square % 8])
}
