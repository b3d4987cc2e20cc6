//! Which solvers go with which game.

use ludens_core::{
    Context, Deterministic, MoveCode, Notation, Parameter, Params, ParseError, Solo, Solution,
    Solver,
};
use ludens_games::former::{self, Former, LookAhead, Model};
use ludens_games::samegame::{self, Roulette, SameGame, SpareLargest, Tabu};
use ludens_search::nested::{
    All, Flat, LookAhead as LookEvery, Nmcs, Nrpa, Proportional, Sets, Uniform,
};
use ludens_search::{
    AStar, Anneal, Beam, ByBudget, Exact, Greedy, IdaStar, Polish, Rounds, ThenProve, Unbounded,
};

use crate::modelled::{ByGreed, Modelled};
use crate::{Solvable, SolverEntry};
use crate::{mcts, nets};

pub(crate) const WIDTH: Parameter = Parameter {
    name: "width",
    values: "1..16777216",
    default: "16",
    about: "width of the first beam; it doubles",
};
pub(crate) const ROUNDS: Parameter = Parameter {
    name: "rounds",
    values: "1..",
    default: "no limit",
    about: "beams one after another; 1 is the plain beam search",
};
const VALUE: Parameter = Parameter {
    name: "value",
    values: "evaluation | random | largest | look-ahead-1..4",
    default: "evaluation",
    about: "what orders the positions of a beam",
};
const HOT: Parameter = Parameter {
    name: "hot",
    values: "0.001..1000",
    default: "0.7",
    about: "first temperature, in the game's unit",
};
const COLD: Parameter =
    Parameter { name: "cold", values: "0.001..1000", default: "0.12", about: "last temperature" };
const RUNS: Parameter = Parameter {
    name: "runs",
    values: "1..1000000",
    default: "1",
    about: "runs of each thread, one after another",
};
const INSERT: Parameter = Parameter {
    name: "insert",
    values: "0..1",
    default: "0.5",
    about: "share of changes that put a random move somewhere",
};
const SHARE: Parameter = Parameter {
    name: "share",
    values: "0..1",
    default: "0.85",
    about: "share of the budget for first lines",
};
const STARTS: Parameter = Parameter {
    name: "starts",
    values: "1..1000",
    default: "1",
    about: "first lines per thread at most",
};
const FIRST_WIDTH: Parameter = Parameter {
    name: "width",
    values: "1..1048576",
    default: "32",
    about: "width of the first beams; it doubles",
};
const RELAXATION: Parameter = Parameter {
    name: "relaxation",
    values: "0.01..100",
    default: "1",
    about: "weight of the bound; away from 1 faster, less sure",
};
pub(crate) const LEVEL: Parameter =
    Parameter { name: "level", values: "0..10", default: "3", about: "levels of nesting" };
const NMCS_LEVEL: Parameter = Parameter { default: "2", ..LEVEL };
pub(crate) const ITERATIONS: Parameter = Parameter {
    name: "iterations",
    values: "1..100000",
    default: "100",
    about: "searches of the level below per search",
};
pub(crate) const ALPHA: Parameter = Parameter {
    name: "alpha",
    values: "0.001..100",
    default: "1",
    about: "step of the adaptation",
};
const TABU_ALPHA: Parameter = Parameter { default: "0.5", ..ALPHA };
const SIMULATIONS: Parameter = Parameter {
    name: "simulations",
    values: "1..1000000",
    default: "100",
    about: "random games per move",
};
const MOVES: Parameter = Parameter {
    name: "moves",
    values: "0..3",
    default: "0",
    about: "how far the fewest groups are looked for",
};

pub(crate) fn rounds(params: &mut Params, noise: f32) -> Result<Rounds, ParseError> {
    let first = params.number(WIDTH.name, 16, 1..=1 << 24)?;
    let count = params.number(ROUNDS.name, u64::MAX, 1..=u64::MAX)?;
    Ok(Rounds { first, count, noise, ..Rounds::default() })
}

fn astar(params: &mut Params) -> Result<AStar, ParseError> {
    Ok(AStar { relaxation: params.number(RELAXATION.name, 1.0, 0.01..=100.0)? })
}

