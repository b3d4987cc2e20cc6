//! One line, always on to the child a heuristic likes best.

use ludens_core::{Context, Heuristic, Progress, SoloPuzzle, Solution, Solver};

/// Takes the child with the largest reward plus heuristic value, the first of
/// equals in the order of the game's actions.
#[derive(Clone, Copy, Debug)]
pub struct Greedy<H>(pub H);

impl<G: SoloPuzzle, H: Heuristic<G>> Solver<G> for Greedy<H> {
    fn solve(&mut self, position: &G, context: &mut Context<'_, G>) -> Option<Solution<G>> {
        let mut solution = Solution { line: Vec::new(), value: 0, bound: None, nodes: 0 };
        let mut here = *position;
        while !context.limits.interrupted() && !context.limits.spent(solution.nodes) {
            let mut best: Option<(f32, G::Action, G, i64)> = None;
            here.children(|action, child, reward| {
                solution.nodes += 1;
                let value = reward as f32 + self.0.value(&child);
                if best.is_none_or(|(most, ..)| value > most) {
                    best = Some((value, action, child, i64::from(reward)));
                }
            });
            let Some((_, action, child, reward)) = best else { break };
            solution.line.push(action);
            solution.value += reward;
            here = child;
        }
        let progress =
            Progress { best: Some(&solution), bound: None, nodes: solution.nodes, stage: "greedy" };
        context.report(&progress);
        Some(solution)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use ludens_core::{Budget, Game};
    use ludens_games::Former;
    use ludens_games::former::thesis_boards;

    use super::*;

    struct FewestGroups;

    impl Heuristic<Former> for FewestGroups {
        fn value(&self, position: &Former) -> f32 {
            -(position.groups() as f32)
        }
    }

    /// The thesis' one-step look-ahead comes to 18.54 moves on its 1,000 boards.
    #[test]
    fn greedy_on_groups_is_the_one_step_look_ahead() {
        let (stop, mut sink) = (AtomicBool::new(false), |_: &Progress<'_, Former>| {});
        let total: i64 = thesis_boards()
            .map(|board| {
                let mut context = Context::new(Budget::default(), 0, 1, 0, &stop, &mut sink);
                let solution = Greedy(FewestGroups).solve(&board, &mut context).unwrap();
                let end = solution.line.iter().fold(board, |here, &a| here.apply(a).0);
                assert!(end.is_over());
                assert_eq!(solution.line.len() as i64, -solution.value);
                -solution.value
            })
            .sum();
        assert_eq!(format!("{:.2}", total as f64 / 1000.0), "18.54");
    }
}
