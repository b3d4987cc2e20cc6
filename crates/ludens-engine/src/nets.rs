//! Networks of boards by name: the agents and the parts of solvers that use them.

use std::path::Path;
use std::sync::Arc;

use ludens_core::params::spec;
use ludens_core::{Game, Heuristic, Notation, Parameter, Params, ParseError, Variant};
use ludens_games::Former;
use ludens_games::former::FormerVariant;
use ludens_models::{ModelStore, Role};
use ludens_nn::{By, Encoder, FormerCells, NetAgent, NetEvaluator, NetValue, Network};

use crate::agents::AgentEntry;

const MODEL: Parameter = Parameter {
    name: "model",
    values: "DIR | FILE",
    default: "the bundled one",
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
    values: "bundled | DIR | FILE",
    default: "none",
    about: "a value network that orders positions",
};
pub(crate) const POLICY: Parameter = Parameter {
    name: "policy",
    values: "bundled | DIR | FILE",
    default: "none",
    about: "a policy network that says which moves are likely",
};

const HEADS: &[(&str, Option<By>)] = &[("policy", Some(By::Policy)), ("value", Some(By::Value))];

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
                None => read(MODEL.name, None, variant, params)?,
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

/// What names the bundled network.
const BUNDLED: &str = "bundled";
const ENCODER: &str = <FormerCells as Encoder<Former>>::NAME;

/// The network of a parameter, for boards of a variant.
fn network(
    parameter: Parameter,
    variant: &FormerVariant,
    params: &mut Params,
) -> Result<Option<Arc<Network>>, ParseError> {
    let Some(text) = params.take(parameter.name) else { return Ok(None) };
    // `own` was its name before 0.2.
    let named = (text != BUNDLED && text != "own").then_some(text.as_str());
    read(parameter.name, named, variant, params).map(Some)
}

/// The network that a text names, or the bundled one.
fn read(
    parameter: &str,
    named: Option<&str>,
    variant: &FormerVariant,
    params: &mut Params,
) -> Result<Arc<Network>, ParseError> {
    let game = spec(Former::NAME, &variant.write());
    let wrong = |error: ludens_models::Error| {
        let expected = match named {
            Some(_) => "a network's file, or a run of `ludens train`",
            None => "model=DIR",
        };
        ParseError::new(format!("parameter {parameter}"), error.to_string(), expected)
    };
    let store = ModelStore::shared();
    let source = store.source(named, &game, Role::PolicyValue).map_err(wrong)?;
    let loaded = store.neural(&source, Network::new).map_err(wrong)?;
    loaded.purpose.check(&game, ENCODER).map_err(wrong)?;
    params.note_weights(loaded.purpose.checksum);
    Ok(loaded.network)
}
