//! 2048 on boards of up to 4x4.
//!
//! A tile 2^i has the index i. A board holds the index of every square (see
//! [`tiles`](crate::tiles)) as a nibble of one word. The two tiles that do not
//! fit, 65536 and 131072, have one more bit in a second word; where it is set,
//! and where two tiles 32768 merge, slides go cell by cell. All else goes by a
//! table of rows, or by vectors where all four slides are asked for.

mod cells;
mod downgrade;
mod play;
mod rows;
mod slides;
#[cfg(test)]
mod tests;

use std::fmt;
use std::hint::select_unpredictable;

use ludens_core::bits::mix_all;
use ludens_core::{
    Notation, Parameter, Params, ParseError, Position, Reward, Rng, Sym, Variant, parameters,
};

use crate::tiles::line::{Rule, slide_grid};
use crate::tiles::merging::merging_game;
use crate::tiles::{Grid, Growth, Odds, Setup, Size, Slide, Slides, Spawn, nibbles};

/// A new tile is a 2 or, once in ten, a 4.
const ODDS: Odds = Odds { common: 1, rare: 2, die: 10 };
/// On 16 cells tiles grow to 131072.
const GROWTH: Growth = Growth { last: 2, step: 1 };
/// All squares but those of the last column, as nibbles.
const NOT_LAST_COLUMN: u64 = 0x0FFF_0FFF_0FFF_0FFF;

/// The form of a game of 2048.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Variant2048 {
    /// The board and the tiles at the start.
    pub setup: Setup,
}

impl Variant2048 {
    #[inline(always)]
    const fn odds(self) -> Odds {
        ODDS
    }

    const fn growth(self) -> Growth {
        GROWTH
    }
}

impl Variant for Variant2048 {
    const PARAMETERS: &'static [Parameter] = parameters![Size::BOARD, Setup::START];

    fn read(params: &mut Params) -> Result<Self, ParseError> {
        Ok(Variant2048 { setup: Setup::read(params)? })
    }

    fn write(&self) -> Vec<(&'static str, String)> {
        self.setup.write()
    }
}

/// A 2048 position: the player is to slide.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Game2048 {
    /// The lower four bits of the index of every square.
    board: u64,
    /// All else in one number: a position of two numbers stays in registers, one of four
    /// fields goes through memory whenever it is copied.
    rest: Rest,
}

/// The fifth bit of every square, and above them the setup.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Rest(u32);

/// A 2048 board after a slide, before the new tile.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct After2048(Game2048);

impl Game2048 {
    #[inline(always)]
    const fn new(board: u64, high: u16, setup: Setup) -> Self {
        Game2048 { board, rest: Rest(high as u32 | (setup.bits() as u32) << 16) }
    }

    /// The fifth bit of every square.
    #[inline(always)]
    const fn high(&self) -> u16 {
        self.rest.0 as u16
    }

    /// The board and the tiles at the start.
    #[inline(always)]
    const fn setup(&self) -> Setup {
        Setup::from_bits((self.rest.0 >> 16) as u16)
    }

    #[inline(always)]
    const fn size(&self) -> Size {
        self.setup().size
    }

    #[inline(always)]
    fn variant(&self) -> Variant2048 {
        Variant2048 { setup: self.setup() }
    }

    /// A board without tiles.
    const fn empty(variant: Variant2048) -> Self {
        Game2048::new(0, 0, variant.setup)
    }

    /// The position of a grid of indices, each at most 17.
    fn from_grid(grid: &Grid<u8>, variant: Variant2048) -> Self {
        let high = grid.iter().rev().fold(0, |bits, &index| bits << 1 | u16::from(index >> 4));
        Game2048::new(nibbles::pack(grid), high, variant.setup)
    }

    /// The value of the tile of an index.
    fn tile_value(index: u8) -> u32 {
        if index == 0 { 0 } else { 1 << index }
    }

    /// The index of the tile of a value.
    fn tile_index(value: u32) -> Option<u8> {
        match value {
            0 => Some(0),
            _ if value.is_power_of_two() && (2..=1 << 17).contains(&value) => {
                Some(value.trailing_zeros() as u8)
            }
            _ => None,
        }
    }

    /// The index of the tile on every square: 0 for none, i for 2^i.
    pub fn grid(&self) -> Grid<u8> {
        let mut grid = nibbles::unpack(self.board);
        for (square, index) in grid.iter_mut().enumerate() {
            *index |= ((self.high() >> square & 1) as u8) << 4;
        }
        grid
    }

    /// The lowest bit of the nibble of every square with a tile.
    #[inline(always)]
    fn occupied(&self) -> u64 {
        nibbles::occupied(self.board) | self.high_nibbles()
    }

    /// The fifth bits of the indices, as lowest bits of nibbles.
    #[inline(always)]
    fn high_nibbles(&self) -> u64 {
        if self.high() == 0 { 0 } else { nibbles::spread(self.high()) }
    }

