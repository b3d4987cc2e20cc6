//! Networks of boards by name: the agents and the parts of solvers that use them.

use std::path::Path;
use std::sync::Arc;

use ludens_core::params::spec;
use ludens_core::{
    Game, Heuristic, Notation, Param, Params, ParseError, Policy, Variant, parameters,
};
use ludens_games::Former;
use ludens_games::former::FormerVariant;
use ludens_models::{ModelStore, Role};
use ludens_nn::{By, Encoder, FormerCells, NetAgent, NetEvaluator, NetValue, Network};

use crate::agents::AgentEntry;
use crate::custom::{self, Custom};

pub(crate) const MODEL_HELP: &str = "run of `ludens train`, or a network's file";
const MODEL: Param<Option<String>> =
    named(Param::path("model", "the bundled one")).help(MODEL_HELP);
const BY: Param<Option<By>> = Param::opt_choice("by", &HEADS)
    .rule("value, where the network has one")
    .help("what it plays by");
const SYMMETRIES: Param<u32> = Param::int("symmetries", 1..=48, 1)
    .alias("images")
    .help("symmetries that it sees every position in; the mean counts");
pub(crate) const EVAL: Param<Option<String>> =
    named(Param::path("eval", "none")).help("a value network that orders positions");
pub(crate) const POLICY: Param<Option<String>> =
    named(Param::path("policy", "none")).help("a policy network that says which moves are likely");

/// What names the bundled network; `own` until 0.1.
const BUNDLED: &str = "bundled";

const fn named(path: Param<Option<String>>) -> Param<Option<String>> {
    path.or(BUNDLED).value_alias("own", BUNDLED)
}

const HEADS: [(&str, Option<By>); 2] = [("policy", Some(By::Policy)), ("value", Some(By::Value))];

/// The agent that plays what a network says.
const NET: &str = "net";

/// The agents of Former that have networks.
pub(crate) fn agents() -> Vec<AgentEntry<Former>> {
    vec![AgentEntry::new(
        NET,
        "what a network says, without search",
        parameters![MODEL, BY, SYMMETRIES],
        |variant, params| {
            let network = match network(&MODEL, variant, params)? {
                Some(network) => network,
                None => read(MODEL.name(), None, variant, params)?,
            };
            let symmetries = params.get(&SYMMETRIES)?;
            let evaluator = NetEvaluator::new(network, FormerCells, variant)?;
            let agent = NetAgent::new(evaluator, symmetries);
            match params.get(&BY)? {
                None => Ok(agent),
                Some(by) => agent.by(by),
            }
        },
    )]
}

/// What orders boards of Former: a network, or the caller's own evaluator.
#[derive(Clone)]
pub(crate) enum BoardValue {
    Network(NetValue<Former, FormerCells>),
    Custom(Custom),
}

impl Heuristic<Former> for BoardValue {
    fn value(&self, position: &Former) -> f32 {
        match self {
            BoardValue::Network(network) => network.value(position),
            BoardValue::Custom(own) => own.value(position),
        }
    }
}

/// What says which moves of Former are likely, likewise.
#[derive(Clone)]
pub(crate) enum BoardPolicy {
    Network(NetEvaluator<Former, FormerCells>),
    Custom(Custom),
}

impl Policy<Former> for BoardPolicy {
    fn probabilities(&mut self, position: &Former, out: &mut Vec<f32>) {
        match self {
            BoardPolicy::Network(network) => network.probabilities(position, out),
            BoardPolicy::Custom(own) => own.probabilities(position, out),
        }
    }
}

/// The heuristic that a solver's text names.
pub(crate) fn value(
    variant: &FormerVariant,
    params: &mut Params,
) -> Result<Option<BoardValue>, ParseError> {
    if let Some(own) = custom::named(&EVAL, params)? {
        return Ok(Some(BoardValue::Custom(own)));
    }
    let Some(network) = network(&EVAL, variant, params)? else { return Ok(None) };
    Ok(Some(BoardValue::Network(NetValue::new(network, FormerCells, variant)?)))
}

/// What the network of a run or a file says of boards of Former: the rewards to come.
///
/// # Errors
/// When there is no such network, or it gives no values.
pub fn former_values(model: &Path, boards: &[Former]) -> Result<Vec<f32>, ParseError> {
    let Some(first) = boards.first() else { return Ok(Vec::new()) };
    let mut params = Params::single(EVAL.name(), &model.display().to_string());
    let value = value(&first.variant(), &mut params)?.expect("the network is named");
    Ok(boards.iter().map(|board| value.value(board)).collect())
}

/// The policy that a solver's text names.
pub(crate) fn policy(
    variant: &FormerVariant,
    params: &mut Params,
) -> Result<Option<BoardPolicy>, ParseError> {
    if let Some(own) = custom::named(&POLICY, params)? {
        return Ok(Some(BoardPolicy::Custom(own)));
    }
    let Some(network) = network(&POLICY, variant, params)? else { return Ok(None) };
    network.spec().require(true, false)?;
    Ok(Some(BoardPolicy::Network(NetEvaluator::new(network, FormerCells, variant)?)))
}

const ENCODER: &str = <FormerCells as Encoder<Former>>::NAME;

/// The network of a parameter, for boards of a variant.
fn network(
    param: &Param<Option<String>>,
    variant: &FormerVariant,
    params: &mut Params,
) -> Result<Option<Arc<Network>>, ParseError> {
    let Some(text) = params.get(param)? else { return Ok(None) };
    let named = (text != BUNDLED).then_some(text.as_str());
    read(param.name(), named, variant, params).map(Some)
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
