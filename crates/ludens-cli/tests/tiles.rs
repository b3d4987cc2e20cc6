//! Sliding games on the command line: exact values, advice, whole games.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::process::Command;

use serde_json::Value;

fn ludens(args: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("ludens"));
    command.args(args);
    command
}

fn json(args: &[&str]) -> Value {
    let output = ludens(args).arg("--json").output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {error}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn refused(args: &[&str], code: i32) -> String {
    let output = ludens(args).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{args:?}: {error}");
    error
}

#[test]
fn exact_values_of_small_boards() {
    let board = "threes:board=2x3";
    let found = json(&["solve", board, "0,0,0/0,1,0 2", "--exact"]);
    assert!((found["value"].as_f64().unwrap() - 455.965_829).abs() < 5e-7, "{found}");
    let range = (found["best_case"].as_i64(), found["worst_case"].as_i64());
    assert_eq!((range, &found["proven"]), ((Some(1092), Some(258)), &true.into()));
    assert_eq!(found["positions"], 225_779);
    assert_eq!(found["afterstates"], 211_430);
    assert!((found["start"].as_f64().unwrap() - 455.965_665).abs() < 5e-7);

    let folder = std::env::temp_dir();
    let file = folder.join(format!("ludens-{}.exact", std::process::id()));
    let file = file.to_str().unwrap();
    let after = ["solve", board, "3,2,1/48,6,0 up 2", "--exact", "--table", file];
    let (first, second) = (json(&after), json(&after));
    assert_eq!((&first["value"], &first["kind"]), (&second["value"], &"afterstate".into()));
    assert!((first["value"].as_f64().unwrap() - 198.94).abs() < 0.005);

    let found = json(&["solve", "2584:board=2x2", "1,1/1,1", "--exact"]);
    assert_eq!(found["reachable"], false);
    assert_eq!(found["value"], Value::Null);
    let agent = format!("expectimax:table={file}");
    let best = json(&["eval", board, "--agent", &agent, "--games", "400", "--seed", "1"]);
    let greedy = json(&["eval", board, "--agent", "greedy", "--games", "400", "--seed", "1"]);
    assert!(best["mean"].as_f64().unwrap() > greedy["mean"].as_f64().unwrap() + 50.0);
    std::fs::remove_file(file).unwrap();
}

#[test]
fn regret_is_the_distance_from_optimal_play() {
    let eval = |game, agent| {
        json(&["eval", game, "--agent", agent, "--games", "50", "--regret", "--seed", "1"])
    };
    let greedy = eval("2048:board=2x3", "greedy");
    let regret = &greedy["regret"];
    assert!((regret["optimal"].as_f64().unwrap() - 480.258).abs() < 0.001, "{regret}");
    let (mean, low) = (&regret["mean"], &regret["interval"][0]);
    assert!(mean.as_f64() > low.as_f64() && low.as_f64() > Some(20.0), "{regret}");
    assert!(regret["optimal_moves"].as_f64() < Some(0.95));
    assert!(regret["worst"]["regret"].as_f64() > Some(5.0), "{regret}");
    for game in ["2048:board=2x3", "threes:board=2x3"] {
        let perfect = eval(game, "perfect");
        assert_eq!(perfect["regret"]["optimal_moves"], 1.0, "{game}");
        assert_eq!(perfect["regret"]["worst"], Value::Null);
    }
    let told = refused(
        &["eval", "2048", "--agent", "greedy", "--regret", "--games", "1", "--memory", "2M"],
        2,
    );
    assert!(told.contains("such as 2048:board=2x3"), "{told}");
}

#[test]
fn a_second_stage_starts_from_another_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let train = |more: &[&str]| {
        let base = ["train", "2048-td", "--set", "episodes=60", "--set", "block=20", "--quiet"];
        ludens(&[&base[..], more].concat()).output().unwrap()
    };
    let one = train(&["--set", "layout=re", "--set", "method=otd+tc", "--run", &path("one")]);
    assert!(one.status.success(), "{}", String::from_utf8_lossy(&one.stderr));
    let second = ["--from", &path("one"), "--set", "stage=2", "--set", "stages=16"];
    let two = train(&[&second[..], &["--set", "arrivals=20", "--run", &path("two")]].concat());
    assert!(two.status.success(), "{}", String::from_utf8_lossy(&two.stderr));
    let arrivals = std::fs::read_to_string(folder.path().join("two/arrivals.txt")).unwrap();
    assert!(arrivals.starts_with("ludens-arrivals 1\n") && arrivals.lines().count() == 25);
    let agent = format!("ntuple:model={},vote={}+{}", path("two"), path("one"), path("two"));
    let played = json(&["eval", "2048", "--agent", &agent, "--games", "3", "--seed", "1"]);
    assert_eq!(played["games"], 3);
}

