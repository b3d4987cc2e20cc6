//! `ludens train alphazero` and `ludens train probs`: what they learn
//! plays. `killed_runs.rs` has them killed.

mod processes;

use std::path::Path;

use processes::{complaint, ended, succeeded, text};

/// Trains for four iterations in the folder `whole`.
fn trained(recipe: &str, game: &str, settings: &str, folder: &Path) {
    let run = folder.join("whole");
    let mut args = vec!["train", recipe, "--game", game, "--seed", "3", "--json"];
    args.extend(["--run", text(&run)]);
    args.extend(settings.split(' ').flat_map(|setting| ["--set", setting]));
    let told = succeeded(&args);
    let last = told.lines().last().expect("metrics");
    let last: serde_json::Value = serde_json::from_str(last).expect("JSON");
    assert_eq!(last["iteration"], 4);
    assert!(last["value_loss"].is_number() && last["positions_per_s"].is_number(), "{last}");
    // Another game's run is not resumed.
    let other = ended(&["train", recipe, "--game", "othello", "--run", text(&run), "--resume"]);
    assert!(!other.status.success() && complaint(&other).contains("expected othello"));
}

/// Plays a game to its end.
fn plays(game: &str, one: &str, two: &str) {
    let text = succeeded(&["play", game, "--first", one, "--second", two, "--seed", "1", "--json"]);
    assert!(text.lines().count() > 3, "{text}");
}

#[test]
fn alphazero_plays() {
    let folder = tempfile::tempdir().expect("a folder");
    let settings = "channels=8 blocks=1 sims=8 fast=4 games=20 batch=32 iterations=4 graph=0";
    trained("alphazero", "sevn:base=3", settings, folder.path());
    let model = format!("model={}", folder.path().join("whole").display());
    plays("sevn:base=3", &format!("az:sims=20,{model}"), &format!("net:{model}"));
    plays("sevn:base=3", &format!("az:time=20ms,gumbel=4,batch=4,{model}"), "random");
    let refused = |game: &str, agent: &str, expected: &str| {
        let args = ["play", game, "--first", agent, "--second", "random", "--json"];
        let output = ended(&args);
        assert_eq!(output.status.code(), Some(2), "{}", complaint(&output));
        assert!(complaint(&output).contains(expected), "{}", complaint(&output));
    };
    refused("sevn:base=5", &format!("az:{model}"), "a network for sevn:base=3");
    refused("connect-four", &format!("net:{model}"), "a network for sevn:base=3");
    refused("othello", "az:model=/nowhere/at/all", "/nowhere/at/all");
    refused("connect-four", &format!("probs:{model}"), "a network for sevn:base=3");
}

/// What the form for one player learns serves agents and solvers.
#[test]
fn alphazero_solves_former() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = "former:rows=5,cols=4,shapes=3";
    let settings = "channels=8 blocks=1 sims=8 fast=4 games=20 batch=32 iterations=4 kernel=3";
    trained("alphazero", game, settings, folder.path());
    let run_folder = folder.path().join("whole").display().to_string();
    for by in ["policy", "value"] {
        let agent = format!("net:by={by},model={run_folder}");
        let text = succeeded(&["play", game, "--first", &agent, "--seed", "1", "--json"]);
        assert!(text.lines().count() > 3, "{text}");
    }
    for solver in [format!("mcts:policy={run_folder}"), format!("beam:eval={run_folder}")] {
        let args =
            ["solve", game, "--random", "1", "--solver", &solver, "--nodes", "500", "--json"];
        assert!(succeeded(&args).contains("moves"), "{solver}");
    }
}

#[test]
fn probs_plays() {
    let folder = tempfile::tempdir().expect("a folder");
    let settings = "channels=8 layers=1 hidden=8 games=12 expand=4 batch=32 iterations=4";
    trained("probs", "connect-four", settings, folder.path());
    let model = format!("model={}", folder.path().join("whole").display());
    plays("connect-four", &format!("probs:{model}"), &format!("probs:{model},expand=10"));
    let az = format!("az:{model}");
    let args = ["play", "connect-four", "--first", &az, "--second", "random", "--json"];
    let output = ended(&args);
    assert_eq!(output.status.code(), Some(2));
    assert!(complaint(&output).contains("values of moves"), "{}", complaint(&output));
}

#[test]
fn networks_of_the_program_play() {
    for game in ["connect-four", "othello", "togyzkumalak", "sevn", "sevn:base=5"] {
        plays(game, "az:sims=4", "net");
    }
    plays("connect-four", "probs", "probs:expand=5");
    let args = ["play", "othello", "--first", "probs", "--second", "random", "--json"];
    let output = ended(&args);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        complaint(&output).contains("a network of PROBS for othello"),
        "{}",
        complaint(&output)
    );
}

#[test]
fn graphs_play_boards_of_all_sizes() {
    let folder = tempfile::tempdir().expect("a folder");
    for wins in ["wins=0", "wins=1"] {
        let path = folder.path().join(wins).to_str().expect("a plain path").to_owned();
        let settings = "sims=6 fast=4 games=4 batch=8 iterations=1";
        let mut args =
            vec!["train", "alphazero", "--game", "sevn:base=3", "--json", "--run", &path];
        args.extend(settings.split(' ').flat_map(|setting| ["--set", setting]));
        succeeded(&args);
        for game in ["sevn:base=3", "sevn:base=5"] {
            plays(game, &format!("az:sims=8,model={path}"), &format!("net:model={path}"));
        }
    }
}

#[test]
fn wrong_requests_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run").to_str().expect("a plain path").to_owned();
    for (args, expected) in [
        (vec!["train", "alphazero"], "game: found none"),
        (vec!["train", "alphazero", "--game", "connect-four"], "--run DIR"),
        (vec!["train", "alphazero", "--game", "samegame", "--run", &path], "sevn or former"),
        (
            vec!["train", "alphazero", "--game", "former", "--run", &path, "--set", "considered=8"],
            "no Gumbel root",
        ),
        (
            vec!["train", "alphazero", "--game", "former", "--run", &path, "--set", "max_moves=62"],
            "63 at least",
        ),
        (vec!["train", "probs", "--game", "sevn", "--run", &path], "connect-four, othello"),
        (
            vec!["train", "alphazero", "--game", "othello", "--run", &path, "--set", "graph=1"],
            "only Sevn has graphs",
        ),
        (
            vec!["train", "alphazero", "--game", "othello", "--run", &path, "--set", "wins=1"],
            "only Sevn's graph network",
        ),
        (
            vec!["train", "alphazero", "--game", "othello", "--run", &path, "--set", "sims=x"],
            "parameter sims",
        ),
    ] {
        let output = ended(&args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", complaint(&output));
        assert!(complaint(&output).contains(expected), "{args:?}: {}", complaint(&output));
    }
}
