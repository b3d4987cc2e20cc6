use std::collections::HashSet;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use ludens_core::{
    Budget, Context, Game, Heuristic, Notation, Progress, Rng, Solution, Solver, Symmetric,
};
use ludens_games::Former;
use ludens_games::former::{FormerVariant, daily};

use super::Exact;

struct Euler;

impl Heuristic<Former> for Euler {
    fn value(&self, position: &Former) -> f32 {
        -(position.euler() as f32)
    }
}

/// Solves, replays the line, and returns the solution with the bounds reported on the way.
fn solve(
    board: &Former,
    width: usize,
    budget: Budget,
    threads: usize,
    memory: usize,
) -> (Option<Solution<Former>>, Vec<i64>) {
    let stop = AtomicBool::new(false);
    let mut bounds = Vec::new();
    let mut sink = |progress: &Progress<'_, Former>| bounds.extend(progress.bound);
    let mut context = Context::new(budget, 0, threads, memory, &stop, &mut sink);
    let solution = Exact { heuristic: Euler, width, least: 0 }.solve(board, &mut context);
    if let Some(solution) = &solution {
        let mut here = *board;
        for &action in &solution.line {
            assert!(here.is_legal(action));
            here = here.apply(action).0;
        }
        assert!(here.is_over());
        assert_eq!(solution.value, -(solution.line.len() as i64));
        assert!(solution.bound.is_some_and(|bound| bound >= solution.value));
    }
    (solution, bounds)
}

/// The fewest moves by breadth-first search without any pruning.
fn brute_force(board: &Former) -> usize {
    let mut layer = HashSet::from([*board]);
    for moves in 0.. {
        if layer.iter().any(Former::is_over) {
            return moves;
        }
        let mut next = HashSet::new();
        for position in &layer {
            position.children(|_, child, _| {
                next.insert(child);
            });
        }
        layer = next;
    }
    unreachable!("every game ends")
}

/// The board with its left half mirrored on the right.
fn symmetric(board: &Former) -> Former {
    let cols = usize::from(board.variant().cols());
    let text: Vec<char> =
        board.text().chars().filter(|c| !c.is_whitespace() && *c != '/').collect();
    let rows = text.chunks(cols).map(|row| {
        let cell = |column: usize| row[column.min(cols - 1 - column)];
        (0..cols).map(cell).collect::<String>()
    });
    Former::parse(&board.variant(), &rows.collect::<Vec<_>>().join("/")).unwrap()
}

#[test]
fn agrees_with_brute_force() {
    let mut rng = Rng::new(41);
    let sizes = [
        (3, 3, 3, 300),
        (4, 3, 4, 150),
        (3, 4, 2, 200),
        (2, 7, 3, 100),
        (5, 3, 3, 60),
        (4, 4, 3, 30),
        (8, 1, 4, 200),
        (1, 8, 3, 200),
        (5, 2, 8, 100),
    ];
    for (rows, cols, shapes, boards) in sizes {
        let variant = FormerVariant::new(rows, cols, shapes).unwrap();
        for n in 0..boards {
            let mut board = Former::start(&variant, &mut rng);
            if n % 4 == 3 {
                board = symmetric(&board);
            }
            // Now and then a board that is not full.
            for _ in 0..n % 3 {
                board = board.step(&mut rng).map_or(board, |(_, child, _)| child);
            }
            let best = brute_force(&board) as i64;
            assert_eq!(brute_force(&board.canonical()) as i64, best);
            for (width, threads) in [(0, 1), (8, 2)] {
                let (solution, bounds) = solve(&board, width, Budget::default(), threads, 1 << 20);
                let solution = solution.unwrap();
                assert_eq!((solution.value, solution.is_proven()), (-best, true), "{board:?}");
                assert!(bounds.is_sorted_by(|a, b| a >= b));
            }
        }
    }
}

#[test]
fn known_daily_boards() {
    for (month, day, moves) in [(5, 18, 11), (2, 18, 11), (3, 17, 11)] {
        let board = daily(2025, month, day).unwrap();
        let (solution, _) = solve(&board, 64, Budget::default(), 2, 1 << 28);
        let solution = solution.unwrap();
        assert_eq!((solution.line.len(), solution.is_proven()), (moves, true));
    }
}

#[test]
fn little_memory_changes_nothing_but_the_effort() {
    let board = daily(2025, 1, 27).unwrap();
    let [(ample, _), (scarce, _)] =
        [1 << 28, 0].map(|memory| solve(&board, 64, Budget::default(), 1, memory));
    let (ample, scarce) = (ample.unwrap(), scarce.unwrap());
    assert!(ample.is_proven() && scarce.is_proven());
    assert_eq!((ample.value, scarce.value), (-13, -13));
    assert!(scarce.nodes > ample.nodes, "{} {}", scarce.nodes, ample.nodes);
}

#[test]
fn a_line_is_found_where_the_beam_has_none() {
    let board = daily(2025, 5, 18).unwrap();
    let (solution, _) = solve(&board, 0, Budget::default(), 1, 1 << 28);
    assert_eq!(solution.unwrap().value, -11);
}

#[test]
fn one_thread_and_a_node_budget_repeat() {
    let board = daily(2025, 5, 19).unwrap();
    let run = || solve(&board, 64, Budget::nodes(300_000), 1, 1 << 28);
    let (first, second) = (run(), run());
    assert_eq!(first, second);
    let (solution, bounds) = first;
    let solution = solution.unwrap();
    assert!(!solution.is_proven());
    assert_eq!(solution.bound, bounds.last().copied());
}

#[test]
fn time_is_kept_and_nothing_is_lost() {
    let board = daily(2025, 5, 19).unwrap();
    let begin = Instant::now();
    let (solution, _) = solve(&board, 64, Budget::time(Duration::from_millis(500)), 2, 1 << 28);
    assert!(begin.elapsed() < Duration::from_secs(3), "{:?}", begin.elapsed());
    let solution = solution.unwrap();
    assert!(solution.line.len() >= 15 && !solution.is_proven());
    // No budget at all: no line, and no panic.
    assert_eq!(solve(&board, 64, Budget::nodes(0), 1, 0).0, None);
}

#[test]
fn a_known_line_is_taken_up() {
    let board = daily(2025, 5, 18).unwrap();
    let line = solve(&board, 512, Budget::default(), 1, 1 << 28).0.unwrap().line;
    let stop = AtomicBool::new(false);
    let mut sink = |_: &Progress<'_, Former>| {};
    let mut context = Context::new(Budget::default(), 0, 1, 1 << 28, &stop, &mut sink);
    let solution = Exact::new(Euler).prove(&board, line.clone(), &mut context);
    assert_eq!((solution.line, solution.bound), (line, Some(-11)));
}
