//! What is printed of parameters is what is used: defaults and ranges of every solver, agent and
//! recipe.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fmt::Debug;
use std::sync::atomic::AtomicBool;

use ludens_core::{Budget, Parameter};
use ludens_engine::{Question, SolveRequest, Table, game, games};
use ludens_learn::alphazero::AlphaZeroConfig;
use ludens_learn::ppo::PpoConfig;
use ludens_learn::probs::ProbsConfig;
use ludens_learn::supervised::SupervisedConfig;
use ludens_learn::{Settings, TdConfig};
use ludens_runs::train::recipes;
use ludens_testkit::promise;

/// Defaults that say what is done instead of naming a value.
const WORDS: [&str; 12] = [
    "none",
    "no limit",
    "as named",
    "by rule",
    "all cores",
    "the best move",
    "the program's own",
    "the program's own, where there is one",
    "the shipped network",
    "the shipped network, or none",
    "value, where the network has one",
    "1s if nothing limits it",
];

/// The value that a default names; `1000, none with time` names 1000.
fn value_of(parameter: &Parameter) -> Option<&'static str> {
    let whole = parameter.default;
    (!WORDS.contains(&whole)).then(|| whole.split(", ").next().unwrap_or(whole))
}

/// Compares what `name:key=value` does with what is printed: `takes` says whether a text is taken,
/// `done` what comes of it.
fn check<T: PartialEq + Debug>(
    name: &str,
    parameters: &[Parameter],
    takes: impl Fn(&str) -> bool,
    done: impl Fn(&str) -> T,
) {
    let usual = done(name);
    for parameter in parameters {
        // Only these compositions have it, as its description says.
        if parameter.name == "d" && !name.starts_with("SP-MCTS") {
            continue;
        }
        let text = |value: &str| format!("{name}:{}={value}", parameter.name);
        if let Some(value) = value_of(parameter) {
            assert!(takes(&text(value)), "{}", text(value));
            assert_eq!(done(&text(value)), usual, "{} is not the default", text(value));
        }
        let said = promise(parameter.values);
        // Memory is taken at once, and the most is more than there may be.
        let taken = said.taken.iter().filter(|value| parameter.name != "memory" || *value == "0");
        for value in taken {
            assert!(takes(&text(value)), "{} is refused", text(value));
        }
        for value in said.refused {
            assert!(!takes(&text(&value)), "{} is taken", text(&value));
        }
    }
}

/// What a solver finds within a few thousand positions.
fn solved(table: &dyn Table, solver: &str) -> impl PartialEq + Debug + use<> {
    let request = SolveRequest {
        solver: Some(solver.to_owned()),
        prove: false,
        budget: Budget::nodes(3000),
        seed: 7,
        threads: 1,
        memory: 1 << 26,
    };
    let found = table.solve(&request, &AtomicBool::new(false), &mut |_| {}).unwrap();
    found.map(|found| (found.value, found.nodes, found.moves))
}

#[test]
fn solvers_use_what_is_printed() {
    for spec in ["former", "samegame"] {
        let table = game(spec).unwrap().start(3);
        for info in table.solvers() {
            let takes = |text: &str| table.solver_name(Some(text)).is_ok();
            check(info.name, info.parameters, takes, |text| solved(&*table, text));
        }
    }
}

/// Agents that a game cannot make here, as those without a network, are left out.
#[test]
fn agents_use_what_is_printed() {
    let mut checked = Vec::new();
    for info in games() {
        let handle = game(&info.spec()).unwrap();
        let table = handle.start(3);
        for agent in table.agents() {
            if agent.parameters.is_empty() || !table.has_agent(agent.name) {
                continue;
            }
            let question = Question { budget: Budget::nodes(2000), ..Question::default() };
            let takes = |text: &str| table.has_agent(text);
            let done = |text: &str| table.ask(text, &question, &mut |_| {}).unwrap();
            check(agent.name, agent.parameters, takes, done);
            checked.push(agent.name);
        }
    }
    for name in ["ntuple", "mcts", "alpha-beta", "uct", "alphabeta", "az", "probs", "net"] {
        assert!(checked.contains(&name), "{name} was not checked");
    }
}

#[test]
fn recipes_use_what_is_printed() {
    fn settings<S: Settings + PartialEq + Debug>() {
        let with = |text: &str| {
            let mut config = S::default();
            let setting = text.split_once(':').map(|(_, rest)| rest.split_once('=').unwrap());
            setting.is_none_or(|(key, value)| config.set(key, value).is_ok()).then_some(config)
        };
        check("recipe", S::PARAMETERS, |text| with(text).is_some(), with);
    }
    settings::<TdConfig>();
    settings::<SupervisedConfig>();
    settings::<PpoConfig>();
    settings::<AlphaZeroConfig>();
    settings::<ProbsConfig>();
}

/// What suits a game is told beside the default of the others.
#[test]
fn defaults_by_game_are_told() {
    let recipes = recipes();
    let by_game = |recipe: &str, setting: &str| {
        recipes.iter().find(|info| info.name == recipe).unwrap().by_game(setting)
    };
    for (game, opening) in by_game("alphazero", "opening") {
        let config: AlphaZeroConfig = ludens_runs::defaults::settings(game).unwrap();
        assert_eq!(opening, config.opening.to_string());
    }
    assert!(by_game("alphazero", "opening").contains(&("othello", "16")));
    assert!(by_game("probs", "channels").contains(&("togyzkumalak", "64")));
    assert!(by_game("alphazero", "c").is_empty() && by_game("td", "alpha").is_empty());
}
