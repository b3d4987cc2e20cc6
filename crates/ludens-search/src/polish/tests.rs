//! Lines that get better, and what every solver promises.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use ludens_games::SameGame;
use ludens_games::samegame::{SameGameVariant, SpareLargest, Tabu};

use super::*;
use crate::nested::Nrpa;

fn solver(share: f64) -> Polish<Nrpa<Tabu>, SpareLargest> {
    let first = Nrpa { alpha: 0.5, ..Nrpa::new(Tabu::near_frequent(), 3) };
    Polish { first, adviser: SpareLargest, share, starts: 3, width: 16 }
}

fn board(seed: u64) -> SameGame {
    SameGame::start(&SameGameVariant::default(), &mut Rng::new(seed))
}

/// Solves, and replays the line to the end of the game.
fn solve(board: &SameGame, budget: Budget, threads: usize, share: f64) -> Solution<SameGame> {
    let mut values = Vec::new();
    let mut sink = |progress: &Progress<'_, SameGame>| {
        values.extend(progress.best.map(|best| best.value));
    };
    let stop = AtomicBool::new(false);
    let mut context = Context::new(budget, 5, threads, 1 << 28, &stop, &mut sink);
    let solution = solver(share).solve(board, &mut context).unwrap();
    let (_, end, value) = position_at(board, &solution.line, 0);
    assert!(end.is_over());
    assert_eq!(value, solution.value);
    assert!(values.is_sorted() && values.last() == Some(&value), "{values:?}");
    solution
}

#[test]
fn beams_improve_the_first_line() {
    let budget = Budget::nodes(200_000);
    let improved = (0..3).filter(|&seed| {
        let plain = solve(&board(seed), Budget::nodes(100_000), 1, 1.0);
        solve(&board(seed), budget, 1, 0.5).value > plain.value
    });
    assert!(improved.count() >= 2);
}

#[test]
fn a_node_budget_repeats() {
    let budget = Budget::nodes(60_000);
    let solution = solve(&board(7), budget, 1, 0.4);
    assert_eq!(solution, solve(&board(7), budget, 1, 0.4));
    assert!((60_000..61_500).contains(&solution.nodes), "{}", solution.nodes);
}

#[test]
fn threads_share_the_best_line() {
    let solution = solve(&board(8), Budget::nodes(120_000), 2, 0.4);
    assert!((120_000..123_000).contains(&solution.nodes), "{}", solution.nodes);
}

#[test]
fn time_and_cancellation_are_kept() {
    let begin = Instant::now();
    solve(&board(9), Budget::time(Duration::from_millis(100)), 2, 0.4);
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());

    let stop = AtomicBool::new(false);
    let mut sink = |_: &Progress<'_, SameGame>| {};
    let mut context = Context::new(Budget::default(), 5, 1, 1 << 28, &stop, &mut sink);
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(50));
            stop.store(true, Ordering::Relaxed);
        });
        assert!(solver(0.4).solve(&board(9), &mut context).is_some());
    });
    assert!(begin.elapsed() < Duration::from_secs(6), "{:?}", begin.elapsed());
}

#[test]
fn positions_of_a_line_by_stage() {
    let start = board(10);
    let mut line = Vec::new();
    let (mut here, mut rng) = (start, Rng::new(1));
    while let Some((action, next, _)) = here.step(&mut rng) {
        line.push(action);
        here = next;
    }
    let (moves, at, paid) = position_at(&start, &line, 100);
    assert!(at.stage() <= 100 && moves > 0);
    assert_eq!(crate::replay(&start, &line[..moves]), paid);
    assert_eq!(position_at(&start, &line, 225).0, 0);
    assert_eq!(position_at(&start, &line, 0).0, line.len());
}
