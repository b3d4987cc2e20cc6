//! Threads that search side by side: what each may spend, and the best line of all.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, Builder};

use ludens_core::{Context, Game, Limits, Progress, Solution};

/// The best line of all threads, reported when it improves.
pub(crate) struct BestLine<'a, 'b, G: Game> {
    context: &'a mut Context<'b, G>,
    best: Option<Solution<G>>,
}

impl<'a, 'b, G: Game> BestLine<'a, 'b, G> {
    /// The best line of all threads.
    pub(crate) fn best(&self) -> Option<&Solution<G>> {
        self.best.as_ref()
    }

    /// None yet.
    pub(crate) fn new(context: &'a mut Context<'b, G>) -> Self {
        BestLine { context, best: None }
    }

    /// [`offer`](BestLine::offer) of a line without a bound.
    pub(crate) fn offer_line(&mut self, line: &[G::Action], value: i64, nodes: u64, stage: &str) {
        if self.best.as_ref().is_none_or(|best| value > best.value) {
            self.offer(&Solution { line: line.to_vec(), value, bound: None, nodes }, stage);
        }
    }

    /// Keeps a line that is better than all before, and reports it.
    pub(crate) fn offer(&mut self, solution: &Solution<G>, stage: &str) {
        if self.best.as_ref().is_none_or(|best| solution.value > best.value) {
            let nodes = solution.nodes;
            self.context.report(&Progress { best: Some(solution), bound: None, nodes, stage });
            self.best = Some(solution.clone());
        }
    }
}

/// The best line, for one of the threads.
pub(crate) fn lock<'s, 'a, 'b, G: Game>(
    shared: &'s Mutex<BestLine<'a, 'b, G>>,
) -> MutexGuard<'s, BestLine<'a, 'b, G>> {
    // A panic elsewhere leaves a whole solution behind: use it.
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What one thread may spend.
#[derive(Clone, Copy)]
pub(crate) struct ThreadBudget<'a> {
    /// When all threads stop.
    pub(crate) limits: Limits<'a>,
    /// Its share of the nodes.
    pub(crate) nodes: Option<u64>,
}

impl ThreadBudget<'_> {
    /// Whether that many nodes, or the time, use it up.
    pub(crate) fn is_spent(&self, nodes: u64) -> bool {
        self.nodes.is_some_and(|limit| nodes >= limit) || self.limits.interrupted()
    }

    /// The part that is gone, of nodes or of time; 0 without either.
    pub(crate) fn used(&self, nodes: u64) -> f64 {
        let of_nodes = self.nodes.map_or(0.0, |limit| nodes as f64 / limit.max(1) as f64);
        let of_time = self.limits.budget().time.map_or(0.0, |limit| {
            self.limits.elapsed().as_secs_f64() / limit.as_secs_f64().max(f64::MIN_POSITIVE)
        });
        of_nodes.max(of_time)
    }
}

/// Does all jobs, the first on this thread and each other one on a thread of its own; the results
/// are in the order of the jobs. `work` gets a job with its index. Jobs that the system has no
/// thread for are done on this one, after the first.
pub(crate) fn in_parallel<J: Send, T: Send>(
    mut jobs: Vec<J>,
    work: impl Fn(usize, J) -> T + Sync,
) -> Vec<T> {
    if jobs.is_empty() {
        return Vec::new();
    }
    let first = jobs.remove(0);
    let (first, others) = side_by_side(jobs, |i, job| work(i + 1, job), || work(0, first));
    std::iter::once(first).chain(others).collect()
}

/// The same with work of another kind for this thread.
pub(crate) fn side_by_side<J: Send, T: Send, R>(
    jobs: Vec<J>,
    work: impl Fn(usize, J) -> T + Sync,
    own: impl FnOnce() -> R,
) -> (R, Vec<T>) {
    side_by_side_on(Builder::new, jobs, work, own)
}

fn side_by_side_on<J: Send, T: Send, R>(
    builder: impl Fn() -> Builder,
    jobs: Vec<J>,
    work: impl Fn(usize, J) -> T + Sync,
    own: impl FnOnce() -> R,
) -> (R, Vec<T>) {
    // A job lies here until somebody takes it: a thread that cannot start must not lose it.
    let jobs: Vec<Mutex<Option<J>>> = jobs.into_iter().map(|job| Mutex::new(Some(job))).collect();
    let run = |index: usize| {
        let job = jobs[index].lock().unwrap_or_else(PoisonError::into_inner).take();
        work(index, job.expect("a job is taken once"))
    };
    let run = &run;
    thread::scope(|scope| {
        let start = |index| builder().spawn_scoped(scope, move || run(index)).ok();
        let started: Vec<_> = (0..jobs.len()).map(start).collect();
        let result = own();
        let finish = |(index, thread): (usize, Option<thread::ScopedJoinHandle<'_, T>>)| {
            let Some(thread) = thread else { return run(index) };
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        (result, started.into_iter().enumerate().map(finish).collect())
    })
}

/// Lets every thread work with a seed and a budget of its own; `work` returns the
/// nodes it made. The best line that was offered, with the nodes of all.
pub(crate) fn together<G: Game>(
    context: &mut Context<'_, G>,
    work: impl Fn(u64, ThreadBudget<'_>, &Mutex<BestLine<'_, '_, G>>) -> u64 + Sync,
) -> Option<Solution<G>> {
    let threads = context.threads.max(1);
    let limits = context.limits;
    let nodes = limits.budget().positions().map(|nodes| nodes.div_ceil(threads as u64));
    let budget = ThreadBudget { limits, nodes };
    let seeds: Vec<u64> = (0..threads).map(|_| context.rng.next_u64()).collect();
    let shared = Mutex::new(BestLine::new(context));
    let nodes: u64 = in_parallel(seeds, |_, seed| work(seed, budget, &shared)).iter().sum();
    let best = shared.into_inner().unwrap_or_else(PoisonError::into_inner).best;
    best.map(|best| Solution { nodes, ..best })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_are_done_in_order_with_threads_and_without() {
        assert_eq!(in_parallel(vec![5, 6, 7], |index, job| index + job), [5, 7, 9]);
        assert_eq!(in_parallel(Vec::<u8>::new(), |_, job| job), []);
        // No machine has a stack of this size, so that no thread can start.
        let impossible = || Builder::new().stack_size(1 << 46);
        assert!(impossible().spawn(|| ()).is_err());
        let (own, others) = side_by_side_on(impossible, vec![1, 2], |_, job| 10 * job, || "own");
        assert_eq!((own, others), ("own", vec![10, 20]));
    }
}
