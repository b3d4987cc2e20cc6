//! Requests that may open no files: every parameter of every agent and solver.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeSet;

use ludens_core::Parameter;
use ludens_engine::analysis::{Fields, Limits, Task};
use ludens_engine::{HUMAN, game, games};
use serde_json::{Value, json};

const LIMITS: Limits = Limits { time: None, memory: 1 << 30, threads: 1, files: false };

fn refusal(asked: Value) -> String {
    let read = Task::read(Fields::of(asked.clone()).unwrap(), &LIMITS);
    match read {
        Ok(_) => panic!("{asked} was accepted"),
        Err(error) => error.to_string(),
    }
}

/// No parameter takes what may be a name of a file, whether or not there is one, and the
/// refusal is the same.
#[test]
fn no_parameter_names_a_file() {
    let there = env!("CARGO_MANIFEST_DIR").to_owned() + "/Cargo.toml";
    let missing = there.replace("Cargo", "Cargx");
    let mut count = 0;
    for info in games() {
        let spec = info.spec();
        let table = game(&spec).unwrap().start(0);
        let mut check = |whom: &str, name: &str, parameters: &[Parameter]| {
            let first = parameters.first().map(|parameter| (parameter, format!("{name}:")));
            let all = parameters.iter().map(|p| (p, format!("{name}:{}=", p.name)));
            // Only agents have a parameter that needs no name.
            let unnamed = first.filter(|_| whom == "agent");
            for (parameter, text) in all.chain(unnamed) {
                let told = |file: &str| {
                    let asked = json!({"game": spec, (whom): format!("{text}{file}")});
                    refusal(asked).replace("Cargx", "Cargo")
                };
                assert_eq!(told(&there), told(&missing), "{text}");
                let plain = told("x").contains(&format!("parameter {}: found", parameter.name));
                assert!(plain, "{text}: {}", told("x"));
                count += 1;
            }
        };
        for agent in table.agents().iter().filter(|agent| agent.name != HUMAN) {
            check("agent", agent.name, agent.parameters);
        }
        for solver in table.solvers() {
            check("solver", solver.name, solver.parameters);
        }
    }
    assert!(count > 100, "{count}");
}

/// What is declared as a file is one everywhere: readers take no others.
#[test]
fn plain_values_are_accepted() {
    for (game, whom, text) in [
        ("former", "solver", "beam:eval=bundled"),
        ("former", "solver", "beam:eval=own"),
        ("former", "solver", "PUCT:policy=own,c=2.5"),
        ("former", "solver", "beam:value=look-ahead-2,width=8"),
        ("former", "agent", "net:by=policy,symmetries=4"),
        ("former", "agent", "net:images=4"),
        ("2048", "agent", "expectimax:model=none,ply=2,downgrade=32768+8192"),
        ("2048", "agent", "mcts:norm=dynamic,z=-0.5"),
        ("2048:adversary=tile", "agent", "minimax:none,depth=2"),
        ("2048:adversary=tile", "agent", "alpha-beta:depth=2"),
        ("2048", "agent", "expectimax:millis=100"),
        ("connect-four", "agent", "uct:200,time=250ms,rule=clark2021"),
        ("connect-four", "agent", "uct:rule=text"),
        ("connect-four", "agent", "alphabeta:eval=own"),
        ("connect-four", "agent", "az:sims=10,noise=0.25"),
        ("connect-four", "agent", "perfect:time=1h"),
    ] {
        assert_accepted(game, whom, text);
    }
}

fn assert_accepted(game: &str, whom: &str, text: &str) {
    let asked = json!({"game": game, (whom): text});
    let read = Task::read(Fields::of(asked).unwrap(), &LIMITS);
    assert!(read.is_ok(), "{game} {text}: {}", read.err().unwrap());
}

/// Settings by which agents think on until they are stopped are what the page asks for.
#[test]
fn settings_without_an_end_are_accepted() {
    let mut seen = BTreeSet::new();
    for info in games() {
        let table = game(&info.spec()).unwrap().start(0);
        for agent in table.agents() {
            let Some(setting) = agent.until_stopped else { continue };
            assert_accepted(&info.spec(), "agent", &format!("{}:{setting}", agent.name));
            seen.insert(setting);
        }
    }
    assert!(seen.contains("time=1h") && seen.contains("simulations=100000000"), "{seen:?}");
}
