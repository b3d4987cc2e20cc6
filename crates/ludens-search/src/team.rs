//! Threads that search side by side: what each may spend, and the best line of all.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use ludens_core::{Context, Game, Limits, Progress, Solution};

/// What the threads share.
pub(crate) struct Shared<'a, 'b, G: Game> {
    context: &'a mut Context<'b, G>,
    best: Option<Solution<G>>,
}

impl<G: Game> Shared<'_, '_, G> {
    /// The best line of all threads.
    pub(crate) fn best(&self) -> Option<&Solution<G>> {
        self.best.as_ref()
    }

    /// Keeps a line that is better than all before, and tells of it.
    pub(crate) fn offer(&mut self, solution: &Solution<G>, stage: &str) {
        if self.best.as_ref().is_none_or(|best| solution.value > best.value) {
            let nodes = solution.nodes;
            self.context.report(&Progress { best: Some(solution), bound: None, nodes, stage });
            self.best = Some(solution.clone());
        }
    }
}

/// What the threads share, for one of them.
pub(crate) fn lock<'s, 'a, 'b, G: Game>(
    shared: &'s Mutex<Shared<'a, 'b, G>>,
) -> MutexGuard<'s, Shared<'a, 'b, G>> {
    // A panic elsewhere leaves a whole solution behind: use it.
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What one thread may spend.
#[derive(Clone, Copy)]
pub(crate) struct Purse<'a> {
    /// When all threads stop.
    pub(crate) limits: Limits<'a>,
    /// Its share of the nodes.
    pub(crate) nodes: Option<u64>,
}

impl Purse<'_> {
    /// Whether that many nodes, or the time, use it up.
    pub(crate) fn empty(&self, nodes: u64) -> bool {
        self.nodes.is_some_and(|limit| nodes >= limit) || self.limits.interrupted()
    }

    /// The part that is gone, of nodes or of time; 0 without either.
    pub(crate) fn gone(&self, nodes: u64) -> f64 {
        let of_nodes = self.nodes.map_or(0.0, |limit| nodes as f64 / limit.max(1) as f64);
        let of_time = self.limits.budget().time.map_or(0.0, |limit| {
            self.limits.elapsed().as_secs_f64() / limit.as_secs_f64().max(f64::MIN_POSITIVE)
        });
        of_nodes.max(of_time)
    }
}

/// Lets every thread work with a seed and a purse of its own; `work` returns the
/// nodes it made. The best line that was offered, with the nodes of all.
pub(crate) fn together<G: Game>(
    context: &mut Context<'_, G>,
    work: impl Fn(u64, Purse<'_>, &Mutex<Shared<'_, '_, G>>) -> u64 + Sync,
) -> Option<Solution<G>> {
    let threads = context.threads.max(1);
    let limits = context.limits;
    let nodes = limits.budget().positions().map(|nodes| nodes.div_ceil(threads as u64));
    let purse = Purse { limits, nodes };
    let seeds: Vec<u64> = (0..threads).map(|_| context.rng.next_u64()).collect();
    let shared = Mutex::new(Shared { context, best: None });
    let (work, to_share) = (&work, &shared);
    let nodes: u64 = thread::scope(|scope| {
        let others: Vec<_> = seeds[1..]
            .iter()
            .map(|&seed| scope.spawn(move || work(seed, purse, to_share)))
            .collect();
        let mine = work(seeds[0], purse, to_share);
        let join = |thread: thread::ScopedJoinHandle<'_, u64>| match thread.join() {
            Ok(nodes) => nodes,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        mine + others.into_iter().map(join).sum::<u64>()
    });
    let best = shared.into_inner().unwrap_or_else(PoisonError::into_inner).best;
    best.map(|best| Solution { nodes, ..best })
}
