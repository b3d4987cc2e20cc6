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
//! Where moves can be drawn in several ways, such as sparing one colour or another,
//! short runs come first, and the way that did best is taken. Threads make runs of
//! their own.
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

use crate::team::{BestLine, ThreadBudget, lock, together};
use chain::Chain;
pub use chain::Changes;

/// Trials between two looks at the clock: well below a millisecond.
const STRIDE: u32 = 64;
/// The part of the budget for the choice between ways to play.
const CHOICE: f64 = 0.15;
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

/// What one thread works with.
struct Worker<'a, 's, 'b, 'c, G: Orders> {
    rng: Rng,
    budget: ThreadBudget<'a>,
    nodes: u64,
    best: i64,
    shared: &'s Mutex<BestLine<'b, 'c, G>>,
}

impl<G: Orders> Worker<'_, '_, '_, '_, G> {
    /// One run over a part of the budget; the best value on its way, or `None` when
    /// the whole search is to stop.
    fn run(&mut self, anneal: &Anneal, start: G::Trace, scale: f64, part: [f64; 2]) -> Option<i64> {
        let mut chain = Chain::<G>::new(start, &mut self.rng);
        self.nodes += chain.marks().len() as u64;
        let (mut most, mut temperature, mut left) = (i64::MIN, 0.0, 0);
        loop {
            most = most.max(chain.value());
            if chain.value() > self.best {
                self.best = chain.value();
                let line = line_of::<G>(start, chain.marks());
                let solution = Solution { line, value: self.best, bound: None, nodes: self.nodes };
                lock(self.shared).offer(&solution, "annealing");
            }
            if left == 0 {
                if self.budget.is_spent(self.nodes) {
                    return None;
                }
                let done = (self.budget.used(self.nodes) - part[0]) / (part[1] - part[0]);
                if done >= 1.0 {
                    return Some(most);
                }
                temperature = scale * anneal.hot * (anneal.cold / anneal.hot).powf(done.max(0.0));
                left = STRIDE;
            }
            left -= 1;
            // 1 - u is above 0, so the logarithm is finite.
            let slack = -temperature * (1.0 - self.rng.unit()).ln();
            self.nodes += chain.trial(&anneal.changes, slack, &mut self.rng);
        }
    }

    /// All runs of a thread.
    fn runs(&mut self, anneal: &Anneal, position: &G) -> Option<()> {
        let (scale, ways) = (position.scale(), position.ways());
        let (mut choice, mut from) = ((i64::MIN, 0), 0.0);
        if ways > 1 {
            for way in 0..ways {
                let to = from + CHOICE / f64::from(ways);
                let value = self.run(anneal, position.trace(way), scale, [from, to])?;
                if value > choice.0 {
                    choice = (value, way);
                }
                from = to;
            }
        }
        let length = (1.0 - from) / f64::from(anneal.runs.max(1));
        for run in 0..anneal.runs.max(1) {
            let begin = from + f64::from(run) * length;
            self.run(anneal, position.trace(choice.1), scale, [begin, begin + length])?;
        }
        Some(())
    }
}

impl<G: Orders> Solver<G> for Anneal {
    fn solve(&mut self, position: &G, context: &mut Context<'_, G>) -> Option<Solution<G>> {
        if position.is_over() {
            return Some(Solution { line: Vec::new(), value: 0, bound: Some(0), nodes: 0 });
        }
        let budget = context.limits.budget();
        let unlimited = budget.time.is_none() && budget.positions().is_none();
        together(context, |seed, mut budget, shared| {
            if unlimited {
                budget.nodes = Some(NODES_WITHOUT_LIMIT);
            }
            let rng = Rng::new(seed);
            let mut worker = Worker { rng, budget, nodes: 0, best: i64::MIN, shared };
            worker.runs(self, position);
            worker.nodes
        })
    }
}
