//! Budgets, threads, the best line and progress of repeated passes.

use std::sync::Mutex;

use ludens_core::{
    Context, Deterministic, Game, Limits, Reward, Rng, Rollout, SoloPuzzle, Solution,
};

use crate::team::{BestLine, in_parallel, lock};

/// One attempt of a search, repeated until the budget is gone.
pub(super) trait Pass<G: Game>: Send {
    /// Searches once from `root`, reporting every line and every move made to
    /// `run`, and returns early when it says so.
    fn pass(&mut self, root: &G, rng: &mut Rng, run: &mut Run<'_, '_, G>);
}

/// What a pass is given: its share of the budget and the best line.
pub(super) struct Run<'a, 'b, G: Game> {
    limits: Limits<'b>,
    /// This thread's share of the nodes.
    budget: Option<u64>,
    nodes: u64,
    stopped: bool,
    /// This thread's best line.
    best: Option<(i64, Vec<G::Action>)>,
    shared: &'a Mutex<BestLine<'a, 'b, G>>,
    stage: &'static str,
}

impl<G: Game> Run<'_, '_, G> {
    /// Counts positions generated; `true` when the search is to stop. Looks at
    /// the clock, so it is asked once per simulation, not per move.
    pub(super) fn spend(&mut self, nodes: u64) -> bool {
        self.nodes += nodes;
        self.stopped = self.stopped
            || self.budget.is_some_and(|budget| self.nodes >= budget)
            || self.limits.interrupted();
        self.stopped
    }

    /// Whether the search is to stop.
    pub(super) fn stopped(&self) -> bool {
        self.stopped
    }

    /// Keeps a line that is better than all before: `parts` one after another.
    pub(super) fn offer(&mut self, value: i64, parts: [&[G::Action]; 2]) {
        if self.best.as_ref().is_some_and(|(most, _)| value <= *most) {
            return;
        }
        let (most, line) = self.best.get_or_insert_with(|| (value, Vec::new()));
        *most = value;
        line.clear();
        line.extend(parts.into_iter().flatten());
        lock(self.shared).offer_line(line, value, self.nodes, self.stage);
    }
}

/// Repeats passes on every thread until the budget is gone.
///
/// Threads share nothing but the clock, so the result depends only on the seed
/// and the number of threads where a node budget ends the search.
pub(super) fn repeat<G, P>(
    search: &P,
    root: &G,
    context: &mut Context<'_, G>,
    stage: &'static str,
) -> Option<Solution<G>>
where
    G: SoloPuzzle,
    P: Pass<G> + Clone,
{
    let threads = context.threads.max(1);
    let limits = context.limits;
    let budget = limits.budget();
    let once = budget.time.is_none() && budget.positions().is_none();
    let share = budget.positions().map(|nodes| nodes.div_ceil(threads as u64));
    let seed = context.rng.next_u64();
    let shared = Mutex::new(BestLine::new(context));
    let work = |index: usize, mut search: P| {
        let (nodes, stopped, best, shared) = (0, false, None, &shared);
        let mut run = Run { limits, budget: share, nodes, stopped, best, shared, stage };
        let mut rng = Rng::stream(seed, index as u64);
        loop {
            let before = run.nodes;
            search.pass(root, &mut rng, &mut run);
            // A pass without a move (the game is over) would be repeated for ever.
            if once || run.spend(0) || run.nodes == before {
                return (run.best, run.nodes);
            }
        }
    };
    let results = in_parallel(vec![search.clone(); threads], work);
    let nodes = results.iter().map(|(_, nodes)| nodes).sum();
    // The first of equals, so that the order of threads in time does not matter.
    let best = results.into_iter().filter_map(|(best, _)| best).rev().max_by_key(|best| best.0);
    best.map(|(value, line)| Solution { line, value, bound: None, nodes })
}

/// Plays a simulation to its end; its moves are added to `line`.
#[inline]
pub(super) fn simulate<G, R>(
    rollout: &mut R,
    from: &G,
    rng: &mut Rng,
    line: &mut Vec<G::Action>,
) -> i64
where
    G: SoloPuzzle,
    R: Rollout<G>,
{
    rollout.start(from, rng);
    let (mut here, mut total) = (*from, 0);
    while let Some((action, next, reward)) = rollout.pick(&here, rng) {
        line.push(action);
        total += i64::from(reward);
        here = next;
    }
    total
}

/// The children of a position, kept between uses so that nothing is allocated.
pub(super) fn list_children<G: Deterministic>(here: &G, out: &mut Vec<(G::Action, G, Reward)>) {
    out.clear();
    here.children(|action, child, reward| out.push((action, child, reward)));
}
