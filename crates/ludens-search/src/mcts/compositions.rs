//! The named variants of Klein 2015, as data.

use super::config::{
    Allocation, Amaf, Annealing, Block, Config, Duplicates, Narrowing, Nesting, Rule, Scale,
    Simulation, Urgency,
};

/// The composition with a name, as the tables of the thesis print it; see [`names`].
pub fn composition(name: &str) -> Option<Config> {
    all().into_iter().find(|(known, _)| *known == name).map(|(_, config)| config)
}

/// The names of all compositions, in the order of the thesis.
pub fn names() -> impl Iterator<Item = &'static str> {
    all().into_iter().map(|(name, _)| name)
}

fn all() -> Vec<(&'static str, Config)> {
    let plain = Config::default();
    let with = |c: f32| Config { c, ..plain };
    let dups = |duplicates| Config { duplicates, ..plain };
    let share = |rule| Config { rule, duplicates: Duplicates::Share, ..plain };
    let moves = |allocation, plus, c| Config { allocation, plus, c, ..plain };
    let node = |floor| Config { block: Block::Node { floor }, ..plain };
    let lu = Config { urgency: Urgency::NoTerminal, ..node(1.001) };
    let cooled = |annealing, start: f32| Config { annealing, c: start / 5000.0, ..node(1.001) };
    let top = |rule, bonus_top, c| Config { rule, bonus_top, c, ..plain };
    let base = Config { duplicates: Duplicates::Consistent, ..lu };
    let base3 = Config { rule: Rule::ThirdAverage, c: 0.041, ..base };
    let base3e = Config { allocation: Allocation::Exponential, plus: true, ..base3 };
    let tabu = |random_below| Config {
        rule: Rule::Average,
        c: 0.021,
        simulation: Simulation::TabuColour,
        random_below,
        ..base3e
    };
    let sp = Config { rule: Rule::SpMcts { d: 0.01 }, c: 0.010, ..plain };
    let nested = Config { nesting: Nesting { level: 2, ..Nesting::default() }, ..plain };
    let narrow = Config { narrowing: Some(Narrowing::default()), ..plain };
    vec![
        // 6.1 Normalisation.
        ("Static", plain),
        ("Local", Config { scale: Scale::ParentTop { reward: true }, ..with(0.066) }),
        ("LocalChild", Config { scale: Scale::ParentTop { reward: false }, ..with(0.066) }),
        ("Global", Config { scale: Scale::Best, ..with(0.053) }),
        // 6.2 and 6.3 Variance, and the mistake.
        ("SP-MCTS", sp),
        ("3rdAvg", Config { rule: Rule::ThirdAverage, ..with(0.041) }),
        ("3rdAvg+", Config { rule: Rule::ThirdAveragePlus, ..with(0.042) }),
        // 6.4 Equality of points.
        ("Bonus-0.0", Config { bonus_average: 0.0, ..with(0.016) }),
        ("Bonus-0.5", Config { bonus_average: 0.5, ..with(0.018) }),
        ("Bonus-0.8", Config { bonus_average: 0.8, ..with(0.0194) }),
        // 6.5 Various experiments, and 6.10.2.
        ("UCB1-Tuned", Config { rule: Rule::Tuned, ..with(0.038) }),
        ("NoPruning", Config { move_pruning: false, ..with(0.017) }),
        ("StatePruning", Config { state_pruning: true, ..plain }),
        ("TopScore", top(Rule::Top, 1.0, 0.195)),
        ("TopScore+", top(Rule::Top, 0.0, 0.120)),
        ("3rdTop", top(Rule::ThirdTop, 0.0, 0.210)),
        ("Top3rdAvg", top(Rule::TopThirdAverage, 0.0, 0.148)),
        // 6.7 Duplicates.
        ("Naive", dups(Duplicates::Naive)),
        ("Dynamic", dups(Duplicates::Dynamic)),
        ("Consistent", dups(Duplicates::Consistent)),
        // 6.8 Allocation per move.
        ("Uniform", moves(Allocation::Uniform, false, 0.033)),
        ("Linear", moves(Allocation::Linear, false, 0.020)),
        ("Exponential", moves(Allocation::Exponential, false, 0.020)),
        ("Uniform+", moves(Allocation::Uniform, true, 0.032)),
        ("Linear+", moves(Allocation::Linear, true, 0.020)),
        ("Exponential+", moves(Allocation::Exponential, true, 0.020)),
        // 6.9 Dynamic explorative factor.
        ("DepthBlock30", Config { block: Block::Depth(30.0), ..plain }),
        ("DepthBlock1.9", Config { block: Block::Length(1.9), ..plain }),
        ("DepthBlock", Config { block: Block::Length(2.0), ..plain }),
        ("DepthBlock2.5", Config { block: Block::Length(2.5), ..plain }),
        ("DepthBlockLU", Config { block: Block::Length(2.0), urgency: Urgency::Shallow, ..plain }),
        ("LeafBlock", Config { block: Block::Leaf, ..plain }),
        ("LeafBlockLU", Config { block: Block::Leaf, urgency: Urgency::Shallow, ..plain }),
        ("LeafBlockLUntn", Config { block: Block::Leaf, urgency: Urgency::NoTerminal, ..plain }),
        ("CNode", node(1.0)),
        ("CNodeLU", lu),
        ("Rapid", Config { c: 4.0 / 5000.0, ..node(1.001) }),
        ("ConsistentCNode", base),
        ("SA-UCT", Config { annealing: Annealing::Linear, c: 0.036, ..plain }),
        ("SA-Linear1000", cooled(Annealing::Linear, 1000.0)),
        ("SA-Linear500", cooled(Annealing::Linear, 500.0)),
        ("SA-Linear250", cooled(Annealing::Linear, 250.0)),
        ("SA-Linear200", cooled(Annealing::Linear, 200.0)),
        ("SA-Linear180", cooled(Annealing::Linear, 180.0)),
        ("SA-Exponential1000", cooled(Annealing::Exponential, 1000.0)),
        ("SA-Exponential500", cooled(Annealing::Exponential, 500.0)),
        ("SA-Exponential300", cooled(Annealing::Exponential, 300.0)),
        ("SA-Exponential256", cooled(Annealing::Exponential, 256.0)),
        ("SA-Exponential200", cooled(Annealing::Exponential, 200.0)),
        // 7 Combinations.
        ("Base", base),
        ("Base3rdAvg", base3),
        ("Base3rdAvgExp+", base3e),
        ("Base3rdAvgExp+Tabu", Config { rule: Rule::ThirdAverage, c: 0.041, ..tabu(0) }),
        ("BaseExp+Tabu", tabu(0)),
        ("BaseExp+Tabu32", tabu(32)),
        ("BaseExp+Tabu48", tabu(48)),
        ("BaseExp+Tabu64", tabu(64)),
        ("BaseExp+TabuBandit", Config { simulation: Simulation::TabuBandit, ..tabu(48) }),
        ("BaseExp+TabuRandom", Config { simulation: Simulation::TabuRandom, ..tabu(48) }),
        // 8.1 The runs on the standard boards.
        ("448/16", Config { c: 0.022, runs: 16, ..tabu(48) }),
        ("448/14", Config { c: 0.022, runs: 14, ..tabu(48) }),
        // 3.7.1 SP-MCTS with its later additions.
        (
            "SP-MCTS+",
            Config {
                top_weight: 0.02,
                epsilon: 0.003,
                expand_after: 10,
                allocation: Allocation::Uniform,
                simulation: Simulation::TabuColour,
                ..sp
            },
        ),
        // 3.5 Moves as first, and graphs; A.1 UCD.
        ("AMAF", Config { amaf: Amaf::Only, ..plain }),
        ("RAVE", Config { amaf: Amaf::Rave { b: 0.1 }, ..plain }),
        ("UCT1", share(Rule::Uct1)),
        ("UCT2", share(Rule::Uct2)),
        ("UCT3", share(Rule::Uct3)),
        ("UCD", share(Rule::Ucd { average: 1, parent: 0, visits: 0 })),
        // A.3 and A.5 Nested searches and beams.
        ("NMCTS", nested),
        ("NMCTS-Tabu", Config { simulation: Simulation::TabuBandit, ..nested }),
        ("BMCTS", narrow),
        ("BMCTS-Tabu", Config { simulation: Simulation::TabuColour, ..narrow }),
        // The search of Urheim 2025 with a policy.
        (
            "PUCT",
            Config {
                rule: Rule::Puct,
                c: 10.0,
                root_visits: 10,
                late_ends: false,
                move_pruning: false,
                simulation: Simulation::Policy,
                ..plain
            },
        ),
    ]
}
