//! Agents of 2048, 2584 and Threes!, and of their two-player forms.

use std::sync::Arc;
use std::time::Duration;

use ludens_core::adversarial::ForTwo;
use ludens_core::agent::choose_each;
use ludens_core::error::quote;
use ludens_core::params::spec;
use ludens_core::{
    Adversarial, Agent, Budget, CellAdversary, Cells, Choice, Context, Downgrade, FixedActions,
    Parameter, Params, ParseError, Rng, Solo, Spawns, Starts, Symmetric, Variant,
};
use ludens_models::ModelStore;
use ludens_ntuple::{NTupleEvaluator, Network, Stages};
use ludens_search::tabular::Endgame;
use ludens_search::tree::{ChanceSampling, Range, Strength};
use ludens_search::{Expectimax, Minimax, StochasticMcts};

use crate::agents::{AgentEntry, table_bytes};
use crate::analysis::expectimax::ByExpectimax;
use crate::analysis::solver::{SolverEntry, SolverInfo, SolverSet};
use crate::analysis::tabular;

/// A game of one player who slides tiles.
pub trait Sliding:
    Solo + Spawns + Cells + FixedActions + Symmetric<After: Ord> + Starts + Downgrade
{
}

impl<G: Solo + Spawns + Cells + FixedActions + Symmetric<After: Ord> + Starts + Downgrade> Sliding
    for G
{
}

/// Exact values where there is a table, a network's where there is one, else 0.
pub(crate) type Valuation<G> = Endgame<G, Option<NTupleEvaluator>>;

/// The most moves a search with a time limit looks ahead.
pub(crate) const DEEPEST: u32 = 20;

const MODEL: Parameter = Parameter {
    name: "model",
    values: "DIR | FILE | none",
    default: "the shipped network, or none",
    about: "run of `ludens train`, or a network's file",
};
/// Of agents that are nothing without one.
const NEEDED_MODEL: Parameter =
    Parameter { values: "DIR | FILE", default: "the shipped network", ..MODEL };
const TABLE: Parameter = Parameter {
    name: "table",
    values: "FILE",
    default: "none",
    about: "exact values by `ludens solve --exact --table FILE`",
};
const PLY: Parameter =
    Parameter { name: "ply", values: "1..20", default: "1", about: "moves to look ahead" };
const MILLIS: Parameter = Parameter {
    name: "millis",
    values: "0..3600000",
    default: "0",
    about: "time per move, ply by ply up to 20; 0: exactly ply",
};
const MEMORY: Parameter = Parameter {
    name: crate::agents::MEMORY,
    values: "0..1048576",
    default: "64",
    about: "MiB for a table of positions seen",
};
const DOWNGRADE: Parameter = Parameter {
    name: "downgrade",
    values: "TILE | TILE+TILE | ..",
    default: "none",
    about: "2048: halve large tiles of positions from these on",
};
const RECTIFIED: Parameter = Parameter {
    name: "rectified",
    values: "on | off",
    default: "off",
    about: "negative values count as 0, moves as 1 more",
};
const SIMULATIONS: Parameter = Parameter {
    name: "simulations",
    values: "1..100000000",
    default: "1000",
    about: "simulations per move",
};
const EXPLORATION: Parameter =
    Parameter { name: "c", values: "0..1000", default: "0.005", about: "weight of exploration" };
const NORM: Parameter = Parameter {
    name: "norm",
    values: "dynamic | 1e-9..1e12",
    default: "dynamic",
    about: "what values are divided by",
};
const OUTCOMES: Parameter = Parameter {
    name: "outcomes",
    values: "balanced | random",
    default: "balanced",
    about: "how new tiles are chosen in the tree: evenly by probability, or by lot",
};
const STRENGTH: Parameter = Parameter {
    name: "z",
    values: "-100..100",
    default: "the best move",
    about: "strength index: moves by this power of their visits",
};
const THRESHOLD: Parameter = Parameter {
    name: "threshold",
    values: "0..1",
    default: "0",
    about: "least share of the most visits, with z",
};
const DEPTH: Parameter = Parameter {
    name: "depth",
    values: "1..40",
    default: "2",
    about: "moves of both players to look ahead",
};

