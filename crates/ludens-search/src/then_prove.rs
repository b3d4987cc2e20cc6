//! First a good line quickly, then the proof that there is none better.
//!
//! An anytime solver gets a share of the budget, two seconds at most; the rest goes to
//! [`Exact`], which begins with the line found. The share is a compromise: on
//! most Former boards the beam has the best line within a fraction of a second,
//! and more time there changes nothing, while a proof needs all it can get.

use std::time::Duration;

use ludens_core::{Budget, Context, Descent, Solution, Solver};

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
            None => Some(MOST_FOR_FIRST).filter(|_| whole.nodes.is_none()),
        };
        let nodes = whole.nodes.map(|nodes| (nodes as f64 * self.share.clamp(0.0, 1.0)) as u64);
        Budget { time, nodes, units: whole.units }
    }
}

impl<G, S, H> Solver<G> for ThenProve<S, H>
where
    G: Descent,
    S: Solver<G>,
    H: Send,
{
    fn solve(&mut self, position: &G, context: &mut Context<'_, G>) -> Option<Solution<G>> {
        let whole = context.limits.budget();
        let first_budget = self.first_budget(whole);
        let first = self.first.solve(position, &mut context.part(first_budget))?;
        let short = whole.time.is_some_and(|time| time < LEAST_FOR_PROOF);
        if first.is_proven() || short || context.limits.interrupted() {
            return Some(first);
        }
        let nodes = whole.nodes.map(|nodes| nodes.saturating_sub(first.nodes));
        let rest = Budget { time: None, nodes, units: None };
        let mut proof = self.exact.prove(position, first.line, &mut context.part(rest));
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
}
