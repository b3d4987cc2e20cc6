//! First a good line by any solver, then beams from positions along it.
//!
//! 1. The first solver gets a share of the budget.
//! 2. A round of beams goes back along the line: from positions close to the end,
//!    where a beam is cheap, to the start. A beam that ends better replaces the rest
//!    of the line.
//! 3. Rounds follow one another with twice the width until the budget is gone.
//!
//! Beams are by stages rather than by moves made: what they compare has come
//! equally far. The heuristic is made anew for each line, so it can follow what
//! the line does, such as the colour it spares.
//!
//! Threads do all that side by side, each with a line of its own at first; after
//! a few rounds all go on with the best one.
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

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use ludens_core::{
    Adviser, Budget, Context, Deterministic, Game, Limits, Progress, Rng, Solo, Solution, Solver,
    Staged,
};

use sweep::Sweep;

/// Beams in a round.
const STEPS: u64 = 8;
/// Rounds before threads share their lines.
const ALONE: u32 = 2;
/// Rounds when nothing limits the search.
const ROUNDS_WITHOUT_LIMIT: u32 = 3;
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
    /// The width of the first round of beams.
    pub width: usize,
}

/// What the threads share.
struct Shared<'a, 'b, G: Game> {
    context: &'a mut Context<'b, G>,
    best: Option<Solution<G>>,
}

impl<G: Game> Shared<'_, '_, G> {
    fn offer(&mut self, solution: &Solution<G>, stage: &str) {
        if self.best.as_ref().is_none_or(|best| solution.value > best.value) {
            let nodes = solution.nodes;
            self.context.report(&Progress { best: Some(solution), bound: None, nodes, stage });
            self.best = Some(solution.clone());
        }
    }
}

fn lock<'s, 'a, 'b, G: Game>(
    shared: &'s Mutex<Shared<'a, 'b, G>>,
) -> MutexGuard<'s, Shared<'a, 'b, G>> {
    // A panic elsewhere leaves a whole solution behind: use it.
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What one thread may spend.
#[derive(Clone, Copy)]
struct Purse<'a> {
    limits: Limits<'a>,
    /// Its share of the nodes.
    nodes: Option<u64>,
}

impl Purse<'_> {
    fn empty(&self, nodes: u64) -> bool {
        self.nodes.is_some_and(|limit| nodes >= limit) || self.limits.interrupted()
    }

    /// The part of the budget that is gone, of nodes or of time; 0 without either.
    fn gone(&self, nodes: u64) -> f64 {
        match (self.nodes, self.limits.budget().time) {
            (Some(limit), _) => nodes as f64 / limit as f64,
            (None, Some(time)) => self.limits.elapsed().as_secs_f64() / time.as_secs_f64(),
            (None, None) => 0.0,
        }
    }
}

impl<S, A> Polish<S, A> {
    /// One thread's search; the nodes it made.
    fn work<G>(
        &self,
        start: &G,
        (seed, memory): (u64, usize),
        purse: Purse<'_>,
        shared: &Mutex<Shared<'_, '_, G>>,
    ) -> u64
    where
        G: Solo + Deterministic + Staged,
        S: Solver<G> + Clone,
        A: Adviser<G>,
    {
        // 1. The first line.
        let whole = purse.limits.budget();
        let share = self.share.clamp(0.0, 1.0);
        let budget = Budget {
            time: whole.time.map(|time| time.mul_f64(share)),
            nodes: purse.nodes.map(|nodes| (nodes as f64 * share) as u64),
            units: None,
        };
        let mut rng = Rng::new(seed);
        let mut forward = |progress: &Progress<'_, G>| {
            if let Some(best) = progress.best {
                lock(shared).offer(best, progress.stage);
            }
        };
        let stop = purse.limits.stop();
        let mut context = Context::new(budget, rng.next_u64(), 1, memory, stop, &mut forward);
        let Some(mut mine) = self.first.clone().solve(start, &mut context) else { return 0 };
        lock(shared).offer(&mine, "the first line");

