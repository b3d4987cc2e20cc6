//! Networks of boards by name: the agents and the parts of solvers that use them.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::SystemTime;

use ludens_core::params::spec;
use ludens_core::{Game, Heuristic, Notation, Parameter, Params, ParseError, Variant};
use ludens_games::Former;
use ludens_games::former::FormerVariant;
use ludens_nn::{By, Encoder, FormerCells, Model, NetAgent, NetEvaluator, NetValue, Network};

use crate::agents::AgentEntry;
use crate::shipped::{Role, Source};

const MODEL: Parameter = Parameter {
    name: "model",
    values: "DIR | FILE",
    default: "the program's own",
    about: "run of `ludens train`, or a network's file",
};
const BY: Parameter = Parameter {
    name: "by",
    values: "policy | value",
    default: "value, where the network has one",
    about: "what it plays by",
};
const IMAGES: Parameter = Parameter {
    name: "images",
    values: "1..48",
    default: "1",
    about: "sides that it sees every position from; the mean counts",
};
pub(crate) const EVAL: Parameter = Parameter {
    name: "eval",
    values: "own | DIR | FILE",
    default: "none",
    about: "a value network that orders positions; own: the program's",
};
pub(crate) const POLICY: Parameter = Parameter {
    name: "policy",
    values: "own | DIR | FILE",
    default: "none",
    about: "a policy network that says which moves are likely; own: the program's",
};

const HEADS: &[(&str, Option<By>)] = &[("policy", Some(By::Policy)), ("value", Some(By::Value))];

/// Networks that are kept for whoever asks again.
const KEPT: usize = 4;

/// A network in use: its file with the time it was written, what it is for, its checksum, and
/// itself.
#[derive(Clone)]
struct Loaded {
    path: PathBuf,
    written: Option<SystemTime>,
    game: String,
    encoder: String,
    checksum: String,
    network: Arc<Network>,
}

/// The networks used last, the newest at the end.
static IN_USE: Mutex<Vec<Loaded>> = Mutex::new(Vec::new());

/// The agent that plays what a network says.
const NET: &str = "net";

/// The agents of Former that have networks.
pub(crate) fn agents() -> Vec<AgentEntry<Former>> {
    vec![AgentEntry::new(
        NET,
        "what a network says, without search",
        &[MODEL, BY, IMAGES],
        |variant, params| {
            let network = match network(MODEL, variant, params)? {
                Some(network) => network,
                None => own(variant, params)?,
            };
            let images = params.number("images", 1, 1..=48)?;
            let agent = NetAgent::new(NetEvaluator::new(network, FormerCells, variant)?, images);
            match params.choice("by", None, HEADS)? {
                None => Ok(agent),
                Some(by) => agent.by(by),
            }
        },
    )]
}

/// The heuristic of the network that a solver's text names.
pub(crate) fn value(
    variant: &FormerVariant,
    params: &mut Params,
) -> Result<Option<NetValue<Former, FormerCells>>, ParseError> {
    let network = network(EVAL, variant, params)?;
    network.map(|network| NetValue::new(network, FormerCells, variant)).transpose()
}

/// What the network of a run or a file says of boards of Former: the rewards to come.
///
/// # Errors
/// When there is no such network, or it gives no values.
pub fn former_values(model: &Path, boards: &[Former]) -> Result<Vec<f32>, ParseError> {
    let Some(first) = boards.first() else { return Ok(Vec::new()) };
    let mut params = Params::single(EVAL.name, &model.display().to_string());
    let value = value(&first.variant(), &mut params)?.expect("the network is named");
    Ok(boards.iter().map(|board| value.value(board)).collect())
}

/// The policy of the network that a solver's text names.
pub(crate) fn policy(
    variant: &FormerVariant,
    params: &mut Params,
) -> Result<Option<NetEvaluator<Former, FormerCells>>, ParseError> {
    let Some(network) = network(POLICY, variant, params)? else { return Ok(None) };
    network.spec().require(true, false)?;
    NetEvaluator::new(network, FormerCells, variant).map(Some)
}

/// What names the network that comes with the program.
const OWN: &str = "own";

/// The network of a parameter, for boards of a variant.
fn network(
    parameter: Parameter,
    variant: &FormerVariant,
    params: &mut Params,
) -> Result<Option<Arc<Network>>, ParseError> {
    let Some(text) = params.take(parameter.name) else { return Ok(None) };
    if text == OWN {
        return own(variant, params).map(Some);
    }
    let wrong = |error: ludens_nn::Error| {
        let expected = "a network's file, or a run of `ludens train`";
        ParseError::new(format!("parameter {}", parameter.name), error.to_string(), expected)
    };
    let game = spec(Former::NAME, &variant.write());
    let loaded = load(Path::new(&text), &game, ENCODER).map_err(wrong)?;
    params.note_weights(loaded.checksum);
    Ok(Some(loaded.network))
}

const ENCODER: &str = <FormerCells as Encoder<Former>>::NAME;

/// The network that comes with the program, for boards of its size.
fn own(variant: &FormerVariant, params: &mut Params) -> Result<Arc<Network>, ParseError> {
    static NETWORK: OnceLock<(Arc<Network>, String)> = OnceLock::new();
    if *variant != FormerVariant::default() {
        let found = spec(Former::NAME, &variant.write());
        return Err(ParseError::new("network", format!("none for {found}"), "model=DIR"));
    }
    if let Some((network, checksum)) = NETWORK.get() {
        params.note_weights(checksum);
        return Ok(Arc::clone(network));
    }
    let wrong = |error: ludens_nn::Error| {
        ParseError::new("network", error.to_string(), "the one that comes with the program")
    };
    let source = Source::own(Former::NAME, Role::Plays)?;
    let model: Model = source.read().map_err(wrong)?;
    model.check(Former::NAME, ENCODER).map_err(wrong)?;
    let read = || (Arc::new(Network::new(&model.weights)), model.checksum());
    let (network, checksum) = NETWORK.get_or_init(read);
    params.note_weights(checksum);
    Ok(Arc::clone(network))
}

/// The file of a network that may be named by the folder of its run.
pub(crate) fn file_of(path: &Path) -> PathBuf {
    if path.is_dir() { path.join(ludens_learn::MODEL) } else { path.to_owned() }
}

/// Reads a network, or gives the one that was read before.
fn load(path: &Path, game: &str, encoder: &str) -> Result<Loaded, ludens_nn::Error> {
    let path = file_of(path);
    let written = path.metadata().and_then(|data| data.modified()).ok();
    // What others left behind is whole: entries are only pushed and removed.
    let mut in_use = IN_USE.lock().unwrap_or_else(PoisonError::into_inner);
    let same = |loaded: &&Loaded| {
        (&loaded.path, loaded.written) == (&path, written)
            && (loaded.game.as_str(), loaded.encoder.as_str()) == (game, encoder)
    };
    if let Some(loaded) = in_use.iter().find(same) {
        return Ok(loaded.clone());
    }
    let model: Model = Model::load(&path)?;
    model.check(game, encoder)?;
    let (network, checksum) = (Arc::new(Network::new(&model.weights)), model.checksum());
    if in_use.len() == KEPT {
        in_use.remove(0);
    }
    let (game, encoder) = (model.game, model.encoder);
    let loaded = Loaded { path, written, game, encoder, checksum, network };
    in_use.push(loaded.clone());
    Ok(loaded)
}
