//! `ludens train alphazero` and `ludens train probs`: runs that are killed go on as if nothing had
//! happened, and what they learn plays.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

fn ludens(args: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("ludens"));
    command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn run(args: &[&str]) -> String {
    let output = ludens(args).output().expect("it runs");
    assert!(output.status.success(), "{args:?}: {}", told(&output));
    String::from_utf8(output.stdout).expect("we write UTF-8")
}

/// The tensors of a network's file, without its description, which has times in it.
fn tensors(file: &Path) -> Vec<u8> {
    let bytes = std::fs::read(file).expect("a network");
    let header = u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes")) as usize;
    bytes[8 + header..].to_vec()
}

/// Runs a recipe whole and killed again and again, and compares what is learned.
fn survives(recipe: &str, game: &str, settings: &[&str], folder: &Path) {
    let begin = |path: &str| {
        let mut args = vec!["train", recipe, "--game", game, "--seed", "3", "--json", "--run"];
        args.push(path);
        args.into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let with = |path: &str, resume: bool| {
        let mut args = begin(path);
        if resume {
            args.push("--resume".to_owned());
        } else {
            args.extend(settings.iter().flat_map(|s| ["--set".to_owned(), (*s).to_owned()]));
        }
        args
    };
    let path = |name: &str| folder.join(name).to_str().expect("a plain path").to_owned();
    let (whole, killed) = (path("whole"), path("killed"));
    let text = |args: &[String]| run(&args.iter().map(String::as_str).collect::<Vec<_>>());
    let figures = text(&with(&whole, false));
    let last = figures.lines().last().expect("figures");
    let last: serde_json::Value = serde_json::from_str(last).expect("JSON");
    assert_eq!(last["iteration"], 4);
    assert!(last["value_loss"].is_number() && last["positions_per_s"].is_number(), "{last}");
    let begun = || Path::new(&killed).join("config.toml").exists();
    for millis in [60, 150, 400, 250] {
        let args = with(&killed, begun());
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let mut child = ludens(&args).spawn().expect("it runs");
        std::thread::sleep(Duration::from_millis(millis));
        child.kill().expect("it can be killed");
        child.wait().expect("it has ended");
    }
    text(&with(&killed, begun()));
    let model = |run: &str| tensors(&Path::new(run).join("model.safetensors"));
    assert!(model(&whole) == model(&killed), "{recipe}");
    let metrics = |run: &str| std::fs::read_to_string(Path::new(run).join("metrics.jsonl"));
    let lines = |run: &str| metrics(run).expect("figures").lines().count();
    assert_eq!((lines(&whole), lines(&killed)), (4, 4));
    // Another game's run is not gone on with.
    let other = ludens(&["train", recipe, "--game", "othello", "--run", &whole, "--resume"]);
    let output = { other }.output().expect("it runs");
    assert!(!output.status.success() && told(&output).contains("expected othello"));
}

/// Plays a game to its end.
fn plays(game: &str, one: &str, two: &str) {
    let text = run(&["play", game, "--first", one, "--second", two, "--seed", "1", "--json"]);
    assert!(text.lines().count() > 3, "{text}");
}

#[test]
fn alphazero_survives_and_plays() {
    let folder = tempfile::tempdir().expect("a folder");
    let settings = [
        "channels=8",
        "blocks=1",
        "sims=8",
        "fast=4",
        "games=20",
        "batch=32",
        "iterations=4",
        "graph=0",
    ];
    survives("alphazero", "sevn:base=3", &settings, folder.path());
    let model = format!("model={}", folder.path().join("whole").display());
    plays("sevn:base=3", &format!("az:sims=20,{model}"), &format!("net:{model}"));
    plays("sevn:base=3", &format!("az:time=20ms,gumbel=4,batch=4,{model}"), "random");
    let refused = |game: &str, agent: &str, expected: &str| {
        let args = ["play", game, "--first", agent, "--second", "random", "--json"];
        let output = ludens(&args).output().expect("it runs");
        assert_eq!(output.status.code(), Some(2), "{}", told(&output));
        assert!(told(&output).contains(expected), "{}", told(&output));
    };
    refused("sevn:base=5", &format!("az:{model}"), "a network for sevn:base=3");
    refused("connect-four", &format!("net:{model}"), "a network for sevn:base=3");
    refused("othello", "az:model=/nowhere/at/all", "/nowhere/at/all");
    refused("connect-four", &format!("probs:{model}"), "a network for sevn:base=3");
}

/// What the form for one player learns serves agents and solvers.
#[test]
fn alphazero_survives_and_solves_former() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = "former:rows=5,cols=4,shapes=3";
    let settings = [
        "channels=8",
        "blocks=1",
        "sims=8",
        "fast=4",
        "games=20",
        "batch=32",
        "iterations=4",
        "kernel=3",
    ];
    survives("alphazero", game, &settings, folder.path());
    let run_folder = folder.path().join("whole").display().to_string();
    for by in ["policy", "value"] {
        let agent = format!("net:by={by},model={run_folder}");
        let text = run(&["play", game, "--first", &agent, "--seed", "1", "--json"]);
        assert!(text.lines().count() > 3, "{text}");
    }
    for solver in [format!("mcts:policy={run_folder}"), format!("beam:eval={run_folder}")] {
        let args =
            ["solve", game, "--random", "1", "--solver", &solver, "--nodes", "500", "--json"];
        assert!(run(&args).contains("moves"), "{solver}");
    }
}

#[test]
fn probs_survives_and_plays() {
    let folder = tempfile::tempdir().expect("a folder");
    let settings =
        ["channels=8", "layers=1", "hidden=8", "games=12", "expand=4", "batch=32", "iterations=4"];
    survives("probs", "connect-four", &settings, folder.path());
    let model = format!("model={}", folder.path().join("whole").display());
    plays("connect-four", &format!("probs:{model}"), &format!("probs:{model},expand=10"));
    let az = format!("az:{model}");
    let args = ["play", "connect-four", "--first", &az, "--second", "random", "--json"];
    let output = ludens(&args).output().expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(told(&output).contains("values of moves"), "{}", told(&output));
}

#[test]
fn networks_of_the_program_play() {
    for game in ["connect-four", "othello", "togyzkumalak", "sevn", "sevn:base=5"] {
        plays(game, "az:sims=4", "net");
    }
    plays("connect-four", "probs", "probs:expand=5");
    let args = ["play", "othello", "--first", "probs", "--second", "random", "--json"];
    let output = ludens(&args).output().expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(told(&output).contains("a network of PROBS for othello"), "{}", told(&output));
}

#[test]
fn graphs_play_boards_of_all_sizes() {
    let folder = tempfile::tempdir().expect("a folder");
    for wins in ["wins=0", "wins=1"] {
        let path = folder.path().join(wins).to_str().expect("a plain path").to_owned();
        let settings = ["sims=6", "fast=4", "games=4", "batch=8", "iterations=1", wins];
        let mut args =
            vec!["train", "alphazero", "--game", "sevn:base=3", "--json", "--run", &path];
        args.extend(settings.iter().flat_map(|setting| ["--set", *setting]));
        run(&args);
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
        let output = ludens(&args).output().expect("it runs");
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", told(&output));
        assert!(told(&output).contains(expected), "{args:?}: {}", told(&output));
    }
}