/// The searches that need nothing but the rules and move codes.
pub(crate) fn monte_carlo<G: Solo + Deterministic + MoveCode + Notation>() -> Vec<SolverEntry<G>> {
    vec![
        SolverEntry::new("flat-mc", "random games after each move", &[SIMULATIONS], |params| {
            Ok(Flat::new(Uniform, params.number(SIMULATIONS.name, 100, 1..=1_000_000)?))
        }),
        SolverEntry::new("nmcs", "nested Monte Carlo search", &[NMCS_LEVEL], |params| {
            Ok(Nmcs { rollout: Uniform, level: params.number(LEVEL.name, 2, 0..=10)? })
        }),
        SolverEntry::new("nrpa", "nested rollout policy adaptation", NRPA, |params| {
            nrpa(All, 1.0, params)
        }),
        SolverEntry::new("sets", "set-based tree search", SETS, |params| sets(Uniform, params)),
        SolverEntry::new("hgsts", "set-based, simulations by reward", HGSTS, |params| {
            let every = params.number(EVERY.name, 10, 0..=1000)?;
            sets(LookEvery::new(Proportional, every), params)
        }),
    ]
}

const SET: Parameter = Parameter {
    name: "set",
    values: "1..1000000",
    default: "1000",
    about: "positions of the layer, at least",
};
const BATCH: Parameter = Parameter {
    name: "batch",
    values: "1..1000000",
    default: "64",
    about: "simulations between two looks at the order",
};
const EXPLORATION: Parameter = Parameter {
    name: "exploration",
    values: "0..1000",
    default: "0.1",
    about: "weight of uncertainty, as a share of the best score",
};
const EVERY: Parameter = Parameter {
    name: "every",
    values: "0..1000",
    default: "10",
    about: "moves of a simulation between two looks ahead, 0: none",
};
const SETS: &[Parameter] = &[SET, BATCH, EXPLORATION];
const HGSTS: &[Parameter] = &[SET, BATCH, EXPLORATION, EVERY];

fn sets<R>(rollout: R, params: &mut Params) -> Result<Sets<R>, ParseError> {
    let mut sets = Sets::new(rollout);
    sets.set = params.number(SET.name, sets.set, 1..=1_000_000)?;
    sets.batch = params.number(BATCH.name, sets.batch, 1..=1_000_000)?;
    sets.exploration = params.number(EXPLORATION.name, sets.exploration, 0.0..=1000.0)?;
    Ok(sets)
}

pub(crate) const ANNEAL: &[Parameter] = &[HOT, COLD, RUNS, INSERT];

pub(crate) fn anneal(params: &mut Params) -> Result<Anneal, ParseError> {
    let mut anneal = Anneal::default();
    anneal.hot = params.number(HOT.name, anneal.hot, 0.001..=1000.0)?;
    anneal.cold = params.number(COLD.name, anneal.cold, 0.001..=1000.0)?;
    anneal.runs = params.number(RUNS.name, anneal.runs, 1..=1_000_000)?;
    anneal.changes.insert = params.number(INSERT.name, anneal.changes.insert, 0.0..=1.0)?;
    Ok(anneal)
}

/// Positions from which annealing does better than NRPA on random boards (30 boards:
/// 2,209 and 2,093 at 100,000 positions, 2,433 and 2,512 at 300,000).
const LEAST_FOR_ANNEALING: u64 = 150_000;

const BEAM: &[Parameter] = &[WIDTH, ROUNDS, VALUE];
const NET_BEAM: &[Parameter] = &[WIDTH, ROUNDS, VALUE, nets::EVAL];
const NRPA: &[Parameter] = &[LEVEL, ITERATIONS, ALPHA];
const TABU_NRPA: &[Parameter] = &[LEVEL, ITERATIONS, TABU_ALPHA];

fn nrpa<C>(candidates: C, alpha: f32, params: &mut Params) -> Result<Nrpa<C>, ParseError> {
    let level = params.number(LEVEL.name, 3, 0..=10)?;
    let mut nrpa = Nrpa::new(candidates, level);
    nrpa.iterations = params.number(ITERATIONS.name, nrpa.iterations, 1..=100_000)?;
    nrpa.alpha = params.number(ALPHA.name, alpha, 0.001..=100.0)?;
    Ok(nrpa)
}

impl Solvable for Former {
    const PROVER: Option<&'static str> = Some(Self::DEFAULT);
    const DEFAULT: &'static str = "portfolio";

