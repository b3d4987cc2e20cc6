//! First good lines by any solver, then beams from positions along the best one.
//!
//! 1. The first solver makes a few lines within a share of the budget. Along each
//!    goes a round of beams: from positions close to the end, where a beam is
//!    cheap, back to the start. A beam that ends better replaces the rest of the line.
//! 2. Along the best line rounds follow one another, each with twice the width,
//!    until the budget is gone.
//!
//! Beams are by stages rather than by moves made: what they compare has come
//! equally far. The heuristic is made anew for each line, so it can follow what
//! the line does, such as the colour it spares.
//!
//! Threads do all that side by side; in step 2 all continue with the best line of all.
//!
//! Limits: a part of the line is only improved if the beam's heuristic thinks as
//! well of the better way as of the others; nothing is proven.
//!
//! References: the idea of large neighbourhoods, P. Shaw, "Using constraint
//! programming and local search methods to solve vehicle routing problems", 1998;
//! R. Bisiani, "Beam search", 1987.

mod sweep;
#[cfg(test)]
mod tests;

use std::sync::Mutex;

use ludens_core::{
    Adviser, Budget, Context, Deterministic, Game, Progress, Rng, SoloPuzzle, Solution, Solver,
    Staged,
};

use crate::team::{BestLine, ThreadBudget, lock, together};
use sweep::Sweep;

/// Beams in a round.
const STEPS: u64 = 8;
/// Rounds when nothing limits the search.
const ROUNDS_WITHOUT_LIMIT: u32 = 3;
/// More first lines are only made if each gets so much of the budget.
const LEAST_SECONDS: f64 = 1.5;
/// The same in nodes.
const LEAST_NODES: f64 = 3e6;
/// No beam is narrower.
const NARROWEST: usize = 8;

/// A solver and the improvement of its lines.
#[derive(Clone, Copy, Debug)]
pub struct Polish<S, A> {
    /// Finds the first line.
    pub first: S,
    /// Makes the heuristic of the beams.
    pub adviser: A,
    /// The share of the budget for the first solver, between 0 and 1.
    pub share: f64,
    /// How many first lines each thread makes at most.
    pub starts: u32,
    /// The width of the first round of beams.
    pub width: usize,
}

impl<S, A> Polish<S, A> {
    /// How many first lines are worth their time.
    fn starts(&self, budget: &ThreadBudget<'_>) -> u32 {
        let fit = match (budget.nodes, budget.limits.budget().time) {
            (Some(nodes), _) => nodes as f64 / LEAST_NODES,
            (None, Some(time)) => time.as_secs_f64() / LEAST_SECONDS,
            (None, None) => 1.0,
        };
        ((fit * self.share) as u32).clamp(1, self.starts.max(1))
    }

    /// One thread's search; the nodes it made.
    fn work<G>(
        &self,
        start: &G,
        (seed, memory): (u64, usize),
        budget: ThreadBudget<'_>,
        shared: &Mutex<BestLine<'_, '_, G>>,
    ) -> u64
    where
        G: SoloPuzzle + Staged,
        S: Solver<G> + Clone,
        A: Adviser<G>,
    {
        let mut rng = Rng::new(seed);
        let mut round = Round { adviser: &self.adviser, sweep: Sweep::new(), budget, pace: 0.0 };
        let most = (memory / Sweep::<G, G::Action>::bytes(start.stage())).clamp(NARROWEST, 1 << 22);
        let width = |doublings: u32| {
            self.width.saturating_mul(1 << doublings.min(30)).clamp(NARROWEST, most)
        };

        // 1. First lines, each with a round of narrow beams.
        let whole = budget.limits.budget();
        let starts = self.starts(&budget);
        let share = self.share.clamp(0.0, 1.0) / f64::from(starts);
        let first_budget = Budget {
            time: whole.time.map(|time| time.mul_f64(share)),
            nodes: budget.nodes.map(|nodes| (nodes as f64 * share) as u64),
            units: None,
        };
        let mut mine: Option<Solution<G>> = None;
        let mut nodes = 0;
        for _ in 0..starts {
            if budget.is_spent(nodes) {
                return nodes;
            }
            let mut forward = |progress: &Progress<'_, G>| {
                if let Some(best) = progress.best {
                    lock(shared).offer(best, progress.stage);
                }
            };
            let stop = budget.limits.stop();
            let mut context =
                Context::new(first_budget, rng.next_u64(), 1, memory, stop, &mut forward);
            let Some(mut line) = self.first.clone().solve(start, &mut context) else {
                return nodes;
            };
            lock(shared).offer(&line, "the first line");
            line.nodes += nodes;
            for step in 1..=STEPS {
                round.beam(start, &mut line, (step as f64, width(0)), shared);
            }
            nodes = line.nodes;
            if mine.as_ref().is_none_or(|mine| line.value > mine.value) {
                mine = Some(line);
            }
        }

