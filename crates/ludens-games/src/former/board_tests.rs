//! The daily and the random boards, and published statistics of them.

use std::collections::HashSet;

use ludens_core::bits::mix_all;
use ludens_core::{Game, Notation, Position, Rng};
use ludens_testkit::data;

use super::{Date, Former, FormerVariant, daily, thesis_board, thesis_boards};

/// Dates and boards of a file of daily boards.
fn dated_boards(name: &str) -> Vec<(Date, Former)> {
    let Some(text) = data(&format!("former/{name}")) else { return Vec::new() };
    let entries: serde_json::Value = serde_json::from_str(&text).unwrap();
    let board = |entry: &serde_json::Value| {
        let rows: Vec<&str> =
            entry["rows"].as_array().unwrap().iter().map(|row| row.as_str().unwrap()).collect();
        let position = Former::parse(&FormerVariant::default(), &rows.join("/")).unwrap();
        (entry["date"].as_str().unwrap().parse().unwrap(), position)
    };
    entries.as_array().unwrap().iter().map(board).collect()
}

fn daily_of(date: Date) -> Former {
    daily(date.year(), date.month(), date.day()).unwrap()
}

#[test]
fn daily_boards_are_those_of_the_data() {
    let boards = dated_boards("daily_boards.json");
    if boards.is_empty() {
        return;
    }
    assert_eq!(boards.len(), 100);
    let mut totals = [0; 4];
    for (date, board) in &boards {
        assert_eq!(daily_of(*date), *board, "{date}");
        for (shape, total) in (0..).zip(&mut totals) {
            *total += board.cells_of(shape).count_ones();
        }
    }
    assert_eq!(totals, [1562, 1606, 1561, 1571]);
    let later: Vec<(Date, Former)> = dated_boards("daily_boards_extra.json")
        .into_iter()
        .filter(|(date, _)| daily(date.year(), date.month(), date.day()).is_ok())
        .collect();
    assert!(!later.is_empty());
    for (date, board) in later {
        assert_eq!(daily_of(date), board, "{date}");
    }
}

#[test]
fn daily_boards_by_date() {
    assert_eq!(daily(2025, 5, 18).unwrap().groups(), 23);
    assert_eq!(daily(2025, 5, 19).unwrap().groups(), 36);
    assert_eq!(daily(2025, 1, 11), daily(2025, 11, 1));
    assert_ne!(daily(2025, 1, 11), daily(2025, 1, 12));
    assert!(daily(2024, 11, 23).is_ok());
    let refused = |y, m, d| daily(y, m, d).unwrap_err().to_string();
    assert_eq!(
        refused(2024, 11, 22),
        "date: found 2024-11-22, expected 2024-11-23 or later, \
         from when the daily boards can be computed"
    );
    assert_eq!(refused(2025, 2, 29), "date: found 2025-02-29, expected a day of the calendar");
}

#[test]
fn thesis_boards_are_those_of_the_data() {
    let Some(text) = data("former/random_1000.txt") else { return };
    let read: Vec<Former> =
        text.lines().map(|line| Former::parse(&FormerVariant::default(), line).unwrap()).collect();
    assert!(thesis_boards().eq(read));
}

#[test]
fn thesis_boards_have_their_fingerprint() {
    let keys: Vec<u64> = thesis_boards().map(|board| board.key()).collect();
    assert_eq!(keys.len(), 1000);
    assert_eq!(mix_all(&keys), 12_011_451_011_686_240_774);
    assert_eq!(thesis_board(999).map(|board| board.key()), keys.last().copied());
    assert_eq!(thesis_board(1000), None);
}

#[test]
fn thesis_boards_have_the_published_numbers_of_groups() {
    let mut groups: Vec<u32> = thesis_boards().map(|board| board.groups()).collect();
    groups.sort_unstable();
    assert_eq!((groups[499], groups[500]), (36, 36));
    let mean = f64::from(groups.iter().sum::<u32>()) / 1000.0;
    assert!((mean - 36.25).abs() < 0.005, "{mean}");
}

/// The share of ordered two-move sequences that lead to a position another
/// one leads to as well: (sequences - distinct positions) / sequences.
#[test]
fn two_fifths_of_two_move_sequences_are_redundant() {
    let (mut sequences, mut distinct) = (0, 0);
    for board in thesis_boards().take(100) {
        let mut reached = HashSet::new();
        board.children(|_, child, _| {
            child.children(|_, grandchild, _| {
                sequences += 1;
                reached.insert(grandchild);
            });
        });
        distinct += reached.len();
    }
    let share = (sequences - distinct) as f64 / sequences as f64;
    assert!((0.41..0.42).contains(&share), "{share}");
}

/// The mean length of games on the thesis boards in which the first child with
/// the least `cost` (of group and child) is taken each time.
fn mean_greedy_length(cost: impl Fn(u32, &Former) -> i64) -> f64 {
    let mut moves = 0;
    for mut position in thesis_boards() {
        while !position.is_over() {
            let mut best: Option<(i64, Former)> = None;
            position.children(|action, child, _| {
                let cost = cost(position.group_of(action.0).count_ones(), &child);
                if best.is_none_or(|(least, _)| cost < least) {
                    best = Some((cost, child));
                }
            });
            position = best.unwrap().1;
            moves += 1;
        }
    }
    f64::from(moves) / 1000.0
}

#[test]
fn greedy_play_has_the_published_lengths() {
    let rounded = |mean: f64| format!("{mean:.2}");
    assert_eq!(rounded(mean_greedy_length(|_, child| i64::from(child.groups()))), "18.54");
    assert_eq!(rounded(mean_greedy_length(|size, _| -i64::from(size))), "24.99");
}

#[test]
fn random_play_has_the_published_length() {
    let mut rng = Rng::new(25);
    let games = 20;
    let moves: u32 = thesis_boards()
        .map(|board| (0..games).map(|_| board.playout(&mut rng).moves).sum::<u32>())
        .sum();
    let mean = f64::from(moves) / f64::from(1000 * games);
    // The published 28.67 is of one game per board; its standard error is about 0.1.
    assert!((mean - 28.67).abs() < 0.3, "{mean}");
}
