//! Agents of games for two that have networks.

use std::sync::Arc;

use ludens_core::params::spec;
use ludens_core::platform::thread;
use ludens_core::{
    Agent, Budget, Deterministic, Evaluator, Game, Notation, Param, Params, ParseError, StaticEval,
    Variant, parameters,
};
use ludens_games::Sevn;
use ludens_games::sevn::Base;
use ludens_models::{ModelStore, Role, Source};
use ludens_nn::{
    Cached, Encoder, GraphEncoder, GraphEvaluator, GraphNetwork, NetEvaluator, Network,
    PolicyOutput, QvNetworks, SevnCells, SevnGraph, SevnLooplessGraph, WinEvaluator,
    action_encoder, tanh_encoder, win_encoder,
};
use ludens_search::probs::ProbsAgent;
use ludens_search::tree::{Gumbel, Noise, PriorAgent, PuctConfig, Root, TreeAgent};

use crate::agents::per_move;
use crate::analysis::prover::{self, Prover};
use crate::duels::{self, TIME};
use crate::environment::Environment;
use crate::levels::{self, Ladder};
use crate::{AgentEntry, custom, nets};

const SIMS: Param<u32> = Param::int("sims", 1..=u32::MAX as u64, 400)
    .help("simulations per move; as many as fit where time is given");
const MODEL: Param<Option<String>> =
    Param::path("model", "the bundled one, where there is one").help(nets::MODEL_HELP);
const C: Param<Option<f32>> =
    Param::opt_float("c", 0.0..=100.0).rule("1.5; 3 where plain").help("exploration");
const FPU: Param<f32> =
    Param::float("fpu", 0.0..=2.0, 0.25).help("how much less a move not tried yet counts");
const PLAIN: Param<bool> = Param::switch("plain", false).help(
    "as Clark (2021): untried moves count 0, nothing is proven, the root's evaluation is no simulation",
);
const BATCH: Param<usize> = Param::int("batch", 1..=1024, 1)
    .help("positions evaluated at once; 16 or more per core use several");
const CONSIDERED: Param<usize> =
    Param::int("gumbel", 0..=1000, 0).help("moves that a Gumbel root starts with; 0: plain PUCT");
const NOISE: Param<f32> =
    Param::float("noise", 0.0..=1.0, 0.0).help("share of Dirichlet noise at the root");
const EXPAND: Param<usize> = Param::int("expand", 0..=1_000_000, 0)
    .help("positions that a beam search expands first; 0: none");
const DEPTH: Param<u32> = Param::int("depth", 0..=1_000_000, 99).help("how deep it goes");

/// The exploration of Clark (2021).
const PLAIN_C: f32 = 3.0;
/// Evaluations that an agent remembers.
const CACHE: usize = 1 << 16;

/// What a game needs to be played by networks.
pub(crate) trait Neural: StaticEval + Deterministic + Notation + Environment {}
impl<G: StaticEval + Deterministic + Notation + Environment> Neural for G {}

/// Opens the network that `model=` names, to run on `threads` threads.
type Open<G> =
    fn(&<G as Game>::Variant, &mut Params, usize) -> Result<Box<dyn Evaluator<G>>, ParseError>;

/// The agents of games whose networks see planes.
pub(crate) fn agents<G: Neural, E: Encoder<G> + Default>(
    ladder: &'static Ladder,
    prover: &'static Prover<G>,
) -> Vec<AgentEntry<G>> {
    agents_with::<G, E, E>(ladder, prover)
}

/// The same where networks of PROBS may see other planes, those of `R`.
pub(crate) fn agents_with<G: Neural, E: Encoder<G> + Default, R: Encoder<G> + Default>(
    ladder: &'static Ladder,
    prover: &'static Prover<G>,
) -> Vec<AgentEntry<G>> {
    let mut all = searching::<G>(ladder, prover, planes::<G, E>);
    all.push(AgentEntry::new(
        "probs",
        "the move that a network of PROBS values most",
        parameters![MODEL, EXPAND, DEPTH],
        |variant: &G::Variant, params: &mut Params| {
            let game = spec(G::NAME, &variant.write());
            let named = params.get(&MODEL)?;
            let source = source(named.as_deref(), &game, Role::ActionValues)?;
            let loaded = ModelStore::shared().neural(&source, Network::new);
            let encoder = loaded.map(|loaded| loaded.purpose.encoder).unwrap_or_default();
            let agent: Box<dyn Agent<G>> = match encoder == action_encoder::<G, R>() {
                true => Box::new(probs::<G, R>(variant, named.as_deref(), params)?),
                false => Box::new(probs::<G, E>(variant, named.as_deref(), params)?),
            };
            Ok(agent)
        },
    ));
    all
}

