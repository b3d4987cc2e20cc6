//! Playing through a pipe: moves, undo, saving, going on, converting.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::path::PathBuf;

use assert_cmd::Command;

fn ludens(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("ludens").unwrap();
    command.args(args).env("NO_COLOR", "1");
    command
}

fn output(command: &mut Command) -> String {
    String::from_utf8(command.assert().success().get_output().stdout.clone()).unwrap()
}

/// A file of this test's own that does not exist yet.
fn file(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("play");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join(name);
    if file.exists() {
        fs::remove_file(&file).unwrap();
    }
    file
}

const DAILY: [&str; 4] = ["play", "former", "--date", "2025-05-18"];

#[test]
fn moves_undo_and_lists() {
    let text = output(ludens(&DAILY).write_stdin("moves\n1,2\nundo\nundo\nhelp\n0,0\nquit\n"));
    assert!(text.contains("0,8  0,6  3,8"), "{text}");
    assert!(text.contains("groups 18"), "{text}");
    assert!(text.contains("nothing to undo"), "{text}");
    assert!(text.ends_with("stopped after 1 moves, total -1\n"), "{text}");
}

#[test]
fn a_refused_move_ends_a_script_with_2() {
    let done = ludens(&DAILY).write_stdin("9,9\n").assert().code(2);
    let error = String::from_utf8(done.get_output().stderr.clone()).unwrap();
    assert!(error.starts_with("error: "), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
}

#[test]
fn a_saved_game_goes_on() {
    let saved = file("former.record");
    let path = saved.to_str().unwrap();
    ludens(&DAILY).args(["--save", path]).write_stdin("1,2\n").assert().success();
    let check = output(&mut ludens(&["record", "check", path]));
    assert!(check.ends_with("former: stopped after 1 moves, total -1\n"), "{check}");
    let text = output(ludens(&["play", "--resume", path, "--save", path]).write_stdin("0,0\n"));
    assert!(text.ends_with("stopped after 2 moves, total -2\n"), "{text}");
    let record = fs::read_to_string(&saved).unwrap();
    assert_eq!(record.matches("\nmove ").count(), 2, "{record}");
}

#[test]
fn records_convert_both_ways() {
    for (game, seed) in
        [("2048", "5"), ("2584:spawn=1,3", "6"), ("threes", "7"), ("threes:board=2x3", "8")]
    {
        let saved = file(&format!("{}.record", game.replace([':', '=', ','], "-")));
        let path = saved.to_str().unwrap();
        output(&mut ludens(&[
            "play", game, "--first", "random", "--seed", seed, "--save", path, "--json",
        ]));
        let framework = output(&mut ludens(&["record", "convert", path, "--to", "framework"]));
        assert_eq!(framework.lines().count(), 1, "{framework}");
        let back = output(
            ludens(&["record", "convert", "-", "--to", "ludens", "--game", game])
                .write_stdin(framework.clone()),
        );
        let moves = |text: &str| -> Vec<String> {
            text.lines()
                .filter(|l| l.starts_with("start") || l.starts_with("move"))
                .map(str::to_owned)
                .collect()
        };
        let original = fs::read_to_string(&saved).unwrap();
        assert_eq!(moves(&back), moves(&original), "{game}");
        let again = output(
            ludens(&["record", "convert", "-", "--to", "framework", "--game", game])
                .write_stdin(framework.clone()),
        );
        assert_eq!(again, framework, "{game}");
    }
}

#[test]
fn positions_come_from_files_and_standard_input() {
    let board = file("board.txt");
    fs::write(&board, "012\n012\n").unwrap();
    let spec = "samegame:rows=2,cols=3,colours=3";
    let at_file = output(&mut ludens(&["show", spec, &format!("@{}", board.display())]));
    let at_input = output(ludens(&["show", spec, "-"]).write_stdin("012\n012\n"));
    assert_eq!(at_file, at_input);
    assert!(at_file.ends_with("\n012012\n"), "{at_file}");
}

#[test]
fn bench_prints_a_signature_and_speeds() {
    let text = output(&mut ludens(&["bench", "connect-four", "--seconds", "0.05", "--json"]));
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["signature"].as_str().unwrap().len(), 16);
    assert!(report["playouts"]["connect-four"]["games_per_s"].as_f64().unwrap() > 0.0);
    let again = output(&mut ludens(&["bench", "connect-four", "--seconds", "0.01", "--json"]));
    let again: serde_json::Value = serde_json::from_str(&again).unwrap();
    assert_eq!(report["signature"], again["signature"]);
}

#[test]
fn bench_honours_its_seed() {
    let report = |seed: &str| {
        let args = ["bench", "former", "--seconds", "0.01", "--seed", seed, "--json"];
        let text = output(&mut ludens(&args));
        serde_json::from_str::<serde_json::Value>(&text).unwrap()["signature"].clone()
    };
    assert_eq!(report("5"), report("5"));
    assert_ne!(report("5"), report("6"));
}

#[test]
fn bench_gives_the_signatures_of_solvers() {
    let text = output(&mut ludens(&["bench", "former", "--signatures", "--json"]));
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&report["seed"], &report["nodes"]), (&1.into(), &10_000.into()));
    let golden =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../ludens-engine/goldens/solvers.signatures");
    let golden = std::fs::read_to_string(golden).unwrap();
    let lines: Vec<&str> = golden.lines().filter(|line| line.starts_with("former ")).collect();
    assert!(lines.len() > 10);
    for line in lines {
        let fields: Vec<&str> = line.split(' ').collect();
        let found = &report["signatures"]["former"]["solvers"][fields[1]];
        let number = |name: &str| found[name].to_string();
        assert_eq!([number("nodes"), number("value"), number("length")], fields[2..5], "{line}");
        assert_eq!(found["line"], fields[5], "{line}");
    }
    for (args, part) in [
        (&["bench", "former", "--signatures", "--threads", "2"][..], "one thread"),
        (&["bench", "--signatures", "--seconds", "1"], "cannot be used with"),
    ] {
        let done = ludens(args).assert().code(2);
        let message = String::from_utf8(done.get_output().stderr.clone()).unwrap();
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn bench_gives_the_signatures_of_agents() {
    let args = ["bench", "connect-four", "--random", "1", "--plies", "8", "--signatures", "--json"];
    let report: serde_json::Value =
        serde_json::from_str(&output(&mut ludens(&args))).expect("one JSON document");
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../ludens-engine/goldens/agents.signatures");
    let golden = std::fs::read_to_string(golden).unwrap();
    let lines: Vec<&str> = golden.lines().filter(|l| l.starts_with("connect-four ")).collect();
    assert!(lines.len() > 10);
    for line in lines {
        let fields: Vec<&str> = line.split(' ').collect();
        let found = &report["signatures"]["connect-four"]["agents"][fields[1]];
        assert_eq!(found["nodes"].to_string(), fields[3], "{line}");
        assert_eq!(
            [&found["move"], &found["value"], &found["moves"]],
            [fields[2], fields[4], fields[5]]
        );
    }
}

#[test]
fn completions_and_manual_come_from_the_command_line() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(output(&mut ludens(&["completions", shell])).contains("ludens"), "{shell}");
    }
    let manual = output(&mut ludens(&["man"]));
    for word in ["ludens", "perft", "bench", "\\-\\-thesis"] {
        assert!(manual.contains(word), "{word}");
    }
}