        // 2. Wider rounds along the best line of all threads.
        let Some(mut mine) = mine else { return nodes };
        mine.nodes = nodes;
        let limited = budget.nodes.is_some() || whole.time.is_some();
        for doublings in 1.. {
            if !limited && doublings == ROUNDS_WITHOUT_LIMIT {
                break;
            }
            let before = mine.nodes;
            for step in 1..=STEPS {
                if budget.is_spent(mine.nodes) {
                    return mine.nodes;
                }
                if let Some(best) = lock(shared).best()
                    && best.value > mine.value
                {
                    mine = Solution { nodes: mine.nodes, ..best.clone() };
                }
                // The first round was even; these begin at random places between.
                let place = step as f64 - rng.unit();
                round.beam(start, &mut mine, (place, width(doublings)), shared);
            }
            // Lines of a move or two leave nothing to begin from.
            if mine.nodes == before {
                break;
            }
        }
        mine.nodes
    }
}

/// What the beams of one thread need.
struct Round<'a, G: Game, A> {
    adviser: &'a A,
    sweep: Sweep<G, G::Action>,
    budget: ThreadBudget<'a>,
    /// The part of the budget that the last beam took per unit of width and of its
    /// stage squared: as many stages, and moves in proportion to what is left.
    pace: f64,
}

impl<G: SoloPuzzle + Staged, A: Adviser<G>> Round<'_, G, A> {
    /// One beam from a place of a line: `place` is in steps of the start's stage.
    fn beam(
        &mut self,
        start: &G,
        line: &mut Solution<G>,
        (place, width): (f64, usize),
        shared: &Mutex<BestLine<'_, '_, G>>,
    ) {
        let limit = (start.stage() as f64 * place / STEPS as f64) as usize;
        let (moves, here, so_far) = position_at(start, &line.line, limit);
        if here.is_over() || self.budget.is_spent(line.nodes) {
            return;
        }
        // 1. No wider than the rest of the budget allows.
        let gone = self.budget.used(line.nodes);
        let size = (here.stage() * here.stage()) as f64;
        let fits = if self.pace > 0.0 { 0.9 * (1.0 - gone) / (self.pace * size) } else { f64::MAX };
        let width = width.min(fits as usize).max(NARROWEST);
        // 2. The beam.
        let heuristic = self.adviser.advise(start, &line.line);
        let (budget, mut nodes) = (self.budget, line.nodes);
        let mut go_on = |more: u64| {
            nodes += more;
            !budget.is_spent(nodes)
        };
        let found = self.sweep.run(&here, width, &heuristic, line.value - so_far, &mut go_on);
        line.nodes = nodes;
        self.pace = (budget.used(nodes) - gone).max(0.0) / (width as f64 * size);
        // 3. The better line.
        if let Some(value) = found {
            line.line.truncate(moves);
            line.line.extend_from_slice(self.sweep.line());
            line.value = so_far + value;
            line.bound = None;
            lock(shared).offer(line, &format!("beam of width {width} along the line"));
        }
    }
}

/// The first position of a line at or below a stage: the moves to it, the
/// position, and what they paid.
fn position_at<G: Deterministic + Staged>(
    start: &G,
    line: &[G::Action],
    stage: usize,
) -> (usize, G, i64) {
    let (mut here, mut paid) = (*start, 0);
    for (moves, &action) in line.iter().enumerate() {
        if here.stage() <= stage {
            return (moves, here, paid);
        }
        let (next, reward) = here.apply(action);
        (here, paid) = (next, paid + i64::from(reward));
    }
    (line.len(), here, paid)
}

impl<G, S, A> Solver<G> for Polish<S, A>
where
    G: SoloPuzzle + Staged,
    S: Solver<G> + Clone + Sync,
    A: Adviser<G>,
{
    fn solve(&mut self, position: &G, context: &mut Context<'_, G>) -> Option<Solution<G>> {
        if position.is_over() {
            return Some(Solution { line: Vec::new(), value: 0, bound: Some(0), nodes: 0 });
        }
        let memory = context.memory / context.threads.max(1);
        together(context, |seed, budget, shared| {
            self.work(position, (seed, memory), budget, shared)
        })
    }
}
