//! NMCTS: a search replaces a simulation.
//!
//! A new node is valued by a search of the level below from its position, with
//! a tree of its own and a number of iterations; the best line of that search is the
//! simulation. At the lowest level simulations are simulations, so a search of
//! level 1 is the ordinary one.
//!
//! Where the lower search has tried everything, its node is solved.
//!
//! References: S. Klein, *Attacking SameGame using Monte-Carlo Tree Search*
//! (2015), section A.3; H. Baier and M. Winands, "Nested Monte-Carlo tree search
//! for online planning in large MDPs", 2012.

use ludens_core::{Knowledge, Policy, Rng, Rollout, SoloPuzzle};

use super::config::{Allocation, Config, Nesting};
use super::schedule::Meter;
use super::search::{Parts, Search};

impl<G: SoloPuzzle, R: Rollout<G>, K: Knowledge<G>, P: Policy<G>> Search<'_, G, R, K, P> {
    /// Searches from a position reached with a score, adds the best line to the
    /// iteration's and returns its end, what it pays, and whether it is the best
    /// there is.
    pub(super) fn simulate_by_search(&mut self, position: G, score: i64) -> (G, i64, bool) {
        let (tree, lower) = self.lower.split_first_mut().expect("only asked with trees below");
        let Nesting { level, iterations } = self.config.nesting;
        // Schedules over moves and beams are for the search as a whole.
        let config = Config {
            nesting: Nesting { level: level - 1, iterations },
            allocation: Allocation::Whole,
            narrowing: None,
            ..*self.config
        };
        let parts = Parts {
            config: &config,
            rollout: &mut *self.rollout,
            knowledge: self.knowledge,
            policy: &mut *self.policy,
            tree,
            lower,
            before: self.before + score,
            meter: Meter::new(self.meter.limits, self.meter.within(iterations)),
            rng: Rng::new(self.rng.next_u64()),
            memory: self.memory,
        };
        let mut search = Search::new(parts, &position);
        search.run(&mut |_| {});
        let games = &search.statistics;
        self.statistics.games += games.games;
        self.statistics.game_lengths += games.game_lengths + games.games * self.line.len() as u64;
        self.meter.absorb(&search.meter);
        let solved = search.is_proven();
        let total = search.best.expect("the first iteration plays a game");
        self.line.extend_from_slice(&search.best_line);
        let end = search.best_line.iter().fold(position, |here, &action| here.apply(action).0);
        (end, total, solved)
    }
}
