//! 2584 on boards of up to 4x4: 2048 with the Fibonacci numbers.
//!
//! The tiles 1, 2, 3, 5, 8, .. have the indices 1, 2, 3, 4, 5, ... A board holds the
//! index of every square (see [`tiles`](crate::tiles)) as a byte. Slides work on
//! eight bytes at once.

mod cells;
mod play;
mod rows;
#[cfg(test)]
mod tests;

use std::hint::select_unpredictable;

use ludens_core::bits::mix_all;
use ludens_core::params::name_of;
use ludens_core::{
    Param, Parameter, Params, ParseError, Position, Reward, Rng, Sym, Variant, parameters,
};

use crate::tiles::line::Rule;
use crate::tiles::merging::merging_game;
use crate::tiles::{Grid, Growth, Odds, Setup, Size, Slide, Slides, Spawn, symmetry};
use rows::Rows;

/// The largest index there can be: on 16 cells, with new tiles 1 and 3.
const LARGEST: usize = 33;

/// The value of every index, 0 for those that are none.
static VALUES: [u32; 64] = {
    let mut values = [0; 64];
    values[1] = 1;
    values[2] = 2;
    let mut index = 3;
    while index <= LARGEST {
        values[index] = values[index - 1] + values[index - 2];
        index += 1;
    }
    values
};

/// Which tiles come up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum NewTiles {
    /// A 1 with probability 0.9, a 2 with 0.1.
    #[default]
    OneOrTwo,
    /// A 1 with probability 0.75, a 3 with 0.25: a harder form for courses.
    OneOrThree,
}

impl NewTiles {
    const SPAWN: Param<NewTiles> = Param::choice("spawn", &Self::NAMES, "1,2")
        .help("new tiles: 1 (90 %) or 2, or 1 (75 %) or 3");

    const NAMES: [(&'static str, NewTiles); 2] =
        [("1,2", NewTiles::OneOrTwo), ("1,3", NewTiles::OneOrThree)];

    #[inline]
    const fn odds(self) -> Odds {
        match self {
            NewTiles::OneOrTwo => Odds { common: 1, rare: 2, die: 10 },
            NewTiles::OneOrThree => Odds { common: 1, rare: 3, die: 4 },
        }
    }
}

/// The form of a game of 2584.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Variant2584 {
    /// The board and the tiles at the start.
    pub setup: Setup,
    /// The tiles that come up.
    pub spawn: NewTiles,
}

impl Variant2584 {
    #[inline]
    const fn odds(self) -> Odds {
        self.spawn.odds()
    }

    const fn growth(self) -> Growth {
        Growth { last: self.odds().rare, step: 2 }
    }
}

impl Variant for Variant2584 {
    const PARAMETERS: &'static [Parameter] =
        parameters![Size::BOARD, Setup::START, NewTiles::SPAWN];

    fn read(params: &mut Params) -> Result<Self, ParseError> {
        Ok(Variant2584 { setup: Setup::read(params)?, spawn: params.get(&NewTiles::SPAWN)? })
    }

    fn write(&self) -> Vec<(&'static str, String)> {
        let mut out = self.setup.write();
        if self.spawn != NewTiles::default() {
            let name = name_of(&NewTiles::NAMES, self.spawn);
            out.push((NewTiles::SPAWN.name(), name.to_owned()));
        }
        out
    }
}

/// A 2584 position: the player is to slide.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Game2584 {
    /// The index of every square.
    rows: Rows,
    variant: Variant2584,
}

/// A 2584 board after a slide, before the new tile.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct After2584(Game2584);

/// The slides that change a board of this size.
#[inline(always)]
fn legal(rows: Rows, size: Size) -> Slides {
    let [up, right, down, left] = rows::moves(rows, size).map(u8::from);
    Slides::from_bits(up | right << 1 | down << 2 | left << 3)
}

/// All rows slid to the left, and the reward.
#[inline(always)]
fn slide_left([a, b]: Rows) -> (Rows, u32) {
    let ((a, made), (b, more)) = (rows::slide_left(a), rows::slide_left(b));
    // Of the first two bytes of a row at most one holds a new tile.
    let row = |made: u64| value(made | made >> 8) + value(made >> 16);
    ([a, b], row(made) + row(made >> 32) + row(more) + row(more >> 32))
}

