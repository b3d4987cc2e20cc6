//! Set-based search by name: plain, and HGSTS with its trees, symmetries and simulations.

use ludens_core::{
    Notation, Param, Parameter, Params, ParseError, SoloPuzzle, Symmetric, Symmetries, parameters,
};
use ludens_games::samegame::TabuPairs;
use ludens_games::samegame::{Guided, SameGame, SameGameKnowledge, Sampling, Tabu, TabuColour};
use ludens_search::mcts::Sets;
use ludens_search::nested::{LookAhead, Proportional};

use crate::SolverEntry;

const SET: Param<usize> =
    Param::int("set", 1..=1_000_000, 1000).help("positions of the layer, at least");
const BATCH: Param<usize> =
    Param::int("batch", 1..=1_000_000, 64).help("iterations between two looks at the order");
const EXPLORATION: Param<f64> = Param::float("exploration", 0.0..=1000.0, 0.1)
    .help("weight of uncertainty, as a share of the best score");
const HGSTS_SET: Param<usize> =
    Param::int("set", 1..=1_000_000, 30).help("positions of the layer, at least");
const HGSTS_BATCH: Param<usize> =
    Param::int("batch", 1..=1_000_000, 2).help("iterations between two looks at the order");
const HGSTS_EXPLORATION: Param<f64> = Param::float("exploration", 0.0..=1000.0, 0.02)
    .help("weight of uncertainty, as a share of the best score");
const EVERY: Param<u32> = Param::int("every", 0..=1000, 10)
    .help("moves of a simulation between two looks ahead, 0: none");
const TREES: Param<bool> = Param::switch("trees", true).help("UCT below each of the positions");
const SAMPLING: Param<Sampling> =
    Param::choice("sampling", &SAMPLINGS, "reward").help("how likely moves are in simulations");
const SAMPLINGS: [(&str, Sampling); 2] =
    [("uniform", Sampling::Uniform), ("reward", Sampling::Reward)];
pub(crate) const TABU: Param<TabuColour> =
    Param::custom("tabu", "none | random | frequent | bandit | 0..6", "", "frequent", read_tabu)
        .help("colour that simulations spare");
pub(crate) const BELOW: Param<u32> =
    Param::int("below", 0..=225, 0).help("with at most n blocks nothing is tabu");

pub(crate) const SETS: &[Parameter] = parameters![SET, BATCH, EXPLORATION];
const ANY: &[Parameter] = parameters![HGSTS_SET, HGSTS_BATCH, HGSTS_EXPLORATION, TREES, EVERY];
const SAMEGAME: &[Parameter] =
    parameters![HGSTS_SET, HGSTS_BATCH, HGSTS_EXPLORATION, TREES, EVERY, SAMPLING, TABU, BELOW];

fn read_tabu(_: &Param<TabuColour>, text: &str) -> Option<TabuColour> {
    match text {
        "none" => Some(TabuColour::None),
        "random" => Some(TabuColour::Random),
        "frequent" => Some(TabuColour::Frequent),
        "bandit" => Some(TabuColour::Bandit),
        _ => text.parse().ok().filter(|colour| *colour <= 6).map(TabuColour::Colour),
    }
}

/// The tabu that parameters name.
pub(crate) fn tabu(params: &mut Params) -> Result<Tabu, ParseError> {
    Ok(Tabu::new(params.get(&TABU)?, params.get(&BELOW)?, TabuPairs::Never))
}

pub(crate) fn sets<R>(rollout: R, params: &mut Params) -> Result<Sets<R>, ParseError> {
    let mut sets = Sets::new(rollout);
    sets.set = params.get(&SET)?;
    sets.batch = params.get(&BATCH)?;
    sets.exploration = params.get(&EXPLORATION)?;
    Ok(sets)
}

/// Set-based UCT with HGSTS' parameters.
fn trees<R, K>(rollout: R, knowledge: K, params: &mut Params) -> Result<Sets<R, K>, ParseError> {
    let mut sets = Sets::new(rollout).with_trees(knowledge);
    sets.set = params.get(&HGSTS_SET)?;
    sets.batch = params.get(&HGSTS_BATCH)?;
    sets.exploration = params.get(&HGSTS_EXPLORATION)?;
    sets.trees = params.get(&TREES)?;
    Ok(sets)
}

/// HGSTS with nothing known of the game but its symmetries.
pub(crate) fn any<G: SoloPuzzle + Notation + Symmetric>() -> SolverEntry<G> {
    SolverEntry::new("hgsts", ABOUT, ANY, |params| {
        let rollout = LookAhead::new(Proportional, params.get(&EVERY)?);
        trees(rollout, Symmetries, params)
    })
}

/// HGSTS with simulations that spare a colour.
pub(crate) fn samegame() -> SolverEntry<SameGame> {
    SolverEntry::new("hgsts", ABOUT, SAMEGAME, |params| {
        let (sampling, every) = (params.get(&SAMPLING)?, params.get(&EVERY)?);
        let rollout = Guided::new(tabu(params)?, sampling, every);
        trees(rollout, SameGameKnowledge, params)
    })
}

const ABOUT: &str = "set-based, simulations by reward";
