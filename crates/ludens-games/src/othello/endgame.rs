//! The end of the game, played perfectly: the difference of discs at the end.
//!
//! Principal variation search with a table. Moves that leave the opponent the fewest replies
//! come first (fastest first); near the end, those into regions with an odd number of empty
//! cells, where one moves last.
//!
//! - M. Buro, Experiments with Multi-ProbCut and a new high-quality evaluation function for
//!   Othello, 1997; G. Andersson, Writing an Othello program, 2007, for parity and fastest first.

use ludens_core::bits::mix_all;
use ludens_core::memory::table;

use super::lines::{flips, mobility};
use super::{Othello, Square};

/// With at most this many empty cells no table is asked and moves are only ordered by parity.
const SHALLOW: u32 = 6;
/// Nodes between looks at the clock.
const PATIENCE: u64 = 1 << 13;
/// More than any difference.
const MOST: i32 = 65;

const CORNERS: u64 = 0x8100_0000_0000_0081;
/// The quarters of the board.
const QUARTERS: [u64; 4] =
    [0x0000_0000_0F0F_0F0F, 0x0000_0000_F0F0_F0F0, 0x0F0F_0F0F_0000_0000, 0xF0F0_F0F0_0000_0000];

#[derive(Clone, Copy)]
struct Entry {
    own: u64,
    opp: u64,
    low: i8,
    high: i8,
}

/// A search on one thread.
pub struct Endgame<'a> {
    table: Vec<Entry>,
    stop: &'a dyn Fn(u64) -> bool,
    nodes: u64,
    stopped: bool,
}

impl<'a> Endgame<'a> {
    /// A search with a table of at most `memory` bytes, smaller where memory is short, which asks
    /// now and then whether it should `stop` after a number of nodes.
    pub fn new(memory: usize, stop: &'a dyn Fn(u64) -> bool) -> Self {
        const LEAST: usize = 16;
        let entries = 1 << (memory / size_of::<Entry>()).max(LEAST).ilog2();
        let empty = || Entry { own: 0, opp: 0, low: -64, high: 64 };
        Endgame { table: table(entries, LEAST, empty), stop, nodes: 0, stopped: false }
    }

    /// Positions looked at.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// By how many discs the player to move is ahead at the end under best play of both,
    /// after a move if one is given; `None` when it was stopped.
    ///
    /// # Panics
    /// In debug builds when the move is illegal.
    pub fn difference(&mut self, position: &Othello, action: Option<Square>) -> Option<i32> {
        let Othello { own, opp, .. } = *position;
        let value = match action {
            None => self.best(own, opp, -MOST, MOST, false),
            Some(Square::PASS) => -self.best(opp, own, -MOST, MOST, true),
            Some(Square(cell)) => {
                let turned = flips(own, opp, 1 << cell);
                debug_assert!(turned != 0, "a move turns something over");
                -self.best(opp ^ turned, own | turned | 1 << cell, -MOST, MOST, false)
            }
        };
        (!self.stopped).then_some(value)
    }

