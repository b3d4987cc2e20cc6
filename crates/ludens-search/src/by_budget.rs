//! One solver for small budgets, another for all others.
//!
//! Some searches need many positions before they find anything good and then do
//! best, such as [`Anneal`](crate::Anneal); others give something good almost at once.

use ludens_core::{Context, Solo, Solution, Solver};

/// Chooses between two solvers by the number of positions a search may generate.
/// A search without such a limit is a large one.
#[derive(Clone, Copy, Debug)]
pub struct ByBudget<S, L> {
    /// Solves with fewer than `least` positions.
    pub small: S,
    /// Solves with at least as many, or without a limit.
    pub large: L,
    /// The smallest budget of `large`, in positions.
    pub least: u64,
}

impl<G: Solo, S: Solver<G>, L: Solver<G>> Solver<G> for ByBudget<S, L> {
    fn solve(&mut self, position: &G, context: &mut Context<'_, G>) -> Option<Solution<G>> {
        match context.limits.budget().positions() {
            Some(positions) if positions < self.least => self.small.solve(position, context),
            _ => self.large.solve(position, context),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use ludens_core::{Budget, Game, Progress, Rng};
    use ludens_games::former::Former;

    use super::*;

    /// Finds nothing, and shows by the nodes which of the two it was.
    struct Named(u64);

    impl Solver<Former> for Named {
        fn solve(&mut self, _: &Former, _: &mut Context<'_, Former>) -> Option<Solution<Former>> {
            Some(Solution { line: Vec::new(), value: 0, bound: None, nodes: self.0 })
        }
    }

    fn solved_by(budget: Budget) -> u64 {
        let (stop, mut silent) = (AtomicBool::new(false), |_: &Progress<'_, Former>| ());
        let mut context = Context::new(budget, 1, 1, 1 << 20, &stop, &mut silent);
        let position = Former::start(&Default::default(), &mut Rng::new(7));
        let mut solver = ByBudget { small: Named(1), large: Named(2), least: 1000 };
        solver.solve(&position, &mut context).expect("both answer").nodes
    }

    #[test]
    fn the_number_of_positions_decides() {
        assert_eq!(solved_by(Budget::nodes(999)), 1);
        assert_eq!(solved_by(Budget::nodes(1000)), 2);
        assert_eq!(solved_by(Budget { units: Some(10), ..Budget::default() }), 1);
        assert_eq!(solved_by(Budget::default()), 2);
    }
}