    /// The lowest bit of the nibble of every empty square.
    #[inline(always)]
    fn empty_nibbles(&self) -> u64 {
        !self.occupied() & nibbles::board(self.setup().size)
    }

    /// The empty squares as bits.
    #[inline]
    fn empty_squares(&self) -> u16 {
        nibbles::gather(self.empty_nibbles())
    }

    /// The slides that change something.
    #[inline(always)]
    fn legal(&self) -> Slides {
        let (high, occupied) = (self.high_nibbles(), self.occupied());
        let empty = self.empty_nibbles();
        // Whether a tile and its neighbour `step` bits on are equal.
        let pairs = |step: u32| {
            let differ = nibbles::occupied(self.board ^ self.board >> step) | (high ^ high >> step);
            occupied & occupied >> step & !differ
        };
        let across = pairs(4) & NOT_LAST_COLUMN;
        let down = pairs(16);
        let up_moves = occupied >> 16 & empty | down;
        let right_moves = occupied & empty >> 4 & NOT_LAST_COLUMN | across;
        let down_moves = occupied & empty >> 16 | down;
        let left_moves = occupied >> 4 & empty & NOT_LAST_COLUMN | across;
        Slides::from_bits(
            u8::from(up_moves != 0)
                | u8::from(right_moves != 0) << 1
                | u8::from(down_moves != 0) << 2
                | u8::from(left_moves != 0) << 3,
        )
    }

    /// Whether the tiles lie in another way.
    #[inline(always)]
    fn differs(&self, other: &Self) -> bool {
        self.board != other.board || self.high() != other.high()
    }

    /// The board after a slide, the same one if nothing moves, and the reward.
    #[inline(always)]
    fn slid(&self, slide: Slide) -> (Self, Reward) {
        if self.high() == 0
            && let Some((board, reward)) = self.slid_by_table(slide)
        {
            return (Game2048 { board, ..*self }, reward as Reward);
        }
        self.slid_by_cells(slide)
    }

    /// Turns the board so that the slide goes to the left, looks its rows up,
    /// and turns it back.
    #[inline(always)]
    fn slid_by_table(&self, slide: Slide) -> Option<(u64, u32)> {
        let size = self.setup().size;
        let (vertical, forward) = (slide.is_vertical(), slide.is_forward());
        let length = if vertical { size.rows() } else { size.cols() };
        // Lines shorter than four leave the corner in a half turn.
        let shift = 4 * (4 - length as u32);
        let x = select_unpredictable(vertical, nibbles::transpose(self.board), self.board);
        let x = select_unpredictable(forward, nibbles::half_turn(x) >> shift, x);
        let (x, reward) = rows::slide_left(x)?;
        let x = select_unpredictable(forward, nibbles::half_turn(x << shift), x);
        Some((select_unpredictable(vertical, nibbles::transpose(x), x), reward))
    }

    /// The slide cell by cell, right for every tile.
    #[cold]
    #[inline(never)]
    fn slid_by_cells(&self, slide: Slide) -> (Self, Reward) {
        let mut reward = 0;
        let grid = slide_grid(self.setup().size, &self.grid(), slide, Rule::Equal, |index| {
            reward += 1 << index;
        });
        (Game2048::from_grid(&grid, self.variant()), reward)
    }

    /// The position with one more tile.
    #[inline(always)]
    fn with_tile(&self, spawn: Spawn) -> Self {
        let board = self.board | u64::from(spawn.index) << (4 * u32::from(spawn.square));
        Game2048 { board, ..*self }
    }

    /// A new tile by chance.
    #[inline(always)]
    fn drawn(&self, rng: &mut Rng) -> Spawn {
        ODDS.sample(self.empty_nibbles(), 4, rng)
    }

    /// All slides at once where vectors do, else one by one.
    #[inline(always)]
    fn each_child(&self, mut f: impl FnMut(Slide, After2048, Reward)) {
        if self.high() == 0
            && self.size() == Size::FULL
            && let Some(all) = slides::all_slides(self.board)
        {
            for (i, slide) in Slide::ALL.into_iter().enumerate() {
                let board = all.boards[i];
                if board != self.board {
                    let after = After2048(Game2048 { board, ..*self });
                    f(slide, after, 4 * all.quarters[i] as Reward);
                }
            }
            return;
        }
        self.one_by_one(f);
    }

    #[inline(always)]
    fn mapped(&self, sym: Sym) -> Self {
        let size = self.size();
        let high = nibbles::gather(nibbles::map(size, self.high_nibbles(), sym));
        Game2048::new(nibbles::map(size, self.board, sym), high, self.setup())
    }
}

merging_game!(
    Game2048, After2048, Variant2048,
    name: "2048", tiles: "0 or a power of two from 2 to 131072", rule: Rule::Equal
);

impl fmt::Debug for Game2048 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Game2048({})", self.text())
    }
}

impl Position for Game2048 {
    #[inline]
    fn key(&self) -> u64 {
        mix_all(&[self.board, self.setup().bits() << 16 | u64::from(self.high())])
    }
}
