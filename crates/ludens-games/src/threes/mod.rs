//! Threes!: slides by one cell, a bag of tiles, and a hint of the next one.
//!
//! A board is sixteen nibbles in a `u64`, one per square of
//! [`tiles`](crate::tiles), each the index of a tile: 0 for none, 1, 2 and 3 for
//! themselves, then one more per doubling up to 14 for 6144.
//!
//! The order of events in a turn: the player slides; the hinted tile is placed
//! (a bonus tile takes its value then, from the board as it is after the
//! slide); the next hint is drawn, from the bag or as a bonus by the board as
//! it is now; a bag that became empty is filled at once.

mod cells;
mod consistency;
mod framework;
mod notation;
mod slide;
mod start;
mod supply;
mod symmetry;
#[cfg(test)]
mod tests;
mod variant;

pub use supply::Hint;
pub use variant::{Bonus, SpawnRule, ThreesVariant};

use std::ops::ControlFlow;

use ludens_core::bits::{mix_all, nth_bit, pdep, pext};
use ludens_core::{Game, Position, Reward, Rng, Solo};

use crate::tiles::nibbles::{self, occupied};
use crate::tiles::{Grid, Slide, Slides};
use slide::{FIRST_COLUMN, FIRST_ROW, POINTS, Sliding, has_48, largest};
use supply::{BONUS_ONE_IN, Supply};

/// A Threes! position: the board, the hint, and what is left in the bag.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Threes {
    board: u64,
    supply: Supply,
}

/// A Threes! board after a slide, before the hinted tile is placed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ThreesAfter {
    board: u64,
    supply: Supply,
    slide: Slide,
    /// The lines that changed, by number from the top or left; 0 where the
    /// rules do not ask for them.
    lines: u8,
}

/// A tile placed, and the hint shown next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Spawn {
    /// The square.
    pub square: u8,
    /// The tile and the next hint.
    pub draw: Draw,
}

/// What nature draws before it picks a cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Draw {
    /// The tile's index: 1, 2, 3 for themselves, then one more per doubling.
    pub tile: u8,
    /// What comes after it.
    pub next: Hint,
}

/// What a position and an afterstate both show.
macro_rules! shown {
    ($($shown:ty),*) => {$(
        impl $shown {
            /// The index of the tile on every square: 0 for none.
            pub fn grid(&self) -> Grid<u8> {
                nibbles::unpack(self.board)
            }

            /// What the next tile will be.
            #[inline]
            pub fn hint(&self) -> Hint {
                self.supply.hint()
            }

            /// The ones, twos and threes left in the bag, the hinted tile not among them.
            pub fn bag(&self) -> [u8; 3] {
                self.supply.bag().counts()
            }
        }
    )*};
}
shown!(Threes, ThreesAfter);

impl Threes {
    #[inline]
    fn sliding(&self) -> Sliding {
        Sliding::new(self.board, self.supply.variant().inside())
    }

    #[inline]
    fn after(&self, slide: Slide, board: u64) -> ThreesAfter {
        let lines = match self.supply.variant().spawn_rule() {
            SpawnRule::Side => 0,
            SpawnRule::Changed => changed_lines(self.board ^ board, slide),
        };
        ThreesAfter { board, supply: self.supply, slide, lines }
    }
}

/// The numbers of the lines along a slide in which any nibble of `change` is not 0.
#[inline]
fn changed_lines(change: u64, slide: Slide) -> u8 {
    let folded = |by: u32| change | change >> by;
    match slide {
        Slide::Up | Slide::Down => {
            let half = folded(32);
            pext(occupied(half | half >> 16), FIRST_ROW) as u8
        }
        Slide::Left | Slide::Right => {
            let half = folded(8);
            pext(occupied(half | half >> 4), FIRST_COLUMN) as u8
        }
    }
}

impl ThreesAfter {
    /// The slide that led here.
    #[inline]
    pub fn slide(&self) -> Slide {
        self.slide
    }

    /// Flags of the squares where the tile may come.
    #[inline]
    fn open(&self) -> u64 {
        let variant = self.supply.variant();
        let (lines, far) = match self.slide {
            Slide::Up => (FIRST_ROW, 16 * (variant.size().rows() - 1)),
            Slide::Down => (FIRST_ROW, 0),
            Slide::Left => (FIRST_COLUMN, 4 * (variant.size().cols() - 1)),
            Slide::Right => (FIRST_COLUMN, 0),
        };
        match variant.spawn_rule() {
            SpawnRule::Changed => pdep(u64::from(self.lines), lines) << far,
            SpawnRule::Side => (lines << far) & variant.inside() & !occupied(self.board),
        }
    }

