//! New tiles on random empty squares: one of two kinds, square and kind
//! independent of each other.

use std::ops::ControlFlow;

use ludens_core::bits::nth_bit;
use ludens_core::{Rng, Sym};

use super::{Grid, Size, symmetry};

/// A new tile.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Spawn {
    /// The square it comes to.
    pub square: u8,
    /// The index of the tile in its series, from 1.
    pub index: u8,
}

impl Spawn {
    /// The same tile where a symmetry takes its square.
    #[inline]
    #[must_use]
    pub const fn mapped(self, size: Size, sym: Sym) -> Spawn {
        let square = symmetry::map_square(size, self.square as usize, sym) as u8;
        Spawn { square, index: self.index }
    }
}

/// How new tiles are drawn: `rare` with probability exactly 1 in `die`, `common`
/// otherwise, on every empty square equally often.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Odds {
    /// The index of the usual tile.
    pub common: u8,
    /// The index of the other tile, greater than `common`.
    pub rare: u8,
    /// The other tile comes once in this many draws.
    pub die: u32,
}

impl Odds {
    /// The probability of a tile.
    pub fn probability(self, index: u8) -> f64 {
        let rare = 1.0 / f64::from(self.die);
        if index == self.rare { rare } else { 1.0 - rare }
    }

    /// The tile, and which of `n` empty squares it comes to, from a random word:
    /// a throw of two dice, of `die` and of `n` faces. `total` is the product of all dice
    /// thrown with the word, of those before these two as well; it is
    /// small. Every combination has exactly as many words, but for a few words for
    /// which the answer is `None`: throw again.
    ///
    /// This is Lemire's method for `total` faces, whose quotient is split up.
    #[inline(always)]
    pub fn throw(self, word: u64, n: u32, total: u32) -> Option<(u8, u32)> {
        let (tile, rest) = scale(word, self.die);
        let (index, rest) = scale(rest, n);
        let total = u64::from(total);
        if rest < total && rest < total.wrapping_neg() % total {
            return None;
        }
        Some((if tile == 0 { self.rare } else { self.common }, index))
    }

    /// Draws a new tile for one of the empty squares, given as bits: square i is
    /// bit `width` times i.
    ///
    /// # Panics
    /// In debug builds when there is no square.
    #[inline]
    pub fn sample(self, empty: u64, width: u32, rng: &mut Rng) -> Spawn {
        debug_assert!(empty != 0, "a new tile needs a square");
        let n = empty.count_ones();
        loop {
            if let Some((tile, index)) = self.throw(rng.next_u64(), n, self.die * n) {
                let square = (nth_bit(empty, index).trailing_zeros() / width) as u8;
                return Spawn { square, index: tile };
            }
        }
    }

    /// All new tiles with their probabilities: square by square, the common
    /// tile first.
    pub fn outcomes(
        self,
        empty: u16,
        mut f: impl FnMut(Spawn, f64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let n = f64::from(empty.count_ones());
        let tiles = [self.common, self.rare].map(|index| (index, self.probability(index) / n));
        for square in (0..16).filter(|square| empty >> square & 1 != 0) {
            for (index, p) in tiles {
                f(Spawn { square, index }, p)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// All boards with `tiles` new tiles, each once, and the probability that
    /// spawning them one after the other leads there.
    pub fn starts(self, size: Size, tiles: usize, mut f: impl FnMut(&Grid<u8>, f64)) {
        let choices = (0..tiles).fold(1.0, |n, i| n * (size.cells() - i) as f64 / (i + 1) as f64);
        self.place(size, 0, tiles, &mut [0; 16], 1.0 / choices, &mut f);
    }

    fn place(
        self,
        size: Size,
        cell: usize,
        tiles: usize,
        grid: &mut Grid<u8>,
        p: f64,
        f: &mut impl FnMut(&Grid<u8>, f64),
    ) {
        if tiles == 0 {
            return f(grid, p);
        }
        for cell in cell..=size.cells() - tiles {
            let square = size.square(cell);
            for index in [self.common, self.rare] {
                grid[square] = index;
                self.place(size, cell + 1, tiles - 1, grid, p * self.probability(index), f);
            }
            grid[square] = 0;
        }
    }
}

/// A random fraction of 2^64 times `n`: the whole part and the rest.
#[inline(always)]
fn scale(word: u64, n: u32) -> (u32, u64) {
    let product = u128::from(word) * u128::from(n);
    ((product >> 64) as u32, product as u64)
}
