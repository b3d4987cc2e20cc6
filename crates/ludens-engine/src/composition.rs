//! The parts of a composition of the single-player MCTS as parameters: whatever is not given is
//! as the composition's name says.

use ludens_core::error::quote;
use ludens_core::{Param, Parameter, Params, ParseError, parameters};
use ludens_search::mcts::{
    Allocation, Amaf, Annealing, Block, Config, Duplicates, Narrowing, Nesting, Rule, Scale,
    Simulation, Urgency,
};

pub(crate) const C: Param<Option<f32>> =
    as_named(Param::opt_float("c", 0.0..=1000.0), "explorative factor");
const D: Param<Option<f32>> = as_named(
    Param::opt_float("d", 0.0..=1000.0),
    "rule=sp-mcts: weight of rare visits in the deviation",
);
pub(crate) const TOP: Param<Option<f32>> =
    as_named(Param::opt_float("top", 0.0..=1.0), "part of the maximum added to the average (W)");
pub(crate) const EPSILON: Param<Option<f32>> =
    as_named(Param::opt_float("epsilon", 0.0..=1.0), "chance of a random move in simulations");
pub(crate) const EXPAND: Param<Option<u32>> =
    as_named(Param::opt_int("expand", 0..=1_000_000), "visits before a node is expanded (T)");
pub(crate) const RUNS: Param<Option<u32>> =
    as_named(Param::opt_int("runs", 1..=10_000), "searches that share the budget");
pub(crate) const LEVEL: Param<Option<u32>> =
    as_named(Param::opt_int("level", 1..=5), "above 1, simulations are searches (NMCTS)");
pub(crate) const ITERATIONS: Param<Option<u32>> =
    as_named(Param::opt_int("iterations", 1..=1_000_000_000), "of a search that is a simulation");
pub(crate) const AFTER: Param<Option<u32>> =
    as_named(Param::opt_int("after", 1..=1_000_000_000), "simulations that close a depth (BMCTS)");
pub(crate) const WIDTH: Param<Option<u32>> = as_named(
    Param::opt_int("width", 0..=1_000_000),
    "nodes that stay when a depth is closed, 0: all",
);

const RULE: Param<Option<Rule>> =
    as_named(Param::opt_choice("rule", &RULES), "how children are valued");
const RULES: [(&str, Option<Rule>); 12] = [
    ("average", Some(Rule::Average)),
    ("sp-mcts", Some(Rule::SpMcts { d: 0.01 })),
    ("3rdavg", Some(Rule::ThirdAverage)),
    ("3rdavg+", Some(Rule::ThirdAveragePlus)),
    ("ucb1-tuned", Some(Rule::Tuned)),
    ("top", Some(Rule::Top)),
    ("3rdtop", Some(Rule::ThirdTop)),
    ("top3rdavg", Some(Rule::TopThirdAverage)),
    ("uct1", Some(Rule::Uct1)),
    ("uct2", Some(Rule::Uct2)),
    ("uct3", Some(Rule::Uct3)),
    ("ucd", Some(Rule::Ucd { average: 1, parent: 0, visits: 0 })),
];
const NORMALISE: Param<Option<Scale>> =
    as_named(Param::opt_choice("normalise", &SCALES), "what scores are divided by");
const SCALES: [(&str, Option<Scale>); 4] = [
    ("static", Some(Scale::Fixed(STATIC_SCALE))),
    ("global", Some(Scale::Best)),
    ("local", Some(Scale::ParentTop { reward: true })),
    ("local-child", Some(Scale::ParentTop { reward: false })),
];
const STATIC_SCALE: f32 = 5000.0;
const SCALE: Param<Option<f32>> =
    as_named(Param::opt_float("scale", 1.0..=1_000_000.0), "normalise=static: the divisor");
const BONUS: Param<Option<f32>> =
    as_named(Param::opt_float("bonus", 0.0..=1.0), "part of an end bonus that averages count");
const BONUS_TOP: Param<Option<f32>> = as_named(
    Param::opt_float("bonus-top", 0.0..=1.0),
    "part of an end bonus that guiding maxima count",
);
const DUPLICATES: Param<Option<Duplicates>> =
    as_named(Param::opt_choice("duplicates", &DUPLICATE_RULES), "what happens to duplicates");
