//! Boards of sixteen 4-bit squares in one word, square 0 lowest: whole-board
//! moves without loops.

use ludens_core::Sym;

use super::symmetry::{FLIP, MIRROR, TRANSPOSE};
use super::{Grid, Size};

/// The lowest bit of every square.
pub const ONES: u64 = 0x1111_1111_1111_1111;
/// The squares of the first column.
const FIRST_COLUMN: u64 = 0x000F_000F_000F_000F;

/// Rows and columns exchanged.
#[inline(always)]
pub const fn transpose(x: u64) -> u64 {
    // Squares one off the diagonal of each 2x2 block, then blocks of the whole.
    let x = x & 0xF0F0_0F0F_F0F0_0F0F
        | (x & 0x0000_F0F0_0000_F0F0) << 12
        | (x >> 12) & 0x0000_F0F0_0000_F0F0;
    x & 0xFF00_FF00_00FF_00FF | (x & 0x0000_0000_FF00_FF00) << 24 | (x >> 24) & 0xFF00_FF00
}

/// The half turn of the 4x4 grid: the order of all squares reversed.
#[inline(always)]
pub const fn half_turn(x: u64) -> u64 {
    let x = x.swap_bytes();
    (x & 0x0F0F_0F0F_0F0F_0F0F) << 4 | (x >> 4) & 0x0F0F_0F0F_0F0F_0F0F
}

/// Rows in reverse order on the 4x4 grid.
#[inline(always)]
pub const fn flip(x: u64) -> u64 {
    let x = x.rotate_left(32);
    (x & 0x0000_FFFF_0000_FFFF) << 16 | (x >> 16) & 0x0000_FFFF_0000_FFFF
}

/// The lowest bit of every square that is not 0.
#[inline(always)]
pub const fn occupied(x: u64) -> u64 {
    let x = x | x >> 2;
    (x | x >> 1) & ONES
}

/// One bit per square spread to the lowest bits of the squares.
#[inline]
pub const fn spread(squares: u16) -> u64 {
    let x = squares as u64;
    let x = (x | x << 24) & 0x0000_00FF_0000_00FF;
    let x = (x | x << 12) & FIRST_COLUMN;
    let x = (x | x << 6) & 0x0303_0303_0303_0303;
    (x | x << 3) & ONES
}

/// The lowest bit of every square of a board.
#[inline]
pub const fn board(size: Size) -> u64 {
    const BOARDS: [u64; 16] = {
        let mut boards = [0; 16];
        let mut code = 1;
        while code < 16 {
            boards[code as usize] = spread(Size::from_code(code).mask());
            code += 1;
        }
        boards
    };
    BOARDS[size.code() as usize]
}

/// The lowest bits of the squares gathered, one bit per square.
#[inline]
pub const fn gather(x: u64) -> u16 {
    let x = x & ONES;
    let x = (x | x >> 3) & 0x0303_0303_0303_0303;
    let x = (x | x >> 6) & FIRST_COLUMN;
    let x = (x | x >> 12) & 0x0000_00FF_0000_00FF;
    (x | x >> 24) as u16
}

/// The word of a grid of values below 16.
#[inline]
pub fn pack(grid: &Grid<u8>) -> u64 {
    grid.iter().rev().fold(0, |word, &value| word << 4 | u64::from(value & 0xF))
}

/// The grid of a word.
#[inline]
pub fn unpack(word: u64) -> Grid<u8> {
    std::array::from_fn(|square| (word >> (4 * square) & 0xF) as u8)
}

/// A whole board moved by a symmetry, as [`map_grid`](super::symmetry::map_grid)
/// does. Squares off the board must be 0.
#[inline]
pub const fn map(size: Size, mut x: u64, sym: Sym) -> u64 {
    if sym.0 & TRANSPOSE != 0 {
        x = transpose(x);
    }
    // On the 4x4 grid a mirrored board leaves its corner: shift it back.
    if sym.0 & MIRROR != 0 {
        x = flip(half_turn(x)) >> (4 * (4 - size.cols()));
    }
    if sym.0 & FLIP != 0 {
        x = flip(x) >> (16 * (4 - size.rows()));
    }
    x
}
