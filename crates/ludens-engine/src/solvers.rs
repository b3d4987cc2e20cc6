//! Which solvers go with which game.

use ludens_core::error::quote;
use ludens_core::{
    Context, MoveCode, Notation, Param, Parameter, Params, ParseError, SoloPuzzle, Solution,
    Solver, parameters,
};
use ludens_games::former::{self, Former, LookAhead, Model};
use ludens_games::samegame::{self, Roulette, SameGame, SpareLargest, Tabu};
use ludens_search::nested::{All, Flat, Nmcs, Nrpa, Uniform};
use ludens_search::{
    AStar, Anneal, Beam, ByBudget, Exact, Greedy, IdaStar, Polish, Rounds, ThenProve, Unbounded,
};

use crate::analysis::costs::{self, Costs};
use crate::analysis::optima::Optima;
use crate::custom::{self, Custom};
use crate::hgsts::{self, BELOW, SETS, TABU, sets, tabu};
use crate::modelled::{ByGreed, Modelled};
use crate::{Solvable, SolverEntry, SolverInfo};
use crate::{mcts, nets};

pub(crate) const WIDTH: Param<usize> =
    Param::int("width", 1..=1 << 24, 16).help("width of the first beam; it doubles");
pub(crate) const ROUNDS: Param<Option<u64>> = Param::opt_int("rounds", 1..=u64::MAX)
    .rule("no limit")
    .help("beams one after another; 1 is the plain beam search");
const VALUE: Param<fn() -> Model> =
    Param::choice("value", &Model::NAMES, "evaluation").help("what orders the positions of a beam");
const OWN_EVAL: Param<Option<String>> =
    Param::path("eval", "none").help("from Python: an evaluator that orders positions");
const HOT: Param<f64> =
    Param::float("hot", 0.001..=1000.0, 0.7).help("first temperature, in the game's unit");
const COLD: Param<f64> = Param::float("cold", 0.001..=1000.0, 0.12).help("last temperature");
const RUNS: Param<u32> =
    Param::int("runs", 1..=1_000_000, 1).help("runs of each thread, one after another");
const INSERT: Param<f64> = Param::float("insert", 0.0..=1.0, 0.5)
    .help("share of changes that put a random move somewhere");
const SHARE: Param<f64> =
    Param::float("share", 0.0..=1.0, 0.85).help("share of the budget for first lines");
const STARTS: Param<u32> = Param::int("starts", 1..=1000, 1).help("first lines per thread at most");
const FIRST_WIDTH: Param<usize> =
    Param::int("width", 1..=1 << 20, 32).help("width of the first beams; it doubles");
const RELAXATION: Param<f64> = Param::float("relaxation", 0.01..=100.0, 1.0)
    .help("weight of the bound; away from 1 faster, less sure");
const LEVEL: Param<u32> = Param::int("level", 0..=10, 3).help(LEVEL_HELP);
const NMCS_LEVEL: Param<u32> = Param::int("level", 0..=10, 2).help(LEVEL_HELP);
const LEVEL_HELP: &str = "levels of nesting";
const ITERATIONS: Param<u32> =
    Param::int("iterations", 1..=100_000, 100).help("searches of the level below per search");
pub(crate) const ALPHA: Param<f32> = Param::float("alpha", 0.001..=100.0, 1.0).help(ALPHA_HELP);
const TABU_ALPHA: Param<f32> = Param::float("alpha", 0.001..=100.0, 0.5).help(ALPHA_HELP);
const ALPHA_HELP: &str = "step of the adaptation";
const SIMULATIONS: Param<u32> =
    Param::int("simulations", 1..=1_000_000, 100).help("random games per move");
const MOVES: Param<u8> =
    Param::int("moves", 0..=3, 0).help("how far the fewest groups are looked for");