const DUPLICATE_RULES: [(&str, Option<Duplicates>); 6] = [
    ("keep", Some(Duplicates::Keep)),
    ("naive", Some(Duplicates::Naive)),
    ("dynamic", Some(Duplicates::Dynamic)),
    ("consistent", Some(Duplicates::Consistent)),
    ("share", Some(Duplicates::Share)),
    ("symmetric", Some(Duplicates::Symmetric)),
];
const ALLOCATION: Param<Option<Allocation>> =
    as_named(Param::opt_choice("allocation", &ALLOCATIONS), "the budget over moves");
const ALLOCATIONS: [(&str, Option<Allocation>); 4] = [
    ("whole", Some(Allocation::Whole)),
    ("uniform", Some(Allocation::Uniform)),
    ("linear", Some(Allocation::Linear)),
    ("exponential", Some(Allocation::Exponential)),
];
const PLUS: Param<Option<bool>> =
    switch("plus", "whether moves are fixed by the score from the child on");
const BLOCK: Param<Option<Block>> =
    as_named(Param::opt_choice("block", &BLOCKS), "what makes c grow");
const BLOCKS: [(&str, Option<Block>); 5] = [
    ("none", Some(Block::None)),
    ("depth", Some(Block::Depth(30.0))),
    ("length", Some(Block::Length(2.0))),
    ("leaf", Some(Block::Leaf)),
    ("node", Some(Block::Node { floor: 1.0 })),
];
const IDEAL: Param<Option<f32>> = as_named(
    Param::opt_float("ideal", 0.1..=1000.0),
    "block=depth: the depth; block=length: the divisor of a game's length",
);
const FLOOR: Param<Option<f32>> =
    as_named(Param::opt_float("floor", 1.0..=2.0), "block=node: the least factor");
const URGENCY: Param<Option<Urgency>> =
    as_named(Param::opt_choice("urgency", &URGENCIES), "what makes c fall late");
const URGENCIES: [(&str, Option<Urgency>); 3] = [
    ("none", Some(Urgency::None)),
    ("shallow", Some(Urgency::Shallow)),
    ("no-terminal", Some(Urgency::NoTerminal)),
];
const ANNEALING: Param<Option<Annealing>> =
    as_named(Param::opt_choice("annealing", &ANNEALINGS), "how c cools down (SA-UCT)");
const ANNEALINGS: [(&str, Option<Annealing>); 3] = [
    ("none", Some(Annealing::None)),
    ("linear", Some(Annealing::Linear)),
    ("exponential", Some(Annealing::Exponential)),
];
const AMAF: Param<Option<Amaf>> =
    as_named(Param::opt_choice("amaf", &AMAFS), "statistics of moves played later");
const AMAFS: [(&str, Option<Amaf>); 3] =
    [("none", Some(Amaf::None)), ("only", Some(Amaf::Only)), ("rave", Some(Amaf::Rave { b: 0.1 }))];
const SIMULATION: Param<Option<Simulation>> =
    as_named(Param::opt_choice("simulation", &SIMULATIONS), "how simulations are played");
const SIMULATIONS: [(&str, Option<Simulation>); 6] = [
    ("random", Some(Simulation::Random)),
    ("tabu-random", Some(Simulation::TabuRandom)),
    ("tabu-colour", Some(Simulation::TabuColour)),
    ("tabu-bandit", Some(Simulation::TabuBandit)),
    ("tabu-manual", Some(Simulation::Tabu(0))),
    ("roulette", Some(Simulation::Roulette)),
];
const COLOUR: Param<Option<u8>> =
    as_named(Param::opt_int("colour", 0..=6), "simulation=tabu-manual: the tabu colour, from 0");
const BELOW: Param<Option<u32>> =
    as_named(Param::opt_int("below", 0..=225), "with at most n blocks simulations are uniform");
const MOVE_PRUNING: Param<Option<bool>> = switch("move-pruning", "VS-pruning");
const STATE_PRUNING: Param<Option<bool>> =
    switch("state-pruning", "whether nodes that cannot beat the best score are left out");
const LATE_ENDS: Param<Option<bool>> =
    switch("late-ends", "whether a terminal node is solved at its second visit");
const ON_DESCENT: Param<Option<bool>> =
    switch("count-on-descent", "whether visits are counted on the way down");

