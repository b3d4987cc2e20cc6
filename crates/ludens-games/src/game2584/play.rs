//! Random games.

use ludens_core::game::stepwise_playout;
use ludens_core::{Playout, Rng};

use super::rows::{self, Rows};
use super::{Game2584, legal, select, slide_left};
use crate::tiles::turning::{Turning, play};
use crate::tiles::{Size, Slides};

/// A 4x4 board.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Board(Rows);

impl Turning for Board {
    #[inline(always)]
    fn turned(self, turn: u64) -> Self {
        let x = select(turn & 1 != 0, rows::transpose(self.0), self.0);
        Board(select(turn & 2 != 0, rows::half_turn(x), x))
    }

    #[inline(always)]
    fn slid_left(self) -> Option<(Self, u32)> {
        let (slid, reward) = slide_left(self.0);
        Some((Board(slid), reward))
    }

    #[inline(always)]
    fn legal(self) -> Slides {
        legal(self.0, Size::FULL)
    }

    #[inline(always)]
    fn empty(self) -> u32 {
        let [a, b] = rows::empty(self.0, Size::FULL);
        a.count_ones() + b.count_ones()
    }

    #[inline(always)]
    fn with_tile(self, n: u32, index: u8) -> Self {
        let [a, b] = rows::nth(rows::empty(self.0, Size::FULL), n);
        let index = u64::from(index);
        Board([self.0[0] | (a * index), self.0[1] | (b * index)])
    }
}

/// A random game to its end.
pub(super) fn playout(position: &Game2584, rng: &mut Rng) -> Playout<Game2584> {
    if position.size() != Size::FULL {
        return stepwise_playout(position, rng);
    }
    let played = play(Board(position.rows), position.variant.spawn.odds(), rng);
    let end = Game2584 { rows: played.board.0, ..*position };
    Playout { end, moves: played.moves, total: played.total }
}