/// Ply by ply as far as a limit allows.
const TO_THE_DEEPEST: &str = "ply=20";
/// Depth by depth as far as a limit allows.
const TO_ANY_DEPTH: &str = "depth=40";

const NETWORK_SEARCH: &[Parameter] =
    &[NEEDED_MODEL, TABLE, PLY, MILLIS, MEMORY, DOWNGRADE, RECTIFIED];
const SEARCH: &[Parameter] = &[MODEL, TABLE, PLY, MILLIS, MEMORY, DOWNGRADE, RECTIFIED];
const MCTS: &[Parameter] =
    &[NEEDED_MODEL, TABLE, SIMULATIONS, EXPLORATION, NORM, OUTCOMES, STRENGTH, THRESHOLD];
const PLAIN: &[Parameter] = &[MODEL, DEPTH];
const PRUNED: &[Parameter] = &[MODEL, DEPTH, MEMORY];

/// The agents of the game itself, besides those that every game has.
pub fn solo<G: Sliding>() -> Vec<AgentEntry<G>> {
    vec![
        AgentEntry::new(
            "ntuple",
            "expectimax with a learned network",
            NETWORK_SEARCH,
            |variant, params| Ok(Player::new(Searcher::<G>::read(variant, params, true, 1)?)),
        )
        .until_stopped(TO_THE_DEEPEST),
        AgentEntry::new(
            "expectimax",
            "the same; by rewards where there is no network",
            SEARCH,
            |v, params| Ok(Player::new(Searcher::<G>::read(v, params, false, 1)?)),
        )
        .until_stopped(TO_THE_DEEPEST),
        AgentEntry::new("mcts", "Monte Carlo tree search with a network", MCTS, mcts::<G>)
            .until_stopped("simulations=100000000"),
    ]
}

/// The solvers of the game itself: those that value the moves of a position by a search, and those
/// that make tables of exact values of small boards.
pub(crate) const fn solvers<G: Sliding>() -> SolverSet<G> {
    SolverSet {
        solvers: || {
            let ntuple = SolverInfo {
                name: "ntuple",
                about: "expectimax with a learned network, then games played on",
                parameters: NETWORK_SEARCH,
            };
            let expectimax = SolverInfo {
                name: "expectimax",
                about: "the same; by rewards where there is no network",
                parameters: SEARCH,
            };
            let searches = [
                SolverEntry::analyzer(ntuple, |v, params| ByExpectimax::<G>::read(v, params, true)),
                SolverEntry::analyzer(expectimax, |v, params| {
                    ByExpectimax::<G>::read(v, params, false)
                }),
            ];
            searches.into_iter().chain(tabular::entries()).collect()
        },
        defaults: &["ntuple", "expectimax"],
        prover: Some("retrograde"),
        finds_lines: false,
    }
}

/// The agents of the form in which the second player names the whole outcome.
pub(crate) fn tile<G: Sliding>() -> Vec<AgentEntry<Adversarial<G>>> {
    vec![
        AgentEntry::new("minimax", "minimax to a depth", PLAIN, |variant, params| {
            let (value, depth) = for_two::<G>(variant, params)?;
            Ok(Minimax::new(value, depth, false, 0))
        })
        .until_stopped(TO_ANY_DEPTH),
        AgentEntry::new("alpha-beta", "minimax with pruning and a table", PRUNED, |v, params| {
            let (value, depth) = for_two::<G>(v, params)?;
            Ok(Minimax::new(value, depth, true, memory(params)?))
        })
        .until_stopped(TO_ANY_DEPTH),
    ]
}

