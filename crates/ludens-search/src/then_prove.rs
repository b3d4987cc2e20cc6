//! A good line quickly, and the proof that there is none better.
//!
//! With several threads an anytime solver and the proof of [`Exact`] start side by side,
//! half of the threads each, and both end as soon as the best line is as good as the
//! bound. The first ends after two seconds at the latest; then the proof has
//! all threads. On most Former boards the beam has the best line within a fraction
//! of a second, and more time there changes nothing, while a proof needs all it can get.
//!
//! With one thread, or by nodes, the anytime solver gets a share of the budget, and the
//! proof starts with the line found.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use ludens_core::{Budget, Context, Descent, Heuristic, Progress, Solution, Solver};

use crate::Exact;
use crate::exact::prove_beside;
use crate::team::side_by_side;

/// The most time the first solver gets.
const MOST_FOR_FIRST: Duration = Duration::from_secs(2);

/// A proof is not started with less time than this: it would only take from the
/// search for better lines.
const LEAST_FOR_PROOF: Duration = Duration::from_millis(500);

/// An anytime solver and an exact one.
#[derive(Clone, Debug)]
pub struct ThenProve<S, H> {
    /// Finds the first line.
    pub first: S,
    /// Proves it best or finds a better one.
    pub exact: Exact<H>,
    /// The share of time and nodes for the first where it comes first, between 0 and 1.
    pub share: f64,
}

/// Whether the line leads to the end. One that was cut short is no line: nothing may
/// be proven of it.
fn is_whole<G: Descent>(position: &G, line: &[G::Action]) -> bool {
    line.iter().fold(*position, |here, &action| here.apply(action).0).is_over()
}

/// What two searches side by side know together.
struct Joint<'c, 'a, G: Descent> {
    position: &'c G,
    context: &'c mut Context<'a, G>,
    solved: &'c AtomicBool,
    best: Option<Solution<G>>,
    bound: Option<i64>,
    /// Positions of the one and the other.
    nodes: [u64; 2],
}

impl<G: Descent> Joint<'_, '_, G> {
    /// Takes in what one of the two has found, reports it, and ends both if nothing
    /// is left to find.
    fn report(&mut self, which: usize, progress: &Progress<'_, G>) {
        let value = self.best.as_ref().map(|best| best.value);
        if let Some(best) = progress.best
            && value.is_none_or(|value| best.value > value)
            && is_whole(self.position, &best.line)
        {
            self.best = Some(best.clone());
        }
        self.bound = self.bound.into_iter().chain(progress.bound).min();
        self.nodes[which] = progress.nodes;
        let nodes = self.nodes.iter().sum();
        if let Some(best) = &mut self.best {
            (best.bound, best.nodes) = (self.bound, nodes);
            if best.is_proven() {
                self.solved.store(true, Ordering::Relaxed);
            }
        }
        let (best, bound, stage) = (self.best.as_ref(), self.bound, progress.stage);
        self.context.report(&Progress { best, bound, nodes, stage });
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|e| e.into_inner())
}

impl<S, H> ThenProve<S, H> {
    /// What the first solver may spend: everything when the whole is short.
    fn first_budget(&self, whole: Budget) -> Budget {
        let time = match whole.time {
            Some(time) if time < LEAST_FOR_PROOF => Some(time),
            Some(time) => Some(time.mul_f64(self.share.clamp(0.0, 1.0)).min(MOST_FOR_FIRST)),
            None => Some(MOST_FOR_FIRST).filter(|_| whole.positions().is_none()),
        };
        let part = |limit: u64| (limit as f64 * self.share.clamp(0.0, 1.0)) as u64;
        Budget { time, nodes: whole.nodes.map(part), units: whole.units.map(part) }
    }

