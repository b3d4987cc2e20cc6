//! Simulations that need no knowledge of the game.

use ludens_core::{Game, Policy, Reward, Rng, Rollout};

/// Uniformly random moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Uniform;

impl<G: Game> Rollout<G> for Uniform {
    fn pick(&mut self, position: &G, rng: &mut Rng) -> Option<(G::Action, G::After, Reward)> {
        position.step(rng)
    }
}

/// Moves drawn with the probabilities of a policy.
#[derive(Clone, Debug, Default)]
pub struct Sampled<P> {
    policy: P,
    probabilities: Vec<f32>,
}

impl<P> Sampled<P> {
    /// Simulations by a policy.
    pub fn new(policy: P) -> Self {
        Sampled { policy, probabilities: Vec::new() }
    }
}

impl<G: Game, P: Policy<G>> Rollout<G> for Sampled<P> {
    fn pick(&mut self, position: &G, rng: &mut Rng) -> Option<(G::Action, G::After, Reward)> {
        let mut actions = position.actions();
        let count = actions.len();
        if count == 0 {
            return None;
        }
        self.probabilities.clear();
        self.policy.probabilities(position, &mut self.probabilities);
        let index = draw(self.probabilities.iter().copied(), rng).unwrap_or(0);
        let action = actions.nth(index.min(count - 1))?;
        let (after, reward) = position.apply(action);
        Some((action, after, reward))
    }
}

/// Draws an index with the given weights; the last positive one where rounding
/// leaves a rest, `None` when no weight is positive.
pub(super) fn draw(weights: impl Iterator<Item = f32> + Clone, rng: &mut Rng) -> Option<usize> {
    let total: f32 = weights.clone().sum();
    let mut left = rng.unit() as f32 * total;
    let mut last = None;
    for (index, weight) in weights.enumerate() {
        if weight > 0.0 {
            last = Some(index);
            left -= weight;
            if left < 0.0 {
                break;
            }
        }
    }
    last
}