/// The agents of the form in which the tile is drawn and the second player places it.
pub(crate) fn cell<G: Sliding>() -> Vec<AgentEntry<CellAdversary<G>>> {
    vec![
        AgentEntry::new("expectiminimax", "expectiminimax to a depth", PLAIN, |variant, params| {
            let (value, depth) = for_two::<G>(variant, params)?;
            Ok(Minimax::new(value, depth, false, 0))
        })
        .until_stopped(TO_ANY_DEPTH),
        AgentEntry::new("alpha-beta", "the same with pruning and a table", PRUNED, |v, params| {
            let (value, depth) = for_two::<G>(v, params)?;
            Ok(Minimax::new(value, depth, true, memory(params)?))
        })
        .until_stopped(TO_ANY_DEPTH),
    ]
}

fn memory(params: &mut Params) -> Result<usize, ParseError> {
    table_bytes(params, 64, 1 << 20)
}

type TwoValue = ForTwo<Option<NTupleEvaluator>>;

fn for_two<G: Sliding>(
    variant: &G::Variant,
    params: &mut Params,
) -> Result<(TwoValue, u32), ParseError> {
    let network = network::<G>(variant, params, false)?;
    let depth = params.number(DEPTH.name, 2, 1..=40)?;
    Ok((ForTwo(network.map(NTupleEvaluator::new)), depth))
}

/// The network that parameters name, or the bundled one; where neither is there it is an error
/// if one is needed.
pub(crate) fn network<G: Sliding>(
    variant: &G::Variant,
    params: &mut Params,
    needed: bool,
) -> Result<Option<Arc<Network>>, ParseError> {
    let expected = "a network: model=DIR with a run of `ludens train`, or model=FILE";
    let named = params.take(MODEL.name);
    if !needed && named.as_deref() == Some("none") {
        return Ok(None);
    }
    let loaded = ModelStore::shared()
        .ntuple::<G>(named.as_deref(), variant)
        .map_err(|error| ParseError::new(MODEL.name, error.to_string(), expected))?;
    match loaded {
        None if needed => Err(ParseError::new(MODEL.name, "none", expected)),
        None => Ok(None),
        Some(loaded) => {
            params.note_weights(loaded.purpose.checksum);
            Ok(Some(loaded.network))
        }
    }
}

/// The evaluation that parameters name.
pub(crate) fn valuation<G: Sliding>(
    variant: &G::Variant,
    params: &mut Params,
    needed: bool,
) -> Result<Valuation<G>, ParseError> {
    let table = match params.take(TABLE.name) {
        Some(path) => {
            let game = spec(G::NAME, &variant.write());
            let (table, checksum) = crate::table_file::load(&path, &game)?;
            params.note_weights(checksum);
            Some(Arc::new(table))
        }
        None => None,
    };
    let network = network::<G>(variant, params, needed && table.is_none())?;
    Ok(Endgame::new(*variant, table, network.map(NTupleEvaluator::new)))
}

/// What an expectimax agent is made of.
#[derive(Clone)]
pub(crate) struct Searcher<G: Sliding> {
    pub(crate) value: Valuation<G>,
    pub(crate) ply: u32,
    pub(crate) memory: usize,
    pub(crate) rectified: bool,
    time: Option<Duration>,
    downgrade: Option<u64>,
}

impl<G: Sliding> Searcher<G> {
    /// Reads the parameters of `ntuple` and `expectimax`; `ply` is the default.
    pub(crate) fn read(
        variant: &G::Variant,
        params: &mut Params,
        needed: bool,
        ply: u32,
    ) -> Result<Self, ParseError> {
        let value = valuation::<G>(variant, params, needed)?;
        let millis = params.number(MILLIS.name, 0u64, 0..=3_600_000)?;
        let timed = millis > 0;
        let ply = if timed { DEEPEST } else { ply };
        let ply = params.number(PLY.name, ply, 1..=DEEPEST)?;
        let memory = memory(params)?;
        let downgrade = match params.take(DOWNGRADE.name) {
            None => None,
            Some(text) => Some(threshold::<G>(variant, &text)?),
        };
        let switch = [("on", true), ("off", false)];
        let rectified = params.choice(RECTIFIED.name, false, &switch)?;
        // With two moves or fewer nothing is met twice but what the search itself keeps.
        let memory = if ply > 2 { memory } else { 0 };
        let time = timed.then(|| Duration::from_millis(millis));
        Ok(Searcher { value, ply, memory, rectified, time, downgrade })
    }

