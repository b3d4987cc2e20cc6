//! Random games.

use std::hint::select_unpredictable;

use ludens_core::bits::nth_bit;
use ludens_core::game::stepwise_playout;
use ludens_core::{Playout, Rng};

use super::{Game2048, ODDS, rows};
use crate::tiles::turning::{Turning, play};
use crate::tiles::{Setup, Size, Slides, nibbles};

/// A 4x4 board with no tile above 32768.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Board(u64);

impl Turning for Board {
    #[inline(always)]
    fn turned(self, turn: u64) -> Self {
        let x = select_unpredictable(turn & 1 != 0, nibbles::transpose(self.0), self.0);
        Board(select_unpredictable(turn & 2 != 0, nibbles::half_turn(x), x))
    }

    #[inline(always)]
    fn slid_left(self) -> Option<(Self, u32)> {
        rows::slide_left(self.0).map(|(slid, reward)| (Board(slid), reward))
    }

    #[inline(always)]
    fn legal(self) -> Slides {
        let setup = Setup { size: Size::FULL, start: 2 };
        Game2048::new(self.0, 0, setup).legal()
    }

    #[inline(always)]
    fn empty(self) -> u32 {
        (!nibbles::occupied(self.0) & nibbles::ONES).count_ones()
    }

    #[inline(always)]
    fn with_tile(self, n: u32, index: u8) -> Self {
        let square = nth_bit(!nibbles::occupied(self.0) & nibbles::ONES, n);
        Board(self.0 | square << (index - 1))
    }
}

/// A random game to its end.
pub(super) fn playout(position: &Game2048, rng: &mut Rng) -> Playout<Game2048> {
    let mut playout = Playout { end: *position, moves: 0, total: 0 };
    if position.setup().size == Size::FULL && position.high() == 0 {
        let played = play(Board(position.board), ODDS, rng);
        playout.end.board = played.board.0;
        (playout.moves, playout.total) = (played.moves, played.total);
    }
    // Other boards, and what is left when tiles get too large.
    let rest = stepwise_playout(&playout.end, rng);
    Playout { end: rest.end, moves: playout.moves + rest.moves, total: playout.total + rest.total }
}
