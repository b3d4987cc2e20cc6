//! Policies made from heuristics.

use ludens_core::{Deterministic, Game, Heuristic, Policy};

/// The policy that only plays a best child: the actions with the largest reward
/// plus heuristic value share all the probability, the others get none. The
/// deterministic policies of Urheim 2025, 5.2.
#[derive(Clone, Copy, Debug)]
pub struct BestChild<H>(pub H);

impl<G: Game + Deterministic, H: Heuristic<G>> Policy<G> for BestChild<H> {
    fn probabilities(&mut self, position: &G, out: &mut Vec<f32>) {
        position.children(|_, child, reward| out.push(reward as f32 + self.0.value(&child)));
        let best = out.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let count = out.iter().filter(|&&value| value == best).count();
        for value in out {
            *value = if *value == best { 1.0 / count as f32 } else { 0.0 };
        }
    }
}
