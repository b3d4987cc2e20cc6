//! Former as networks see it.

use ludens_core::Game;
use ludens_games::Former;
use ludens_games::former::FormerVariant;

use crate::encoder::{Encoder, NOBODY};

/// One plane per shape and one for empty cells, as Urheim (2025, 5.3.1) has it. A policy has one
/// output per cell; those of a group count together. A value is the number of moves left.
///
/// ```
/// use ludens_core::Notation;
/// use ludens_games::former::{Former, FormerVariant};
/// use ludens_nn::{Encoder, FormerCells};
/// let variant = FormerVariant::new(2, 2, 2).unwrap();
/// let board = Former::parse(&variant, ".1/01").unwrap();
/// let mut planes = [0.0; 12];
/// FormerCells.encode(&board, &mut planes);
/// assert_eq!(planes, [0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct FormerCells;

impl Encoder<Former> for FormerCells {
    const NAME: &'static str = "former-cells 1";

    fn shape(variant: &FormerVariant) -> [usize; 3] {
        [variant.rows(), variant.cols(), variant.shapes() + 1].map(usize::from)
    }

    fn actions(variant: &FormerVariant) -> usize {
        variant.cells() as usize
    }

    fn encode(self, position: &Former, out: &mut [f32]) {
        let [rows, cols, planes] = Self::shape(&position.variant());
        for (cell, out) in out.chunks_exact_mut(planes).enumerate() {
            let shape = position.shape_at(cell % cols, rows - 1 - cell / cols);
            out[shape.map_or(planes - 1, usize::from)] = 1.0;
        }
    }

    fn owners(self, position: &Former, out: &mut [u16]) {
        let [rows, cols, _] = Self::shape(&position.variant());
        out.fill(NOBODY);
        for (index, action) in position.actions().enumerate() {
            let mut group = position.group_of(action.0);
            while group != 0 {
                let cell = group.trailing_zeros() as usize;
                // Cells are numbered column by column from the bottom.
                let (column, row) = (cell / rows, cell % rows);
                out[(rows - 1 - row) * cols + column] = index as u16;
                group &= group - 1;
            }
        }
    }

    fn value(self, _: &Former, output: f32) -> f32 {
        -output
    }

    fn target(self, _: &Former, rewards: f32) -> f32 {
        -rewards
    }
}

#[cfg(test)]
mod tests {
    use ludens_core::Rng;

    use super::*;

    /// Every cell belongs to the group that removing it by the rules removes.
    #[test]
    fn owners_are_the_groups() {
        let mut rng = Rng::new(3);
        for _ in 0..200 {
            let variant = FormerVariant::new(5, 4, 3).unwrap();
            let mut board = Former::start(&variant, &mut rng);
            while let Some((_, next, _)) = board.step(&mut rng) {
                let mut owners = [0; 20];
                FormerCells.owners(&board, &mut owners);
                let actions: Vec<_> = board.actions().collect();
                for (cell, &owner) in owners.iter().enumerate() {
                    let (column, row) = (cell % 4, 4 - cell / 4);
                    match board.shape_at(column, row) {
                        None => assert_eq!(owner, NOBODY),
                        Some(_) => {
                            let group = board.group_of(actions[usize::from(owner)].0);
                            assert_ne!(group >> (column * 5 + row) & 1, 0);
                        }
                    }
                }
                board = next;
            }
        }
    }

    /// The chances of single cells add up to those of their groups, and each stands for its group.
    #[test]
    fn chances_of_cells_are_those_of_groups() {
        use std::sync::Arc;

        use ludens_core::{Evals, Evaluator};

        use crate::{EachOutput, NetEvaluator, Network, Spec, Weights};

        let (mut rng, variant) = (Rng::new(5), FormerVariant::new(5, 4, 3).unwrap());
        let spec = Spec::actor_critic(5, 4, 4, 8, 2);
        let network = Arc::new(Network::new(&Weights::random(spec, &mut rng)));
        let mut groups = NetEvaluator::new(Arc::clone(&network), FormerCells, &variant).unwrap();
        let mut cells = NetEvaluator::new(network, EachOutput(FormerCells), &variant).unwrap();
        let (mut by_group, mut by_cell) = (Evals::default(), Evals::default());
        let mut board = Former::start(&variant, &mut rng);
        while let Some((_, next, _)) = board.step(&mut rng) {
            groups.evaluate(&[board], &mut by_group);
            cells.evaluate(&[board], &mut by_cell);
            let occupied = (0..20).filter(|&i| board.shape_at(i % 4, i / 4).is_some()).count();
            assert_eq!(by_cell.priors(0).len(), occupied);
            let mut sums = vec![0.0; board.actions().len()];
            for (choice, chance) in by_cell.priors(0).iter().enumerate() {
                sums[EachOutput(FormerCells).action_of(&board, choice)] += chance;
            }
            for (sum, chance) in sums.iter().zip(by_group.priors(0)) {
                assert!((sum - chance).abs() < 1e-5, "{sum} {chance}");
            }
            board = next;
        }
    }
}
