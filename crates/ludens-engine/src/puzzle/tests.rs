use std::collections::HashMap;

use ludens_core::{Duel, GameResult, Notation, Pov, StaticEvaluator};
use ludens_games::{ConnectFour, Othello, Sevn, Togyzkumalak};
use ludens_search::duel::ProofSearch;

use super::*;
use crate::game;

/// Games with only moves.
const ONLY_MOVE: [&str; 4] = ["sevn", "connect-four", "othello", "togyzkumalak"];
const DAYS: [&str; 3] = ["2025-05-18", "2026-02-28", "2027-12-31"];

fn moves_of(puzzle: &Puzzle) -> (&Legal, &[(Legal, i32)]) {
    match &puzzle.goal {
        Goal::OnlyMove { best, moves, .. } => (best, moves),
        Goal::Par { .. } => panic!("{} has only moves", puzzle.game),
    }
}

#[test]
fn every_day_has_its_own_puzzle_and_exactly_one_move_wins() {
    for name in ONLY_MOVE {
        let handle = game(name).unwrap();
        assert_eq!(handle.puzzle_kind(), Some(Kind::OnlyMove));
        let puzzles = DAYS.map(|day| handle.puzzle(day).unwrap());
        for puzzle in &puzzles {
            let (best, moves) = moves_of(puzzle);
            let table = handle.parse(&puzzle.position).unwrap();
            assert_eq!(table.actions().len(), moves.len(), "{name}: every move has its result");
            assert!(moves.len() >= 3, "{name}: there is a choice");
            let winning: Vec<_> = moves.iter().filter(|(_, result)| *result > 0).collect();
            assert!(winning.len() == 1 && winning[0].0 == *best, "{name} {puzzle:?}");
        }
        assert_ne!(puzzles[0].position, puzzles[1].position, "{name}");
    }
}

#[test]
fn a_date_gives_the_same_puzzle_again() {
    // Without what is remembered: straight from the seed.
    let seed = seed_of("othello", "2026-11-18");
    let kind = OnlyMove { prover: &crate::analysis::prover::OTHELLO, back: 6..=9, nodes: 60_000 };
    let made = || only_move(&kind, seed).unwrap();
    assert_eq!(made(), made());
    assert_ne!(seed, seed_of("othello", "2026-11-19"));
    assert_ne!(seed, seed_of("sevn", "2026-11-18"));
}

/// The result for the player to move, by trying everything; what was seen is compared whole.
fn tried<G: Duel + Deterministic>(position: &G, seen: &mut HashMap<G, i32>) -> i32 {
    if let Some(&known) = seen.get(position) {
        return known;
    }
    let after = |action| after_move(position, action, seen);
    let best = position.actions().map(after).max().unwrap_or(0);
    seen.insert(*position, best);
    best
}

fn after_move<G: Duel + Deterministic>(
    position: &G,
    action: G::Action,
    seen: &mut HashMap<G, i32>,
) -> i32 {
    let (next, player) = (position.apply(action).0, position.to_move());
    match next.outcome() {
        Some(GameResult::Win(winner)) => {
            if winner == player {
                1
            } else {
                -1
            }
        }
        Some(GameResult::Draw) => 0,
        None => Pov(tried(&next, seen)).seen_by(next.to_move(), player).0,
    }
}

fn exhaustively<G: Duel + Deterministic + Notation>(name: &str) {
    for day in DAYS {
        let puzzle = game(name).unwrap().puzzle(day).unwrap();
        let position = G::parse(&G::Variant::default(), &puzzle.position).unwrap();
        let mut seen = HashMap::new();
        for (action, result) in moves_of(&puzzle).1 {
            let action = position.parse_action(&action.text).unwrap();
            assert_eq!(after_move(&position, action, &mut seen), *result, "{name} {day}");
        }
    }
}

#[test]
fn results_are_those_of_trying_everything() {
    exhaustively::<Othello>("othello");
    exhaustively::<Sevn>("sevn");
    exhaustively::<ConnectFour>("connect-four");
}

/// A search for proofs without any knowledge of the game.
struct Blind;

impl<G: Duel> StaticEvaluator<G> for Blind {
    fn static_eval(&self, _: &G) -> i32 {
        0
    }

    fn hint(&self, _: &G, _: G::Action) -> i32 {
        0
    }
}

#[test]
fn togyzkumalak_by_a_search_with_other_settings() {
    let puzzle = game("togyzkumalak").unwrap().puzzle(DAYS[0]).unwrap();
    let position = Togyzkumalak::parse(&Default::default(), &puzzle.position).unwrap();
    let limits = Limits::new(Instant::now(), Budget::nodes(3_000_000), Request::never());
    let mut search = ProofSearch::new(Blind, 1 << 25);
    for ((action, result), (found, span)) in
        moves_of(&puzzle).1.iter().zip(search.moves(&position, &limits, |_, _| {}))
    {
        assert_eq!(action.text, position.action_text(found));
        assert!((i32::from(span.low)..=i32::from(span.high)).contains(result), "{action:?}");
        assert!(*result < 1 || span.low == 1, "the win is proven again");
    }
}

#[test]
fn the_board_of_the_day_has_a_par() {
    let handle = game("samegame").unwrap();
    let puzzle = handle.puzzle("2026-11-18").unwrap();
    let Goal::Par { points, .. } = puzzle.goal else { panic!("{puzzle:?}") };
    assert!(points > 500, "{points}");
    let table = handle.generate(NAME, "2026-11-18").unwrap();
    assert_eq!(table.position(), puzzle.position);
    assert_eq!(to_json(&puzzle)["par"], points);
}

#[test]
fn what_is_no_date_and_games_without_puzzles_are_refused() {
    let error = |name: &str, date| game(name).unwrap().puzzle(date).unwrap_err().to_string();
    assert!(error("othello", "2026-02-30").contains("a day of the calendar"));
    assert!(error("othello", "tomorrow").contains("YYYY-MM-DD"));
    assert!(error("2048", "2026-11-18").contains("puzzles of the day"));
    assert!(error("sevn:base=5", "2026-11-18").contains("puzzles of the day"));
}