/// The agents of Sevn, whose networks see graphs or planes.
pub(crate) fn sevn_agents() -> Vec<AgentEntry<Sevn>> {
    searching::<Sevn>(&levels::SEVN, &prover::SEVN, sevn)
}

/// The agents that every game for two has, and those that need an evaluator.
fn searching<G: Neural>(
    ladder: &'static Ladder,
    prover: &'static Prover<G>,
    open: Open<G>,
) -> Vec<AgentEntry<G>> {
    let mut all = duels::agents::<G>(ladder, prover);
    let az = AgentEntry::new(
        "az",
        "a tree search with a network, as AlphaZero",
        parameters![SIMS, MODEL, TIME, C, FPU, BATCH, CONSIDERED, NOISE, PLAIN],
        move |variant, params| az(open, variant, params),
    );
    all.push(az.until_stopped("time=1h"));
    all.push(AgentEntry::new(
        "net",
        "a network's likeliest move, without a search",
        parameters![MODEL],
        move |variant, params| Ok(PriorAgent::new(evaluator(open, variant, params, 1)?)),
    ));
    all
}

/// The evaluator that `model=` names: the caller's own, or a network.
fn evaluator<G: Neural>(
    open: Open<G>,
    variant: &G::Variant,
    params: &mut Params,
    threads: usize,
) -> Result<Box<dyn Evaluator<G>>, ParseError> {
    match custom::named(&MODEL, params)? {
        Some(own) => Ok(Box::new(own)),
        None => open(variant, params, threads),
    }
}

/// A tree search with any evaluator.
type Searching<G> = TreeAgent<G, Cached<G, Box<dyn Evaluator<G>>>>;

fn az<G: Neural>(
    open: Open<G>,
    variant: &G::Variant,
    params: &mut Params,
) -> Result<Searching<G>, ParseError> {
    let time = params.get(&TIME)?;
    let simulations = per_move(params, &SIMS, time)?;
    let plain = params.get(&PLAIN)?;
    let mut config = PuctConfig { plain, ..PuctConfig::default() };
    config.c = params.get(&C)?.unwrap_or(if plain { PLAIN_C } else { config.c });
    if !plain {
        config.fpu = params.get(&FPU)?;
    }
    let batch = params.get(&BATCH)?;
    let (considered, share) = (params.get(&CONSIDERED)?, params.get(&NOISE)?);
    let threads = (batch / 16).min(thread::available_parallelism());
    let evaluator = Cached::new(evaluator(open, variant, params, threads)?, CACHE);
    let mut agent = TreeAgent::puct(config, evaluator);
    agent.simulations = simulations.map(u64::from);
    agent.budget = Budget { time, ..Budget::default() };
    agent.batch = batch;
    agent.root = if considered > 0 {
        Root::Gumbel(Gumbel { considered, draw: share > 0.0, ..Gumbel::default() })
    } else if share > 0.0 {
        Root::Noisy(Noise { alpha: 0.5, share })
    } else {
        Root::Plain
    };
    Ok(agent)
}

fn probs<G: Neural, E: Encoder<G> + Default>(
    variant: &G::Variant,
    named: Option<&str>,
    params: &mut Params,
) -> Result<ProbsAgent<QvNetworks<E>>, ParseError> {
    let game = spec(G::NAME, &variant.write());
    let (expand, depth) = (params.get(&EXPAND)?, params.get(&DEPTH)?);
    let mut read = |role, encoder: &str| {
        let source = source(named, &game, role)?;
        let network = network(&source, &game, encoder, params)?;
        E::check(variant, network.spec())?;
        Ok::<_, ParseError>(network)
    };
    let actions = read(Role::ActionValues, &action_encoder::<G, E>())?;
    let positions = match expand {
        0 => None,
        _ => Some(read(Role::PositionValues, E::NAME)?),
    };
    let mut agent = ProbsAgent::new(QvNetworks::new(E::default(), actions, positions));
    (agent.expand, agent.depth) = (expand, depth);
    Ok(agent)
}

