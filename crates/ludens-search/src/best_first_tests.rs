//! A*, IDA* and policies of heuristics against trying everything.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use ludens_core::{Budget, Context, Game, Policy, Progress, Rng, Solution, Solver};
use ludens_games::Former;
use ludens_games::former::{FewestCells, FormerVariant, LookAhead, daily};

use crate::{AStar, BestChild, IdaStar, replay};

fn solve(solver: &mut dyn Solver<Former>, board: &Former, nodes: Option<u64>) -> Solution<Former> {
    let (stop, mut sink) = (AtomicBool::new(false), |_: &Progress<'_, Former>| {});
    let budget = Budget { nodes, ..Budget::default() };
    let mut context = Context::new(budget, 7, 1, 64 << 20, &stop, &mut sink);
    let solution = solver.solve(board, &mut context).unwrap();
    assert_eq!(replay(board, &solution.line), solution.value);
    solution
}

fn fewest(position: Former, known: &mut HashMap<Former, i64>) -> i64 {
    if position.is_over() {
        return 0;
    }
    if let Some(&moves) = known.get(&position) {
        return moves;
    }
    let moves = position.actions().map(|a| 1 + fewest(position.apply(a).0, known)).min().unwrap();
    known.insert(position, moves);
    moves
}

#[test]
fn both_find_the_best_lines_of_small_boards() {
    let mut rng = Rng::new(41);
    for (rows, cols, shapes) in [(3, 4, 3), (4, 3, 4), (2, 5, 2), (3, 3, 3), (1, 8, 3)] {
        let variant = FormerVariant::new(rows, cols, shapes).unwrap();
        for _ in 0..40 {
            let board = Former::start(&variant, &mut rng);
            let moves = fewest(board, &mut HashMap::new());
            for solver in [&mut AStar::default() as &mut dyn Solver<Former>, &mut IdaStar] {
                let solution = solve(solver, &board, None);
                assert_eq!(-solution.value, moves);
                assert!(solution.is_proven());
            }
            let relaxed = solve(&mut AStar { relaxation: 1.5 }, &board, None);
            assert!(-relaxed.value as f64 <= 1.5 * moves as f64);
            assert!(-relaxed.bound.unwrap() <= moves);
        }
    }
}

#[test]
fn both_stop_with_a_valid_bound_and_repeat() {
    let board = daily(2025, 5, 18).unwrap();
    for nodes in [1, 100, 20_000] {
        for solver in [&mut AStar::default() as &mut dyn Solver<Former>, &mut IdaStar] {
            let solution = solve(solver, &board, Some(nodes));
            assert!(solution.bound.is_none_or(|bound| bound >= -11));
            let end = solution.line.iter().fold(board, |here, &a| here.apply(a).0);
            assert_eq!(solution.bound.is_some(), end.is_over());
            assert_eq!(solution, solve(solver, &board, Some(nodes)));
        }
    }
}

#[test]
fn policies_play_only_best_children() {
    let board = daily(2025, 5, 18).unwrap();
    let mut probabilities = Vec::new();
    BestChild(FewestCells).probabilities(&board, &mut probabilities);
    let sizes: Vec<u32> = board.actions().map(|a| board.group_of(a.0).count_ones()).collect();
    let largest = *sizes.iter().max().unwrap();
    assert_eq!(probabilities.len(), sizes.len());
    assert!((probabilities.iter().sum::<f32>() - 1.0).abs() < 1e-5);
    for (probability, size) in probabilities.iter().zip(sizes) {
        assert_eq!(*probability > 0.0, size == largest);
    }
    probabilities.clear();
    BestChild(LookAhead::default()).probabilities(&board, &mut probabilities);
    let mut groups = Vec::new();
    board.children(|_, child, _| groups.push(child.groups()));
    let fewest = groups.iter().min().unwrap();
    assert!(probabilities.iter().zip(&groups).all(|(p, n)| (*p > 0.0) == (n == fewest)));
}