const fn as_named<T>(param: Param<Option<T>>, help: &'static str) -> Param<Option<T>> {
    param.rule("as named").help(help)
}

const fn switch(name: &'static str, help: &'static str) -> Param<Option<bool>> {
    as_named(Param::opt_choice(name, &[("on", Some(true)), ("off", Some(false))]), help)
}

macro_rules! common {
    ($($more:expr),*) => {
        parameters![
            C, EPSILON, EXPAND, RUNS, LEVEL, ITERATIONS, AFTER, WIDTH, $($more),*
        ]
    };
}
pub(crate) use common;

/// All parts of a composition on SameGame.
pub(crate) const PARTS: &[Parameter] = common![
    TOP,
    D,
    RULE,
    NORMALISE,
    SCALE,
    BONUS,
    BONUS_TOP,
    DUPLICATES,
    ALLOCATION,
    PLUS,
    BLOCK,
    IDEAL,
    FLOOR,
    URGENCY,
    ANNEALING,
    AMAF,
    SIMULATION,
    COLOUR,
    BELOW,
    MOVE_PRUNING,
    STATE_PRUNING,
    LATE_ENDS,
    ON_DESCENT
];

/// A composition with some of its numbers set otherwise: what every game's compositions have, and
/// [`TOP`] where their rule is not that of PUCT.
pub(crate) fn numbers(mut config: Config, params: &mut Params) -> Result<Config, ParseError> {
    config.c = params.get(&C)?.unwrap_or(config.c);
    // The values of PUCT are averages alone.
    if config.rule != Rule::Puct {
        config.top_weight = params.get(&TOP)?.unwrap_or(config.top_weight);
    }
    config.epsilon = params.get(&EPSILON)?.unwrap_or(config.epsilon);
    config.expand_after = params.get(&EXPAND)?.unwrap_or(config.expand_after);
    config.runs = params.get(&RUNS)?.unwrap_or(config.runs);
    let Nesting { level, iterations } = config.nesting;
    config.nesting = Nesting {
        level: params.get(&LEVEL)?.unwrap_or(level),
        iterations: params.get(&ITERATIONS)?.unwrap_or(iterations),
    };
    let beam = config.narrowing.unwrap_or(Narrowing { width: 0, ..Narrowing::default() });
    let beam = Narrowing {
        after: params.get(&AFTER)?.unwrap_or(beam.after),
        width: params.get(&WIDTH)?.unwrap_or(beam.width),
    };
    config.narrowing = (beam.width > 0).then_some(beam);
    Ok(config)
}

/// A composition with any of its parts set otherwise.
pub(crate) fn parts(mut config: Config, params: &mut Params) -> Result<Config, ParseError> {
    config.rule = params.get(&RULE)?.unwrap_or(config.rule);
    let d = params.get(&D)?;
    match &mut config.rule {
        Rule::SpMcts { d: own } => *own = d.unwrap_or(*own),
        _ => refuse(&D, d.map(|d| d.to_string()), "only rule=sp-mcts has it")?,
    }
    config.scale = params.get(&NORMALISE)?.unwrap_or(config.scale);
    let scale = params.get(&SCALE)?;
    match &mut config.scale {
        Scale::Fixed(own) => *own = scale.unwrap_or(*own),
        _ => refuse(&SCALE, scale.map(|s| s.to_string()), "only normalise=static has it")?,
    }
    config.bonus_average = params.get(&BONUS)?.unwrap_or(config.bonus_average);
    config.bonus_top = params.get(&BONUS_TOP)?.unwrap_or(config.bonus_top);
    config.duplicates = params.get(&DUPLICATES)?.unwrap_or(config.duplicates);
    config.allocation = params.get(&ALLOCATION)?.unwrap_or(config.allocation);
    config.plus = params.get(&PLUS)?.unwrap_or(config.plus);
    config.block = params.get(&BLOCK)?.unwrap_or(config.block);
    let (ideal, floor) = (params.get(&IDEAL)?, params.get(&FLOOR)?);
    match &mut config.block {
        Block::Depth(own) | Block::Length(own) => *own = ideal.unwrap_or(*own),
        _ => refuse(&IDEAL, ideal.map(|i| i.to_string()), "only block=depth and length have it")?,
    }
    match &mut config.block {
        Block::Node { floor: own } => *own = floor.unwrap_or(*own),
        _ => refuse(&FLOOR, floor.map(|f| f.to_string()), "only block=node has it")?,
    }
    config.urgency = params.get(&URGENCY)?.unwrap_or(config.urgency);
    config.annealing = params.get(&ANNEALING)?.unwrap_or(config.annealing);
    config.amaf = params.get(&AMAF)?.unwrap_or(config.amaf);
    config.simulation = params.get(&SIMULATION)?.unwrap_or(config.simulation);
    let colour = params.get(&COLOUR)?;
    match &mut config.simulation {
        Simulation::Tabu(own) => *own = colour.unwrap_or(*own),
        _ => refuse(&COLOUR, colour.map(|c| c.to_string()), "only simulation=tabu-manual has it")?,
    }
    config.random_below = params.get(&BELOW)?.unwrap_or(config.random_below);
    config.move_pruning = params.get(&MOVE_PRUNING)?.unwrap_or(config.move_pruning);
    config.state_pruning = params.get(&STATE_PRUNING)?.unwrap_or(config.state_pruning);
    config.late_ends = params.get(&LATE_ENDS)?.unwrap_or(config.late_ends);
    config.count_on_descent = params.get(&ON_DESCENT)?.unwrap_or(config.count_on_descent);
    let shared = matches!(config.rule, Rule::Uct1 | Rule::Uct2 | Rule::Uct3 | Rule::Ucd { .. });
    if shared && config.duplicates != Duplicates::Share {
        let found = quote("a rule for graphs");
        return Err(ParseError::new("parameter rule", found, "duplicates=share with it"));
    }
    numbers(config, params)
}