        // 2. Rounds of beams.
        let top = start.stage();
        let limited = purse.nodes.is_some() || whole.time.is_some();
        let most = (memory / Sweep::<G, G::Action>::bytes(top)).clamp(NARROWEST, 1 << 22);
        let mut sweep = Sweep::new();
        // The part of the budget that a beam takes per unit of width and of its
        // stage squared: as many stages, and moves in proportion to what is left.
        let mut pace = 0.0;
        for round in 0.. {
            if !limited && round == ROUNDS_WITHOUT_LIMIT {
                break;
            }
            let width = self.width.saturating_mul(1 << round.min(30)).clamp(NARROWEST, most);
            let stage = format!("beams of width {width} along the line");
            for step in 1..=STEPS {
                if purse.empty(mine.nodes) {
                    return mine.nodes;
                }
                if round >= ALONE
                    && let Some(best) = &lock(shared).best
                    && best.value > mine.value
                {
                    mine = Solution { nodes: mine.nodes, ..best.clone() };
                }
                // The first round is even; later ones begin elsewhere.
                let back = if round == 0 { 0.0 } else { rng.unit() };
                let limit = (top as f64 * (step as f64 - back) / STEPS as f64) as usize;
                let (moves, here, so_far) = position_at(start, &mine.line, limit);
                if here.is_over() {
                    continue;
                }
                let gone = purse.gone(mine.nodes);
                let size = (here.stage() * here.stage()) as f64;
                let fits = if pace > 0.0 { 0.9 * (1.0 - gone) / (pace * size) } else { f64::MAX };
                let width = width.min(fits as usize).max(NARROWEST);
                let heuristic = self.adviser.advise(start, &mine.line);
                let mut nodes = mine.nodes;
                let mut go_on = |more: u64| {
                    nodes += more;
                    !purse.empty(nodes)
                };
                let found = sweep.run(&here, width, &heuristic, mine.value - so_far, &mut go_on);
                mine.nodes = nodes;
                pace = (purse.gone(nodes) - gone).max(0.0) / (width as f64 * size);
                if let Some(value) = found {
                    mine.line.truncate(moves);
                    mine.line.extend_from_slice(sweep.line());
                    mine.value = so_far + value;
                    mine.bound = None;
                    lock(shared).offer(&mine, &stage);
                }
            }
        }
        mine.nodes
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
    G: Solo + Deterministic + Staged,
    S: Solver<G> + Clone + Sync,
    A: Adviser<G>,
{
    fn solve(&mut self, position: &G, context: &mut Context<'_, G>) -> Option<Solution<G>> {
        if position.is_over() {
            return Some(Solution { line: Vec::new(), value: 0, bound: Some(0), nodes: 0 });
        }
        let threads = context.threads.max(1);
        let limits = context.limits;
        let nodes = limits.budget().nodes.map(|nodes| nodes.div_ceil(threads as u64));
        let purse = Purse { limits, nodes };
        let memory = context.memory / threads;
        let seeds: Vec<u64> = (0..threads).map(|_| context.rng.next_u64()).collect();
        let shared = Mutex::new(Shared { context, best: None });
        let (this, to_share) = (&*self, &shared);
        let nodes: u64 = thread::scope(|scope| {
            let work = move |seed| this.work(position, (seed, memory), purse, to_share);
            let others: Vec<_> =
                seeds[1..].iter().map(|&seed| scope.spawn(move || work(seed))).collect();
            let mine = work(seeds[0]);
            let join = |thread: thread::ScopedJoinHandle<'_, u64>| match thread.join() {
                Ok(nodes) => nodes,
                Err(panic) => std::panic::resume_unwind(panic),
            };
            mine + others.into_iter().map(join).sum::<u64>()
        });
        let best = shared.into_inner().unwrap_or_else(PoisonError::into_inner).best;
        best.map(|best| Solution { nodes, ..best })
    }
}