pub(crate) fn rounds(params: &mut Params, noise: f32) -> Result<Rounds, ParseError> {
    let first = params.get(&WIDTH)?;
    let count = params.get(&ROUNDS)?.unwrap_or(u64::MAX);
    Ok(Rounds { first, count, noise, ..Rounds::default() })
}

fn astar(params: &mut Params) -> Result<AStar, ParseError> {
    Ok(AStar { relaxation: params.get(&RELAXATION)? })
}

/// The searches that need nothing but the rules and move codes.
pub(crate) fn monte_carlo<G: SoloPuzzle + MoveCode + Notation>() -> Vec<SolverEntry<G>> {
    vec![
        SolverEntry::new(
            "flat-mc",
            "random games after each move",
            parameters![SIMULATIONS],
            |params| Ok(Flat::new(Uniform, params.get(&SIMULATIONS)?)),
        ),
        SolverEntry::new("nmcs", "nested Monte Carlo search", parameters![NMCS_LEVEL], |params| {
            Ok(Nmcs { rollout: Uniform, level: params.get(&NMCS_LEVEL)? })
        }),
        SolverEntry::new("nrpa", "nested rollout policy adaptation", NRPA, |params| {
            nrpa(All, &ALPHA, params)
        }),
        SolverEntry::new("sets", "set-based tree search", SETS, |params| sets(Uniform, params)),
    ]
}

pub(crate) const ANNEAL: &[Parameter] = parameters![HOT, COLD, RUNS, INSERT];

pub(crate) fn anneal(params: &mut Params) -> Result<Anneal, ParseError> {
    let mut anneal = Anneal {
        hot: params.get(&HOT)?,
        cold: params.get(&COLD)?,
        runs: params.get(&RUNS)?,
        ..Anneal::default()
    };
    anneal.changes.insert = params.get(&INSERT)?;
    Ok(anneal)
}

/// Positions from which annealing does better than NRPA on random boards (30 boards:
/// 2,209 and 2,093 at 100,000 positions, 2,433 and 2,512 at 300,000).
const LEAST_FOR_ANNEALING: u64 = 150_000;

const BEAM: &[Parameter] = parameters![WIDTH, ROUNDS, VALUE];
const NET_BEAM: &[Parameter] = parameters![WIDTH, ROUNDS, VALUE, nets::EVAL];
const NRPA: &[Parameter] = parameters![LEVEL, ITERATIONS, ALPHA];
const TABU_NRPA: &[Parameter] = parameters![LEVEL, ITERATIONS, TABU_ALPHA];

fn nrpa<C>(candidates: C, alpha: &Param<f32>, params: &mut Params) -> Result<Nrpa<C>, ParseError> {
    let level = params.get(&LEVEL)?;
    let mut nrpa = Nrpa::new(candidates, level);
    nrpa.iterations = params.get(&ITERATIONS)?;
    nrpa.alpha = params.get(alpha)?;
    Ok(nrpa)
}

impl Solvable for Former {
    const PROVER: Option<&'static str> = Some(Self::DEFAULT);
    const DEFAULT: &'static str = "portfolio";

    fn solvers() -> Vec<SolverEntry<Self>> {
        let evaluation = former::Evaluation::default();
        let beam = move |params: &mut Params| {
            let heuristic = params.get(&VALUE)?();
            // Noise is in the evaluation's measure; the models of Urheim (2025) have none.
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
            SolverEntry::new("astar", "best first by the bound", parameters![RELAXATION], astar),
            SolverEntry::new("idastar", "depth first by the bound", &[], |_| Ok(IdaStar)),
            SolverEntry::new("greedy", "on to the fewest groups", parameters![MOVES], |params| {
                let moves = params.get(&MOVES)?;
                let model = Model::LookAhead(LookAhead { moves, ..LookAhead::default() });
                Ok(Modelled { search: ByGreed, model })
            }),
            SolverEntry::new("largest", "the largest group first", &[], |_| {
                Ok(Greedy(former::FewestCells))
            }),
        ];
        solvers.push(costs());
        solvers.push(hgsts::any());
        solvers.extend(monte_carlo());
        solvers.extend(mcts::former());
        solvers
    }
}

