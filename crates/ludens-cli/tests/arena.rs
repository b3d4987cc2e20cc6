//! `ludens arena` and `ludens engine` as programs, with players that behave badly.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

fn ludens() -> &'static str {
    assert_cmd::cargo::cargo_bin!("ludens").to_str().unwrap()
}

fn run(home: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(ludens());
    command.env("LUDENS_HOME", home).args(args).stdin(Stdio::null());
    command.output().unwrap()
}

fn arena(home: &Path, args: &[&str]) -> Value {
    let out = run(home, &[&["arena", "--json"], args].concat());
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    serde_json::from_slice(&out.stdout).unwrap()
}

/// Everything of a contest that may not change from run to run.
fn without_times(mut contest: Value) -> Value {
    for field in ["time_ms", "time_per_move", "reused"] {
        contest.as_object_mut().unwrap().remove(field);
    }
    contest
}

#[test]
fn the_documented_command_works_and_resumes() {
    let home = TempDir::new().unwrap();
    let asked = ["connect-four", "lookahead:2", "lookahead:3", "--games", "200", "--seed", "1"];
    let first = arena(home.path(), &asked);
    let number = |field: &str| first[field].as_u64().unwrap();
    assert_eq!(number("wins") + number("draws") + number("losses"), 200);
    let (low, elo) = (&first["elo_interval"][0], &first["elo"]);
    assert!(low.as_f64().unwrap() < elo.as_f64().unwrap() && elo.as_f64().unwrap() < 0.0);
    assert!(first["time_per_move"][1]["mean_ms"].as_f64().unwrap() > 0.0);
    let again = arena(home.path(), &asked);
    assert_eq!(again["reused"], 200);
    assert_eq!(without_times(first.clone()), without_times(again));
    // The same games elsewhere, on one thread.
    let other = TempDir::new().unwrap();
    let alone = arena(other.path(), &[&asked[..], &["--threads", "1"]].concat());
    assert_eq!(without_times(first), without_times(alone));
}

#[test]
fn more_agents_have_a_table_and_ratings() {
    let home = TempDir::new().unwrap();
    let agents = ["random", "lookahead:1", "lookahead:2", "lookahead:2"];
    let asked = [&["othello"], &agents[..], &["--games", "20", "--anchor", "random=1000"]].concat();
    let told = arena(home.path(), &asked);
    assert_eq!(told["table"].as_array().unwrap().len(), 6);
    assert_eq!(told["ratings"][0]["elo"], 1000.0);
    assert_eq!(told["ratings"][3]["agent"], "lookahead:2#2");
    let text = run(home.path(), &[&["arena"], &asked[..]].concat());
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(text.contains("(120 from the store)") && text.contains("Elo (95 %)"), "{text}");
}

#[test]
fn a_sequential_test_gives_an_answer() {
    let home = TempDir::new().unwrap();
    let asked = ["connect-four", "lookahead:2", "random", "--games", "2000", "--sprt", "0,50"];
    let told = arena(home.path(), &asked);
    assert_eq!(told["sprt"]["decision"], "H1");
    assert!(told["games"].as_u64().unwrap() < 400);
}

/// The program of a test: a script for `sh`.
fn script(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    format!("cmd:sh {}", path.display())
}

/// A loop of a script that does something whenever it is to move; `done` ends it.
fn answering(what: &str) -> String {
    format!("while read -r word rest; do case $word in go) {what};; esac;")
}

/// The margin is set, shown, and part of what a stored game was played under.
#[test]
fn programs_have_their_time_and_a_margin() {
    let home = TempDir::new().unwrap();
    let bot = script(home.path(), "silent", "read hello; echo ready; while read line; do :; done");
    let asked = ["connect-four", "random", &bot, "--games", "2", "--time", "50ms"];
    let told = arena(home.path(), &[&asked[..], &["--margin", "100ms"]].concat());
    assert_eq!(told["terms"], "plies=6 time=50ms margin=100ms");
    assert_eq!(told["forfeits"][0]["reason"], "no bestmove within 0.15 s");
    let other = arena(home.path(), &[&asked[..], &["--margin", "0s"]].concat());
    assert_eq!(
        (&other["reused"], &other["forfeits"][0]["reason"]),
        (&0.into(), &"no bestmove within 0.05 s".into())
    );
    // Agents of the program itself have none.
    let inside = arena(home.path(), &["connect-four", "random", "greedy", "--games", "2"]);
    assert_eq!(inside["terms"], "plies=6");
}

