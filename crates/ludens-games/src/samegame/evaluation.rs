//! A guess of what a position is still worth, from the groups on the board.
//!
//! Good games spare one colour and clear the rest around it, so that its blocks
//! end in one huge group, and leave nothing behind. The evaluation looks at the
//! spared colour and at the others apart: a weighted sum of the features, with
//! weights that depend on the number of blocks, and a small network for what
//! features mean together. See `docs/algorithms/samegame-evaluation.md`.

use std::sync::LazyLock;

use ludens_core::{Adviser, Game, Heuristic, Staged};

use super::features::{FEATURES, measure};
use super::variant::MAX_COLOURS;
use super::weights::{BIAS, BLOCKS_TO_HIDDEN, FROM_HIDDEN, HIDDEN, KNOTS, LINEAR, TO_HIDDEN};
use super::{Group, SameGame};

/// The most blocks of a board, and one.
const COUNTS: usize = 257;

/// The weights of the features for every number of blocks.
static BY_BLOCKS: LazyLock<Vec<[f32; FEATURES]>> =
    LazyLock::new(|| (0..COUNTS).map(|blocks| between_knots(blocks as f32)).collect());

/// The weights for a number of blocks, in proportion between the nearest knots.
fn between_knots(blocks: f32) -> [f32; FEATURES] {
    let last = KNOTS.len() - 1;
    let above = KNOTS.iter().position(|&knot| knot > blocks).unwrap_or(last).max(1);
    let share = (blocks - KNOTS[above - 1]) / (KNOTS[above] - KNOTS[above - 1]);
    let share = share.min(1.0);
    std::array::from_fn(|i| (1.0 - share) * LINEAR[above - 1][i] + share * LINEAR[above][i])
}

/// What a position is worth when one colour is spared.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Evaluation {
    /// The spared colour, from 0.
    pub spared: u8,
}

impl Evaluation {
    /// The evaluation of games from a position: the most frequent colour is
    /// spared, the first of equals.
    pub fn of(position: &SameGame) -> Self {
        let counts = position.colour_counts();
        let frequent = (0..MAX_COLOURS).rev().max_by_key(|&c| counts[usize::from(c)]);
        Evaluation { spared: frequent.unwrap_or(0) }
    }
}

impl Heuristic<SameGame> for Evaluation {
    #[inline]
    fn value(&self, position: &SameGame) -> f32 {
        let (features, blocks) = measure(position, self.spared + 1);
        let weights = &BY_BLOCKS[blocks as usize];
        // Eight sums side by side, which the compiler makes vectors of.
        let mut sums = [0.0; 8];
        for (weights, features) in weights.chunks_exact(8).zip(features.chunks_exact(8)) {
            for (sum, (weight, feature)) in sums.iter_mut().zip(weights.iter().zip(features)) {
                *sum += weight * feature;
            }
        }
        let hundreds = blocks as f32 / 100.0;
        let mut hidden: [f32; HIDDEN] =
            std::array::from_fn(|unit| BIAS[unit] + BLOCKS_TO_HIDDEN[unit] * hundreds);
        for (&feature, row) in features.iter().zip(&TO_HIDDEN) {
            // Late in a game most features are 0.
            if feature != 0.0 {
                hidden.iter_mut().zip(row).for_each(|(unit, weight)| *unit += weight * feature);
            }
        }
        let network: f32 = hidden.iter().zip(&FROM_HIDDEN).map(|(h, w)| h.max(0.0) * w).sum();
        sums.iter().sum::<f32>() + network
    }
}

/// Spares the colour of the largest group that a line removes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SpareLargest;

impl Adviser<SameGame> for SpareLargest {
    type Heuristic = Evaluation;

    fn advise(&self, start: &SameGame, line: &[Group]) -> Evaluation {
        let mut here = *start;
        let mut largest = (0, Evaluation::of(start).spared);
        for &group in line {
            let size = here.group_size(group);
            if size > largest.0
                && let Some(colour) = here.colour_at(group.column(), group.row())
            {
                largest = (size, colour);
            }
            here = here.apply(group).0;
        }
        Evaluation { spared: largest.1 }
    }
}

/// The number of blocks.
impl Staged for SameGame {
    fn stage(&self) -> usize {
        self.blocks() as usize
    }
}

#[cfg(test)]
mod tests {
    use ludens_core::Notation;

    use super::*;
    use crate::samegame::SameGameVariant;

    #[test]
    fn weights_go_from_knot_to_knot() {
        for (knot, weights) in KNOTS.iter().zip(LINEAR) {
            assert_eq!(between_knots(*knot), weights);
        }
        assert_eq!(between_knots(256.0), LINEAR[3]);
        let half = between_knots(25.0)[1];
        assert!((half - (LINEAR[0][1] + LINEAR[1][1]) / 2.0).abs() < 1e-4);
    }

    #[test]
    fn better_positions_are_worth_more() {
        let variant = SameGameVariant::default();
        let value = |spared, text: &str| {
            let bottom = format!("{}{text}", ".............../".repeat(13));
            Evaluation { spared }.value(&SameGame::parse(&variant, &bottom).unwrap())
        };
        // One group rather than two and a single block between them.
        let whole = value(0, "00000..11....../000001122......");
        let torn = value(0, "00200..1......./020001112......");
        assert!(whole > torn, "{whole} {torn}");
    }

    #[test]
    fn the_colour_of_the_largest_group_is_spared() {
        let variant = SameGameVariant::default();
        let text = format!("{}001............/001112222222222", ".............../".repeat(13));
        let start = SameGame::parse(&variant, &text).unwrap();
        let first = start.actions().find(|&g| start.group_size(g) == 4).unwrap();
        assert_eq!(SpareLargest.advise(&start, &[first]).spared, 0);
        assert_eq!(SpareLargest.advise(&start, &[]).spared, Evaluation::of(&start).spared);
    }
}