    /// The search itself.
    pub(crate) fn search(&self) -> Expectimax<G, Valuation<G>> {
        let mut search = Expectimax::new(self.value.clone(), self.ply, self.memory);
        search.rectified = self.rectified;
        search
    }
}

fn threshold<G: Sliding>(variant: &G::Variant, text: &str) -> Result<u64, ParseError> {
    if !G::POSSIBLE {
        let found = format!("{} in {}", quote(text), G::NAME);
        return Err(ParseError::new("parameter downgrade", found, "it in 2048 only"));
    }
    let stages = Stages::parse::<G>(text, G::cell_shape(variant).values)?;
    match stages.bits() {
        [threshold] => Ok(*threshold),
        _ => {
            let expected = "tiles joined by '+', such as 32768+8192";
            Err(ParseError::new("parameter downgrade", quote(text), expected))
        }
    }
}

/// Expectimax with a time limit of its own, or with smaller tiles.
struct Player<G: Sliding> {
    search: Expectimax<G, Valuation<G>>,
    budget: Budget,
    downgrade: Option<u64>,
}

impl<G: Sliding> Player<G> {
    fn new(made: Searcher<G>) -> Self {
        let budget = Budget { time: made.time, ..Budget::default() };
        Player { search: made.search(), budget, downgrade: made.downgrade }
    }

    /// The position that is searched in place of this one.
    fn root(&self, position: &G) -> G {
        let smaller = self.downgrade.and_then(|threshold| position.downgraded(threshold));
        smaller.unwrap_or(*position)
    }
}

impl<G: Sliding> Agent<G> for Player<G> {
    fn choose(&mut self, position: &G, context: &mut Context<'_, G>) -> Choice<G::Action> {
        let whole = context.limits;
        context.limits = context.begin_within(self.budget);
        let choice = self.search.choose(&self.root(position), context);
        context.limits = whole;
        choice
    }

    fn choose_all(
        &mut self,
        positions: &[G],
        rngs: &mut [Rng],
        context: &mut Context<'_, G>,
        out: &mut Vec<G::Action>,
    ) {
        if self.downgrade.is_none() && self.budget == Budget::default() {
            return self.search.choose_all(positions, rngs, context, out);
        }
        choose_each(self, positions, rngs, context, out);
    }
}

fn mcts<G: Sliding>(
    variant: &G::Variant,
    params: &mut Params,
) -> Result<StochasticMcts<G, Valuation<G>>, ParseError> {
    let value = valuation::<G>(variant, params, true)?;
    let simulations = params.number(SIMULATIONS.name, 1000u32, 1..=100_000_000)?;
    let exploration = params.number(EXPLORATION.name, 0.005f32, 0.0..=1000.0)?;
    let norm = match params.take(NORM.name).as_deref() {
        None | Some("dynamic") => Range::Root,
        Some(text) => match text.parse::<f32>() {
            Ok(norm) if (1e-9..=1e12).contains(&norm) => Range::Fixed(norm),
            _ => {
                let expected = "dynamic, or a number from 1e-9 to 1e12";
                return Err(ParseError::new("parameter norm", quote(text), expected));
            }
        },
    };
    let outcomes = [("balanced", ChanceSampling::Balanced), ("random", ChanceSampling::Random)];
    let outcomes = params.choice(OUTCOMES.name, ChanceSampling::Balanced, &outcomes)?;
    let strength = Strength {
        index: params.number(STRENGTH.name, f32::INFINITY, -100.0..=100.0)?,
        threshold: params.number(THRESHOLD.name, 0.0f32, 0.0..=1.0)?,
    };
    let mut search = StochasticMcts::new(value, simulations);
    search.exploration = exploration;
    search.norm = norm;
    search.outcomes = outcomes;
    search.strength = strength;
    Ok(search)
}
