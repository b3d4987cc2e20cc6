//! Agents of games for two that have networks.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ludens_core::params::spec;
use ludens_core::{Budget, Deterministic, Duel, Notation, Parameter, Params, ParseError, Variant};
use ludens_learn::alphazero::folder::MODEL;
use ludens_learn::probs::folder::VALUE;
use ludens_learn::probs::{Players, ProbsAgent, action_encoder};
use ludens_nn::{Cached, Encoder, Judge, Model, Network};
use ludens_search::duel::puct::{Gumbel, Noise, PriorAgent, PuctAgent, PuctConfig, Root};

use crate::{AgentEntry, duels};

const SIMS: Parameter = Parameter {
    name: "sims",
    values: "1..",
    default: "400, none with time",
    about: "simulations per move",
};
const MODEL_FILE: Parameter = Parameter {
    name: "model",
    values: "DIR | FILE",
    default: "the one that comes with the program",
    about: "the network: a run's folder or a file",
};
const TIME: Parameter =
    Parameter { name: "time", values: "100ms | 1s | ..", default: "none", about: "time per move" };
const C: Parameter =
    Parameter { name: "c", values: "0..100", default: "1.5", about: "exploration" };
const FPU: Parameter = Parameter {
    name: "fpu",
    values: "0..2",
    default: "0.25",
    about: "how much less a move not tried yet counts",
};
const BATCH: Parameter = Parameter {
    name: "batch",
    values: "1..1024",
    default: "1",
    about: "positions judged at once; 16 or more per core use several",
};
const CONSIDERED: Parameter = Parameter {
    name: "gumbel",
    values: "0..1000",
    default: "0",
    about: "moves that a Gumbel root begins with; 0: plain PUCT",
};
const NOISE: Parameter = Parameter {
    name: "noise",
    values: "0..1",
    default: "0",
    about: "share of Dirichlet noise at the root",
};

const EXPAND: Parameter = Parameter {
    name: "expand",
    values: "0..1000000",
    default: "0",
    about: "positions that a beam search expands first; 0: none",
};
const DEPTH: Parameter =
    Parameter { name: "depth", values: "0..1000000", default: "99", about: "how deep it goes" };

/// Verdicts that an agent remembers.
const CACHE: usize = 1 << 16;

/// What a game needs to be played by networks.
pub(crate) trait Neural: Duel + Deterministic + Notation {}
impl<G: Duel + Deterministic + Notation> Neural for G {}

/// The agents that every game of this kind has, and those with networks.
pub(crate) fn agents<G: Neural, E: Encoder<G> + Default>() -> Vec<AgentEntry<G>> {
    let mut all = duels::agents::<G>();
    all.push(AgentEntry::new(
        "az",
        "a tree search with a network, as AlphaZero",
        &[SIMS, MODEL_FILE, TIME, C, FPU, BATCH, CONSIDERED, NOISE],
        |variant, params| az::<G, E>(variant, params),
    ));
    all.push(AgentEntry::new(
        "net",
        "a network's likeliest move, without a search",
        &[MODEL_FILE],
        |variant, params| Ok(PriorAgent::new(judge::<G, E>(variant, params)?)),
    ));
    // A sum over cells says little of what a move is worth.
    if !E::SUMS {
        all.push(AgentEntry::new(
            "probs",
            "the move that a network of PROBS values most",
            &[MODEL_FILE, EXPAND, DEPTH],
            |variant, params| probs::<G, E>(variant, params),
        ));
    }
    all
}

fn probs<G: Neural, E: Encoder<G> + Default>(
    variant: &G::Variant,
    params: &mut Params,
) -> Result<ProbsAgent<Players<E>>, ParseError> {
    let game = spec(G::NAME, &variant.write());
    let expand = params.number("expand", 0, 0..=1_000_000)?;
    let depth = params.number("depth", 99, 0..=1_000_000)?;
    let Some(path) = params.take("model") else { return Err(none_shipped(&game)) };
    let path = Path::new(&path);
    let read = |file: &Path, encoder: &str| {
        let model = load(file, &game, encoder)?;
        E::check(variant, model.weights.spec())?;
        Ok(model.weights)
    };
    let moves = read(&network_file(path, MODEL), &action_encoder::<G, E>())?;
    let positions = match expand {
        0 => None,
        _ => Some(read(&path.join(VALUE), E::NAME)?),
    };
    let mut agent = ProbsAgent::new(Players::new(E::default(), &moves, positions.as_ref()));
    (agent.expand, agent.depth) = (expand, depth);
    Ok(agent)
}

fn none_shipped(game: &str) -> ParseError {
    let expected = format!("model=DIR: no network for {game} comes with the program");
    ParseError::new("network", "none", expected)
}

fn az<G: Neural, E: Encoder<G> + Default>(
    variant: &G::Variant,
    params: &mut Params,
) -> Result<PuctAgent<G, Cached<G, Judge<G, E>>>, ParseError> {
    let time = params.duration("time")?;
    let sims = params.number("sims", 0, 1..=u32::MAX)?;
    let usual = PuctConfig::default();
    let config = PuctConfig {
        c: params.number("c", usual.c, 0.0..=100.0)?,
        fpu: params.number("fpu", usual.fpu, 0.0..=2.0)?,
        ..usual
    };
    let batch: usize = params.number("batch", 1, 1..=1024)?;
    let considered = params.number("gumbel", 0, 0..=1000)?;
    let share = params.number("noise", 0.0, 0.0..=1.0)?;
    let judge = judge::<G, E>(variant, params)?.threads(batch / 16);
    let mut agent = PuctAgent::new(config, Cached::new(judge, CACHE));
    agent.simulations = match (sims, time) {
        (0, None) => Some(400),
        (0, Some(_)) => None,
        _ => Some(sims),
    };
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

/// The network that `model=` names.
fn judge<G: Neural, E: Encoder<G> + Default>(
    variant: &G::Variant,
    params: &mut Params,
) -> Result<Judge<G, E>, ParseError> {
    let game = spec(G::NAME, &variant.write());
    let Some(path) = params.take("model") else { return Err(none_shipped(&game)) };
    let model = load(&network_file(Path::new(&path), MODEL), &game, E::NAME)?;
    Judge::new(Arc::new(Network::new(&model.weights)), E::default(), variant)
}

/// A network for a game, from a file.
fn load(file: &Path, game: &str, encoder: &str) -> Result<Model, ParseError> {
    let wrong = |error: ludens_nn::Error| {
        ParseError::new("parameter model", error.to_string(), format!("a network for {game}"))
    };
    let model = Model::load(file).map_err(wrong)?;
    model.check(game, encoder).map_err(wrong)?;
    Ok(model)
}

/// The file of a network that may be named by the folder of its run.
fn network_file(path: &Path, name: &str) -> PathBuf {
    if path.is_dir() { path.join(name) } else { path.to_owned() }
}
