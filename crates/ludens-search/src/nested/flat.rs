//! Flat Monte Carlo: simulations from every child, then on to the best child.
//!
//! 1. Play `simulations` games from each child of the position at hand.
//! 2. Move to the child with the largest average (or the largest single score).
//! 3. Repeat until the game is over.
//!
//! Every simulation is a whole game, so the best of them all is the result: it
//! may be better than the line the moves led along. With SameGame's roulette
//! simulations this is MC-RWS.
//!
//! Limits: there is no memory beyond the next move; long games want nesting.
//!
//! References: Klein 2015, sections 3.1 and A.2.

use ludens_core::{Context, Reward, Rng, Rollout, SoloPuzzle, Solution, Solver};

use super::frame::{Pass, Run, list_children, repeat, simulate};

/// Which child is the best one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Pick {
    /// The one with the largest average score.
    #[default]
    Average,
    /// The one with the largest single score.
    Best,
}

/// Flat Monte Carlo with a simulation policy.
#[derive(Clone, Copy, Debug)]
pub struct Flat<R> {
    /// How simulations are played.
    pub rollout: R,
    /// Simulations per child, at least 1.
    pub simulations: u32,
    /// Which child is played.
    pub pick: Pick,
}

impl<R> Flat<R> {
    /// Klein's form: to the child with the largest average.
    pub fn new(rollout: R, simulations: u32) -> Self {
        Flat { rollout, simulations, pick: Pick::Average }
    }
}

impl<G: SoloPuzzle, R: Rollout<G>> Pass<G> for Flat<R> {
    fn pass(&mut self, root: &G, rng: &mut Rng, run: &mut Run<'_, '_, G>) {
        let simulations = self.simulations.max(1);
        let (mut here, mut total) = (*root, 0);
        let mut line = Vec::new();
        let mut tail: Vec<G::Action> = Vec::new();
        let mut children: Vec<(G::Action, G, Reward)> = Vec::new();
        loop {
            list_children(&here, &mut children);
            if children.is_empty() {
                return run.offer(total, [&line, &[]]);
            }
            // 1. A score per child; sums compare like averages, for all children
            //    have the same number of simulations.
            let mut best: Option<(i64, usize)> = None;
            for (index, (action, child, reward)) in children.iter().enumerate() {
                let mut score = None;
                for _ in 0..simulations {
                    tail.clear();
                    tail.push(*action);
                    let value =
                        i64::from(*reward) + simulate(&mut self.rollout, child, rng, &mut tail);
                    run.offer(total + value, [&line, &tail]);
                    score = Some(match (self.pick, score) {
                        (_, None) => value,
                        (Pick::Average, Some(sum)) => sum + value,
                        (Pick::Best, Some(most)) => value.max(most),
                    });
                    if run.spend(tail.len() as u64) {
                        return;
                    }
                }
                // 2. The first of equals.
                if score > best.map(|(most, _)| most) {
                    best = score.map(|score| (score, index));
                }
            }
            let Some((_, index)) = best else { return };
            let (action, child, reward) = children[index];
            line.push(action);
            total += i64::from(reward);
            here = child;
        }
    }
}

impl<G: SoloPuzzle, R: Rollout<G> + Clone> Solver<G> for Flat<R> {
    fn solve(&mut self, position: &G, context: &mut Context<'_, G>) -> Option<Solution<G>> {
        repeat(self, position, context, "flat Monte Carlo")
    }
}
