//! Monte Carlo tree search for games of one player, with swappable parts.
//!
//! A plain loop (select, expand, simulate, back up) grows a tree of positions.
//! What each step does exactly is data: [`Config`] names a selection rule, a
//! scale, a rule for duplicates, a schedule per move, a schedule of the
//! explorative factor and more; [`composition`] gives the configurations that
//! the thesis names. Simulations, knowledge of the game and a policy are types.
//!
//! Common to all, as in section 5.1 of the thesis: moves not yet tried come first
//! in random order (null preference, null randomness), and what has been tried
//! to the end is not visited again (solved nodes).
//!
//! Several threads grow independent trees and the best line wins (root
//! parallelisation, `runs.rs`).
//!
//! It is apart from [`tree`](crate::tree), which looks for the move with the best mean: here the
//! best line counts, nodes are keyed by position and keep distributions of scores, and parts such as
//! AMAF, fixed moves and beams change the tree from outside the loop.
//!
//! Limits: deterministic games of one player; nothing is shared between trees.
//!
//! References: S. Klein, *Attacking SameGame using Monte-Carlo Tree Search*
//! (2015), chapters 3 and 5 to 7, appendices A.1 and B; Urheim 2025,
//! section 4.2, for PUCT with a minimum of visits at the root.

mod backup;
mod compositions;
mod config;
mod expand;
mod layer;
mod narrow;
#[cfg(test)]
mod narrow_tests;
mod nested;
mod rollout;
mod runs;
mod schedule;
mod search;
mod select;
mod sets;
#[cfg(test)]
mod sets_tests;
#[cfg(test)]
mod tests;
mod tree;
mod tune;

use ludens_core::{
    Context, Knowledge, Policy, Rollout, SearchStatistics, SoloPuzzle, Solution, Solver,
};

pub use compositions::{composition, names};
pub use config::{
    Allocation, Amaf, Annealing, Block, Config, Duplicates, Narrowing, Nesting, Rule, Scale,
    Simulation, Urgency,
};
pub use rollout::{Sampled, Uniform};
pub use sets::Sets;
pub use tune::{Normal, Tuning, cross_entropy};

/// Monte Carlo tree search by a [`Config`], with rollouts `R`, knowledge of the
/// game `K` and a policy `P`.
#[derive(Clone, Debug, Default)]
pub struct Mcts<R = Uniform, K = (), P = ()> {
    config: Config,
    rollout: R,
    knowledge: K,
    policy: P,
    statistics: SearchStatistics,
}

impl Mcts {
    /// A search with uniformly random simulations that knows nothing of its game.
    pub fn new(config: Config) -> Self {
        Mcts { config, ..Mcts::default() }
    }
}

impl<R, K, P> Mcts<R, K, P> {
    /// The same search with other simulations.
    pub fn rollout<R2>(self, rollout: R2) -> Mcts<R2, K, P> {
        let Mcts { config, knowledge, policy, statistics, .. } = self;
        Mcts { config, rollout, knowledge, policy, statistics }
    }

    /// The same search with other knowledge.
    pub fn knowledge<K2>(self, knowledge: K2) -> Mcts<R, K2, P> {
        let Mcts { config, rollout, policy, statistics, .. } = self;
        Mcts { config, rollout, knowledge, policy, statistics }
    }

    /// The same search with another policy, for [`Rule::Puct`].
    pub fn policy<P2>(self, policy: P2) -> Mcts<R, K, P2> {
        let Mcts { config, rollout, knowledge, statistics, .. } = self;
        Mcts { config, rollout, knowledge, policy, statistics }
    }

    /// Figures of the last search.
    pub fn statistics(&self) -> &SearchStatistics {
        &self.statistics
    }
}

impl<G, R, K, P> Solver<G> for Mcts<R, K, P>
where
    G: SoloPuzzle,
    R: Rollout<G> + Clone,
    K: Knowledge<G> + Clone,
    P: Policy<G> + Clone,
{
    fn solve(&mut self, position: &G, context: &mut Context<'_, G>) -> Option<Solution<G>> {
        let (best, statistics) = runs::all(self, position, context);
        context.statistics = Some(statistics.clone());
        self.statistics = statistics;
        best
    }
}