/// What moves cost in Former, by the default solver.
fn costs() -> SolverEntry<Former> {
    let info = SolverInfo {
        name: costs::NAME,
        about: "by how many moves each move misses the optimum, with proof",
        parameters: &[],
    };
    let prove: costs::Prove<Former> = |least| {
        let evaluation = former::Evaluation::default();
        let search = Rounds { noise: 0.5, ..Rounds::default() };
        let first = Modelled { search, model: Model::Evaluation(evaluation) };
        let exact = Exact { least, ..Exact::new(evaluation) };
        Box::new(ThenProve { first, exact, share: 0.2 })
    };
    SolverEntry::analyzer(info, move |_, _| Ok(Costs { prove, optima: Optima::shared() }))
}

impl Solvable for SameGame {
    const PROVER: Option<&'static str> = None;
    const DEFAULT: &'static str = "portfolio";

    fn solvers() -> Vec<SolverEntry<Self>> {
        let mut solvers = vec![
            SolverEntry::new(
                Self::DEFAULT,
                "annealing, then beams along its line",
                parameters![SHARE, STARTS, FIRST_WIDTH],
                |params| {
                    let share = params.get(&SHARE)?;
                    let starts = params.get(&STARTS)?;
                    let width = params.get(&FIRST_WIDTH)?;
                    let first = ByBudget {
                        small: Nrpa {
                            alpha: TABU_ALPHA.default(),
                            ..Nrpa::new(Tabu::frequent(0), 3)
                        },
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
                |params| nrpa(Tabu::frequent(0), &TABU_ALPHA, params),
            ),
            SolverEntry::new(
                "beam",
                "anytime beam, widths doubling",
                parameters![WIDTH, ROUNDS, OWN_EVAL],
                |params| {
                    let own = custom::named(&OWN_EVAL, params)?;
                    if let Some(other) = params.get(&OWN_EVAL)? {
                        let expected = "an evaluator that a program has registered";
                        return Err(ParseError::new("parameter eval", quote(&other), expected));
                    }
                    Ok(SameGameBeam { rounds: rounds(params, 0.0)?, own })
                },
            ),
            SolverEntry::new(
                "mc-rws",
                "flat Monte Carlo by roulette wheel",
                parameters![SIMULATIONS],
                |params| {
                    let simulations = params.get(&SIMULATIONS)?;
                    Ok(Flat::new(Roulette { beta: 4.0, theta: 0.0 }, simulations))
                },
            ),
            SolverEntry::new(
                "flat-tabu",
                "random games after each move",
                parameters![SIMULATIONS, TABU, BELOW],
                |params| {
                    let simulations = params.get(&SIMULATIONS)?;
                    Ok(Flat::new(tabu(params)?, simulations))
                },
            ),
            hgsts::samegame(),
        ];
        solvers.extend(monte_carlo());
        solvers.push(SolverEntry::new(
            "astar",
            "best first by the bound",
            parameters![RELAXATION],
            astar,
        ));
        solvers.extend(mcts::samegame());
        solvers
    }
}

/// A beam by the caller's own evaluator, or by an evaluation that spares the board's most frequent colour.
struct SameGameBeam {
    rounds: Rounds,
    own: Option<Custom>,
}

impl Solver<SameGame> for SameGameBeam {
    fn solve(
        &mut self,
        position: &SameGame,
        context: &mut Context<'_, SameGame>,
    ) -> Option<Solution<SameGame>> {
        let (ceiling, rounds) = (Unbounded, self.rounds);
        match self.own.clone() {
            Some(heuristic) => Beam { heuristic, ceiling, rounds }.solve(position, context),
            None => {
                let heuristic = samegame::Evaluation::of(position);
                Beam { heuristic, ceiling, rounds }.solve(position, context)
            }
        }
    }
}
