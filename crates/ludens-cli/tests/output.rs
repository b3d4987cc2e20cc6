//! A result that cannot be written is no success: standard output that is full, and full disks.
#![cfg(target_os = "linux")]

use std::collections::BTreeSet;
use std::fs::File;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

fn program() -> &'static str {
    assert_cmd::cargo::cargo_bin!("ludens").to_str().expect("paths of tests are text")
}

fn ludens(home: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(program());
    command.args(args).env("LUDENS_HOME", home).stdin(Stdio::null());
    command
}

fn ended(command: &mut Command) -> Output {
    command.output().expect("the program starts")
}

fn message(out: &Output) -> String {
    String::from_utf8_lossy(&out.stderr).into_owned()
}

/// A question for every command; all have something to tell.
const QUESTIONS: &[&[&str]] = &[
    &["games"],
    &["show", "connect-four"],
    &["play", "connect-four", "--first", "random", "--second", "random", "--plain"],
    &["solve", "former", "--nodes", "100"],
    &["analyze"],
    &["serve", "--port", "0", "--no-open"],
    &["eval", "former", "--suite", "random:1", "--solver", "greedy"],
    &["arena", "connect-four", "random", "greedy", "--games", "2"],
    &["engine", "--agent", "random"],
    &["merge"],
    &["ablate", "samegame", "--base", "Static", "--vary", "c=.01", "--ru", "64", "--boards", "1"],
    &["data", "add", "samegame"],
    &["selfplay", "--run"],
    &["reproduce", "--list"],
    &["train"],
    &["tune", "former-supervised", "--trials", "1", "--run"],
    &["models"],
    &["perft", "connect-four", "2"],
    &["bench", "connect-four", "--seconds", "0.01"],
    &["read", "connect-four", "../ludens-vision/tests/data/connect-four.png"],
    &["record", "check"],
    &["store", "check"],
    &["completions", "bash"],
    &["man"],
    &["help"],
    &["--version"],
];

/// What a question needs besides: a file, a folder, lines on standard input.
fn prepared(home: &Path, question: &[&str]) -> Command {
    let mut command = ludens(home, question);
    let input = |lines: &str| {
        let path = home.join("input");
        std::fs::write(&path, lines).expect("scratch for a file");
        File::open(path).expect("it was just written")
    };
    match question[0] {
        "analyze" => {
            command.stdin(input("{\"id\": 1, \"game\": \"no-such\"}\n"));
        }
        "engine" => {
            command.stdin(input("ludens 1\n"));
        }
        "tune" => {
            let small = ["w=4", "d=2", "games=30", "epochs=1"];
            command.arg(home.join("study")).args(small.iter().flat_map(|set| ["--set", set]));
        }
        "record" => {
            let record = home.join("game.json");
            let play =
                ["play", "connect-four", "--first", "random", "--second", "random", "--plain"];
            ended(ludens(home, &play).arg("--save").arg(&record));
            command.arg(record);
        }
        "merge" => {
            let part = home.join("part.sqlite");
            ended(ludens(home, QUESTIONS[6]).args(["--shard", "1/1", "--store"]).arg(&part));
            command.arg(part);
        }
        "data" => {
            let boards = home.join("boards.txt");
            let board = format!("{}\n", "01234".repeat(3)).repeat(15);
            std::fs::write(&boards, board).expect("scratch for a file");
            command.arg(boards);
        }
        "selfplay" => {
            let run = home.join("run");
            let train = ["train", "alphazero", "--game", "connect-four", "--steps", "0"];
            let small = ["channels=4", "blocks=1", "sims=2", "games=2"];
            let sets = small.iter().flat_map(|set| ["--set", set]);
            ended(ludens(home, &train).args(sets).arg("--run").arg(&run));
            command.arg(run);
        }
        "store" => {
            ended(&mut ludens(home, QUESTIONS[7]));
        }
        _ => {}
    }
    command
}

#[test]
fn every_command_is_asked() {
    let home = TempDir::new().expect("a folder");
    let help = ended(&mut ludens(home.path(), &["--help"]));
    let help = String::from_utf8_lossy(&help.stdout).into_owned();
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands = commands.take_while(|line| !line.is_empty());
    let listed: BTreeSet<&str> =
        commands.filter_map(|line| line.split_whitespace().next()).collect();
    let asked: BTreeSet<&str> = QUESTIONS.iter().map(|question| question[0]).collect();
    assert!(listed.len() > 15 && listed.is_subset(&asked), "{listed:?}");
}

#[test]
fn a_full_standard_output_is_a_failure() {
    for question in QUESTIONS {
        for json in [false, true] {
            let home = TempDir::new().expect("a folder");
            let mut command = prepared(home.path(), question);
            if json && !["help", "--version"].contains(&question[0]) {
                command.arg("--json");
            }
            let full = File::options().write(true).open("/dev/full").expect("Linux has it");
            let out = ended(command.stdout(full));
            assert_eq!(out.status.code(), Some(1), "{question:?}, json {json}: {}", message(&out));
            assert!(message(&out).contains("standard output: "), "{}", message(&out));
        }
    }
}

/// A reader that goes away has what it wanted.
#[test]
fn a_closed_pipe_is_no_failure() {
    let home = TempDir::new().expect("a folder");
    let mut child =
        ludens(home.path(), &["man"]).stdout(Stdio::piped()).spawn().expect("it starts");
    drop(child.stdout.take());
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

/// A command on a disk without room: its files may be made, but hold nothing.
fn on_a_full_disk(home: &Path, args: &[&str]) -> Output {
    let script = "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\"";
    let mut command = Command::new("sh");
    command.arg("-c").arg(script).arg(program()).args(args);
    ended(command.env("LUDENS_HOME", home).stdin(Stdio::null()))
}

#[test]
fn a_full_disk_is_a_failure() {
    let home = TempDir::new().expect("a folder");
    let at = |name: &str| home.path().join(name).display().to_string();
    let (table, run, save) = (at("exact.table"), at("run"), at("game.json"));
    let random = ["play", "connect-four", "--first", "random", "--second", "random", "--plain"];
    let questions: &[&[&str]] = &[
        &["eval", "former", "--suite", "random:2", "--solver", "greedy"],
        &["arena", "connect-four", "random", "greedy", "--games", "2"],
        &["train", "2048-td", "--set", "episodes=2", "--set", "layout=re", "--run", &run],
        &[&random[..], &["--save", &save]].concat(),
        &["solve", "2048:board=2x2", "--exact", "--table", &table],
    ];
    for question in questions {
        let out = on_a_full_disk(home.path(), question);
        assert_eq!(out.status.code(), Some(1), "{question:?}: {}", message(&out));
        assert_eq!(message(&out).lines().count(), 1, "{question:?}: {}", message(&out));
    }
}

#[test]
fn more_memory_than_there_is_is_refused() {
    let home = TempDir::new().expect("a folder");
    for question in [
        &["solve", "former", "--memory", "100000G"][..],
        &["solve", "2048:board=2x2", "--exact", "--memory", "100000G"],
        &["eval", "former", "--suite", "random:1", "--memory", "100000G"],
    ] {
        let out = ended(&mut ludens(home.path(), question));
        assert_eq!(out.status.code(), Some(2), "{question:?}: {}", message(&out));
        assert!(message(&out).contains("that the machine has"), "{}", message(&out));
    }
}
