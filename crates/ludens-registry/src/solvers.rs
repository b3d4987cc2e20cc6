//! Which solvers go with which game.

use ludens_core::Heuristic;
use ludens_games::Former;
use ludens_search::Greedy;

use crate::solve::{Solvable, SolverEntry};

/// Former's number of groups, the fewer the better.
struct FewestGroups;

impl Heuristic<Former> for FewestGroups {
    fn value(&self, position: &Former) -> f32 {
        -(position.groups() as f32)
    }
}

impl Solvable for Former {
    const SOLVERS: &'static [SolverEntry<Self>] = &[SolverEntry {
        name: "greedy",
        about: "always on to the fewest groups",
        parameters: &[],
        make: |_| Ok(Box::new(Greedy(FewestGroups))),
    }];
    const PROVER: Option<&'static str> = None;
}
