//! The static evaluation: cells that would complete four, on which rows, and the middle.

use ludens_core::{Game, Player, StaticEval};

use super::threats::completing;
use super::{BOTTOM, Column, ConnectFour, STRIDE};

/// Lines of four through each cell, column by column from the left, lowest cell first.
const LINES: [[u8; 6]; 7] = [
    [3, 4, 5, 5, 4, 3],
    [4, 6, 8, 8, 6, 4],
    [5, 8, 11, 11, 8, 5],
    [7, 10, 13, 13, 10, 7],
    [5, 8, 11, 11, 8, 5],
    [4, 6, 8, 8, 6, 4],
    [3, 4, 5, 5, 4, 3],
];

/// The cells by the bits of the number of their lines, so that a few counts sum them up.
const LINE_BITS: [u64; 4] = {
    let mut bits = [0; 4];
    let mut cell = 0;
    while cell < 42 {
        let (column, row) = (cell / 6, cell % 6);
        let mut bit = 0;
        while bit < 4 {
            let set = LINES[column][row] >> bit & 1;
            bits[bit] |= (set as u64) << (column as u32 * STRIDE + row as u32);
            bit += 1;
        }
        cell += 1;
    }
    bits
};

/// Rows 1, 3 and 5 from the bottom: where the first player's threats count, as both fill
/// up all other cells in turn.
const ODD_ROWS: u64 = BOTTOM | BOTTOM << 2 | BOTTOM << 4;

/// What the stones of one side speak for.
fn side(stones: u64, all: u64, player: Player) -> i32 {
    let lines: u32 =
        LINE_BITS.iter().zip(0..).map(|(set, bit)| (stones & set).count_ones() << bit).sum();
    let threats = completing(stones, all);
    let good = match player {
        Player::One => threats & ODD_ROWS,
        Player::Two => threats & !ODD_ROWS,
    };
    2 * lines as i32 + 40 * threats.count_ones() as i32 + 80 * good.count_ones() as i32
}

impl StaticEval for ConnectFour {
    fn static_eval(&self) -> i32 {
        let (own, other, mover) = (self.own, self.other(), self.to_move());
        let open = ConnectFour::open_cells(self.all);
        if completing(own, self.all) & open != 0 {
            return 5000;
        }
        // Two threats at once cannot both be answered; one must be.
        let forced = completing(other, self.all) & open;
        if forced.count_ones() > 1 {
            return -4000;
        }
        side(own, self.all, mover) - side(other, self.all, mover.opponent())
    }

    fn hint(&self, Column(column): Column) -> i32 {
        3 - (i32::from(column) - 3).abs()
    }
}

#[cfg(test)]
mod tests {
    use ludens_core::Notation;

    use super::*;

    #[test]
    fn lines_are_counted_right() {
        // Two stones in the middle column above each other: 7 and 10 lines.
        let position = ConnectFour::parse(&Default::default(), "4").unwrap();
        assert_eq!(position.static_eval(), -14);
        let total: u32 = LINES.iter().flatten().map(|&lines| u32::from(lines)).sum();
        assert_eq!(total, 69 * 4, "there are 69 lines");
    }

    #[test]
    fn threats_decide() {
        let of =
            |moves: &str| ConnectFour::parse(&Default::default(), moves).unwrap().static_eval();
        assert_eq!(of("112233"), 5000);
        assert_eq!(of("22334"), -4000, "both ends are open");
        assert!(of("11223") < 0 && of("11223") > -1000, "one end can be closed");
    }
}
