//! The runs of a search: one after another and, with several threads, side by
//! side. Every run has a tree, randomness and a share of the budget of its own;
//! the best line of all is the result.
//!
//! 1. A thread gets an equal part of the nodes and units, and all of the time.
//! 2. Its runs get equal parts of what is left of that, one after another.
//! 3. A run narrowed to a beam may come to its end early; then there are more
//!    runs, for as long as something is left.
//!
//! With one thread, or a budget of nodes or units, the result repeats exactly.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ludens_core::{
    Context, Game, Knowledge, Limits, Policy, Progress, Rng, Rollout, SearchStatistics, SoloPuzzle,
    Solution,
};

use super::schedule::{Meter, Share};
use super::search::{Parts, Search};
use super::{Mcts, tree::Tree};
use crate::team::{BestLine, lock, side_by_side};

/// The least memory a tree gets, whatever the context says.
const LEAST_MEMORY: usize = 1 << 20;

const STAGE: &str = "mcts";

/// What all threads share.
struct Shared<'a, 'b, G: Game> {
    best: Mutex<BestLine<'a, 'b, G>>,
    limits: Limits<'b>,
    /// The nodes and eighths of units for each thread.
    states: Option<u64>,
    eighths: Option<u64>,
    /// The runs of each thread, and the memory of each of its trees.
    runs: u32,
    memory: usize,
    /// A thread has a proof.
    proven: AtomicBool,
}

impl<G: Game> Shared<'_, '_, G> {
    fn stopped(&self) -> bool {
        self.limits.interrupted() || self.proven.load(Ordering::Relaxed)
    }
}

/// Runs a search on all threads of a context.
pub(super) fn all<G, R, K, P>(
    search: &mut Mcts<R, K, P>,
    position: &G,
    context: &mut Context<'_, G>,
) -> (Option<Solution<G>>, SearchStatistics)
where
    G: SoloPuzzle,
    R: Rollout<G> + Clone,
    K: Knowledge<G> + Clone,
    P: Policy<G> + Clone,
{
    let threads = context.threads.max(1);
    let budget = context.limits.budget();
    let part = |limit: u64| limit.div_ceil(threads as u64);
    // Searches that are simulations have trees of their own.
    let levels = search.config.nesting.level.max(1) as usize;
    let mut seeds: Vec<Rng> = (0..threads).map(|_| Rng::new(context.rng.next_u64())).collect();
    let shared = Shared {
        limits: context.limits,
        states: budget.nodes.map(part),
        eighths: budget.units.map(|units| part(units.saturating_mul(8))),
        runs: search.config.runs.div_ceil(threads as u32).max(1),
        memory: (context.memory / threads / levels).max(LEAST_MEMORY),
        proven: AtomicBool::new(false),
        best: Mutex::new(BestLine::new(&mut *context)),
    };
    let own = seeds.swap_remove(0);
    let jobs = seeds.into_iter().map(|seeds| (search.clone(), seeds)).collect();
    let work = |_, (mut search, seeds)| thread_runs(&mut search, position, seeds, &shared);
    let own = || thread_runs(search, position, own, &shared);
    let (first, others) = side_by_side(jobs, work, own);
    let mut statistics = SearchStatistics::default();
    let mut best: Option<Solution<G>> = None;
    for (found, statistics_of_run) in std::iter::once(first).chain(others) {
        statistics.add(&statistics_of_run);
        best = better(best, found);
    }
    if let Some(best) = &mut best {
        best.nodes = statistics.states;
    }
    let bound = best.as_ref().and_then(|best| best.bound);
    let nodes = statistics.states;
    context.report(&Progress { best: best.as_ref(), bound, nodes, stage: STAGE });
    (best, statistics)
}

/// The better of two lines: the larger value, then the proven one, then the first.
fn better<G: Game>(a: Option<Solution<G>>, b: Option<Solution<G>>) -> Option<Solution<G>> {
    let rank = |found: &Option<Solution<G>>| found.as_ref().map(|f| (f.value, f.is_proven()));
    if rank(&b) > rank(&a) { b } else { a }
}

/// The runs of one thread, one after another.
fn thread_runs<G, R, K, P>(
    search: &mut Mcts<R, K, P>,
    position: &G,
    mut seeds: Rng,
    shared: &Shared<'_, '_, G>,
) -> (Option<Solution<G>>, SearchStatistics)
where
    G: SoloPuzzle,
    R: Rollout<G>,
    K: Knowledge<G>,
    P: Policy<G>,
{
    let Mcts { config, rollout, knowledge, policy, .. } = search;
    let mut tree = Tree::new();
    let mut lower: Vec<Tree<G>> = (1..config.nesting.level.max(1)).map(|_| Tree::new()).collect();
    let (mut best, mut sum) = (None, SearchStatistics::default());
    let mut run = 0;
    loop {
        let runs_left = shared.runs.saturating_sub(run).max(1);
        let left = |limit: Option<u64>, used: u64| {
            limit.map(|limit| limit.saturating_sub(used) / u64::from(runs_left))
        };
        let time: Option<Duration> = shared
            .limits
            .budget()
            .time
            .map(|time| time.saturating_sub(shared.limits.elapsed()) / runs_left);
        let share = Share {
            eighths: left(shared.eighths, sum.eighths),
            states: left(shared.states, sum.states),
            time,
            iterations: None,
        };
        let over = share.eighths == Some(0) || share.states == Some(0) || shared.stopped();
        // Whatever the budget, there is one run, so that there is a line.
        if run > 0 && over {
            break;
        }
        let parts = Parts {
            config,
            rollout: &mut *rollout,
            knowledge,
            policy: &mut *policy,
            tree: &mut tree,
            lower: &mut lower,
            before: 0,
            meter: Meter::new(shared.limits, share).halted_by(&shared.proven),
            rng: Rng::new(seeds.next_u64()),
            memory: shared.memory,
        };
        let nodes = sum.states;
        let mut search = Search::new(parts, position);
        search.run(&mut |search| {
            if let Some(value) = search.best {
                let nodes = nodes + search.meter.states;
                lock(&shared.best).offer_line(&search.best_line, value, nodes, STAGE);
            }
        });
        sum.add(&search.statistics);
        let (proven, idle) = (search.is_proven(), search.statistics.states == 0);
        let found = search.best.map(|value| {
            let bound = proven.then_some(value);
            Solution { line: search.best_line, value, bound, nodes: 0 }
        });
        best = better(best, found);
        run += 1;
        let limited = shared.states.is_some() || shared.eighths.is_some() || time.is_some();
        let more = run < shared.runs || config.narrowing.is_some() && limited && !idle;
        if proven {
            shared.proven.store(true, Ordering::Relaxed);
        }
        if proven || !more {
            break;
        }
    }
    (best, sum)
}
