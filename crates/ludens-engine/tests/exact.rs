//! Exact values in requests that name nobody: proven ones are marked, and are what the solvers
//! prove; costs of moves.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::time::Duration;

use ludens_engine::analysis::{Fields, Limits, Request, Task};
use serde_json::{Value, json};

const LIMITS: Limits =
    Limits { time: Some(Duration::from_secs(60)), memory: 1 << 27, threads: 1, files: false };

/// The reply to a request.
fn ask(request: Value) -> Value {
    let task = Task::read(Fields::of(request).unwrap(), &LIMITS).unwrap();
    task.run(Request::never(), &mut |_| {}).unwrap()
}

/// Why a request is refused.
fn refused(request: Value) -> String {
    let task = Task::read(Fields::of(request).unwrap(), &LIMITS);
    task.err().expect("the request is wrong").to_string()
}

/// What the adviser says of a position is what the game's prover says, move by move. `false` where
/// the game is over.
fn proven_as_by_the_solver(mut request: Value, unit: &str) -> bool {
    request["time_ms"] = json!(60_000);
    let task = Task::read(Fields::of(request.clone()).unwrap(), &LIMITS).unwrap();
    if let Err(error) = task.run(Request::never(), &mut |_| {}) {
        assert!(error.to_string().contains("the end of the game"), "{error}");
        return false;
    }
    let advice = ask(request.clone());
    request["prove"] = json!(true);
    let proof = ask(request);
    assert_eq!(advice["agent"], "perfect");
    assert_eq!((&advice["proven"], &proof["proven"]), (&json!(true), &json!(true)), "{advice}");
    assert_eq!((&advice["unit"], &proof["unit"]), (&json!(unit), &json!(unit)));
    assert_eq!((&advice["bounds"], &advice["result"]), (&proof["bounds"], &proof["result"]));
    let considered = advice["considered"].as_array().unwrap();
    assert_eq!(considered.len(), proof["values"].as_object().unwrap().len());
    for one in considered {
        let action = one["action"].as_str().unwrap();
        assert_eq!(one["score"], proof["values"][action], "{action} of {advice}");
        assert_eq!(one["proven"], json!(true));
    }
    true
}

#[test]
fn ends_of_games_for_two_are_proven() {
    for (game, plies, unit) in
        [("othello", 52, "discs"), ("sevn:base=3", 1, "result"), ("connect-four", 26, "score")]
    {
        let ask = |seed: &u64| json!({"game": game, "random": seed, "plies": plies});
        // Many a random game is over before: those seeds say nothing.
        let proven = (1..).filter(|seed| proven_as_by_the_solver(ask(seed), unit)).take(4);
        assert_eq!(proven.count(), 4, "{game}");
    }
}

/// The main line is in the opening book: no position is searched.
#[test]
fn the_main_line_of_connect_four_is_answered_at_once() {
    let scores = |moves: &str| {
        let reply = ask(json!({"game": "connect-four", "position": moves, "prove": true}));
        assert_eq!((&reply["proven"], &reply["nodes"]), (&json!(true), &json!(0)), "{reply}");
        let values = reply["values"].as_object().unwrap();
        values.values().map(|value| value.as_i64().unwrap()).collect::<Vec<i64>>()
    };
    assert_eq!(scores(""), [-2, -1, 0, 1, 0, -1, -2]);
    assert_eq!(scores("44444"), [-1; 7]);
}

/// Far from the end nothing is taken for proven.
#[test]
fn estimates_are_told_apart() {
    for game in ["othello", "sevn", "togyzkumalak"] {
        let reply = ask(json!({"game": game, "nodes": 2000}));
        assert_eq!((&reply["agent"], &reply["proven"]), (&json!("perfect"), &json!(false)));
        for one in reply["considered"].as_array().unwrap() {
            assert_eq!((&one["proven"], &one["score"]), (&json!(false), &Value::Null), "{game}");
        }
        assert!(reply.get("unit").is_none(), "{reply}");
    }
}

#[test]
fn costs_are_asked_for_in_json() {
    let board = json!({"game": "former:rows=4,cols=4,shapes=3", "random": 5});
    let with = |name: &str, value: Value| {
        let mut request = board.clone();
        request[name] = value;
        request
    };
    let all = ask(with("costs", json!(true)));
    assert_eq!((&all["solver"], &all["proven"]), (&json!("costs"), &json!(true)));
    let optimum = all["optimum"].as_i64().unwrap();
    assert_eq!(all["value"], json!(-optimum));
    assert_eq!(ask(board.clone())["length"], json!(optimum));
    let costs = all["costs"].as_array().unwrap();
    assert_eq!(costs[0]["cost"], 0);
    let last = costs.last().unwrap();
    let one = ask(with("cost_of", last["action"].clone()));
    assert_eq!(one["costs"], json!([last]));
    // Played, the move leaves as many moves as it cost, less itself.
    let left = ask(with("moves", json!([last["action"]])))["length"].as_i64().unwrap();
    assert_eq!(left + 1 - optimum, last["cost"].as_i64().unwrap());
}

#[test]
fn wrong_requests_for_costs_are_refused() {
    assert!(refused(json!({"game": "othello", "costs": true})).contains("costs"));
    let both = json!({"game": "former", "costs": true, "solver": "beam"});
    assert!(refused(both).contains("a solver or an agent too"));
    assert!(refused(json!({"game": "former", "cost_of": 7})).contains("cost_of"));
    assert!(refused(json!({"game": "former", "costs": "yes"})).contains("true or false"));
}
