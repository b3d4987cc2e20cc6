//! Simulated annealing over orders of moves.
//!
//! 1. A line is an order of *marks* ([`Orders`]): names of moves that mean the same
//!    after any change before them.
//! 2. A trial puts a random move somewhere, takes one out, or moves one elsewhere.
//!    The rest of the line is followed as far as it can be, from the first change
//!    on, and random moves finish the game. Where the new line meets a position of
//!    the old one, the rest is the same and is not played again.
//! 3. A change that makes the line worse by `d` is kept with the probability
//!    `e^(-d / t)`. The temperature `t` falls from `hot` to `cold` over a run.
//!
//! Threads make runs of their own.
//!
//! Limits: nothing is proven; a run needs some hundred thousand trials before it
//! is worth more than a good random game.
//!
//! References: S. Kirkpatrick, C. Gelatt and M. Vecchi, "Optimization by simulated
//! annealing", 1983.

mod chain;
#[cfg(test)]
mod tests;

use std::sync::Mutex;

use ludens_core::{Context, Orders, Rng, Solution, Solver};

use crate::team::{Purse, Shared, lock, together};
use chain::Chain;
pub use chain::Changes;

/// Trials between two looks at the clock: well below a millisecond.
const STRIDE: u32 = 64;
/// Nodes when nothing limits the search.
const NODES_WITHOUT_LIMIT: u64 = 20_000_000;

/// Simulated annealing over orders of moves.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Anneal {
    /// How lines are changed.
    pub changes: Changes,
    /// The first temperature, in units of the game's [`Orders::scale`].
    pub hot: f64,
    /// The last one.
    pub cold: f64,
    /// Runs of each thread, one after another.
    pub runs: u32,
}

impl Default for Anneal {
    fn default() -> Self {
        Anneal { changes: Changes::default(), hot: 0.7, cold: 0.12, runs: 1 }
    }
}

/// The line of an order of marks.
fn line_of<G: Orders>(start: G::Trace, marks: &[G::Mark]) -> Vec<G::Action> {
    let mut here = start;
    let mut line = Vec::with_capacity(marks.len());
    for &mark in marks {
        line.push(G::action(&here, mark));
        G::follow(&mut here, std::iter::once(mark), |_, _, _| true);
    }
    line
}

impl Anneal {
    /// One thread's runs; the nodes it made.
    fn work<G: Orders>(
        &self,
        position: &G,
        seed: u64,
        purse: Purse<'_>,
        shared: &Mutex<Shared<'_, '_, G>>,
    ) -> u64 {
        let mut rng = Rng::new(seed);
        let runs = self.runs.max(1);
        let hot = position.scale() * self.hot;
        let start = position.trace(0);
        let mut nodes = 0;
        let mut best = i64::MIN;
        for run in 0..runs {
            let mut chain = Chain::<G>::new(start, &mut rng);
            nodes += chain.marks().len() as u64;
            let (mut temperature, mut left) = (hot, 0);
            loop {
                if chain.value() > best {
                    best = chain.value();
                    let line = line_of::<G>(start, chain.marks());
                    let solution = Solution { line, value: best, bound: None, nodes };
                    lock(shared).offer(&solution, "annealing");
                }
                if left == 0 {
                    if purse.empty(nodes) {
                        return nodes;
                    }
                    let done = purse.gone(nodes) * f64::from(runs) - f64::from(run);
                    if done >= 1.0 {
                        break;
                    }
                    temperature = hot * (self.cold / self.hot).powf(done.max(0.0));
                    left = STRIDE;
                }
                left -= 1;
                // 1 - u is above 0, so the logarithm is finite.
                let slack = -temperature * (1.0 - rng.unit()).ln();
                nodes += chain.trial(&self.changes, slack, &mut rng);
            }
        }
        nodes
    }
}

impl<G: Orders> Solver<G> for Anneal {
    fn solve(&mut self, position: &G, context: &mut Context<'_, G>) -> Option<Solution<G>> {
        if position.is_over() {
            return Some(Solution { line: Vec::new(), value: 0, bound: Some(0), nodes: 0 });
        }
        let budget = context.limits.budget();
        let unlimited = budget.time.is_none() && budget.positions().is_none();
        together(context, |seed, mut purse, shared| {
            if unlimited {
                purse.nodes = Some(NODES_WITHOUT_LIMIT);
            }
            self.work(position, seed, purse, shared)
        })
    }
}