/// The value of the index in the lowest byte.
#[inline(always)]
fn value(index: u64) -> u32 {
    VALUES[(index & 0x3F) as usize]
}

#[inline(always)]
fn select(condition: bool, a: Rows, b: Rows) -> Rows {
    [select_unpredictable(condition, a[0], b[0]), select_unpredictable(condition, a[1], b[1])]
}

impl Game2584 {
    /// A board without tiles.
    const fn empty(variant: Variant2584) -> Self {
        Game2584 { rows: [0; 2], variant }
    }

    /// The position of a grid of indices.
    fn from_grid(grid: &Grid<u8>, variant: Variant2584) -> Self {
        Game2584 { rows: rows::pack(grid), variant }
    }

    /// The index of the tile on every square: 0 for none, then 1, 2, 3, 4, .. for
    /// the tiles 1, 2, 3, 5, ...
    pub fn grid(&self) -> Grid<u8> {
        rows::unpack(self.rows)
    }

    #[inline]
    fn size(&self) -> Size {
        self.variant.setup.size
    }

    #[inline]
    fn variant(&self) -> Variant2584 {
        self.variant
    }

    /// The value of the tile of an index.
    fn tile_value(index: u8) -> u32 {
        VALUES[usize::from(index)]
    }

    /// The index of the tile of a value.
    fn tile_index(value: u32) -> Option<u8> {
        VALUES[..=LARGEST].iter().position(|&v| v == value).map(|index| index as u8)
    }

    #[inline(always)]
    fn legal(&self) -> Slides {
        legal(self.rows, self.size())
    }

    /// The empty squares as bits.
    #[inline(always)]
    fn empty_squares(&self) -> u16 {
        rows::gather(rows::empty(self.rows, self.size()))
    }

    /// Whether the tiles lie in another way.
    #[inline(always)]
    fn differs(&self, other: &Self) -> bool {
        self.rows != other.rows
    }

    /// The board after a slide, the same one if nothing moves, and the reward.
    #[inline(always)]
    fn slid(&self, slide: Slide) -> (Self, Reward) {
        let (vertical, forward) = (slide.is_vertical(), slide.is_forward());
        let length = if vertical { self.size().rows() } else { self.size().cols() };
        // Lines shorter than four leave the corner in a half turn.
        let shift = 8 * (4 - length as u32);
        let x = select(vertical, rows::transpose(self.rows), self.rows);
        let [a, b] = rows::half_turn(x);
        let (x, reward) = slide_left(select(forward, [a >> shift, b >> shift], x));
        let back = rows::half_turn([x[0] << shift, x[1] << shift]);
        let x = select(forward, back, x);
        let x = select(vertical, rows::transpose(x), x);
        (Game2584 { rows: x, ..*self }, reward as Reward)
    }

    /// The position with one more tile.
    #[inline(always)]
    fn with_tile(&self, spawn: Spawn) -> Self {
        Game2584 { rows: rows::with_tile(self.rows, spawn.square, spawn.index), ..*self }
    }

    /// A new tile by chance.
    #[inline(always)]
    fn drawn(&self, rng: &mut Rng) -> Spawn {
        self.variant.odds().sample(u64::from(self.empty_squares()), 1, rng)
    }

    #[inline(always)]
    fn each_child(&self, f: impl FnMut(Slide, After2584, Reward)) {
        self.one_by_one(f);
    }

    fn mapped(&self, sym: Sym) -> Self {
        let grid = symmetry::map_grid(self.size(), &self.grid(), sym);
        Game2584::from_grid(&grid, self.variant)
    }
}

merging_game!(
    Game2584, After2584, Variant2584,
    name: "2584", tiles: "0 or a Fibonacci number from 1 to 5702887", rule: Rule::Neighbours
);

impl Position for Game2584 {
    #[inline]
    fn key(&self) -> u64 {
        let variant = self.variant.setup.bits() << 8 | self.variant.spawn as u64;
        mix_all(&[self.rows[0], self.rows[1], variant])
    }
}
