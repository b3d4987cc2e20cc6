//! One bit per cell of the largest board, and what the rules do with such sets.
//!
//! The rules are written once, over [`Plane`]; here is the form that runs
//! everywhere, and `avx2.rs` holds a plane in one vector register.

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, BitXor};

/// A set of cells as four words: cell `16 * column + row`, four columns a word.
pub(super) type Bits = [u64; 4];

/// A set of cells in the form that is computed with.
pub(super) trait Plane:
    Copy + Debug + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self>
{
    /// The cells of `self` that are not in `other`.
    fn without(self, other: Self) -> Self;
    /// Every cell one row up; the top row of sixteen is lost.
    fn up(self) -> Self;
    /// Every cell one row down; the bottom row is lost.
    fn down(self) -> Self;
    /// Every cell one column to the right; the last column of sixteen is lost.
    fn right(self) -> Self;
    /// Every cell one column to the left; the first column is lost.
    fn left(self) -> Self;
    /// In every column the cells below its lowest one; the whole column where
    /// it has none.
    fn below_lowest(self) -> Self;
    /// Every column without its lowest cell.
    fn above_lowest(self) -> Self;
    /// Two equal bits per column, set where it has a cell.
    fn columns(self) -> u32;
    /// Whether there is no cell.
    fn is_empty(self) -> bool;
    /// The first column without a cell that has one with a cell to its right.
    /// Every column is filled from the bottom.
    fn gap(self) -> Option<u32>;
    /// The set as words.
    fn bits(self) -> Bits;
}

/// Makes planes of one kind. For planes that need a processor feature, having
/// such a value proves that the processor has it.
pub(super) trait Lanes: Copy + Debug {
    /// The planes made.
    type Plane: Plane;
    /// The set with these words.
    fn load(self, bits: Bits) -> Self::Plane;
    /// One cell.
    fn cell(self, cell: u8) -> Self::Plane;
    /// All cells with a smaller number.
    fn before(self, cell: u8) -> Self::Plane;
}

/// The number of cells.
#[inline(always)]
pub(super) fn count(bits: &Bits) -> u32 {
    bits.iter().map(|word| word.count_ones()).sum()
}

/// The lowest cell, if there is one.
#[inline]
pub(super) fn lowest(bits: &Bits) -> Option<u8> {
    let word = bits.iter().position(|&word| word != 0)?;
    Some((64 * word as u32 + bits[word].trailing_zeros()) as u8)
}

/// Takes one cell out.
#[inline(always)]
pub(super) fn clear(bits: &mut Bits, cell: u8) {
    bits[usize::from(cell / 64)] &= !(1 << (cell % 64));
}

/// Whether the cell is in the set.
#[inline]
pub(super) fn contains(bits: &Bits, cell: u8) -> bool {
    bits[usize::from(cell / 64)] >> (cell % 64) & 1 != 0
}

/// Planes of four words, for every processor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Portable;

/// A plane of [`Portable`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Words(Bits);

/// The lowest cell of each of a word's four columns.
const BOTTOM: u64 = 0x0001_0001_0001_0001;
/// The highest one.
const TOP: u64 = BOTTOM << 15;

impl Words {
    #[inline(always)]
    fn each(self, f: impl Fn(u64) -> u64) -> Self {
        Words(self.0.map(f))
    }

    #[inline(always)]
    fn both(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Words(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }
}

impl BitAnd for Words {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        self.both(other, |a, b| a & b)
    }
}

impl BitOr for Words {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        self.both(other, |a, b| a | b)
    }
}

impl BitXor for Words {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        self.both(other, |a, b| a ^ b)
    }
}

impl Plane for Words {
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        self.both(other, |a, b| a & !b)
    }

    #[inline(always)]
    fn up(self) -> Self {
        self.each(|word| word << 1 & !BOTTOM)
    }

    #[inline(always)]
    fn down(self) -> Self {
        self.each(|word| word >> 1 & !TOP)
    }

    #[inline(always)]
    fn right(self) -> Self {
        let [a, b, c, d] = self.0;
        Words([a << 16, b << 16 | a >> 48, c << 16 | b >> 48, d << 16 | c >> 48])
    }

    #[inline(always)]
    fn left(self) -> Self {
        let [a, b, c, d] = self.0;
        Words([a >> 16 | b << 48, b >> 16 | c << 48, c >> 16 | d << 48, d >> 16])
    }

    #[inline(always)]
    fn below_lowest(self) -> Self {
        // One less in every column, by a subtraction that cannot borrow from
        // the next column: the top bits are set first and put right afterwards.
        self.each(|word| (((word | TOP) - BOTTOM) ^ (!word & TOP)) & !word)
    }

    #[inline(always)]
    fn above_lowest(self) -> Self {
        self.each(|word| (((word | TOP) - BOTTOM) ^ (!word & TOP)) & word)
    }

    #[inline(always)]
    fn columns(self) -> u32 {
        let mut out = 0;
        for (i, word) in self.0.into_iter().enumerate() {
            for j in 0..4 {
                out |= u32::from(word >> (16 * j) & 0xFFFF != 0) << (2 * (4 * i + j));
            }
        }
        3 * out
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        self.0 == [0; 4]
    }

    #[inline(always)]
    fn gap(self) -> Option<u32> {
        let columns = self.0.iter().rev().fold(0, |columns, &word| {
            let bottom = word & BOTTOM;
            columns << 4 | (bottom | bottom >> 15 | bottom >> 30 | bottom >> 45) & 15
        });
        (columns & (columns + 1) != 0).then(|| columns.trailing_ones())
    }

    #[inline(always)]
    fn bits(self) -> Bits {
        self.0
    }
}

impl Lanes for Portable {
    type Plane = Words;

    #[inline(always)]
    fn load(self, bits: Bits) -> Words {
        Words(bits)
    }

    #[inline(always)]
    fn cell(self, cell: u8) -> Words {
        let mut bits = [0; 4];
        bits[usize::from(cell / 64)] = 1 << (cell % 64);
        Words(bits)
    }

    #[inline(always)]
    fn before(self, cell: u8) -> Words {
        let at = usize::from(cell / 64);
        Words(std::array::from_fn(|i| match i.cmp(&at) {
            std::cmp::Ordering::Less => u64::MAX,
            std::cmp::Ordering::Equal => (1 << (cell % 64)) - 1,
            std::cmp::Ordering::Greater => 0,
        }))
    }
}
