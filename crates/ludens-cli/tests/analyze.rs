//! `ludens analyze` and `ludens serve` as programs.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

fn ludens(args: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("ludens"));
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped());
    command
}

/// The lines that answer some lines of input.
fn answers(input: &[u8]) -> Vec<Value> {
    let mut child = ludens(&["analyze", "--threads", "2"]).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let out = child.wait_with_output().unwrap();
    assert!(out.status.success());
    let text = String::from_utf8(out.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Every request gets exactly one final line, good or bad, and none is lost.
#[test]
fn every_line_is_answered_once() {
    let mut input = Vec::new();
    for i in 0..20 {
        let request = json!({"id": format!("r{i}"), "random": i, "nodes": 2000, "threads": 1});
        input.extend(format!("{request}\n").into_bytes());
        let bad: &[u8] = match i % 5 {
            0 => b"{\n",
            1 => b"\xff\xfe\n",
            2 => b"\n",
            3 => b"{\"id\": \"r0bad\", \"game\": \"chess\"}\n",
            _ => b"{\"nodes\": 5}\n",
        };
        input.extend(bad);
    }
    let lines = answers(&input);
    let finals: Vec<&Value> = lines.iter().filter(|line| line["event"] != "progress").collect();
    let mut done = HashMap::new();
    for line in &finals {
        *done.entry((line["id"].to_string(), line["event"].to_string())).or_insert(0) += 1;
    }
    for i in 0..20 {
        let key = (format!("\"r{i}\""), "\"done\"".to_owned());
        assert_eq!(done.get(&key), Some(&1), "r{i}");
    }
    // Four kinds of bad lines, four of each; a blank line asks nothing.
    assert_eq!(finals.iter().filter(|line| line["event"] == "error").count(), 16);
}

/// The reply of a puzzle is that of `ludens solve --json`, time aside.
#[test]
fn the_reply_is_that_of_solve() {
    let asked = json!({"id": "x", "date": "2025-05-18", "nodes": 20_000, "threads": 1});
    let mut reply = answers(format!("{asked}\n").as_bytes()).pop().unwrap();
    let args =
        ["solve", "former", "--date", "2025-05-18", "--nodes", "20000", "--threads", "1", "--json"];
    let out = ludens(&args).output().unwrap();
    let mut solved: Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!((&reply["id"], &reply["event"]), (&json!("x"), &json!("done")));
    for value in [&mut reply, &mut solved] {
        let fields = value.as_object_mut().unwrap();
        fields.retain(|name, _| !["id", "event", "time_ms"].contains(&name.as_str()));
    }
    assert_eq!(reply, solved);
}

#[test]
fn a_request_is_terminated_and_ids_are_guarded() {
    let mut child = ludens(&["analyze", "--threads", "2"]).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || -> Value { serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap() };
    let long =
        json!({"id": "a", "game": "samegame", "random": 1, "time_ms": 600_000, "threads": 1});
    writeln!(input, "{long}").unwrap();
    while next()["event"] != "progress" {}
    writeln!(input, "{long}").unwrap();
    let mut heard = |wanted: &str| loop {
        let line = next();
        if line["event"] == wanted {
            break line;
        }
    };
    assert!(heard("error")["error"].as_str().unwrap().starts_with("id: found 'a'"));
    writeln!(input, "{}", json!({"id": "t", "terminate": "b"})).unwrap();
    assert!(heard("error")["error"].as_str().unwrap().starts_with("terminate: found 'b'"));
    writeln!(input, "{}", json!({"id": "t", "terminate": "a"})).unwrap();
    let finals = [heard("done"), heard("done")];
    let of = |id: &str| finals.iter().find(|line| line["id"] == id).unwrap();
    assert_eq!(of("t")["terminated"], "a");
    assert_eq!(of("a")["stopped"], true);
    drop(input);
    assert!(child.wait().unwrap().success());
}

/// A server that is gone when the test is.
struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn serve_prints_one_line_with_its_address() {
    let mut served = Served(ludens(&["serve", "--port", "0", "--no-open"]).spawn().unwrap());
    let mut lines = BufReader::new(served.0.stdout.take().unwrap()).lines();
    let line = lines.next().unwrap().unwrap();
    let address = line.strip_prefix("Ludens listens on http://").unwrap().trim_end_matches('/');
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET / HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n").unwrap();
    let mut page = String::new();
    stream.read_to_string(&mut page).unwrap();
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("<title>Ludens</title>"), "{page}");
    // The port is taken now.
    let port = address.rsplit(':').next().unwrap();
    let refused =
        ludens(&["serve", "--port", port, "--no-open"]).stderr(Stdio::piped()).output().unwrap();
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--port 0"));
}

/// Every game answers, whoever is asked.
#[test]
fn every_game_answers() {
    let games = [
        "former",
        "samegame",
        "2048",
        "2584",
        "threes",
        "2048:adversary=cell",
        "threes:adversary=tile",
    ];
    let duels = ["sevn:base=5", "connect-four", "othello", "togyzkumalak"];
    let mut input = String::new();
    for game in games.iter().chain(&duels) {
        let asked = json!({"id": game, "game": game, "nodes": 500, "threads": 1});
        input.push_str(&format!("{asked}\n"));
    }
    let exact =
        json!({"id": "exact", "game": "connect-four", "position": "44444411222666", "prove": true});
    input.push_str(&format!("{exact}\n"));
    let lines = answers(input.as_bytes());
    for name in games.iter().chain(&duels).chain(&["exact"]) {
        let done = lines.iter().find(|line| line["id"] == *name && line["event"] == "done");
        assert!(done.is_some(), "{name}: {:?}", lines.iter().rfind(|line| line["id"] == *name));
    }
    let exact = lines.iter().rfind(|line| line["id"] == "exact").unwrap();
    assert_eq!((&exact["proven"], &exact["unit"]), (&json!(true), &json!("score")));
}