#[test]
fn games_that_do_not_fit_are_refused() {
    let error = refused(&["solve", "2048", "--exact", "--memory", "2M"], 3);
    assert!(error.contains("MiB of tables, 2 MiB are allowed"), "{error}");
    let error = refused(&["solve", "threes:board=2x3", "0,1,0/0,0,3 1", "--exact"], 2);
    assert!(error.contains("unreachable"), "{error}");
    let error = refused(&["solve", "2048:board=2x2", "--exact", "--solver", "guess"], 2);
    assert!(error.contains("retrograde, value-iteration, policy-iteration"), "{error}");
    refused(&["solve", "former", "--exact", "--table", "x", "--time", "1s"], 2);
}

#[test]
fn advice_with_and_without_a_network() {
    let board = "2,2,8,16/0,0,0,0/0,0,0,0/2,4,8,16";
    let rewards = ["--solver", "expectimax:model=none", "--nodes"];
    let args = [&["solve", "2048", board], &rewards[..], &["20000"]].concat();
    let found = json(&args);
    assert_eq!(found, {
        let mut again = json(&args);
        again["time_ms"] = found["time_ms"].clone();
        again
    });
    assert_eq!(found["position"], board);
    assert!(found["values"]["left"].is_number() && found["best"].is_string());
    assert!(!found["line"].as_array().unwrap().is_empty());
    assert!(found["chances"]["32"]["rate"].as_f64().unwrap() > 0.5, "{found}");
    let stuck = "2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,0";
    let found = json(&[&["solve", "2048", stuck], &rewards[..], &["100"]].concat());
    assert_eq!(found["values"].get("up"), None, "it is not legal");
    // The network that comes with the program expects far more than the rewards in sight.
    let learned = json(&["solve", "2048", board, "--nodes", "20000"]);
    assert!(learned["value"].as_f64() > Some(10_000.0), "{learned}");
    // Where no network is bundled, rewards decide; who wants a network is told.
    let without = ["solve", "2584:board=3x3", "1,0,0/0,0,0/1,0,0", "--nodes", "2000"];
    assert_eq!(json(&without)["solver"], "expectimax");
    let error = refused(&[&without[..], &["--solver", "ntuple"]].concat(), 2);
    assert!(error.contains("model=DIR"), "{error}");
}

#[test]
fn boards_as_people_paste_them() {
    let commas = json(&["show", "2048", "0,2,4,8/0,0,0,0/0,0,0,0/2,0,0,0"]);
    for text in [
        "0 2 4 8 / 0 0 0 0 / 0 0 0 0 / 2 0 0 0",
        "0 2 4 8\n0 0 0 0\n0 0 0 0\n2 0 0 0",
        ". 2 4 8\n. . . .\n. . . .\n2 . . .",
        "0,2,4,8,0,0,0,0,0,0,0,0,2,0,0,0",
        "[[0,2,4,8],[0,0,0,0],[0,0,0,0],[2,0,0,0]]",
    ] {
        assert_eq!(json(&["show", "2048", text])["position"], commas["position"], "{text}");
    }
}

#[test]
fn agents_play_whole_games() {
    let eval = |agent: &str, games: &str| {
        json(&["eval", "2048:board=3x3", "--agent", agent, "--games", games, "--seed", "3"])
    };
    let (random, greedy) = (eval("random", "200"), eval("greedy", "200"));
    assert!(greedy["mean"].as_f64() > random["mean"].as_f64());
    let two = eval("expectimax:ply=2", "50");
    assert!(two["mean"].as_f64() > greedy["mean"].as_f64());
    assert_eq!(two["mean"], eval("expectimax:ply=2", "50")["mean"]);
    let error = refused(&["eval", "2048", "--agent", "ntuple:model=nowhere", "--games", "1"], 2);
    assert!(error.contains("nowhere"), "{error}");
    refused(&["eval", "threes", "--agent", "expectimax:downgrade=48", "--games", "1"], 2);
}

#[test]
fn two_player_forms_have_agents() {
    for (game, agent) in [
        ("2048:adversary=tile,board=2x3", "alpha-beta:depth=3"),
        ("threes:adversary=tile,board=2x3", "minimax:depth=2"),
        ("2584:adversary=cell,board=2x3", "expectiminimax:depth=2"),
    ] {
        let play = ["play", game, "--first", agent, "--second", agent, "--seed", "1", "--json"];
        let output = ludens(&play).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let last = String::from_utf8(output.stdout).unwrap();
        let last: Value = serde_json::from_str(last.lines().last().unwrap()).unwrap();
        assert_eq!(last["over"], true, "{game}");
    }
}