/// Refuses a value of a parameter that the composition has no use for.
fn refuse<T>(param: &Param<T>, given: Option<String>, expected: &str) -> Result<(), ParseError> {
    match given {
        None => Ok(()),
        Some(value) => {
            Err(ParseError::new(format!("parameter {}", param.name()), quote(&value), expected))
        }
    }
}

#[cfg(test)]
mod tests {
    use ludens_search::mcts::composition;

    use super::*;

    fn read(text: &str) -> Result<Config, ParseError> {
        let mut params = Params::parse(text)?;
        let config = parts(Config::default(), &mut params)?;
        let known: Vec<&str> = PARTS.iter().map(|p| p.name).collect();
        params.finish(&known)?;
        Ok(config)
    }

    #[test]
    fn named_compositions_can_be_put_together() {
        for (name, text) in [
            ("Static", ""),
            ("Local", "normalise=local,c=.066"),
            ("SP-MCTS", "rule=sp-mcts,c=0.01,d=0.01"),
            ("Bonus-0.5", "bonus=0.5,c=0.018"),
            ("TopScore+", "rule=top,bonus-top=0,c=0.12"),
            ("NoPruning", "move-pruning=off,c=0.017"),
            ("Exponential+", "allocation=exponential,plus=on"),
            ("DepthBlock2.5", "block=length,ideal=2.5"),
            ("DepthBlock30", "block=depth"),
            ("LeafBlockLU", "block=leaf,urgency=shallow"),
            ("CNode", "block=node"),
            ("ConsistentCNode", "duplicates=consistent,block=node,floor=1.001,urgency=no-terminal"),
            ("SA-UCT", "annealing=linear,c=0.036"),
            ("UCD", "rule=ucd,duplicates=share"),
            ("RAVE", "amaf=rave"),
            ("BMCTS", "width=16"),
        ] {
            assert_eq!(read(text).unwrap(), composition(name).unwrap(), "{name}");
        }
        let simulation = |text: &str| read(text).unwrap().simulation;
        assert_eq!(simulation("simulation=tabu-manual,colour=3"), Simulation::Tabu(3));
        assert_eq!(simulation("simulation=roulette"), Simulation::Roulette);
    }

    #[test]
    fn values_without_use_are_refused() {
        for (text, expected) in [
            ("d=1", "rule=sp-mcts"),
            ("normalise=global,scale=2000", "normalise=static"),
            ("ideal=3", "block=depth"),
            ("block=leaf,floor=1.5", "block=node"),
            ("colour=1", "tabu-manual"),
            ("rule=uct2", "duplicates=share"),
            ("rule=best", "average"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
