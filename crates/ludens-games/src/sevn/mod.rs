//! Sevn: a square of coloured tiles, as many colours as rows, taken from its
//! corners inwards.
//!
//! Cells are numbered row by row from the top left, without gaps; on base 3:
//!
//! ```text
//! 0 1 2
//! 3 4 5
//! 6 7 8
//! ```
//!
//! Four bit planes hold, for each cell, the number of its colour plus one;
//! 0 is an empty cell.

mod base;
mod grid;
mod moves;
mod notation;
mod numbering;
mod scores;
mod static_eval;
mod symmetry;
#[cfg(test)]
mod tests;

pub use base::Base;
pub use moves::{Moves, Tiles};

use base::sized;
use grid::{MAX_BASE, PLANES, Word, by_colour, count_moves, draw_move, narrow_planes, takeable};
use ludens_core::bits::mix_all;
use ludens_core::{
    Deterministic, Duel, Game, GameResult, Player, Playout, Position, Reward, Rng, ZeroSum,
    deterministic,
};
use scores::Scores;

/// A Sevn position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Sevn {
    planes: [u128; PLANES],
    scores: Scores,
    base: Base,
    mover: Player,
    /// +1 or -1 once player one or two has won. It follows from the rest and
    /// is kept so that asking for the end costs nothing.
    result: i8,
}

impl Sevn {
    /// The position with these planes and scores; who has won is found out.
    fn new(planes: [u128; PLANES], scores: Scores, base: Base, mover: Player) -> Self {
        let mut position = Sevn { planes, scores, base, mover, result: 0 };
        let n = base.get();
        let full = (0..n).map(|colour| scores.get(colour)).find(|s| s.unsigned_abs() as usize == n);
        position.result = match full {
            Some(score) => score.signum() as i8,
            None if position.tiles() == 0 => scores.majority(n) as i8,
            None => 0,
        };
        position
    }

    /// The planes of a board given cell by cell: 0 for an empty cell, else the
    /// colour's number plus one.
    fn planes_of(codes: &[u8]) -> [u128; PLANES] {
        let mut planes = [0; PLANES];
        for (cell, &code) in codes.iter().enumerate() {
            for (bit, plane) in planes.iter_mut().enumerate() {
                *plane |= u128::from(code >> bit & 1) << cell;
            }
        }
        planes
    }

    /// 0 for an empty cell, else the number of its colour plus one.
    #[inline]
    fn code(&self, cell: usize) -> usize {
        (0..PLANES).map(|bit| ((self.planes[bit] >> cell & 1) as usize) << bit).sum()
    }

    /// All tiles.
    #[inline]
    fn tiles(&self) -> u128 {
        self.planes.iter().fold(0, |all, plane| all | plane)
    }

    /// How many tiles are left.
    ///
    /// ```
    /// use ludens_core::{Game, Rng};
    /// use ludens_games::Sevn;
    /// assert_eq!(Sevn::start(&Default::default(), &mut Rng::new(1)).tiles_left(), 49);
    /// ```
    pub fn tiles_left(&self) -> u32 {
        self.tiles().count_ones()
    }

    /// The tiles that lie free enough to be taken, of all colours.
    #[inline]
    pub fn takeable(&self) -> Tiles {
        Tiles(self.base.takeable(self.tiles()))
    }

    /// The colour of the tile on cell `row * base + column`, from 0; `None`
    /// where there is no tile.
    #[inline]
    pub fn colour(&self, cell: usize) -> Option<usize> {
        if cell < MAX_BASE * MAX_BASE { self.code(cell).checked_sub(1) } else { None }
    }

    /// How many more tiles of a colour player one has taken than player two.
    ///
    /// # Panics
    /// When there is no such colour.
    #[inline]
    pub fn lead(&self, colour: usize) -> i32 {
        assert!(colour < self.base.get(), "colour {colour} of {}", self.base.get());
        self.scores.get(colour)
    }

    /// The planes and the takeable tiles as words of a known size.
    #[inline(always)]
    fn narrowed<W: Word, const N: usize>(&self) -> ([W; PLANES], W) {
        let planes = narrow_planes::<W, N>(&self.planes);
        (planes, takeable::<W, N>(all_of(&planes)))
    }

    #[inline(always)]
    fn count_moves<W: Word, const N: usize>(&self) -> (u128, u32) {
        let (planes, free) = self.narrowed::<W, N>();
        (free.widen(), count_moves::<W, N>(&planes, free))
    }

    /// Takes tiles of a colour.
    #[inline(always)]
    fn take(&self, colour: usize, tiles: u128) -> (Self, Reward) {
        let sign = self.mover.sign();
        let mut next = Sevn {
            planes: self.planes.map(|plane| plane & !tiles),
            mover: self.mover.opponent(),
            ..*self
        };
        next.scores.add(colour, sign * tiles.count_ones() as i32);
        let reward = if next.scores.get(colour) == sign * self.base.get() as i32 {
            sign
        } else if next.tiles() == 0 {
            next.scores.majority(self.base.get())
        } else {
            0
        };
        next.result = reward as i8;
        (next, reward)
    }

    #[inline(always)]
    fn step_sized<W: Word, const N: usize>(&self, rng: &mut Rng) -> (usize, u128) {
        let (planes, free) = self.narrowed::<W, N>();
        let (colour, tiles) = draw_move::<W, N>(&planes, free, rng);
        (colour, tiles.widen())
    }

