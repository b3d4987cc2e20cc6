//! Random games on 4x4 boards, fast.

use ludens_core::Rng;

use super::{Odds, Slides};

/// A 4x4 board that can be turned and slid as a whole.
pub trait Turning: Copy + Eq {
    /// The board turned: 1 exchanges rows and columns, 2 is the half turn. Both
    /// undo themselves, and their order does not matter.
    #[must_use]
    fn turned(self, turn: u64) -> Self;

    /// The slide to the left and its reward; `None` when this form of the board
    /// cannot hold the result.
    fn slid_left(self) -> Option<(Self, u32)>;

    /// The slides that change something.
    fn legal(self) -> Slides;

    /// The number of empty squares.
    fn empty(self) -> u32;

    /// The board with a tile on its `n`-th empty square.
    #[must_use]
    fn with_tile(self, n: u32, index: u8) -> Self;
}

/// What [`play`] came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RotatedPlayout<B> {
    /// The board.
    pub board: B,
    /// The number of slides.
    pub moves: u32,
    /// The sum of the rewards.
    pub total: i64,
}

/// Plays random slides until the end, or until a slide this form of the board
/// cannot hold.
///
/// All slides go to the left: instead of a slide a turn of the board is drawn,
/// and the board stays turned. A random slide is as random on a turned board, so
/// only the end has to be turned back. Most slides are legal, so the turn is tried
/// first; only if it changes nothing is it drawn from the legal ones. One random
/// word draws the turn, the kind of the new tile and its square; see [`Odds::throw`]
/// for why all are exact.
#[inline(always)]
pub fn play<B: Turning>(mut board: B, odds: Odds, rng: &mut Rng) -> RotatedPlayout<B> {
    let (mut turns, mut moves, mut total) = (0, 0, 0);
    loop {
        let mut word = rng.next_u64();
        let mut turn = word >> 62;
        let mut from = board.turned(turn);
        let Some((mut slid, mut reward)) = from.slid_left() else { break };
        if slid == from {
            let Some(slide) = board.legal().any(rng) else { break };
            // Left needs no turn, up the exchange, right the half turn, down both.
            turn = (slide.index() as u64 + 1) & 3;
            from = board.turned(turn);
            match from.slid_left() {
                Some(done) => (slid, reward) = done,
                None => break,
            }
        }
        turns ^= turn;
        moves += 1;
        total += i64::from(reward);
        let n = slid.empty();
        board = loop {
            if let Some((tile, index)) = odds.throw(word << 2, n, 4 * odds.die * n) {
                break slid.with_tile(index, tile);
            }
            word = rng.next_u64();
        };
    }
    RotatedPlayout { board: board.turned(turns), moves, total }
}