    /// The indices of the tiles the hint may stand for, all equally likely.
    #[inline]
    fn tiles(&self) -> std::ops::RangeInclusive<u8> {
        match self.supply.hint() {
            // From 6 up to an eighth of the largest tile.
            Hint::Bonus => 4..=largest(self.board) - 3,
            hint => hint as u8..=hint as u8,
        }
    }

    /// Whether the hint after the next tile may be a bonus tile.
    #[inline]
    fn bonus_next(&self) -> bool {
        // The tile still to be placed cannot change this: at most it is an
        // eighth of the largest.
        self.supply.bonus_next(has_48(self.board))
    }
}

impl Position for Threes {
    #[inline]
    fn key(&self) -> u64 {
        mix_all(&[self.board, self.supply.word()])
    }
}

impl Position for ThreesAfter {
    #[inline]
    fn key(&self) -> u64 {
        let last = (self.slide as u64) << 8 | u64::from(self.lines);
        mix_all(&[self.board, self.supply.word() | last << 48])
    }
}

impl Game for Threes {
    crate::tiles::slide_game!(variant: ThreesVariant, after: ThreesAfter, chance: Spawn);

    #[inline]
    fn variant(&self) -> ThreesVariant {
        self.supply.variant()
    }

    fn start(variant: &ThreesVariant, rng: &mut Rng) -> Self {
        start::draw(*variant, rng)
    }

    #[inline]
    fn actions(&self) -> Slides {
        self.sliding().legal()
    }

    #[inline]
    fn is_legal(&self, slide: Slide) -> bool {
        self.sliding().is_legal(slide)
    }

    #[inline]
    fn apply(&self, slide: Slide) -> (ThreesAfter, Reward) {
        debug_assert!(self.is_legal(slide), "{slide:?} in {self:?}");
        let (board, reward) = self.sliding().slide(slide);
        (self.after(slide, board), reward)
    }

    fn outcomes(
        after: &ThreesAfter,
        mut f: impl FnMut(Spawn, f64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (open, tiles, bag) = (after.open(), after.tiles(), after.supply.bag());
        let choices = open.count_ones() as usize * tiles.len();
        let bonus = if after.bonus_next() { 1.0 / f64::from(BONUS_ONE_IN) } else { 0.0 };
        let of_bag = bag.shares().map(|(hint, share)| (hint, share * (1.0 - bonus)));
        let hints = of_bag.chain((bonus > 0.0).then_some((Hint::Bonus, bonus)));
        let mut squares = open;
        while squares != 0 {
            let square = (squares.trailing_zeros() / 4) as u8;
            squares &= squares - 1;
            for tile in tiles.clone() {
                for (next, share) in hints.clone() {
                    f(Spawn { square, draw: Draw { tile, next } }, share / choices as f64)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn apply_outcome(after: &ThreesAfter, Spawn { square, draw }: Spawn) -> (Self, Reward) {
        debug_assert!(after.open() >> (4 * square) & 1 == 1, "square {square} after {after:?}");
        debug_assert!(after.tiles().contains(&draw.tile), "{draw:?} after {after:?}");
        let board = after.board | u64::from(draw.tile) << (4 * square);
        (
            Threes { board, supply: after.supply.next(draw.next) },
            POINTS[usize::from(draw.tile & 15)],
        )
    }

    #[inline]
    fn sample(after: &ThreesAfter, rng: &mut Rng) -> Spawn {
        let open = after.open();
        let square = nth_bit(open, rng.below(open.count_ones())).trailing_zeros() / 4;
        let tile = match after.supply.hint() {
            Hint::Bonus => {
                let tiles = after.tiles();
                tiles.start() + rng.below(tiles.len() as u32) as u8
            }
            hint => hint as u8,
        };
        let next = if after.bonus_next() && rng.below(BONUS_ONE_IN) == 0 {
            Hint::Bonus
        } else {
            after.supply.bag().draw(rng)
        };
        Spawn { square: square as u8, draw: Draw { tile, next } }
    }

    #[inline]
    fn children(&self, mut f: impl FnMut(Slide, ThreesAfter, Reward)) {
        let sliding = self.sliding();
        for slide in Slide::ALL {
            let (board, reward) = sliding.slide(slide);
            if board != self.board {
                f(slide, self.after(slide, board), reward);
            }
        }
    }

    #[inline]
    fn step(&self, rng: &mut Rng) -> Option<(Slide, ThreesAfter, Reward)> {
        let sliding = self.sliding();
        let slide = sliding.legal().any(rng)?;
        let (board, reward) = sliding.slide(slide);
        Some((slide, self.after(slide, board), reward))
    }

    /// What the tiles on the board count, the start tiles included.
    #[inline]
    fn score(&self) -> Option<i64> {
        Some(i64::from(slide::score(self.board)))
    }
}

impl Solo for Threes {}

crate::tiles::slide_actions!(Threes, ThreesVariant);
