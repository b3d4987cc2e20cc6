//! The solvers of Morpion Solitaire.

use ludens_core::{Param, Parameter, Params, ParseError, parameters};
use ludens_games::Morpion;
use ludens_games::morpion::Evaluation;
use ludens_search::nested::{All, Nrpa};
use ludens_search::{Beam, Unbounded};

use crate::solvers::{ALPHA, ANNEAL, ROUNDS, WIDTH, anneal, monte_carlo, rounds};
use crate::{Solvable, SolverEntry};

const LEVEL: Param<u32> = Param::int("level", 0..=10, 4).help("levels of nesting");
const ITERATIONS: Param<u32> =
    Param::int("iterations", 1..=100_000, 50).help("searches of the level below per search");
const GAMES: Param<u32> =
    Param::int("games", 1..=1000, 4).help("games per step of the lowest level");
const REPETITIONS: Param<Option<u32>> = Param::opt_int("repetitions", 1..=u32::MAX as u64)
    .rule("no limit")
    .help("times that a level finds its best line again before it ends");
const NRPA: &[Parameter] = parameters![LEVEL, ITERATIONS, ALPHA, GAMES, REPETITIONS];

/// Fewer iterations than the published settings, with several games each: a run of all
/// levels takes some ten minutes, so that an hour has a few restarts per thread.
fn nrpa(params: &mut Params) -> Result<Nrpa<All>, ParseError> {
    let mut nrpa = Nrpa::new(All, params.get(&LEVEL)?);
    nrpa.iterations = params.get(&ITERATIONS)?;
    nrpa.alpha = params.get(&ALPHA)?;
    nrpa.games = params.get(&GAMES)?;
    nrpa.repetitions = params.get(&REPETITIONS)?.unwrap_or(u32::MAX);
    Ok(nrpa)
}

/// Random numbers up to this are added to the number of possible lines, so that rounds differ.
const NOISE: f32 = 1.0;

impl Solvable for Morpion {
    const PROVER: Option<&'static str> = None;
    const DEFAULT: &'static str = "nrpa";

    fn solvers() -> Vec<SolverEntry<Self>> {
        let about = "nested rollout policy adaptation";
        let widths = parameters![WIDTH, ROUNDS];
        let mut solvers = vec![
            SolverEntry::new(Self::DEFAULT, about, NRPA, nrpa),
            SolverEntry::new("anneal", "annealing over orders of lines", ANNEAL, anneal),
            SolverEntry::new("beam", "anytime beam, widths doubling", widths, |params| {
                let rounds = rounds(params, NOISE)?;
                Ok(Beam { heuristic: Evaluation, ceiling: Unbounded, rounds })
            }),
            crate::hgsts::any(),
        ];
        solvers
            .extend(monte_carlo().into_iter().filter(|solver| solver.info.name != Self::DEFAULT));
        solvers
    }
}
