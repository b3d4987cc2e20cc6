//! First a good line quickly, then the proof that there is none better.
//!
//! An anytime solver gets a share of the budget, two seconds at most; the rest goes to
//! [`Exact`], which begins with the line found. The share is a compromise: on
//! most Former boards the beam has the best line within a fraction of a second,
//! and more time there changes nothing, while a proof needs all it can get.

use std::time::Duration;

use ludens_core::{Budget, Context, Descent, Heuristic, Solution, Solver};

use crate::Exact;

/// The most time the first solver gets.
const MOST_FOR_FIRST: Duration = Duration::from_secs(2);

/// A proof is not begun with less time than this: it would only take from the
/// search for better lines.
const LEAST_FOR_PROOF: Duration = Duration::from_millis(500);

/// An anytime solver, then an exact one.
#[derive(Clone, Debug)]
pub struct ThenProve<S, H> {
    /// Finds the first line.
    pub first: S,
    /// Proves it best or finds a better one.
    pub exact: Exact<H>,
    /// The share of time and nodes for the first, between 0 and 1.
    pub share: f64,
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
}

impl<G, S, H> Solver<G> for ThenProve<S, H>
where
    G: Descent,
    S: Solver<G>,
    H: Heuristic<G>,
{
    fn solve(&mut self, position: &G, context: &mut Context<'_, G>) -> Option<Solution<G>> {
        let whole = context.limits.budget();
        let first_budget = self.first_budget(whole);
        let first = self.first.solve(position, &mut context.part(first_budget))?;
        let short = whole.time.is_some_and(|time| time < LEAST_FOR_PROOF);
        if first.is_proven() || short || context.limits.interrupted() {
            return Some(first);
        }
        let left = |limit: u64| limit.saturating_sub(first.nodes);
        let (nodes, units) = (whole.nodes.map(left), whole.units.map(left));
        let rest = Budget { time: None, nodes, units };
        let mut rest = context.part(rest);
        // A first line that was cut short is no line: nothing may be proven of it.
        let end = first.line.iter().fold(*position, |here, &action| here.apply(action).0);
        let mut proof = if end.is_over() {
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
    use std::sync::atomic::AtomicBool;

    use ludens_core::{Game, Progress};
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
        let (stop, mut sink) = (AtomicBool::new(false), |_: &Progress<'_, Former>| {});
        let mut context = Context::new(budget, 1, 1, 1 << 28, &stop, &mut sink);
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
