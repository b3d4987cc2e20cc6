//! Checks against published boards and games, where `LUDENS_DATA` has them.

use ludens_core::{Game, Notation, Rng, Symmetric};
use ludens_testkit::data;
use serde_json::Value;

use super::{SameGame, SameGameVariant};

/// The entries of a file of the SameGame data.
fn entries(file: &str) -> Option<Vec<Value>> {
    Some(serde_json::from_str(&data(&format!("samegame/{file}"))?).unwrap())
}

fn board(entry: &Value) -> SameGame {
    let rows: Vec<&str> =
        entry["rows"].as_array().unwrap().iter().map(|row| row.as_str().unwrap()).collect();
    SameGame::parse(&SameGameVariant::default(), &rows.join("/")).unwrap()
}

fn boards(file: &str) -> Option<Vec<SameGame>> {
    Some(entries(file)?.iter().map(board).collect())
}

#[test]
fn published_games_replay_to_their_scores() {
    let (Some(boards), Some(games)) =
        (boards("standard_20.json"), entries("fixture_sequences_20.json"))
    else {
        return;
    };
    assert_eq!((boards.len(), games.len()), (20, 20));
    for (start, game) in boards.into_iter().zip(games) {
        let (mut position, mut score) = (start, 0);
        for pair in game["moves"].as_array().unwrap() {
            let text = format!("{},{}", pair[0], pair[1]);
            let (next, reward) = position.apply(position.parse_action(&text).unwrap());
            (position, score) = (next, score + i64::from(reward));
        }
        let cleared = game["cleared"].as_bool().unwrap();
        assert!(position.is_over(), "game {}", game["id"]);
        assert_eq!(Some(score), game["score"].as_i64(), "game {}", game["id"]);
        assert_eq!(position.blocks() == 0, cleared, "game {}", game["id"]);
        // (n-2)^2 has the parity of n, and 1000 is even.
        assert_eq!(score % 2, i64::from(225 - position.blocks()) % 2, "game {}", game["id"]);
    }
}

#[test]
fn recoloured_boards_have_the_same_canonical_form() {
    let (Some(standard), Some(recoloured)) =
        (boards("standard_20.json"), boards("codingame_recoloured_20.json"))
    else {
        return;
    };
    assert_eq!((standard.len(), recoloured.len()), (20, 20));
    for (i, a) in standard.iter().enumerate() {
        for (j, b) in recoloured.iter().enumerate() {
            assert_eq!(a.canonical() == b.canonical(), i == j, "boards {} and {}", i + 1, j + 1);
        }
    }
}

#[test]
fn every_published_board_reads_back() {
    for file in ["standard_20.json", "schadd_100.json", "codingame_examples_5.json"] {
        let Some(boards) = boards(file) else { return };
        for board in boards {
            assert_eq!(SameGame::parse(&board.variant(), &board.text()), Ok(board));
            assert_eq!(board.blocks(), 225);
            assert!(!board.is_over());
        }
    }
}

#[test]
fn random_play_on_the_first_board_has_the_known_averages() {
    let Some(boards) = boards("standard_20.json") else { return };
    const GAMES: u32 = 60_000;
    let mut rng = Rng::new(25);
    let (mut scores, mut lengths) = (Vec::new(), Vec::new());
    for _ in 0..GAMES {
        let playout = boards[0].playout(&mut rng);
        scores.push(playout.total as f64);
        lengths.push(f64::from(playout.moves));
    }
    // The published averages are rounded and have an error of their own.
    for (values, published, error) in [(scores, 143.1, 0.5), (lengths, 65.7, 0.05)] {
        let n = f64::from(GAMES);
        let mean = values.iter().sum::<f64>() / n;
        let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
        let scratch = error + 4.0 * (variance / n).sqrt();
        assert!((mean - published).abs() < scratch, "{mean} is not {published} +- {scratch}");
    }
}
