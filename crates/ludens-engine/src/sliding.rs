//! Agents of 2048, 2584 and Threes!, and of their two-player forms.

use std::sync::Arc;
use std::time::Duration;

use ludens_core::adversarial::ForTwo;
use ludens_core::agent::choose_each;
use ludens_core::error::quote;
use ludens_core::params::spec;
use ludens_core::{
    Adversarial, AfterValue, Agent, Batch, Budget, CellAdversary, Cells, Choice, Context,
    Downgrade, FixedActions, Param, Parameter, Params, ParseError, Solo, Spawns, Starts, Symmetric,
    Variant, ZeroSum, parameters,
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
use crate::custom::{self, Custom};
use crate::environment::Tiles;
use crate::nets::MODEL_HELP;
use crate::small_boards;
use crate::tile_value::TileValue;
use crate::vote::{VOTE, Voters};

/// A game of one player who slides tiles.
pub trait Sliding:
    Solo + Spawns + Cells + FixedActions + Symmetric<After: Ord> + Starts + Downgrade + Tiles
{
}

impl<G> Sliding for G where
    G: Solo + Spawns + Cells + FixedActions + Symmetric<After: Ord> + Starts + Downgrade + Tiles
{
}

/// Exact values where there is a table, else those of a network or an evaluator where there is one, else 0.
pub(crate) type Valuation<G> = Endgame<G, TileValue>;

/// The most moves a search with a time limit looks ahead.
pub(crate) const DEEPEST: u32 = 20;

const MODEL: Param<Option<String>> =
    Param::path("model", "the bundled one, or none").or("none").help(MODEL_HELP);
/// Of agents that are nothing without one.
const NEEDED_MODEL: Param<Option<String>> =
    Param::path("model", "the bundled one").help(MODEL_HELP);
const TABLE: Param<Option<String>> =
    Param::path("table", "none").help("exact values by `ludens solve --exact --table FILE`");
const PLY: Param<Option<u32>> = Param::opt_int("ply", 1..=DEEPEST as u64)
    .rule("1, or as many as fit where time is given")
    .help("moves to look ahead");
const TIME: Param<Option<Duration>> =
    Param::duration("time").alias_in("millis", "ms").help("time per move, ply by ply");
const MEMORY: Param<usize> =
    Param::int(crate::agents::MEMORY, 0..=1 << 20, 64).help("MiB of the table of positions");
const DOWNGRADE: Param<Option<String>> =
    Param::opt_text("downgrade", "TILE | TILE+TILE | ..", "0123456789+")
        .help("2048: halve large tiles of positions from these on");
const RECTIFIED: Param<bool> =
    Param::switch("rectified", false).help("negative values count as 0, moves as 1 more");
const SIMULATIONS: Param<u32> =
    Param::int("simulations", 1..=100_000_000, 1000).help("simulations per move");
const EXPLORATION: Param<f32> =
    Param::float("c", 0.0..=1000.0, 0.005).help("weight of exploration");
const NORM: Param<Option<f32>> = Param::opt_float("norm", 1e-9..=1e12)
    .word("dynamic")
    .help("what values are divided by; dynamic: the best move's value");
const OUTCOMES: Param<ChanceSampling> = Param::choice(
    "outcomes",
    &[("balanced", ChanceSampling::Balanced), ("random", ChanceSampling::Random)],
    "balanced",
)
.help("how new tiles are chosen in the tree: evenly by probability, or by lot");
const STRENGTH: Param<Option<f32>> = Param::opt_float("z", -100.0..=100.0)
    .rule("the best move")
    .help("strength index: moves by this power of their visits");
const THRESHOLD: Param<f32> =
    Param::float("threshold", 0.0..=1.0, 0.0).help("least share of the most visits, with z");
const DEPTH: Param<u32> =
    Param::int("depth", 1..=40, 2).help("moves of both players to look ahead");
const PRUNING: Param<bool> =
    Param::switch("pruning", false).help("alpha-beta pruning with a table of positions");

/// Ply by ply as far as a limit allows.
const TO_THE_DEEPEST: &str = "ply=20";
/// Depth by depth as far as a limit allows.
const TO_ANY_DEPTH: &str = "depth=40";

const NETWORK_SEARCH: &[Parameter] =
    parameters![NEEDED_MODEL, TABLE, PLY, TIME, MEMORY, DOWNGRADE, RECTIFIED];
const PLAYER: &[Parameter] =
    parameters![NEEDED_MODEL, TABLE, PLY, TIME, MEMORY, DOWNGRADE, RECTIFIED, VOTE];
pub(crate) const SEARCH: &[Parameter] =
    parameters![MODEL, TABLE, PLY, TIME, MEMORY, DOWNGRADE, RECTIFIED];
const MCTS: &[Parameter] =
    parameters![NEEDED_MODEL, TABLE, SIMULATIONS, EXPLORATION, NORM, OUTCOMES, STRENGTH, THRESHOLD];
const MINIMAX: &[Parameter] = parameters![MODEL, DEPTH, PRUNING, MEMORY];
/// What the name `alpha-beta` stood for.
const PRUNED: (&str, &str) = (PRUNING.name(), "on");

/// The agents of the game itself, besides those that every game has.
pub fn solo<G: Sliding>() -> Vec<AgentEntry<G>> {
    vec![
        AgentEntry::new("ntuple", "expectimax with a learned network", PLAYER, Voters::<G>::read)
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
        small_boards::agent(),
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
    let entry = AgentEntry::new("minimax", "minimax to a depth", MINIMAX, minimax::<G, _>);
    vec![entry.until_stopped(TO_ANY_DEPTH).alias("alpha-beta", PRUNED)]
}

/// The agents of the form in which the tile is drawn and the second player places it.
pub(crate) fn cell<G: Sliding>() -> Vec<AgentEntry<CellAdversary<G>>> {
    let about = "expectiminimax to a depth";
    let entry = AgentEntry::new("expectiminimax", about, MINIMAX, minimax::<G, _>);
    vec![entry.until_stopped(TO_ANY_DEPTH).alias("alpha-beta", PRUNED)]
}

type TwoValue = ForTwo<Option<NTupleEvaluator>>;

/// The search of a two-player form `F` of a game.
fn minimax<G: Sliding, F: ZeroSum>(
    variant: &G::Variant,
    params: &mut Params,
) -> Result<Minimax<F, TwoValue>, ParseError>
where
    TwoValue: AfterValue<F>,
{
    let value = ForTwo(network::<G>(variant, params, false)?.map(NTupleEvaluator::new));
    let (depth, pruning) = (params.get(&DEPTH)?, params.get(&PRUNING)?);
    let memory = table_bytes(params, &MEMORY)?;
    Ok(Minimax::new(value, depth, pruning, if pruning { memory } else { 0 }))
}

/// The network that parameters name, or the bundled one; where neither is there it is an error
/// if one is needed.
pub(crate) fn network<G: Sliding>(
    variant: &G::Variant,
    params: &mut Params,
    needed: bool,
) -> Result<Option<Arc<Network>>, ParseError> {
    let expected = "a network: model=DIR with a run of `ludens train`, or model=FILE";
    let named = params.get(if needed { &NEEDED_MODEL } else { &MODEL })?;
    if !needed && named.as_deref() == Some("none") {
        return Ok(None);
    }
    let loaded = ModelStore::shared()
        .ntuple::<G>(named.as_deref(), variant)
        .map_err(|error| ParseError::new(MODEL.name(), error.to_string(), expected))?;
    match loaded {
        None if needed => Err(ParseError::new(MODEL.name(), "none", expected)),
        None => Ok(None),
        Some(loaded) => {
            params.note_weights(loaded.purpose.checksum);
            Ok(Some(loaded.network))
        }
    }
}

/// The caller's own evaluator, where `model=` names one.
pub(crate) fn own_evaluator(params: &mut Params) -> Result<Option<Custom>, ParseError> {
    custom::named(&MODEL, params)
}

/// The evaluation that parameters name.
pub(crate) fn valuation<G: Sliding>(
    variant: &G::Variant,
    params: &mut Params,
    needed: bool,
) -> Result<Valuation<G>, ParseError> {
    let table = match params.get(&TABLE)? {
        Some(path) => {
            let game = spec(G::NAME, &variant.write());
            let (table, checksum) = crate::table_file::load(&path, &game)?;
            params.note_weights(checksum);
            Some(Arc::new(table))
        }
        None => None,
    };
    let rest = match own_evaluator(params)? {
        Some(own) => TileValue::Custom(own),
        None => TileValue::of(network::<G>(variant, params, needed && table.is_none())?),
    };
    Ok(Endgame::new(*variant, table, rest))
}

/// What an expectimax agent is made of.
#[derive(Clone)]
pub(crate) struct Searcher<G: Sliding> {
    pub(crate) value: Valuation<G>,
    pub(crate) ply: u32,
    pub(crate) memory: usize,
    pub(crate) rectified: bool,
    pub(crate) time: Option<Duration>,
    pub(crate) downgrade: Option<u64>,
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
        let time = params.get(&TIME)?.filter(|time| !time.is_zero());
        let usual = if time.is_some() { DEEPEST } else { ply };
        let ply = params.get(&PLY)?.unwrap_or(usual);
        let memory = table_bytes(params, &MEMORY)?;
        let downgrade = match params.get(&DOWNGRADE)? {
            None => None,
            Some(text) => Some(threshold::<G>(variant, &text)?),
        };
        let rectified = params.get(&RECTIFIED)?;
        // With two moves or fewer nothing is met twice but what the search itself keeps.
        let memory = if ply > 2 { memory } else { 0 };
        Ok(Searcher { value, ply, memory, rectified, time, downgrade })
    }

    /// The search itself.
    pub(crate) fn search(&self) -> Expectimax<G, Valuation<G>> {
        self.search_to(self.ply, self.memory)
    }

    /// The search to another ply, with a table of at most `memory` bytes.
    pub(crate) fn search_to(&self, ply: u32, memory: usize) -> Expectimax<G, Valuation<G>> {
        let mut search = Expectimax::new(self.value.clone(), ply, memory.min(self.memory));
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
pub(crate) struct Player<G: Sliding> {
    search: Expectimax<G, Valuation<G>>,
    budget: Budget,
    downgrade: Option<u64>,
}

impl<G: Sliding> Player<G> {
    pub(crate) fn new(made: Searcher<G>) -> Self {
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

    fn choose_all(&mut self, batch: &mut Batch<'_, G>, context: &mut Context<'_, G>) {
        if self.downgrade.is_none() && self.budget == Budget::default() {
            return self.search.choose_all(batch, context);
        }
        choose_each(self, batch, context);
    }
}

fn mcts<G: Sliding>(
    variant: &G::Variant,
    params: &mut Params,
) -> Result<StochasticMcts<G, Valuation<G>>, ParseError> {
    let value = valuation::<G>(variant, params, true)?;
    let mut search = StochasticMcts::new(value, params.get(&SIMULATIONS)?);
    search.exploration = params.get(&EXPLORATION)?;
    search.norm = params.get(&NORM)?.map_or(Range::Root, Range::Fixed);
    search.outcomes = params.get(&OUTCOMES)?;
    search.strength = Strength {
        index: params.get(&STRENGTH)?.unwrap_or(f32::INFINITY),
        threshold: params.get(&THRESHOLD)?,
    };
    Ok(search)
}
