//! A guess of the points still to come, from the groups on the board.
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
use super::weights::{BIAS, BLOCKS_TO_HIDDEN, FROM_HIDDEN, LINEAR, TO_HIDDEN};
use super::{Group, SameGame};

/// How many hidden units the network has.
pub const HIDDEN: usize = 16;

/// The numbers of blocks that there are weights of the sum for.
pub const KNOTS: [f32; 4] = [0.0, 50.0, 120.0, 225.0];

/// The most blocks of a board, and one.
const COUNTS: usize = 257;

/// What an evaluation has learned, in points.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights {
    /// Points per unit of each feature, for each of the [`KNOTS`].
    pub linear: [[f32; FEATURES]; 4],
    /// What each feature adds to each hidden unit.
    pub to_hidden: [[f32; HIDDEN]; FEATURES],
    /// What a hundred blocks add to each hidden unit.
    pub blocks_to_hidden: [f32; HIDDEN],
    /// What each hidden unit has without anything.
    pub bias: [f32; HIDDEN],
    /// Points per unit of each hidden unit above 0.
    pub from_hidden: [f32; HIDDEN],
}

impl Weights {
    /// The weights of the sum for a number of blocks: in proportion between the
    /// nearest knots, the lower of which is returned with the share of the upper.
    pub fn knots(blocks: f32) -> (usize, f32) {
        let last = KNOTS.len() - 1;
        let above = KNOTS.iter().position(|&knot| knot > blocks).unwrap_or(last).max(1);
        let share = (blocks - KNOTS[above - 1]) / (KNOTS[above] - KNOTS[above - 1]);
        (above - 1, share.min(1.0))
    }

    fn between_knots(&self, blocks: f32) -> [f32; FEATURES] {
        let (below, share) = Weights::knots(blocks);
        let (low, high) = (&self.linear[below], &self.linear[below + 1]);
        std::array::from_fn(|i| (1.0 - share) * low[i] + share * high[i])
    }
}

/// Weights in the form that is computed with.
#[derive(Debug, PartialEq)]
pub struct Prepared {
    weights: Weights,
    /// The weights of the features for every number of blocks.
    by_blocks: Vec<[f32; FEATURES]>,
}

impl From<Weights> for Prepared {
    fn from(weights: Weights) -> Self {
        let by_blocks = (0..COUNTS).map(|blocks| weights.between_knots(blocks as f32)).collect();
        Prepared { weights, by_blocks }
    }
}

/// The weights of `weights.rs`.
static LEARNED: LazyLock<Prepared> = LazyLock::new(|| {
    Prepared::from(Weights {
        linear: LINEAR,
        to_hidden: TO_HIDDEN,
        blocks_to_hidden: BLOCKS_TO_HIDDEN,
        bias: BIAS,
        from_hidden: FROM_HIDDEN,
    })
});

/// The value of a position when one colour is spared.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Evaluation {
    /// The spared colour, from 0.
    pub spared: u8,
    /// What it has learned.
    pub weights: &'static Prepared,
}

impl Evaluation {
    /// The evaluation that spares a colour, from 0.
    pub fn sparing(spared: u8) -> Self {
        Evaluation { spared, weights: &LEARNED }
    }

    /// The evaluation of games from a position: the most frequent colour is
    /// spared, the first of equals.
    pub fn of(position: &SameGame) -> Self {
        let counts = position.colour_counts();
        let frequent = (0..MAX_COLOURS).rev().max_by_key(|&c| counts[usize::from(c)]);
        Evaluation::sparing(frequent.unwrap_or(0))
    }
}

impl Heuristic<SameGame> for Evaluation {
    #[inline]
    fn value(&self, position: &SameGame) -> f32 {
        let (features, blocks) = measure(position, self.spared + 1);
        let Prepared { weights: network, by_blocks } = self.weights;
        let weights = &by_blocks[blocks as usize];
        // Eight sums side by side, which the compiler makes vectors of.
        let mut sums = [0.0; 8];
        for (weights, features) in weights.chunks_exact(8).zip(features.chunks_exact(8)) {
            for (sum, (weight, feature)) in sums.iter_mut().zip(weights.iter().zip(features)) {
                *sum += weight * feature;
            }
        }
        let hundreds = blocks as f32 / 100.0;
        let mut hidden: [f32; HIDDEN] = std::array::from_fn(|unit| {
            network.bias[unit] + network.blocks_to_hidden[unit] * hundreds
        });
        for (&feature, row) in features.iter().zip(&network.to_hidden) {
            // Late in a game most features are 0.
            if feature != 0.0 {
                hidden.iter_mut().zip(row).for_each(|(unit, weight)| *unit += weight * feature);
            }
        }
        let guess: f32 = hidden.iter().zip(&network.from_hidden).map(|(h, w)| h.max(0.0) * w).sum();
        sums.iter().sum::<f32>() + guess
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
        Evaluation::sparing(largest.1)
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
            assert_eq!(LEARNED.weights.between_knots(*knot), weights);
        }
        assert_eq!(LEARNED.by_blocks[256], LINEAR[3]);
        let half = LEARNED.by_blocks[25][1];
        assert!((half - (LINEAR[0][1] + LINEAR[1][1]) / 2.0).abs() < 1e-4);
    }

    #[test]
    fn better_positions_are_worth_more() {
        let variant = SameGameVariant::default();
        let value = |spared, text: &str| {
            let bottom = format!("{}{text}", ".............../".repeat(13));
            Evaluation::sparing(spared).value(&SameGame::parse(&variant, &bottom).unwrap())
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
