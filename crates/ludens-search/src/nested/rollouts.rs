//! Simulation policies that suit every game.

use ludens_core::{Deterministic, Game, Reward, Rng, Rollout};

/// Uniformly random moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Uniform;

impl<G: Game> Rollout<G> for Uniform {
    #[inline]
    fn pick(&mut self, position: &G, rng: &mut Rng) -> Option<(G::Action, G::After, Reward)> {
        position.step(rng)
    }
}

/// Moves drawn in proportion to what they pay, plus one so that moves that pay
/// nothing are drawn too: the non-uniform sampling of HGSTS (Klein 2015, A.6).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Proportional;

impl<G: Game> Rollout<G> for Proportional {
    fn pick(&mut self, position: &G, rng: &mut Rng) -> Option<(G::Action, G::After, Reward)> {
        // One pass over the children: each replaces the one kept so far with the
        // probability of its share of the weight seen, which needs no list.
        let (mut total, mut kept) = (0.0, None);
        position.children(|action, after, reward| {
            let weight = f64::from(reward.max(0)) + 1.0;
            total += weight;
            if rng.unit() * total < weight {
                kept = Some((action, after, reward));
            }
        });
        kept
    }
}

/// Another policy's moves, but every `every`-th move is the one that pays most:
/// the look-ahead of HGSTS (Klein 2015, A.6, with `every` from 5 to 20).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LookAhead<R> {
    /// The policy of the other moves.
    pub rollout: R,
    /// Which moves look ahead; 0 for none.
    pub every: u32,
    moves: u32,
}

impl<R> LookAhead<R> {
    /// A look-ahead at every `every`-th move.
    pub fn new(rollout: R, every: u32) -> Self {
        LookAhead { rollout, every, moves: 0 }
    }
}

impl<G: Deterministic, R: Rollout<G>> Rollout<G> for LookAhead<R> {
    fn start(&mut self, position: &G, rng: &mut Rng) {
        self.moves = 0;
        self.rollout.start(position, rng);
    }

    fn pick(&mut self, position: &G, rng: &mut Rng) -> Option<(G::Action, G, Reward)> {
        self.moves += 1;
        if self.every == 0 || !self.moves.is_multiple_of(self.every) {
            return self.rollout.pick(position, rng);
        }
        let mut best: Option<(G::Action, G, Reward)> = None;
        position.children(|action, child, reward| {
            if best.is_none_or(|(.., most)| reward > most) {
                best = Some((action, child, reward));
            }
        });
        best
    }
}