/// Opens a network of planes.
fn planes<G: Neural, E: Encoder<G> + Default>(
    variant: &G::Variant,
    params: &mut Params,
    threads: usize,
) -> Result<Box<dyn Evaluator<G>>, ParseError> {
    let game = spec(G::NAME, &variant.write());
    let source = source(params.get(&MODEL)?.as_deref(), &game, Role::PolicyValue)?;
    let network = network(&source, &game, E::NAME, params)?;
    Ok(Box::new(NetEvaluator::new(network, E::default(), variant)?.threads(threads)))
}

/// Opens a network of graphs, which plays boards of all sizes, or one of planes.
fn sevn(
    base: &Base,
    params: &mut Params,
    threads: usize,
) -> Result<Box<dyn Evaluator<Sevn>>, ParseError> {
    let game = spec(Sevn::NAME, &base.write());
    let source = source(params.get(&MODEL)?.as_deref(), &game, Role::PolicyValue)?;
    let Ok(loaded) = ModelStore::shared().neural(&source, GraphNetwork::new) else {
        let network = network(&source, &game, SevnCells::NAME, params)?;
        return Ok(Box::new(NetEvaluator::new(network, SevnCells, base)?.threads(threads)));
    };
    let purpose = loaded.purpose;
    // The board it was learned on does not matter, the game does.
    let learned = purpose.game.split(':').next() == Some(Sevn::NAME);
    let expected = if learned { purpose.game.clone() } else { game };
    let loopless = graph_kind::<SevnLooplessGraph>(&purpose.encoder);
    let kind = loopless.or_else(|| graph_kind::<SevnGraph>(&purpose.encoder));
    let known = if kind.is_some() { &purpose.encoder } else { SevnGraph::NAME };
    purpose.check(&expected, known).map_err(|error| refused(&error, &expected))?;
    params.note_weights(purpose.checksum);
    let kind = kind.unwrap_or_default();
    Ok(match loopless {
        Some(_) => kind.evaluator(GraphEvaluator::new(loaded.network, SevnLooplessGraph)?),
        None => kind.evaluator(GraphEvaluator::new(loaded.network, SevnGraph)?),
    })
}

/// How a graph network is read.
#[derive(Clone, Copy, Default)]
struct GraphKind {
    policy: PolicyOutput,
    wins: bool,
}

/// What the name of an encoder in a file says of its network, if it is one of this kind of graphs.
fn graph_kind<E: GraphEncoder<Sevn>>(encoder: &str) -> Option<GraphKind> {
    let kinds = [
        (E::NAME.to_owned(), PolicyOutput::Softmax, false),
        (tanh_encoder::<Sevn, E>(), PolicyOutput::Tanh, false),
        (win_encoder::<Sevn, E>(), PolicyOutput::Softmax, true),
    ];
    let found = kinds.into_iter().find(|(name, ..)| *name == encoder);
    found.map(|(_, policy, wins)| GraphKind { policy, wins })
}

impl GraphKind {
    fn evaluator<E: GraphEncoder<Sevn>>(
        self,
        evaluator: GraphEvaluator<Sevn, E>,
    ) -> Box<dyn Evaluator<Sevn>> {
        let evaluator = evaluator.policy(self.policy);
        if self.wins { Box::new(WinEvaluator::from(evaluator)) } else { Box::new(evaluator) }
    }
}

/// Where the network of a text is, or the bundled one.
fn source(named: Option<&str>, game: &str, role: Role) -> Result<Source, ParseError> {
    let missing =
        |error: ludens_models::Error| ParseError::new("network", "none", error.to_string());
    ModelStore::shared().source(named, game, role).map_err(missing)
}

/// The network of a source, if it is for the game and the encoder.
fn network(
    source: &Source,
    game: &str,
    encoder: &str,
    params: &mut Params,
) -> Result<Arc<Network>, ParseError> {
    let wrong = |error: ludens_models::Error| refused(&error, game);
    let loaded = ModelStore::shared().neural(source, Network::new).map_err(wrong)?;
    loaded.purpose.check(game, encoder).map_err(wrong)?;
    params.note_weights(loaded.purpose.checksum);
    Ok(loaded.network)
}

fn refused(error: &ludens_models::Error, game: &str) -> ParseError {
    ParseError::new("parameter model", error.to_string(), format!("a network for {game}"))
}