/// A network that cannot be read is skipped, and the others are rated.
#[test]
fn watching_skips_a_damaged_network() {
    let (home, run_folder) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    std::fs::write(run_folder.path().join("1.safetensors"), "no network").unwrap();
    let folder = run_folder.path().to_str().unwrap();
    let watch = ["arena", "connect-four", "random", "greedy", "--games", "2", "--once"];
    let rated = ["--rated", "net:model={}", "--watch", folder, "--json"];
    let out = run(home.path(), &[&watch[..], &rated].concat());
    let (told, message) =
        (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    assert_eq!(out.status.code(), Some(0), "{message}");
    assert_eq!(told.lines().count(), 2, "both of the ladder: {told}");
    assert!(message.contains("1.safetensors was skipped"), "{message}");
    let wrong =
        run(home.path(), &[&watch[..], &["--rated", "wizard:{}", "--watch", folder]].concat());
    assert_eq!(wrong.status.code(), Some(2), "{}", String::from_utf8_lossy(&wrong.stderr));
}

/// Whatever a program does, it loses with a reason, and the arena goes on.
#[test]
fn hostile_programs_lose() {
    let home = TempDir::new().unwrap();
    let greeting = "read hello; echo ready; ";
    let cases = [
        ("exits", "exit 3", "ended with exit status: 3"),
        ("crashes", "read hello; echo ready; read a; read b; kill -9 $$", "ended with signal: 9"),
        ("floods", "exec yes", "wrote 10000 lines without a ready"),
        ("one-line", "exec cat /dev/zero", "wrote a line of more than 64 KiB"),
        ("noise", "printf '\\377\\376\\n'; cat", "wrote what is no UTF-8"),
        (
            "cheats",
            &format!("{greeting} {} done", answering("echo bestmove 9")),
            "illegal move '9'",
        ),
        (
            "early",
            &format!(
                "read hello; echo bestmove 4; echo ready; {} done",
                answering("echo bestmove 4")
            ),
            "wrote 'bestmove 4' before go",
        ),
        (
            "gives-up",
            &format!("{greeting} while read line; do echo error tired; done"),
            "gave up: 'tired'",
        ),
        ("silent", &format!("{greeting} while read line; do :; done"), "no bestmove within 2.05 s"),
        ("closes", &format!("{greeting} exec 1>&-; sleep 3"), "closed its output"),
    ];
    for (name, text, reason) in cases {
        let bot = script(home.path(), name, text);
        let asked = ["connect-four", "random", &bot, "--games", "2", "--time", "50ms"];
        let told = arena(home.path(), &asked);
        assert_eq!((&told["wins"], &told["losses"]), (&2.into(), &0.into()), "{name}: {told}");
        let told_reason = told["forfeits"][0]["reason"].as_str().unwrap();
        assert!(told_reason.starts_with(reason), "{name}: {told}");
        assert_eq!(told["ratings"][1]["elo"], Value::Null, "{name}");
        assert!(told["ratings"][1]["note"].as_str().unwrap().starts_with("below"), "{name}");
    }
    let out = run(home.path(), &["arena", "connect-four", "random", "cmd:/no/such/program"]);
    assert_eq!(out.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&out.stderr).contains("a program that can be started"));
}

/// Ludens against itself over the protocol: the same agent is about as strong outside as
/// inside, in every game, and no game is forfeited.
#[test]
fn ludens_plays_itself_over_the_protocol() {
    let home = TempDir::new().unwrap();
    for game in ["connect-four", "othello", "togyzkumalak", "sevn:base=3", "sevn:base=5"] {
        let outside = format!("cmd:{} engine --agent lookahead:1 --threads 1", ludens());
        let told = arena(home.path(), &[game, "lookahead:1", &outside, "--games", "10"]);
        assert_eq!(told["forfeits"].as_array().unwrap().len(), 0, "{told}");
        assert_eq!(told["games"], 10);
    }
}

#[test]
fn the_engine_answers_every_line() {
    let talk = |lines: &str| {
        let mut command = Command::new(ludens());
        command.args(["engine", "--agent", "lookahead:2"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
        let out = child.wait_with_output().unwrap();
        assert!(out.status.success());
        String::from_utf8(out.stdout).unwrap()
    };
    let text = talk("ludens 1\nposition connect-four 121212\ngo time 1000\nquit\nnot read\n");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("id ludens") && lines[1] == "ready", "{text}");
    // It may hear `quit` before it has looked two moves ahead.
    assert!(lines[2].starts_with("info depth ") && lines[3..] == ["bestmove 1"], "{text}");
    // The game goes on with moves, or is another one.
    let text = talk(
        "position connect-four 1212 moves 1 3\ngo\nposition connect-four 1212 moves 1 3 1\ngo\n\
         position othello f5\ngo nodes 5\n",
    );
    let moves: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("bestmove ")).collect();
    assert_eq!((moves[0], moves.len()), ("1", 2), "{text}");
    assert!(text.contains("error go: found the end of the game"), "{text}");
    for (line, complaint) in [
        ("go", "error go: found no position"),
        ("position chess e4", "error game: found 'chess'"),
        ("position connect-four", "error position: found"),
        ("position connect-four 44 after 3", "error position"),
        ("position connect-four 44 moves 4 8", "error move 2"),
        ("ludens 2", "error line: found 'ludens 2'"),
        ("position connect-four 4\ngo time soon", "error go time: found 'soon'"),
    ] {
        let text = talk(&format!("{line}\n"));
        assert!(text.contains(complaint), "{line}: {text}");
    }
}

#[test]
fn wrong_questions_are_told() {
    let home = TempDir::new().unwrap();
    for (args, complaint) in [
        (&["connect-four", "random"][..], "2 values required"),
        (&["chess", "random", "random"], "game: found 'chess'"),
        (&["2048", "random", "greedy"], "a game for two with winners"),
        (&["connect-four", "random", "human"], "one that plays by itself"),
        (&["connect-four", "random", "wizard"], "agent: found 'wizard'"),
        (&["connect-four", "random", "cmd:"], "a program with its arguments"),
        (&["connect-four", "random", "greedy", "--games", "3"], "an even number"),
        (&["connect-four", "random", "greedy", "--sprt", "5,0"], "the smaller first"),
        (&["connect-four", "random", "greedy", "--anchor", "uct=3"], "one of: random, greedy"),
    ] {
        let out = run(home.path(), &[&["arena"], args].concat());
        let message = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{args:?}: {message}");
        assert!(message.contains(complaint), "{args:?}: {message}");
    }
}
