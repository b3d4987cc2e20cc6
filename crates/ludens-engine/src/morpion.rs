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

const GAMES: Parameter = Parameter {
    name: "games",
    values: "1..1000",
    default: "4",
    about: "games per step of the lowest level",
};
const REPETITIONS: Parameter = Parameter {
    name: "repetitions",
    values: "1..",
    default: "no limit",
    about: "times that a level finds its best line again before it ends",
};
const NRPA: &[Parameter] = &[
    Parameter { default: "4", ..LEVEL },
    Parameter { default: "50", ..ITERATIONS },
    ALPHA,
    GAMES,
    REPETITIONS,
];

/// Fewer iterations than the published settings, with several games each: a run of all
/// levels takes some ten minutes, so that an hour has a few restarts per thread.
fn nrpa(params: &mut Params) -> Result<Nrpa<All>, ParseError> {
    let mut nrpa = Nrpa::new(All, params.number(LEVEL.name, 4, 0..=10)?);
    nrpa.iterations = params.number(ITERATIONS.name, 50, 1..=100_000)?;
    nrpa.alpha = params.number(ALPHA.name, nrpa.alpha, 0.001..=100.0)?;
    nrpa.games = params.number(GAMES.name, 4, 1..=1000)?;
    nrpa.repetitions = params.number(REPETITIONS.name, u32::MAX, 1..=u32::MAX)?;
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
        solvers
            .extend(monte_carlo().into_iter().filter(|solver| solver.info.name != Self::DEFAULT));
        solvers
    }
}