    fn solvers() -> Vec<SolverEntry<Self>> {
        let evaluation = former::Evaluation::default();
        let beam = move |params: &mut Params| {
            let heuristic = params.choice(VALUE.name, Model::all()[0].1, &Model::all())?;
            // Noise is in the evaluation's measure; the text's models have none.
            let noise = if matches!(heuristic, Model::Evaluation(_)) { 0.5 } else { 0.0 };
            Ok(Modelled { search: rounds(params, noise)?, model: heuristic })
        };
        let mut solvers = vec![
            SolverEntry::new(Self::DEFAULT, "a beam, then the proof", BEAM, move |params| {
                Ok(ThenProve { first: beam(params)?, exact: Exact::new(evaluation), share: 0.2 })
            }),
            SolverEntry::sized(
                "beam",
                "anytime beam, widths doubling",
                NET_BEAM,
                move |variant, params| {
                    Ok(match nets::value(variant, params)? {
                        Some(model) => Box::new(Modelled { search: rounds(params, 0.0)?, model }),
                        None => Box::new(beam(params)?),
                    })
                },
            ),
            SolverEntry::new("exact", "the fewest moves, with proof", &[], move |_| {
                Ok(Exact::new(evaluation))
            }),
            SolverEntry::new("astar", "best first by the bound", &[RELAXATION], astar),
            SolverEntry::new("idastar", "depth first by the bound", &[], |_| Ok(IdaStar)),
            SolverEntry::new("greedy", "on to the fewest groups", &[MOVES], |params| {
                let moves = params.number(MOVES.name, 0, 0..=3)?;
                let model = Model::LookAhead(LookAhead { moves, ..LookAhead::default() });
                Ok(Modelled { search: ByGreed, model })
            }),
            SolverEntry::new("largest", "the largest group first", &[], |_| {
                Ok(Greedy(former::FewestCells))
            }),
        ];
        solvers.extend(monte_carlo());
        solvers.extend(mcts::former());
        solvers
    }
}

impl Solvable for SameGame {
    const PROVER: Option<&'static str> = None;
    const DEFAULT: &'static str = "portfolio";

    fn solvers() -> Vec<SolverEntry<Self>> {
        let mut solvers = vec![
            SolverEntry::new(
                Self::DEFAULT,
                "annealing, then beams along its line",
                &[SHARE, STARTS, FIRST_WIDTH],
                |params| {
                    let share = params.number(SHARE.name, 0.85, 0.0..=1.0)?;
                    let starts = params.number(STARTS.name, 1, 1..=1000)?;
                    let width = params.number(FIRST_WIDTH.name, 32, 1..=1 << 20)?;
                    let first = ByBudget {
                        small: Nrpa { alpha: 0.5, ..Nrpa::new(Tabu::frequent(0), 3) },
                        large: Anneal::default(),
                        least: LEAST_FOR_ANNEALING,
                    };
                    Ok(Polish { first, adviser: SpareLargest, share, starts, width })
                },
            ),
            SolverEntry::new("anneal", "annealing over orders of moves", ANNEAL, anneal),
            SolverEntry::new(
                "nrpa-tabu",
                "NRPA that spares the most frequent colour",
                TABU_NRPA,
                |params| nrpa(Tabu::frequent(0), 0.5, params),
            ),
            SolverEntry::new("beam", "anytime beam, widths doubling", &[WIDTH, ROUNDS], |params| {
                Ok(SameGameBeam(rounds(params, 0.0)?))
            }),
            SolverEntry::new(
                "mc-rws",
                "flat Monte Carlo by roulette wheel",
                &[SIMULATIONS],
                |params| {
                    let simulations = params.number(SIMULATIONS.name, 100, 1..=1_000_000)?;
                    Ok(Flat::new(Roulette { beta: 4.0, theta: 0.0 }, simulations))
                },
            ),
        ];
        solvers.extend(monte_carlo());
        solvers.push(SolverEntry::new("astar", "best first by the bound", &[RELAXATION], astar));
        solvers.extend(mcts::samegame());
        solvers
    }
}

/// A beam by an evaluation that spares the board's most frequent colour.
struct SameGameBeam(Rounds);

impl Solver<SameGame> for SameGameBeam {
    fn solve(
        &mut self,
        position: &SameGame,
        context: &mut Context<'_, SameGame>,
    ) -> Option<Solution<SameGame>> {
        let heuristic = samegame::Evaluation::of(position);
        Beam { heuristic, ceiling: Unbounded, rounds: self.0 }.solve(position, context)
    }
}