    /// The difference to the owner of `own`, who is to move; outside the window, on which side.
    fn best(&mut self, own: u64, opp: u64, mut alpha: i32, beta: i32, passed: bool) -> i32 {
        self.nodes += 1;
        if self.nodes.is_multiple_of(PATIENCE) && (self.stop)(self.nodes) {
            self.stopped = true;
        }
        if self.stopped {
            return 0;
        }
        let moves = mobility(own, opp);
        if moves == 0 {
            return match passed {
                true => own.count_ones() as i32 - opp.count_ones() as i32,
                false => -self.best(opp, own, -beta, -alpha, true),
            };
        }
        let empty = !(own | opp);
        if empty.count_ones() <= SHALLOW {
            return self.shallow(own, opp, moves, alpha, beta);
        }
        // What is known.
        let slot = mix_all(&[own, opp]) as usize & (self.table.len() - 1);
        let known = self.table[slot];
        let (mut low, mut high) = (-64, 64);
        if (known.own, known.opp) == (own, opp) {
            (low, high) = (i32::from(known.low), i32::from(known.high));
            if low >= beta || low == high {
                return low;
            }
            if high <= alpha {
                return high;
            }
        }
        // The moves in order.
        let odd = odd_quarters(empty);
        let mut list = [(0i32, 0u64, 0u64); 40];
        let (mut count, mut rest) = (0, moves);
        while rest != 0 {
            let cell = rest & rest.wrapping_neg();
            rest ^= cell;
            let turned = flips(own, opp, cell);
            let (next, other) = (opp ^ turned, own | turned | cell);
            let replies = mobility(next, other);
            let mut order = 8 * replies.count_ones() as i32;
            order += 6 * (replies & CORNERS).count_ones() as i32;
            order -= if cell & CORNERS != 0 { 12 } else { 0 };
            order -= if cell & odd != 0 { 3 } else { 0 };
            let mut at = count;
            while at > 0 && list[at - 1].0 > order {
                list[at] = list[at - 1];
                at -= 1;
            }
            list[at] = (order, next, other);
            count += 1;
        }
        let (floor, mut most) = (alpha, -MOST);
        for (i, &(_, next, other)) in list[..count].iter().enumerate() {
            let mut value = MOST;
            if i > 0 && alpha + 1 < beta {
                value = -self.best(next, other, -alpha - 1, -alpha, false);
            }
            if value > alpha {
                value = -self.best(next, other, -beta, -alpha, false);
            }
            if self.stopped {
                return 0;
            }
            most = most.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        if most > floor {
            low = low.max(most);
        }
        if most < beta {
            high = high.min(most);
        }
        self.table[slot] = Entry { own, opp, low: low as i8, high: high as i8 };
        most
    }

    /// Few empty cells: odd regions first, nothing else.
    fn shallow(&mut self, own: u64, opp: u64, moves: u64, mut alpha: i32, beta: i32) -> i32 {
        let odd = odd_quarters(!(own | opp));
        let mut most = -MOST;
        for mut rest in [moves & odd, moves & !odd] {
            while rest != 0 {
                let cell = rest & rest.wrapping_neg();
                rest ^= cell;
                let turned = flips(own, opp, cell);
                let value =
                    -self.best(opp ^ turned, own | turned | cell, -beta, -alpha.max(most), false);
                most = most.max(value);
                if most >= beta {
                    return most;
                }
                alpha = alpha.max(most);
            }
        }
        most
    }
}

/// The quarters with an odd number of empty cells.
fn odd_quarters(empty: u64) -> u64 {
    let odd = |quarter: &u64| (empty & quarter).count_ones() % 2 == 1;
    QUARTERS.iter().filter(|quarter| odd(quarter)).fold(0, |all, quarter| all | quarter)
}

#[cfg(test)]
mod tests {
    use ludens_core::{Game, Rng};

    use super::*;

    /// A position of random play with `empty` empty cells.
    fn random(rng: &mut Rng, empty: u32) -> Othello {
        loop {
            let mut position = Othello::default();
            while (position.own | position.opp).count_zeros() > empty {
                match position.step(rng) {
                    Some((_, next, _)) => position = next,
                    None => break,
                }
            }
            if !position.is_over() {
                return position;
            }
        }
    }

    /// The difference by the rules and by trying everything.
    fn plain(position: &Othello) -> i32 {
        if position.is_over() {
            return position.own.count_ones() as i32 - position.opp.count_ones() as i32;
        }
        position.actions().map(|action| -plain(&position.apply(action).0)).max().expect("moves")
    }

    #[test]
    fn ends_are_as_by_trying_everything() {
        let mut rng = Rng::new(6);
        for game in 0..120 {
            let position = random(&mut rng, 3 + game % 7);
            for memory in [0, 1 << 16] {
                let mut search = Endgame::new(memory, &|_| false);
                assert_eq!(search.difference(&position, None), Some(plain(&position)));
                for action in position.actions() {
                    let expected = -plain(&position.apply(action).0);
                    assert_eq!(search.difference(&position, Some(action)), Some(expected));
                }
            }
        }
    }

    #[test]
    fn the_best_move_is_worth_the_position() {
        let mut rng = Rng::new(8);
        for _ in 0..10 {
            let position = random(&mut rng, 12);
            let mut search = Endgame::new(1 << 20, &|_| false);
            let all =
                position.actions().filter_map(|a| search.difference(&position, Some(a))).max();
            assert_eq!(Endgame::new(1 << 20, &|_| false).difference(&position, None), all);
        }
    }

    #[test]
    fn it_can_be_stopped() {
        let position = Othello::default();
        let mut search = Endgame::new(1 << 16, &|_| true);
        assert_eq!(search.difference(&position, None), None);
        assert!(search.nodes() < 20_000);
    }
}
