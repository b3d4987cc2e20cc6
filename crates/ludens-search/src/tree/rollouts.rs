//! Random games as an evaluator.

use ludens_core::{Deterministic, Duel, Evals, Evaluator, Rng};

/// Evaluates a position by the mean result of random games from there.
#[derive(Clone, Debug)]
pub struct Rollouts {
    /// Games per position.
    pub games: u32,
    /// Their randomness.
    pub rng: Rng,
}

impl<G: Duel + Deterministic> Evaluator<G> for Rollouts {
    fn evaluate(&mut self, batch: &[G], out: &mut Evals) {
        out.clear();
        for position in batch {
            let games = self.games.max(1);
            let total: i64 = (0..games).map(|_| position.playout(&mut self.rng).total).sum();
            out.push(Some(total as f32 / games as f32), &[]);
        }
    }
}