    /// Both at once.
    fn side_by_side<G: Descent>(
        &mut self,
        position: &G,
        context: &mut Context<'_, G>,
    ) -> Option<Solution<G>>
    where
        S: Solver<G>,
    {
        let (all, memory) = (context.threads, context.memory);
        let (solved, nodes) = (AtomicBool::new(false), AtomicU64::new(0));
        let threads = AtomicUsize::new(all - all / 2);
        let (best, bound, solved) = (None, None, &solved);
        let joint = Mutex::new(Joint { position, context, solved, best, bound, nodes: [0; 2] });
        // 1. Each has its own share of threads and memory, and both report to one callback.
        let mut report_first = |progress: &Progress<'_, G>| lock(&joint).report(0, progress);
        let mut report_proof = |progress: &Progress<'_, G>| lock(&joint).report(1, progress);
        let budget = Budget::time(MOST_FOR_FIRST);
        let mut for_first = lock(&joint).context.beside(budget, solved, &mut report_first);
        let budget = Budget::default();
        let mut for_proof = lock(&joint).context.beside(budget, solved, &mut report_proof);
        (for_first.threads, for_first.memory) = (all / 2, memory / 4);
        for_proof.memory = memory - memory / 4;
        // 2. What the proof finds it reports, so that only its end matters here.
        let least = self.exact.least;
        let prove = |_, proof| prove_beside(position, least, &nodes, &threads, proof);
        let (first, _) = side_by_side(vec![&mut for_proof], prove, || {
            let first = self.first.solve(position, &mut for_first);
            threads.store(all, Ordering::Relaxed);
            // A beam that dropped nothing has a proof that it has not reported.
            if first.as_ref().is_some_and(Solution::is_proven) {
                solved.store(true, Ordering::Relaxed);
            }
            first
        });
        // 3. The best of both. Without a whole line, what the first has is all there is.
        let Joint { best, bound, .. } = joint.into_inner().unwrap_or_else(|e| e.into_inner());
        let nodes = nodes.into_inner() + first.as_ref().map_or(0, |first| first.nodes);
        let bound_of_first = first.as_ref().and_then(|first| first.bound);
        let bound = bound.into_iter().chain(bound_of_first).min();
        match best {
            Some(best) => Some(Solution { bound, nodes, ..best }),
            None => first.map(|first| Solution { nodes, ..first }),
        }
    }
}

/// Whether there is no time for a proof.
fn is_short(whole: Budget) -> bool {
    whole.time.is_some_and(|time| time < LEAST_FOR_PROOF)
}

impl<G: Descent, S: Solver<G>, H: Heuristic<G>> Solver<G> for ThenProve<S, H> {
    fn solve(&mut self, position: &G, context: &mut Context<'_, G>) -> Option<Solution<G>> {
        let whole = context.limits.budget();
        if context.threads > 1 && whole.positions().is_none() && !is_short(whole) {
            return self.side_by_side(position, context);
        }
        // In turn: the first, then the proof.
        let first_budget = self.first_budget(whole);
        let first = self.first.solve(position, &mut context.part(first_budget))?;
        if first.is_proven() || is_short(whole) || context.limits.interrupted() {
            return Some(first);
        }
        let left = |limit: u64| limit.saturating_sub(first.nodes);
        let (nodes, units) = (whole.nodes.map(left), whole.units.map(left));
        let mut rest = context.part(Budget { time: None, nodes, units });
        let mut proof = if is_whole(position, &first.line) {
            self.exact.prove(position, first.line, &mut rest)
        } else {
            match self.exact.solve(position, &mut rest) {
                Some(proof) => proof,
                None => return Some(first),
            }
        };
        proof.nodes += first.nodes;
        Some(proof)
    }
}

#[cfg(test)]
mod tests {
    use ludens_core::Game;
    use ludens_games::Former;
    use ludens_games::former::{Evaluation, FormerVariant, daily};

    use super::*;
    use crate::{Beam, ByBound, Rounds};

    fn solver() -> ThenProve<Beam<Evaluation, ByBound>, Evaluation> {
        let evaluation = Evaluation::default();
        ThenProve {
            first: Beam { heuristic: evaluation, ceiling: ByBound, rounds: Rounds::default() },
            exact: Exact::new(evaluation),
            share: 0.2,
        }
    }

