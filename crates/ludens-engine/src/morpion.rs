//! The solvers of Morpion Solitaire.

use ludens_games::Morpion;
use ludens_games::morpion::Evaluation;
use ludens_search::{Beam, Unbounded};

use crate::solvers::{ROUNDS, WIDTH, monte_carlo, rounds};
use crate::{Solvable, SolverEntry};

/// Random numbers up to this are added to the number of possible lines, so that rounds differ.
const NOISE: f32 = 1.0;

impl Solvable for Morpion {
    const PROVER: Option<&'static str> = None;
    const DEFAULT: &'static str = "nrpa";

    fn solvers() -> Vec<SolverEntry<Self>> {
        let mut solvers = monte_carlo();
        solvers.sort_by_key(|solver| solver.name != Self::DEFAULT);
        let widths = &[WIDTH, ROUNDS];
        solvers.push(SolverEntry::new("beam", "anytime beam, widths doubling", widths, |params| {
            Ok(Beam { heuristic: Evaluation, ceiling: Unbounded, rounds: rounds(params, NOISE)? })
        }));
        solvers
    }
}
