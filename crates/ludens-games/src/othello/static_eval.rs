//! The static evaluation: moves to choose from, corners, the cells beside them, open discs.

use ludens_core::StaticEval;

use super::lines::mobility;
use super::{Othello, Square};

const CORNERS: u64 = 0x8100_0000_0000_0081;
const LEFT: u64 = 0x0101_0101_0101_0101;
const RIGHT: u64 = LEFT << 7;

/// Corners with the cell diagonally inside and the two beside them along the edges.
const NEAR_CORNERS: [(u64, u64, u64); 4] = [
    (1, 1 << 9, 1 << 1 | 1 << 8),
    (1 << 7, 1 << 14, 1 << 6 | 1 << 15),
    (1 << 56, 1 << 49, 1 << 48 | 1 << 57),
    (1 << 63, 1 << 54, 1 << 55 | 1 << 62),
];

/// How good a cell usually is, row by row for a quarter of the board.
const CELLS: [[i32; 4]; 4] = [[90, -20, 12, 6], [-20, -45, -4, -4], [12, -4, 3, 2], [6, -4, 2, 1]];

/// All cells next to a set.
fn around(set: u64) -> u64 {
    let row = set | (set & !RIGHT) << 1 | (set & !LEFT) >> 1;
    (row | row << 8 | row >> 8) & !set
}

/// Discs on the edges that can never be turned: runs of one colour from a corner.
fn stable_edges(own: u64) -> u32 {
    let mut stable = own & CORNERS;
    for _ in 0..6 {
        let row = (stable & !RIGHT) << 1 | (stable & !LEFT) >> 1;
        let column = stable << 8 | stable >> 8;
        let along = row & 0xFF00_0000_0000_00FF | column & (LEFT | RIGHT);
        stable |= along & own;
    }
    stable.count_ones()
}

/// A difference of two counts as a share of both.
fn share(own: u32, opp: u32, weight: i32) -> i32 {
    weight * (own as i32 - opp as i32) / (own + opp + 2) as i32
}

impl StaticEval for Othello {
    fn static_eval(&self) -> i32 {
        let (own, opp) = (self.own, self.opp);
        let empty = !(own | opp);
        let (moves, replies) = (mobility(own, opp), mobility(opp, own));
        let mut value = share(moves.count_ones(), replies.count_ones(), 220);
        // Discs beside empty cells give the other side moves.
        let open = around(empty);
        value -= share((own & open).count_ones(), (opp & open).count_ones(), 160);
        value += 90 * (moves & CORNERS).count_ones() as i32;
        value -= 60 * (replies & CORNERS).count_ones() as i32;
        value += 70 * (stable_edges(own) as i32 - stable_edges(opp) as i32);
        for (corner, inside, beside) in NEAR_CORNERS {
            if empty & corner != 0 {
                let count = |cells: u64| {
                    (own & cells).count_ones() as i32 - (opp & cells).count_ones() as i32
                };
                value -= 45 * count(inside) + 15 * count(beside);
            }
        }
        // Near the end discs themselves begin to count.
        let left = empty.count_ones() as i32;
        if left < 16 {
            value += (16 - left) * (own.count_ones() as i32 - opp.count_ones() as i32) / 2;
        }
        value
    }

    fn hint(&self, action: Square) -> i32 {
        if action == Square::PASS {
            return 0;
        }
        let fold = |i: u8| usize::from(i.min(7 - i));
        CELLS[fold(action.0 / 8)][fold(action.0 % 8)]
    }
}

#[cfg(test)]
mod tests {
    use ludens_core::{Game, Rng, Sym, Symmetric};

    use super::*;

    #[test]
    fn it_does_not_depend_on_how_the_board_lies() {
        let mut rng = Rng::new(5);
        let mut position = Othello::default();
        while let Some((_, next, _)) = position.step(&mut rng) {
            for sym in 1..8 {
                assert_eq!(position.map(Sym(sym)).static_eval(), position.static_eval());
                for action in position.actions() {
                    let image = position.map(Sym(sym)).hint(position.map_action(action, Sym(sym)));
                    assert_eq!(image, position.hint(action));
                }
            }
            position = next;
        }
    }

    #[test]
    fn edges_from_a_corner_are_stable() {
        assert_eq!(stable_edges(0b0000_0111), 3);
        assert_eq!(stable_edges(0b0000_1110), 0);
        assert_eq!(stable_edges(LEFT | 0xFF), 15);
        assert_eq!(around(1), 1 << 1 | 1 << 8 | 1 << 9);
    }
}
