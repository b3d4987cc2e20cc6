//! The solvers of Morpion Solitaire.

use ludens_core::{Parameter, Params, ParseError};
use ludens_games::Morpion;
use ludens_games::morpion::Evaluation;
use ludens_search::nested::{All, Nrpa};
use ludens_search::{Beam, Unbounded};

use crate::solvers::{
    ALPHA, ANNEAL, ITERATIONS, LEVEL, ROUNDS, WIDTH, anneal, monte_carlo, rounds,
};
use crate::{Solvable, SolverEntry};

const NRPA: &[Parameter] =
    &[Parameter { default: "4", ..LEVEL }, Parameter { default: "50", ..ITERATIONS }, ALPHA];

/// Fewer iterations of more levels than the published settings: a run takes minutes, so
/// that an hour has some twenty restarts per thread, and ten seconds already some
/// runs of the level below.
fn nrpa(params: &mut Params) -> Result<Nrpa<All>, ParseError> {
    let mut nrpa = Nrpa::new(All, params.number(LEVEL.name, 4, 0..=10)?);
    nrpa.iterations = params.number(ITERATIONS.name, 50, 1..=100_000)?;
    nrpa.alpha = params.number(ALPHA.name, nrpa.alpha, 0.001..=100.0)?;
    Ok(nrpa)
}

/// Random numbers up to this are added to the number of possible lines, so that rounds differ.
const NOISE: f32 = 1.0;

impl Solvable for Morpion {
    const PROVER: Option<&'static str> = None;
    const DEFAULT: &'static str = "nrpa";

    fn solvers() -> Vec<SolverEntry<Self>> {
        let about = "nested rollout policy adaptation";
        let widths = &[WIDTH, ROUNDS];
        let mut solvers = vec![
            SolverEntry::new(Self::DEFAULT, about, NRPA, nrpa),
            SolverEntry::new("anneal", "annealing over orders of lines", ANNEAL, anneal),
            SolverEntry::new("beam", "anytime beam, widths doubling", widths, |params| {
                let rounds = rounds(params, NOISE)?;
                Ok(Beam { heuristic: Evaluation, ceiling: Unbounded, rounds })
            }),
        ];
        solvers.extend(monte_carlo().into_iter().filter(|solver| solver.name != Self::DEFAULT));
        solvers
    }
}
