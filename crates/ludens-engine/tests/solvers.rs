//! Every solver by name: its line is a game, and it finds the same again.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::sync::atomic::AtomicBool;

use ludens_core::Budget;
use ludens_engine::analysis::{Analysis, Method, Request, Solved};
use ludens_engine::{Table, Turn, game, games};

fn request(solver: &str, nodes: u64) -> Request {
    Request {
        method: Method::solver(solver),
        budget: Budget::nodes(nodes),
        seed: 7,
        memory: 1 << 26,
        ..Request::default()
    }
}

fn solve(table: &dyn Table, solver: &str, nodes: u64) -> Solved {
    let stop = AtomicBool::new(false);
    let found = table.analyze(&request(solver, nodes), &stop, &mut |_| {});
    let found = found.as_ref().ok().and_then(Analysis::solved).cloned();
    let found = found.unwrap_or_else(|| panic!("{solver} has no line"));
    let mut here = game(&table.spec()).unwrap().parse(&table.position()).unwrap();
    let value: i64 = found.moves.iter().map(|step| here.play(&step.text).unwrap().reward).sum();
    assert_eq!(value, found.value, "{solver}");
    assert_eq!(here.turn() == Turn::Over, found.finished, "{solver}");
    found
}

/// A small board of each game with solvers, and the value of random games on it.
const BOARDS: [&str; 3] =
    ["former:rows=6,cols=5,shapes=3", "samegame:rows=8,cols=8,colours=4,penalty=colour", "morpion"];

#[test]
fn every_solver_finds_a_game_and_the_same_again() {
    for spec in BOARDS {
        let table = game(spec).unwrap().start(3);
        // Costs of moves are no line.
        for info in table.solvers().iter().filter(|info| info.name != "costs") {
            let found = solve(&*table, info.name, 2500);
            // Best-first searches may be cut short before their first whole game, and so is a beam
            // in games as long as these.
            let long = spec == "morpion" && info.name == "beam";
            assert!(found.finished || info.name.ends_with("astar") || long, "{spec} {}", info.name);
            let again = solve(&*table, info.name, 2500);
            let key = |s: &Solved| (s.value, s.nodes, s.moves.clone());
            assert_eq!(key(&found), key(&again), "{spec} {}", info.name);
        }
    }
    // Where solvers find lines, no agent advises.
    let with =
        games().into_iter().filter(|info| game(&info.spec()).unwrap().start(0).adviser().is_none());
    assert_eq!(with.count(), BOARDS.len(), "a game with solvers has no board here");
}

/// Resource units end every search, not only the tree's.
#[test]
fn units_limit_every_solver() {
    for spec in BOARDS {
        let table = game(spec).unwrap().start(3);
        for info in table.solvers() {
            let budget = Budget { units: Some(2500), ..Budget::default() };
            let request = Request { budget, ..request(info.name, 0) };
            let stop = AtomicBool::new(false);
            let found = table.analyze(&request, &stop, &mut |_| {}).unwrap();
            assert!(found.nodes < 5000, "{spec} {}: {} nodes", info.name, found.nodes);
        }
    }
}

/// A* with the over-estimator proves small boards of SameGame.
#[test]
fn a_star_solves_small_boards() {
    let table = game("samegame:rows=3,cols=4,colours=3").unwrap().start(2);
    let proven = solve(&*table, "astar", 1_000_000);
    assert!(proven.proven && proven.finished);
    assert!(solve(&*table, "nrpa", 20_000).value <= proven.value);
    assert_eq!(solve(&*table, "NoPruning", 1_000_000).value, proven.value);
    assert!(solve(&*table, "astar:relaxation=0.3", 1_000_000).value <= proven.value);
}

#[test]
fn models_guide_tree_searches_and_beams() {
    let former = game("former").unwrap().start(5);
    let length = |solver: &str| solve(&*former, solver, 4000).moves.len();
    let random = length("puct:model=random");
    for model in ["largest", "look-ahead-1", "look-ahead-2", "evaluation"] {
        let found = length(&format!("PUCT:model={model}"));
        assert!(found <= random, "{model}: {found} moves, random {random}");
    }
    assert!(length("uct") < random && length("bmcts:after=50") < random);
    let plain = |value: &str| length(&format!("beam:width=8,rounds=1,value={value}"));
    assert!(plain("look-ahead-2") <= plain("look-ahead-1"));
    assert!(plain("look-ahead-1") < plain("largest"));
    assert!(plain("largest") < plain("random"));
    let samegame = game("samegame").unwrap().start(5);
    let score = |solver: &str| solve(&*samegame, solver, 4000).value;
    assert!(score("PUCT:model=evaluation") > score("PUCT"));
}

#[test]
fn names_and_parameters_are_read_or_refused() {
    let samegame = game("samegame").unwrap().start(5);
    let name = |text: &str| match samegame.solver_name(Some(text), false) {
        Ok(named) => Ok(named.text),
        Err(error) => Err(error.to_string()),
    };
    assert_eq!(name("sp-mcts:d=0.02,c=0.1"), Ok("SP-MCTS:d=0.02,c=0.1".to_owned()));
    assert_eq!(name("BMCTS:after=100,width=0"), Ok("BMCTS:after=100,width=0".to_owned()));
    for (text, part) in [
        ("Static:d=1", "rule=sp-mcts"),
        ("Static:c=-1", "0 to 1000"),
        ("Static:runs=0", "1 to 10000"),
        ("NMCTS:level=9", "1 to 5"),
        ("PUCT:model=best", "uniform | largest | evaluation"),
        ("Static:model=largest", "found 'model', expected one of: c, "),
        ("no-such", "one of:"),
    ] {
        let message = name(text).unwrap_err();
        assert!(message.contains(part), "{text}: {message}");
        assert_eq!(message.lines().count(), 1);
    }
    let former = game("former").unwrap().start(5);
    let message =
        former.solver_name(Some("puct:model=look-ahead-9"), false).unwrap_err().to_string();
    assert!(message.contains("look-ahead-3"), "{message}");
}
