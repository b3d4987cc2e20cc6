//! Solving and evaluating from the command line; every line is replayed.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::path::PathBuf;

use assert_cmd::Command;
use serde_json::Value;

fn ludens(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("ludens").unwrap();
    command.args(args).env("NO_COLOR", "1");
    command
}

fn json(args: &[&str]) -> Value {
    let output = ludens(args).assert().success().get_output().stdout.clone();
    serde_json::from_slice(&output).unwrap()
}

/// Plays a solution's moves through `play` and gives the final event.
fn replayed(solution: &Value) -> Value {
    let moves: Vec<String> = solution["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|pair| format!("{},{}\n", pair[0], pair[1]))
        .collect();
    let (game, position) =
        (solution["game"].as_str().unwrap(), solution["position"].as_str().unwrap());
    let done =
        ludens(&["play", game, position, "--json"]).write_stdin(moves.concat()).assert().success();
    let text = String::from_utf8(done.get_output().stdout.clone()).unwrap();
    serde_json::from_str(text.lines().last().unwrap()).unwrap()
}

#[test]
fn a_daily_board_is_solved_with_proof() {
    let solution = json(&["solve", "former", "--date", "2025-05-18", "--prove", "--json"]);
    assert_eq!(solution["length"], 11);
    assert_eq!(solution["lower_bound"], 11);
    assert_eq!(solution["proven"], true);
    let end = replayed(&solution);
    assert_eq!(end["over"], true);
    assert_eq!(end["total"], -11);
}

#[test]
fn a_limit_before_the_proof_is_exit_code_3() {
    let done = ludens(&[
        "solve",
        "former",
        "--date",
        "2025-05-19",
        "--prove",
        "--time",
        "100ms",
        "--json",
    ])
    .assert()
    .code(3);
    let solution: Value = serde_json::from_slice(&done.get_output().stdout).unwrap();
    assert_eq!(solution["proven"], false);
    assert_eq!(replayed(&solution)["over"], true);
}

#[test]
fn node_budgets_repeat_for_every_solver() {
    for (game, position) in [
        ("former:rows=5,cols=5,shapes=3", "--random"),
        ("samegame:rows=5,cols=6,colours=3", "--random"),
    ] {
        let listed = String::from_utf8(
            ludens(&["games", game]).assert().success().get_output().stdout.clone(),
        )
        .unwrap();
        let names = listed
            .lines()
            .skip_while(|line| !line.starts_with("Solvers"))
            .skip(1)
            .take_while(|line| !line.is_empty())
            .filter(|line| line.starts_with("  ") && !line.starts_with("    "))
            .map(|line| line.split_whitespace().next().unwrap());
        for name in names {
            let args = [
                "solve",
                game,
                position,
                "3",
                "--solver",
                name,
                "--nodes",
                "3000",
                "--ru",
                "3000",
                "--threads",
                "1",
                "--seed",
                "5",
                "--json",
            ];
            let (mut first, mut second) = (json(&args), json(&args));
            for solution in [&mut first, &mut second] {
                solution["time_ms"] = Value::Null;
            }
            if name == "costs" {
                // No line; what is proven is kept, so that the second answer may know more.
                assert!(first["costs"].is_array() && second["optimum"].is_number());
                continue;
            }
            assert_eq!(first, second, "{name}");
            let end = replayed(&first);
            let value = first
                .get("score")
                .cloned()
                .unwrap_or_else(|| Value::from(-first["length"].as_i64().unwrap()));
            assert_eq!(end["total"], value, "{name}");
        }
    }
}

#[test]
fn several_boards_give_json_lines() {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("boards.txt");
    fs::write(&file, "001122\n012012\n").unwrap();
    let at = format!("@{}", file.display());
    let done =
        ludens(&["solve", "samegame:rows=2,cols=3,colours=3", &at, "--nodes", "500", "--json"])
            .assert()
            .success();
    let text = String::from_utf8(done.get_output().stdout.clone()).unwrap();
    assert_eq!(text.lines().count(), 2, "{text}");
}

#[test]
fn an_evaluation_is_kept_and_not_run_twice() {
    let store = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("results.sqlite");
    for ending in ["", "-wal", "-shm"] {
        let mut path = store.clone().into_os_string();
        path.push(ending);
        let _ = fs::remove_file(path);
    }
    let args = [
        "eval",
        "former",
        "--suite",
        "daily:2025-01-27..2025-01-30",
        "--solver",
        "greedy",
        "--runs",
        "2",
        "--store",
        store.to_str().unwrap(),
        "--json",
    ];
    let first = json(&args);
    assert_eq!(first["boards"], 4);
    assert_eq!(first["runs"], 8);
    assert_eq!(json(&args)["avg"], first["avg"]);
}

/// What a tree search did is told by `solve` and averaged by `eval`.
#[test]
fn tree_searches_tell_what_they_did() {
    let board = ["samegame:rows=8,cols=8,colours=3", "--random", "1", "--solver", "base"];
    let limits = ["--ru", "20000", "--threads", "1"];
    let solve = [&["solve"][..], &board, &limits].concat();
    let solution = json(&[&solve[..], &["--json"]].concat());
    assert_eq!(solution["solver"], "Base");
    let s = &solution["statistics"];
    let number = |name: &str| s[name].as_f64().unwrap();
    assert!(number("simulations") > 100.0 && number("hits") > 0.0);
    assert!(number("average_depth") > 1.0 && number("maximum_depth") >= number("average_depth"));
    let per_depth = s["nodes_per_depth"].as_array().unwrap().iter();
    assert_eq!(per_depth.map(|n| n.as_f64().unwrap()).sum::<f64>(), number("tree_nodes"));
    let verbose = ludens(&[&solve[..], &["-v"]].concat()).assert().success();
    let text = String::from_utf8(verbose.get_output().stdout.clone()).unwrap();
    assert!(text.contains("nodes per depth from 1"), "{text}");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let (store, csv) = (folder.join("tree.sqlite"), folder.join("tree.csv"));
    let files = [store.to_str().unwrap(), csv.to_str().unwrap()];
    let eval = ["eval", board[0], "--suite", "random:2,1", "--solver", "Base", "--ru", "20000"];
    let kept = ["--store", files[0], "--csv", files[1], "--json"];
    let first = json(&[&eval[..], &kept].concat());
    assert_eq!(first["search"]["runs"], 2);
    assert!(first["search"]["average_depth"].as_f64().unwrap() > 1.0);
    assert_eq!(json(&[&eval[..], &kept].concat())["search"], first["search"], "from the store");
    assert!(fs::read_to_string(&csv).unwrap().contains("average_depth"));
}

#[test]
fn wrong_solvers_and_suites_are_refused() {
    for args in [
        &["solve", "former", "--solver", "oracle"][..],
        &["solve", "connect-four", "--solver", "anneal"],
        &["solve", "samegame", "--random", "1", "--prove"],
        &["solve", "former", "--time", "soon"],
        &["eval", "former", "--suite", "missing.json"],
        &["eval", "former", "--suite", "daily:2025-01-02..2025-01-01"],
        &["eval", "samegame", "--suite", "thesis"],
    ] {
        let done = ludens(args).assert().code(2);
        assert!(!done.get_output().stderr.is_empty(), "{args:?}");
    }
}

/// A board whose colour 0 means empty cells has fallen before the first move.
#[test]
fn a_colour_can_be_read_as_empty() {
    let game = "samegame:rows=2,cols=3,colours=3,empty=0";
    let solution = json(&["solve", game, "201101", "--nodes", "500", "--json"]);
    assert_eq!((&solution["game"], &solution["position"]), (&game.into(), &"21.11.".into()));
    assert_eq!(solution["moves"].as_array().unwrap().len(), 1);
    assert_eq!(replayed(&solution)["event"], "end");
}

/// A file that is no store is told once, and left as it is.
#[test]
fn foreign_stores_are_left_alone() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join("foreign.sqlite");
    fs::write(&file, "not a store").unwrap();
    let evaluated = |store: &std::path::Path| {
        let path = store.to_str().unwrap();
        let suite = ["eval", "former", "--suite", "random:1", "--solver", "greedy"];
        let done = ludens(&[&suite[..], &["--store", path]].concat()).assert().code(1);
        String::from_utf8(done.get_output().stderr.clone()).unwrap()
    };
    let error = evaluated(&file);
    assert!(error.contains("is not a Ludens result store"), "{error}");
    assert_eq!(fs::read(&file).unwrap(), b"not a store");
    let error = evaluated(&folder);
    assert_eq!(error.matches("is a directory").count(), 1, "{error}");
}

