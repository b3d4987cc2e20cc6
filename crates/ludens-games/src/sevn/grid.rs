//! Sets of cells: which tiles are takeable, which colour they have, and a
//! uniformly drawn move. Written once for words of 64 bits, which hold the
//! boards up to base 7, and of 128 bits for the larger ones.

use std::ops::{BitAnd, BitOr, Not, Shl, Shr};

use ludens_core::Rng;
use ludens_core::bits::pdep;

/// The largest base.
pub(super) const MAX_BASE: usize = 11;

/// A colour takes the bits of its number plus one; a cell without a bit is empty.
pub(super) const PLANES: usize = 4;

/// A set of cells, row by row from the top left, without gaps between rows.
pub(super) trait Word:
    Copy
    + Eq
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// The low bits of a set, which are all there are.
    fn narrow(set: u128) -> Self;
    /// The set as it is stored.
    fn widen(self) -> u128;
    /// The number of cells.
    fn count(self) -> u32;
    /// The `rank`-th subset of `self`, counting in binary from the empty one.
    fn subset(self, rank: u32) -> Self;
}

impl Word for u64 {
    #[inline(always)]
    fn narrow(set: u128) -> Self {
        set as u64
    }

    #[inline(always)]
    fn widen(self) -> u128 {
        u128::from(self)
    }

    #[inline(always)]
    fn count(self) -> u32 {
        self.count_ones()
    }

    #[inline(always)]
    fn subset(self, rank: u32) -> Self {
        pdep(u64::from(rank), self)
    }
}

impl Word for u128 {
    #[inline(always)]
    fn narrow(set: u128) -> Self {
        set
    }

    #[inline(always)]
    fn widen(self) -> u128 {
        self
    }

    #[inline(always)]
    fn count(self) -> u32 {
        self.count_ones()
    }

    #[inline(always)]
    fn subset(self, rank: u32) -> Self {
        let (low, high) = (self as u64, (self >> 64) as u64);
        // At most 11 tiles share a colour, so the shift stays below 32.
        let rest = u64::from(rank) >> low.count_ones();
        u128::from(pdep(u64::from(rank), low)) | u128::from(pdep(rest, high)) << 64
    }
}

/// The cells with a cell to their left and one to their right.
const fn inner_columns(base: usize) -> u128 {
    let row = ((1 << (base - 2)) - 1) << 1;
    let mut all = 0;
    let mut at = 0;
    while at < base * base {
        all |= row << at;
        at += base;
    }
    all
}

/// The tiles that lie free above or below, and free left or right.
#[inline(always)]
pub(super) fn takeable<W: Word, const N: usize>(tiles: W) -> W {
    let n = N as u32;
    let beside = (tiles << 1) & (tiles >> 1) & W::narrow(const { inner_columns(N) });
    // Shifted by whole rows, the edges shift in emptiness by themselves; what
    // leaves the board at the bottom meets no tile.
    let between = (tiles << n) & (tiles >> n);
    tiles & !(beside | between)
}

/// The planes in words of the size a base needs. Up to base 7 the last one is
/// empty; said as a constant, it costs nothing from there on.
#[inline(always)]
pub(super) fn narrow_planes<W: Word, const N: usize>(planes: &[u128; PLANES]) -> [W; PLANES] {
    let mut planes = planes.map(W::narrow);
    if N <= 7 {
        planes[PLANES - 1] = W::narrow(0);
    }
    planes
}

/// The `cells` of each colour: two planes at a time, so that colours share the work.
#[inline(always)]
pub(super) fn by_colour<W: Word, const N: usize>([a, b, c, d]: &[W; PLANES], cells: W) -> [W; N] {
    let (low, high) = ([!*a & !*b, *a & !*b, !*a & *b, *a & *b], cells & !*d);
    let high = [high & !*c, high & *c, cells & *d & !*c];
    std::array::from_fn(|colour| low[(colour + 1) % 4] & high[(colour + 1) / 4])
}

/// The number of moves: non-empty sets of takeable tiles of one colour.
#[inline(always)]
pub(super) fn count_moves<W: Word, const N: usize>(planes: &[W; PLANES], free: W) -> u32 {
    by_colour::<W, N>(planes, free).iter().map(|set| (1 << set.count()) - 1).sum()
}

/// A move drawn uniformly from all: its colour and its tiles. There must be a
/// takeable tile.
#[inline(always)]
pub(super) fn draw_move<W: Word, const N: usize>(
    planes: &[W; PLANES],
    free: W,
    rng: &mut Rng,
) -> (usize, W) {
    let sets = by_colour::<W, N>(planes, free);
    let mut total = 0;
    // The moves of the colours before each one.
    let before: [u32; N] = std::array::from_fn(|colour| {
        let before = total;
        total += (1 << sets[colour].count()) - 1;
        before
    });
    let rank = rng.below(total);
    // Counted without branches: which colour it is cannot be predicted.
    let colour = before[1..].iter().map(|&before| usize::from(before <= rank)).sum::<usize>();
    (colour, sets[colour].subset(rank - before[colour] + 1))
}
