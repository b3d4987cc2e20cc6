//! Many at once: bounded, and answered.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::fs;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use common::{first_event, get, open, post, serve};
use serde_json::{Value, json};

/// A search that would go on for minutes.
fn long() -> Vec<u8> {
    json!({"game": "samegame", "random": 1, "time_ms": 500_000, "threads": 1})
        .to_string()
        .into_bytes()
}

fn search(server: std::net::SocketAddr) -> TcpStream {
    open(server, "POST", "/api/analyze", &[], &long())
}

/// Two hundred pages that watch training runs, and a server that still answers.
#[test]
fn two_hundred_idle_streams_are_held() {
    let home = std::env::temp_dir().join(format!("ludens-web-{}", std::process::id()));
    let run = home.join("runs/first");
    fs::create_dir_all(&run).unwrap();
    fs::write(run.join("metrics.jsonl"), "{\"episodes\": 1, \"mean_score\": 10}\n").unwrap();
    let server = serve(Some(home.clone()));
    let streams: Vec<_> =
        (0..200).map(|_| first_event(open(server, "GET", "/api/runs/events", &[], b""))).collect();
    assert!(streams.iter().all(|(event, _)| event == "changed"));
    assert_eq!(get(server, "/api/games").status, 200);
    let runs = get(server, "/api/runs").json();
    assert_eq!(runs["runs"][0]["name"], "runs/first");
    // All of them hear of new figures.
    fs::write(run.join("metrics.jsonl"), "{\"episodes\": 1}\n{\"episodes\": 2}\n").unwrap();
    for (_, stream) in streams {
        let (event, _) = first_event(stream.into_inner());
        assert_eq!(event, "changed");
    }
    assert_eq!(get(server, "/api/runs").json()["runs"][0]["blocks"], 2);
    fs::remove_dir_all(home).unwrap();
}

/// Pages that watch many runs ask the disk once for all of them, so that others are served.
#[test]
fn many_streams_and_runs_hold_up_no_position() {
    let home = tempfile::tempdir().unwrap();
    for run in 0..200 {
        let folder = home.path().join(format!("runs/{run}/deeper"));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("metrics.jsonl"), "{\"episodes\": 1}\n").unwrap();
    }
    let server = serve(Some(home.path().to_owned()));
    // Both ends of all streams are files of this process.
    let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let limit = limits.lines().find_map(|line| {
        line.strip_prefix("Max open files")?.split_whitespace().next()?.parse::<usize>().ok()
    });
    let count = limit.map_or(200, |limit| (limit.saturating_sub(200) / 2).min(600));
    let streams: Vec<_> = (0..count)
        .map(|_| first_event(open(server, "GET", "/api/runs/events", &[], b"")))
        .collect();
    assert!(streams.iter().all(|(event, _)| event == "changed"));
    let quickest = (0..20)
        .map(|_| {
            let begin = Instant::now();
            assert_eq!(post(server, "/api/position", &json!({})).status, 200);
            begin.elapsed()
        })
        .min()
        .unwrap();
    // Where each stream asks the disk for itself, a position takes twelve seconds.
    assert!(quickest < Duration::from_secs(4), "{quickest:?} with {count} streams");
}

/// The queue is bounded; whoever leaves makes room at once.
#[test]
fn searches_wait_are_refused_and_end_with_their_page() {
    let server = serve(None);
    let running: Vec<_> = (0..4).map(|_| first_event(search(server))).collect();
    let waiting: Vec<TcpStream> = (0..16).map(|_| search(server)).collect();
    // Waiting requests are entered one after another; ask until the queue is full.
    let deadline = Instant::now() + Duration::from_secs(100);
    let refused = loop {
        let short = json!({"game": "samegame", "random": 1, "time_ms": 1});
        let probe = post_quick(server, &short);
        if let Some(answer) = probe {
            break answer;
        }
        assert!(Instant::now() < deadline, "the queue never filled up");
    };
    assert_eq!(refused.status, 429);
    assert!(refused.header("retry-after").unwrap().parse::<u32>().unwrap() > 0);
    // The page still gets its positions.
    assert_eq!(post(server, "/api/position", &json!({})).status, 200);
    drop((running, waiting));
    // Everybody has gone: a new search begins at once.
    let begin = Instant::now();
    let asked = json!({"game": "former", "date": "2025-05-18", "time_ms": 100});
    let answer = loop {
        let answer = post(server, "/api/analyze", &asked);
        if answer.status == 200 {
            break answer;
        }
        assert!(begin.elapsed() < Duration::from_secs(100), "the queue never emptied");
        std::thread::sleep(Duration::from_millis(20));
    };
    assert!(String::from_utf8_lossy(&answer.body).contains("event: done"));
}

/// Sends a search; gives the answer if it is a refusal, closes it otherwise.
fn post_quick(server: std::net::SocketAddr, body: &Value) -> Option<common::Answer> {
    use std::io::Read;
    let mut stream = open(server, "POST", "/api/analyze", &[], body.to_string().as_bytes());
    stream.set_read_timeout(Some(Duration::from_secs(1))).unwrap();
    let mut bytes = [0; 4096];
    let count = stream.read(&mut bytes).unwrap_or(0);
    let text = String::from_utf8_lossy(&bytes[..count]).into_owned();
    text.starts_with("HTTP/1.1 429").then(|| common::Answer {
        status: 429,
        head: text.split("\r\n\r\n").next().unwrap_or_default().to_owned(),
        body: Vec::new(),
    })
}