    fn solve(board: &Former, budget: Budget) -> Solution<Former> {
        solve_by(board, budget, 1, |_, _| {})
    }

    fn solve_by(
        board: &Former,
        budget: Budget,
        threads: usize,
        mut report: impl FnMut(&Progress<'_, Former>, &AtomicBool) + Send,
    ) -> Solution<Former> {
        let stop = AtomicBool::new(false);
        let mut sink = |progress: &Progress<'_, Former>| report(progress, &stop);
        let mut context = Context::new(budget, 1, threads, 1 << 28, &stop, &mut sink);
        let solution = solver().solve(board, &mut context).unwrap();
        let end = solution.line.iter().fold(*board, |here, &action| here.apply(action).0);
        assert!(end.is_over());
        assert_eq!(solution.value, -(solution.line.len() as i64));
        solution
    }

    #[test]
    fn a_daily_board_is_proven() {
        let solution = solve(&daily(2025, 5, 18).unwrap(), Budget::default());
        assert_eq!((solution.value, solution.bound), (-11, Some(-11)));
    }

    /// Side by side, what is reported only gets better, and all ends when nothing is left
    /// to find, long before the first solver's time is over.
    #[test]
    fn both_at_once_end_together() {
        let mut reported = (i64::MIN, i64::MAX);
        let solution =
            solve_by(&daily(2025, 5, 18).unwrap(), Budget::default(), 2, |progress, _| {
                let value = progress.best.map_or(i64::MIN, |best| best.value);
                let bound = progress.bound.unwrap_or(i64::MAX);
                assert!(
                    value >= reported.0 && bound <= reported.1,
                    "{progress:?} after {reported:?}"
                );
                reported = (value, bound);
            });
        assert_eq!((solution.value, solution.bound), (-11, Some(-11)));
        assert_eq!(reported, (-11, -11));
        assert!(solution.nodes > 0);
    }

    /// Cancelled at the first line, both stop and the line is kept.
    #[test]
    fn both_at_once_stop() {
        let solution =
            solve_by(&daily(2025, 5, 19).unwrap(), Budget::default(), 3, |progress, stop| {
                stop.store(progress.best.is_some(), Ordering::Relaxed);
            });
        assert!(solution.bound.is_some_and(|bound| (-16..0).contains(&bound)));
    }

    /// The end of the time ends both.
    #[test]
    fn both_at_once_keep_to_the_time() {
        let budget = Budget::time(LEAST_FOR_PROOF);
        let solution = solve_by(&daily(2025, 2, 15).unwrap(), budget, 2, |_, _| {});
        assert!(!solution.is_proven() && solution.bound.is_some());
    }

    #[test]
    fn a_node_budget_repeats() {
        let variant = FormerVariant::new(6, 6, 4).unwrap();
        let board = Former::start(&variant, &mut ludens_core::Rng::new(3));
        let budget = Budget::nodes(20_000);
        assert_eq!(solve(&board, budget), solve(&board, budget));
    }

    /// Whatever the budget, a line that is cut short is not taken for a whole one.
    #[test]
    fn a_line_that_is_cut_short_is_not_proven() {
        let board = daily(2025, 5, 18).unwrap();
        for nodes in [1, 10, 100, 500, 1000, 2000, 5000, 10_000, 20_000] {
            let (stop, mut sink) = (AtomicBool::new(false), |_: &Progress<'_, Former>| {});
            let mut context = Context::new(Budget::nodes(nodes), 1, 1, 1 << 28, &stop, &mut sink);
            let Some(found) = solver().solve(&board, &mut context) else { continue };
            let end = found.line.iter().fold(board, |here, &action| here.apply(action).0);
            assert!(!found.is_proven() || end.is_over(), "{nodes} nodes: {found:?}");
            assert!(found.bound.is_none_or(|bound| bound >= -11), "{nodes} nodes: {found:?}");
            assert!(end.is_over() || nodes < 10_000, "{nodes} nodes: {found:?}");
        }
    }
}