/// Exact values of games for two: the best moves, all values, and bounds where time ran out.
#[test]
fn games_for_two_have_exact_values() {
    let found = json(&["solve", "connect-four", "44444411222", "--json"]);
    assert_eq!((&found["proven"], &found["unit"]), (&true.into(), &"score".into()));
    let values = found["values"].as_object().unwrap();
    let best = values.values().filter_map(serde_json::Value::as_i64).max();
    assert_eq!((values.len(), found["value"].as_i64()), (6, best));
    assert!(
        found["best_moves"]
            .as_array()
            .unwrap()
            .iter()
            .all(|m| values[m.as_str().unwrap()] == found["value"])
    );
    let found = json(&["solve", "sevn:base=3", "1/aaa/aab.cba.cbc", "--json"]);
    assert_eq!((&found["result"], &found["value"]), (&"win".into(), &1.into()));
    let found = json(&["solve", "othello", "--random", "5", "--plies", "52", "--json"]);
    assert_eq!((&found["unit"], &found["proven"]), (&"discs".into(), &true.into()));
    let out = ludens(&["solve", "togyzkumalak", "--time", "100ms", "--json"]).assert().code(3);
    let found: serde_json::Value = serde_json::from_slice(&out.get_output().stdout).unwrap();
    assert_eq!(
        (&found["value"], &found["bounds"]),
        (&serde_json::Value::Null, &serde_json::json!([-1, 1]))
    );
}
