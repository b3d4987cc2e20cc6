//! Puzzles of the day, and games of people for the ratings.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::{get, post, send, serve};
use serde_json::{Value, json};

#[test]
fn a_day_has_its_puzzle() {
    let server = serve(None);
    let answer = get(server, "/api/puzzle?game=othello&date=2025-05-18");
    let puzzle = answer.json();
    assert_eq!((answer.status, &puzzle["kind"]), (200, &json!("only-move")));
    let wins = puzzle["moves"].as_array().unwrap().iter().filter(|one| one["result"] == "win");
    assert_eq!(wins.map(|one| &one["action"]).collect::<Vec<_>>(), [&puzzle["best"]]);
    assert_eq!(get(server, "/api/puzzle?date=2025-05-18&game=othello").json(), puzzle);
    // The same position wherever a position is asked for.
    let asked = json!({"game": "othello", "puzzle": "2025-05-18"});
    assert_eq!(post(server, "/api/position", &asked).json()["position"], puzzle["position"]);
    // The first game with puzzles, today.
    assert_eq!(get(server, "/api/puzzle").json()["kind"], "par");
}

#[test]
fn puzzles_that_there_are_not_are_refused() {
    let server = serve(None);
    for (query, expected) in [
        ("game=othello&date=2025-02-30", "a day of the calendar"),
        ("game=othello&date=now", "YYYY-MM-DD"),
        ("game=2048&date=2025-05-18", "puzzles of the day"),
        ("game=chess", "one of:"),
        ("game=othello&game=sevn", "every name once"),
        ("speed=9", "speed"),
    ] {
        let answer = get(server, &format!("/api/puzzle?{query}"));
        assert_eq!(answer.status, 400, "{query}");
        assert!(answer.error().contains(expected), "{query}: {}", answer.error());
    }
    let long = format!("/api/puzzle?game={}", "x".repeat(300));
    assert_eq!(get(server, &long).status, 400);
    assert_eq!(send(server, "POST", "/api/puzzle", &[], b"{}").status, 405);
}

/// A game that player one wins, as a record.
fn record(server: std::net::SocketAddr, one: &str, two: &str, moves: &[&str]) -> String {
    let asked = json!({"game": "connect-four", "seed": 5, "moves": moves, "one": one, "two": two});
    post(server, "/api/record", &asked).json()["record"].as_str().unwrap().to_owned()
}

const WON: [&str; 7] = ["1", "2", "1", "2", "1", "2", "1"];

#[test]
fn a_persons_game_is_rated_under_the_name() {
    let home = tempfile::tempdir().unwrap();
    let server = serve(Some(home.path().join("new")));
    let game = json!({"name": "Åse", "record": record(server, "human", "random", &WON)});
    let entered = |game: &Value| post(server, "/api/games", game).json()["entered"].clone();
    assert_eq!(entered(&game), true);
    assert_eq!(entered(&game), false, "the same game counts once");
    let results = get(server, "/api/results").json();
    let rows = results["contests"][0]["ratings"].as_array().unwrap();
    let row = rows.iter().find(|row| row["agent"] == "human:Åse").unwrap();
    assert_eq!((&row["wins"], &row["losses"]), (&json!(1), &json!(0)));
    assert_eq!(results["games"][0]["first"], "human:Åse");
}

#[test]
fn games_that_do_not_count_are_refused() {
    let home = tempfile::tempdir().unwrap();
    let server = serve(Some(home.path().to_owned()));
    let good = record(server, "human", "random", &WON);
    for (name, record, expected) in [
        ("", good.clone(), "name"),
        ("a b", good.clone(), "name"),
        ("Ada", String::new(), "record"),
        ("Ada", "x".repeat(70_000), "record"),
        ("Ada", record(server, "human", "random", &WON[..5]), "one that is over"),
        ("Ada", record(server, "human", "human", &WON), "one person, one agent"),
        ("Ada", record(server, "human", "cmd:sh", &WON), "agent"),
        ("Ada", good.replace("1\n", "3\n"), "record"),
    ] {
        let answer = post(server, "/api/games", &json!({"name": name, "record": record}));
        assert_eq!(answer.status, 400, "{name} {expected}");
        assert!(answer.error().contains(expected), "{expected}: {}", answer.error());
    }
    assert!(!home.path().join("results.sqlite").exists(), "nothing was written");
    // Another site's page may not enter games.
    let headers = [("origin", "http://evil.example"), ("content-type", "application/json")];
    assert_eq!(send(server, "POST", "/api/games", &headers, b"{}").status, 403);
    // Without a folder there is nowhere to keep it.
    let homeless = serve(None);
    let game = json!({"name": "Ada", "record": good});
    assert_eq!(post(homeless, "/api/games", &game).status, 409);
}
