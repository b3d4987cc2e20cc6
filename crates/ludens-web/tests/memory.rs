//! Searches leave nothing behind.
#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![cfg(target_os = "linux")]

mod common;

use common::{get, post, serve};
use serde_json::{Value, json};

/// MiB of this process that are in memory.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().strip_suffix("kB").unwrap().trim().parse::<u64>().unwrap() >> 10
}

/// Every agent of every game is asked again and again: once all networks are there, the memory
/// stays what it is.
#[test]
fn memory_is_flat() {
    let server = serve(None);
    let games = get(server, "/api/games").json();
    let mut asked: Vec<Value> = Vec::new();
    for game in games["games"].as_array().unwrap() {
        let spec = &game["spec"];
        asked.push(json!({"game": spec, "time_ms": 10}));
        let agents = game["agents"].as_array().unwrap().iter().map(|agent| &agent["name"]);
        let agents = agents.filter(|name| *name != "human");
        asked.extend(agents.map(|name| json!({"game": spec, "agent": name, "time_ms": 10})));
    }
    let mut round = |seed: u64| {
        for request in &mut asked {
            request["seed"] = json!(seed);
            assert_eq!(post(server, "/api/analyze", request).status, 200, "{request}");
        }
        resident()
    };
    let before = (0..2).map(&mut round).last().unwrap();
    let after = (2..5).map(&mut round).last().unwrap();
    assert!(after < before + before / 20 + 32, "{before} MiB, then {after} MiB");
}