    #[inline(always)]
    fn children_sized<W: Word, const N: usize>(&self, f: &mut impl FnMut(Tiles, Self, Reward)) {
        let (planes, free) = self.narrowed::<W, N>();
        for (colour, set) in by_colour::<W, N>(&planes, free).into_iter().enumerate() {
            let set = set.widen();
            let mut tiles = moves::next_subset(0, set);
            while tiles != 0 {
                let (next, reward) = self.take(colour, tiles);
                f(Tiles(tiles), next, reward);
                tiles = moves::next_subset(tiles, set);
            }
        }
    }

    /// A whole random game in registers.
    fn playout_sized<W: Word, const N: usize>(&self, rng: &mut Rng) -> Playout<Self> {
        let mut planes = narrow_planes::<W, N>(&self.planes);
        let mut tiles = all_of(&planes);
        let mut scores = self.scores;
        let mut sign = self.mover.sign();
        let mut moves = 0;
        let result = loop {
            let (colour, taken) = draw_move::<W, N>(&planes, takeable::<W, N>(tiles), rng);
            tiles = tiles & !taken;
            planes = planes.map(|plane| plane & !taken);
            scores.add(colour, sign * taken.count() as i32);
            moves += 1;
            if scores.get(colour) == sign * N as i32 {
                break sign;
            }
            sign = -sign;
            if tiles == W::narrow(0) {
                break scores.majority(N);
            }
        };
        let mover = if moves % 2 == 0 { self.mover } else { self.mover.opponent() };
        let end = Sevn {
            planes: planes.map(W::widen),
            scores,
            base: self.base,
            mover,
            result: result as i8,
        };
        Playout { end, moves, total: i64::from(result) }
    }
}

#[inline(always)]
fn all_of<W: Word>(planes: &[W; PLANES]) -> W {
    let [a, b, c, d] = *planes;
    a | b | c | d
}

impl Position for Sevn {
    #[inline]
    fn key(&self) -> u64 {
        // 55 bits of scores, four of the base, one of the player.
        let rest = self.scores.bits() << 5 | (self.base.get() << 1 | self.mover.index()) as u64;
        let [a, b, c, d] = self.planes;
        if self.base.get() <= 7 {
            mix_all(&[a as u64, b as u64, c as u64, rest])
        } else {
            let high = |plane: u128| (plane >> 64) as u64;
            let low = [a, b, c, d].map(|plane| plane as u64);
            mix_all(&[low[0], high(a), low[1], high(b), low[2], high(c), low[3], high(d), rest])
        }
    }
}

impl Game for Sevn {
    deterministic!(players: 2, variant: Base, action: Tiles, actions: Moves);

    #[inline]
    fn variant(&self) -> Base {
        self.base
    }

    fn start(base: &Base, rng: &mut Rng) -> Self {
        let n = base.get();
        let mut codes = [0; MAX_BASE * MAX_BASE];
        let codes = &mut codes[..n * n];
        for (cell, code) in codes.iter_mut().enumerate() {
            *code = (cell / n) as u8 + 1;
        }
        rng.shuffle(codes);
        Sevn::new(Sevn::planes_of(codes), Scores::new(), *base, Player::One)
    }

    #[inline]
    fn to_move(&self) -> Player {
        self.mover
    }

    #[inline]
    fn actions(&self) -> Moves {
        if self.is_over() {
            return Moves::new(self, 0, 0);
        }
        let (free, count) = sized!(self.base, Sevn::count_moves, self);
        Moves::new(self, free, count)
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.result != 0
    }

    #[inline]
    fn is_legal(&self, action: Tiles) -> bool {
        let tiles = action.0;
        let one_colour = |plane: &u128| tiles & plane == 0 || tiles & !plane == 0;
        tiles != 0
            && !self.is_over()
            && tiles & !self.takeable().0 == 0
            && self.planes.iter().all(one_colour)
    }

    #[inline]
    fn apply(&self, action: Tiles) -> (Self, Reward) {
        debug_assert!(self.is_legal(action), "{action:?} in {self:?}");
        let code = self.code(action.0.trailing_zeros() as usize);
        self.take(code - 1, action.0)
    }

    #[inline]
    fn children(&self, mut f: impl FnMut(Tiles, Self, Reward)) {
        if !self.is_over() {
            sized!(self.base, Sevn::children_sized, self, &mut f);
        }
    }

    #[inline]
    fn step(&self, rng: &mut Rng) -> Option<(Tiles, Self, Reward)> {
        if self.is_over() {
            return None;
        }
        let (colour, tiles) = sized!(self.base, Sevn::step_sized, self, rng);
        let (next, reward) = self.take(colour, tiles);
        Some((Tiles(tiles), next, reward))
    }

    fn playout(&self, rng: &mut Rng) -> Playout<Self> {
        if self.is_over() {
            return Playout { end: *self, moves: 0, total: 0 };
        }
        sized!(self.base, Sevn::playout_sized, self, rng)
    }

    fn score(&self) -> Option<i64> {
        Some(i64::from(self.result))
    }
}

impl Deterministic for Sevn {}
impl ZeroSum for Sevn {}

impl Duel for Sevn {
    #[inline]
    fn outcome(&self) -> Option<GameResult> {
        match self.result {
            0 => None,
            1 => Some(GameResult::Win(Player::One)),
            _ => Some(GameResult::Win(Player::Two)),
        }
    }
}
