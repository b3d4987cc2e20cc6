//! What is recommended in Connect Four when nobody in particular is asked, against the values
//! of another program's solver.

use std::sync::atomic::AtomicBool;

use connect_four_ai::{Position as Oracle, Solver};
use ludens_core::{Game, Rng};
use ludens_engine::analysis::{Fields, Limits, Task};
use ludens_games::ConnectFour;
use ludens_games::connect_four::Column;
use ludens_games::connect_four::book::Book;
use ludens_models::BundledBook;
use serde_json::{Value, json};

/// What the web server allows.
const LIMITS: Limits = Limits { time: None, memory: 1 << 30, threads: 2, files: false };

/// The answer to a request about the position after these moves.
fn hint(moves: &str, more: &[(&str, Value)]) -> Value {
    let mut asked = json!({"game": "connect-four", "position": moves, "time_ms": 2000});
    for (name, value) in more {
        asked[name] = value.clone();
    }
    let request = Task::read(Fields::of(asked).expect("a test that is set up right"), &LIMITS)
        .expect("a test that is set up right");
    request.run(&AtomicBool::new(false), &mut |_| {}).expect("a test that is set up right")
}

/// What the answer says of a column to the mover.
fn value(answer: &Value, column: usize) -> Option<f64> {
    let considered = answer["considered"].as_array().expect("a test that is set up right");
    let one = considered.iter().find(|one| one["action"] == json!(column.to_string()));
    one.and_then(|one| one["value"].as_f64())
}

/// The moves of a random game up to so many stones, if nobody has won by then.
fn random_moves(rng: &mut Rng, stones: usize) -> Option<String> {
    let (mut position, mut moves) = (ConnectFour::default(), String::new());
    while moves.len() < stones {
        let (Column(column), next, _) = position.step(rng)?;
        moves.push_str(&(column + 1).to_string());
        position = next;
    }
    (!position.is_over()).then_some(moves)
}

#[test]
fn a_win_that_is_far_away_is_kept() {
    let answer = hint("567752164521632153", &[]);
    assert!(["3", "7"].contains(&answer["best"].as_str().unwrap()), "{answer}");
    assert_eq!((&answer["proven"], &answer["value"]), (&json!(true), &json!(1.0)));
    assert_eq!([3, 7, 2].map(|column| value(&answer, column)), [Some(1.0), Some(1.0), Some(-1.0)]);
}

/// In each position some move keeps its value and another throws it away.
#[test]
fn no_critical_position_is_thrown_away() {
    let (mut rng, mut oracle, mut critical) = (Rng::new(13), Solver::new(), 0);
    while critical < 100 {
        let stones = 18 + rng.below(12) as usize;
        let Some(moves) = random_moves(&mut rng, stones) else { continue };
        let scores = oracle.get_all_move_scores(&Oracle::from_moves(&moves).unwrap());
        let results = scores.map(|score| score.map(|score| f64::from(score.signum())));
        let known: Vec<f64> = results.iter().flatten().copied().collect();
        let best = known.iter().copied().fold(-1.0, f64::max);
        if known.iter().all(|&result| result == best) {
            continue;
        }
        critical += 1;
        let answer = hint(&moves, &[]);
        let column: usize = answer["best"].as_str().unwrap().parse().unwrap();
        assert_eq!(results[column - 1], Some(best), "{moves}: {answer}");
        assert_eq!(answer["proven"], true, "{moves}: {answer}");
        for (index, &result) in results.iter().enumerate() {
            assert_eq!(value(&answer, index + 1), result, "column {} of {moves}", index + 1);
        }
    }
}

/// Where there is no time for a proof, a search answers, and does not claim one.
#[test]
fn a_search_answers_where_a_proof_takes_too_long() {
    // No position of the opening book.
    let answer = hint("7261", &[("nodes", json!(40_000))]);
    assert_eq!((&answer["agent"], &answer["proven"]), (&json!("perfect"), &json!(false)));
    assert!(answer["depth"].as_u64().unwrap() > 1, "{answer}");
    // Both look at their limit only now and then.
    assert!(answer["nodes"].as_u64().unwrap() <= 45_000, "{answer}");
}

/// Moves that lead to a position of few stones.
fn moves_to(goal: &ConnectFour) -> Option<String> {
    let mut open = vec![(ConnectFour::default(), String::new())];
    while let Some((here, moves)) = open.pop() {
        if here == *goal {
            return Some(moves);
        }
        if here.stone_count() < goal.stone_count() {
            let next = here
                .actions()
                .map(|column| (here.apply(column).0, format!("{moves}{}", column.0 + 1)));
            open.extend(next);
        }
    }
    None
}

/// Every entry of the opening book is what another program's solver, which has a book of its own,
/// says of that position and of its mirror image.
#[test]
fn the_opening_book_agrees_with_another_program() {
    let bytes = BundledBook::find("connect-four").expect("it is bundled").bytes;
    let (book, mut oracle) = (Book::parse(bytes).unwrap(), Solver::new());
    assert!(book.len() >= 34, "{}", book.len());
    for (position, score) in book.entries() {
        let moves = moves_to(&position).expect("a position in play");
        let mirrored = moves.bytes().map(|digit| char::from(b'0' + b'8' - digit)).collect();
        for moves in [moves, mirrored] {
            let found = oracle.solve(&Oracle::from_moves(&moves).unwrap());
            assert_eq!(i32::from(found), score, "{moves}");
        }
    }
}
