//! A guess of what a position is still worth, from the groups on the board.
//!
//! Good games spare one colour and clear the rest around it, so that its blocks
//! end in one huge group, and leave nothing behind. The evaluation looks at the
//! spared colour and at the others apart. See `docs/algorithms/samegame-evaluation.md`.

use ludens_core::Heuristic;

use super::plane::{Bits, count};
use super::variant::MAX_COLOURS;
use super::{SameGame, board};

/// What each feature of a position counts, in points. "Pieces" are groups of at
/// least two blocks and single blocks.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Weights {
    /// The squared number of blocks of the spared colour.
    pub spared: f32,
    /// The sum of the squared sizes of its pieces.
    pub spared_pieces: f32,
    /// Each of its pieces but one.
    pub spared_splits: f32,
    /// Each gap between the columns it is in.
    pub spared_gaps: f32,
    /// The squared number of blocks of each other colour.
    pub others: f32,
    /// What the groups of the other colours would pay now.
    pub potential: f32,
    /// Each of their groups.
    pub groups: f32,
    /// Each of their single blocks.
    pub singles: f32,
    /// Each of their single blocks, times the share of the board that is empty.
    pub late_singles: f32,
    /// Each gap between the columns that one of them is in.
    pub gaps: f32,
    /// Each block with no other of its colour in its own and the next columns.
    pub lonely: f32,
    /// The same, times the share of the board that is empty.
    pub late_lonely: f32,
    /// When a colour has only one block, so that the board cannot be cleared.
    pub stuck: f32,
}

impl Default for Weights {
    /// Set by hand.
    fn default() -> Self {
        Weights {
            spared: 0.6,
            spared_pieces: 0.3,
            spared_splits: -15.0,
            spared_gaps: -10.0,
            others: 0.1,
            potential: 1.0,
            groups: -3.0,
            singles: -10.0,
            late_singles: -20.0,
            gaps: -3.0,
            lonely: -15.0,
            late_lonely: -20.0,
            stuck: -300.0,
        }
    }
}

/// The weighted sum of a position's features.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Evaluation {
    /// The spared colour, from 0.
    pub spared: u8,
    /// What the features count.
    pub weights: Weights,
}

impl Evaluation {
    /// The evaluation of games from a position: the most frequent colour is
    /// spared, the first of equals.
    pub fn of(position: &SameGame) -> Self {
        let counts = position.colour_counts();
        let frequent = (0..MAX_COLOURS).rev().max_by_key(|&c| counts[usize::from(c)]);
        Evaluation { spared: frequent.unwrap_or(0), weights: Weights::default() }
    }
}

impl Heuristic<SameGame> for Evaluation {
    #[inline]
    fn value(&self, position: &SameGame) -> f32 {
        let w = &self.weights;
        let spared = usize::from(self.spared) + 1;
        let (mut in_groups, mut squares, mut groups) = ([0u32; 8], [0u32; 8], [0u32; 8]);
        let mut potential = 0;
        board::groups_but(position, 0, |cell, cells| {
            let code = usize::from(position.code(cell));
            let size = count(cells);
            in_groups[code] += size;
            squares[code] += size * size;
            groups[code] += 1;
            if code != spared {
                potential += (size - 2) * (size - 2);
            }
        });
        let (mut value, mut blocks, mut singles, mut lonely) = (0.0, 0, 0, 0);
        let mut stuck = false;
        for code in 1..=usize::from(position.variant.colours()) {
            let cells = position.of_code(code as u8);
            let n = count(&cells);
            if n == 0 {
                continue;
            }
            let single = n - in_groups[code];
            let (gaps, alone) = columns(&cells);
            blocks += n;
            lonely += alone;
            stuck |= n == 1;
            if code == spared {
                value += w.spared * (n * n) as f32
                    + w.spared_pieces * (squares[code] + single) as f32
                    + w.spared_splits * (groups[code] + single - 1) as f32
                    + w.spared_gaps * gaps as f32;
            } else {
                singles += single;
                value += w.others * (n * n) as f32
                    + w.groups * groups[code] as f32
                    + w.gaps * gaps as f32;
            }
        }
        let cells = u32::from(position.variant.rows()) * u32::from(position.variant.cols());
        let empty = 1.0 - blocks as f32 / cells as f32;
        value
            + w.potential * potential as f32
            + (w.singles + w.late_singles * empty) * singles as f32
            + (w.lonely + w.late_lonely * empty) * lonely as f32
            + if stuck { w.stuck } else { 0.0 }
    }
}

/// How many gaps there are between the columns of some cells, and how many of the
/// cells have none of the others in their own column or the ones beside it.
#[inline(always)]
fn columns(cells: &Bits) -> (u32, u32) {
    let (mut any, mut several) = (0u32, 0u32);
    for (i, &word) in cells.iter().enumerate() {
        for j in 0..4 {
            let column = word >> (16 * j) & 0xFFFF;
            any |= u32::from(column != 0) << (4 * i + j);
            several |= u32::from(column & column.wrapping_sub(1) != 0) << (4 * i + j);
        }
    }
    let gaps = (any & !(any << 1)).count_ones().saturating_sub(1);
    let alone = (any & !several & !(any << 1) & !(any >> 1)).count_ones();
    (gaps, alone)
}

#[cfg(test)]
mod tests {
    use ludens_core::Notation;

    use super::*;
    use crate::samegame::{SameGameVariant, Scoring};

    const NONE: Weights = Weights {
        spared: 0.0,
        spared_pieces: 0.0,
        spared_splits: 0.0,
        spared_gaps: 0.0,
        others: 0.0,
        potential: 0.0,
        groups: 0.0,
        singles: 0.0,
        late_singles: 0.0,
        gaps: 0.0,
        lonely: 0.0,
        late_lonely: 0.0,
        stuck: 0.0,
    };

    #[test]
    fn features_of_a_board_counted_by_hand() {
        let variant = SameGameVariant::new(3, 4, 4, Scoring::Bubble).unwrap();
        // Colour 0: pieces of 2 and 1 with a gap; colour 1: a group of 3 and a
        // single block; colour 2: two single blocks.
        let position = SameGame::parse(&variant, "01../01.1/2120").unwrap();
        let evaluation = Evaluation::of(&position);
        assert_eq!(evaluation.spared, 1);
        let value = |weights| Evaluation { spared: 0, weights }.value(&position);
        assert_eq!(value(Weights { spared: 1.0, ..NONE }), 9.0);
        assert_eq!(value(Weights { spared_pieces: 1.0, ..NONE }), 5.0);
        assert_eq!(value(Weights { spared_splits: 1.0, ..NONE }), 1.0);
        assert_eq!(value(Weights { spared_gaps: 1.0, ..NONE }), 1.0);
        assert_eq!(value(Weights { others: 1.0, ..NONE }), 16.0 + 4.0);
        assert_eq!(value(Weights { potential: 1.0, ..NONE }), 1.0);
        assert_eq!(value(Weights { groups: 1.0, ..NONE }), 1.0);
        assert_eq!(value(Weights { singles: 1.0, ..NONE }), 3.0);
        assert_eq!(value(Weights { gaps: 1.0, ..NONE }), 2.0);
        // The 0 and the 1 at the right, and both 2s.
        assert_eq!(value(Weights { lonely: 1.0, ..NONE }), 4.0);
        assert_eq!(value(Weights { late_singles: 4.0, ..NONE }), 3.0);
        assert_eq!(value(Weights { stuck: 1.0, ..NONE }), 0.0);
    }
}
