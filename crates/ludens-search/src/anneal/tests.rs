//! Lines that get better, and what every solver promises.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use ludens_core::{Budget, Game, Notation, Progress};
use ludens_games::SameGame;
use ludens_games::samegame::{Penalty, SameGameVariant, Scoring};

use super::*;

fn board(seed: u64) -> SameGame {
    SameGame::start(&SameGameVariant::default(), &mut Rng::new(seed))
}

/// Solves, and replays the line to the end of the game.
fn solve(board: &SameGame, budget: Budget, threads: usize, solver: Anneal) -> Solution<SameGame> {
    let mut values = Vec::new();
    let mut sink = |progress: &Progress<'_, SameGame>| {
        let best = progress.best.expect("annealing always has a line");
        assert_eq!(crate::replay(board, &best.line), best.value);
        values.push(best.value);
    };
    let stop = AtomicBool::new(false);
    let mut context = Context::new(budget, 5, threads, 1 << 20, &stop, &mut sink);
    let solution = { solver }.solve(board, &mut context).unwrap();
    let end = solution.line.iter().fold(*board, |here, &action| here.apply(action).0);
    assert!(end.is_over());
    assert_eq!(crate::replay(board, &solution.line), solution.value);
    assert!(values.is_sorted() && values.last() == Some(&solution.value), "{values:?}");
    solution
}

#[test]
fn trials_keep_the_line_whole() {
    let mut rng = Rng::new(3);
    for (seed, scoring) in [
        Scoring::SameGame(Penalty::None),
        Scoring::SameGame(Penalty::All),
        Scoring::Bubble,
        Scoring::Clickomania,
    ]
    .into_iter()
    .enumerate()
    {
        let variant = SameGameVariant::new(9, 8, 3, scoring).unwrap();
        let board = SameGame::start(&variant, &mut Rng::new(seed as u64));
        let start = board.trace(0);
        let mut chain = Chain::<SameGame>::new(start, &mut rng);
        let mut changed = 0;
        for trial in 0..3_000 {
            let before = chain.value();
            let slack = f64::from(trial % 50);
            chain.trial(&Changes::default(), slack, &mut rng);
            changed += u32::from(chain.value() != before);
            let line = line_of::<SameGame>(start, chain.marks());
            assert_eq!(crate::replay(&board, &line), chain.value());
            let end = line.iter().fold(board, |here, &action| here.apply(action).0);
            assert!(end.is_over());
        }
        assert!(changed > 50, "{changed}");
    }
}

#[test]
fn without_slack_a_line_only_gets_better() {
    let mut rng = Rng::new(4);
    let mut chain = Chain::<SameGame>::new(board(1).trace(0), &mut rng);
    let mut best = f64::NEG_INFINITY;
    for _ in 0..3_000 {
        chain.trial(&Changes::default(), 0.0, &mut rng);
        assert!(chain.shaped() >= best);
        best = chain.shaped();
    }
}

#[test]
fn more_trials_find_more() {
    let gains = (0..4).filter(|&seed| {
        let short = solve(&board(seed), Budget::nodes(30_000), 1, Anneal::default());
        solve(&board(seed), Budget::nodes(900_000), 1, Anneal::default()).value > short.value
    });
    assert!(gains.count() >= 3);
}

#[test]
fn a_node_budget_repeats() {
    let budget = Budget::nodes(100_000);
    let solver = Anneal { runs: 3, ..Anneal::default() };
    let solution = solve(&board(7), budget, 1, solver);
    assert_eq!(solution, solve(&board(7), budget, 1, solver));
    assert!((100_000..105_000).contains(&solution.nodes), "{}", solution.nodes);
    let two = solve(&board(7), budget, 2, solver);
    assert!((100_000..110_000).contains(&two.nodes), "{}", two.nodes);
}

#[test]
fn nothing_to_spend_still_gives_a_line() {
    assert!(!solve(&board(8), Budget::nodes(0), 1, Anneal::default()).line.is_empty());
    let budget = Budget::time(Duration::ZERO);
    assert!(!solve(&board(8), budget, 2, Anneal::default()).line.is_empty());
}

#[test]
fn cleared_and_stuck_boards_are_done() {
    let variant = SameGameVariant::new(2, 2, 2, Scoring::SameGame(Penalty::None)).unwrap();
    for text in ["../..", "01/10"] {
        let board = SameGame::parse(&variant, text).unwrap();
        let stop = AtomicBool::new(false);
        let mut sink = |_: &Progress<'_, SameGame>| {};
        let mut context = Context::new(Budget::nodes(100), 5, 1, 1 << 20, &stop, &mut sink);
        let solution = Anneal::default().solve(&board, &mut context).unwrap();
        assert!(solution.line.is_empty() && solution.is_proven());
    }
    // One group: its line is the only one.
    let board = SameGame::parse(&variant, "00/00").unwrap();
    assert_eq!(solve(&board, Budget::nodes(100), 1, Anneal::default()).value, 1004);
}

#[test]
fn time_and_cancellation_are_kept() {
    let begin = Instant::now();
    solve(&board(9), Budget::time(Duration::from_millis(100)), 2, Anneal::default());
    assert!(begin.elapsed() < Duration::from_millis(600), "{:?}", begin.elapsed());

    let stop = AtomicBool::new(false);
    let mut sink = |_: &Progress<'_, SameGame>| {};
    let mut context = Context::new(Budget::default(), 5, 2, 1 << 20, &stop, &mut sink);
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(50));
            stop.store(true, Ordering::Relaxed);
        });
        assert!(Anneal::default().solve(&board(9), &mut context).is_some());
    });
    assert!(begin.elapsed() < Duration::from_millis(1_500), "{:?}", begin.elapsed());
}
