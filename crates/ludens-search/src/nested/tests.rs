//! Lines replay to their values, results repeat, searches stop, and they find
//! what there is to find on small boards.

use std::collections::HashMap;
use std::fmt::Debug;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use ludens_core::{
    Budget, Context, Game, MoveCode, Notation, Progress, Rng, SoloPuzzle, Solution, Solver,
    Symmetric, Symmetries,
};
use ludens_games::Former;
use ludens_games::former::FormerVariant;
use ludens_games::samegame::{Penalty, Roulette, SameGame, SameGameVariant, Scoring, Tabu};
use ludens_testkit::best_total;

use super::*;
use crate::mcts::Sets;

fn solve<G: SoloPuzzle>(
    solver: &mut dyn Solver<G>,
    root: &G,
    budget: Budget,
    seed: u64,
    threads: usize,
) -> Solution<G> {
    let stop = AtomicBool::new(false);
    let mut last = None;
    let mut sink = |progress: &Progress<'_, G>| {
        let value = progress.best.map(|best| best.value);
        assert!(value > last, "progress goes up");
        last = value;
    };
    let mut context = Context::new(budget, seed, threads, 1 << 24, &stop, &mut sink);
    let solution = solver.solve(root, &mut context).unwrap();
    let mut here = *root;
    let mut value = 0;
    for &action in &solution.line {
        assert!(here.is_legal(action));
        let (next, reward) = here.apply(action);
        here = next;
        value += i64::from(reward);
    }
    assert!(here.is_over());
    assert_eq!(value, solution.value);
    assert_eq!(last, Some(value));
    solution
}

/// Every search of this folder, and the set-based ones.
fn solvers<G, R>(rollout: R) -> Vec<Box<dyn Solver<G>>>
where
    G: SoloPuzzle + MoveCode + Symmetric,
    R: ludens_core::Rollout<G> + Clone + Sync + Debug + 'static,
{
    vec![
        Box::new(Flat::new(rollout.clone(), 2)),
        Box::new(Flat { rollout: rollout.clone(), simulations: 2, pick: Pick::Best }),
        Box::new(Flat::new(LookAhead::new(Proportional, 5), 1)),
        Box::new(Nmcs { rollout: rollout.clone(), level: 0 }),
        Box::new(Nmcs { rollout: rollout.clone(), level: 2 }),
        Box::new(Nrpa::new(All, 0)),
        Box::new(Nrpa { iterations: 10, ..Nrpa::new(All, 2) }),
        Box::new(Sets { set: 50, batch: 8, ..Sets::new(rollout.clone()) }),
        Box::new(Sets { set: 50, batch: 8, ..Sets::new(rollout) }.with_trees(Symmetries)),
    ]
}

fn small_samegame(seed: u64) -> SameGame {
    let variant = SameGameVariant::new(5, 4, 3, Scoring::SameGame(Penalty::None)).unwrap();
    SameGame::start(&variant, &mut Rng::new(seed))
}

#[test]
fn the_best_line_of_small_boards_is_found() {
    let budget = Budget::nodes(60_000);
    for seed in 0..6 {
        let board = small_samegame(seed);
        let top = best_total(&board, &mut HashMap::new());
        let found = solve(&mut Nrpa::new(All, 2), &board, budget, seed, 1).value;
        assert_eq!(found, top, "NRPA on {}", board.text());
        let nested = &mut Nmcs { rollout: Uniform, level: 2 };
        assert_eq!(solve(nested, &board, budget, seed, 1).value, top, "NMCS on {}", board.text());
        let variant = FormerVariant::new(4, 3, 3).unwrap();
        let board = Former::start(&variant, &mut Rng::new(seed));
        let top = best_total(&board, &mut HashMap::new());
        let found = solve(&mut Nrpa::new(All, 2), &board, budget, seed, 1).value;
        assert_eq!(found, top, "NRPA on {}", board.text());
    }
}

#[test]
fn results_repeat_and_keep_to_node_budgets() {
    let board = SameGame::start(&SameGameVariant::default(), &mut Rng::new(3));
    let former = Former::start(&FormerVariant::default(), &mut Rng::new(3));
    let budget = Budget::nodes(5_000);
    // Searches ask once per simulation, so they end at most one late, set-based ones a batch of 8.
    let most = 5_000 + 8 * 75;
    for threads in [1, 2] {
        let pairs = solvers(Tabu::frequent(48)).into_iter().zip(solvers(Tabu::frequent(48)));
        for (index, (mut a, mut b)) in pairs.enumerate() {
            let one = solve(a.as_mut(), &board, budget, 9, threads);
            assert_eq!(one, solve(b.as_mut(), &board, budget, 9, threads), "solver {index}");
            assert!(one.nodes <= most * threads as u64, "solver {index}: {}", one.nodes);
        }
        for (mut a, mut b) in solvers(Uniform).into_iter().zip(solvers(Uniform)) {
            let one = solve(a.as_mut(), &former, budget, 9, threads);
            assert_eq!(one, solve(b.as_mut(), &former, budget, 9, threads));
        }
    }
}

#[test]
fn without_a_budget_there_is_one_pass() {
    let board = small_samegame(1);
    for mut solver in solvers(Roulette::default()) {
        solve(solver.as_mut(), &board, Budget::default(), 1, 1);
    }
    let over = SameGame::parse(&board.variant(), "..../..../..../..../0101").unwrap();
    for mut solver in solvers(Uniform) {
        let solution = solve(solver.as_mut(), &over, Budget::nodes(100), 1, 1);
        assert!(solution.line.is_empty());
    }
}

#[test]
fn time_and_cancellation_are_kept_to() {
    let board = SameGame::start(&SameGameVariant::default(), &mut Rng::new(4));
    for mut solver in solvers(Tabu::with_pairs()) {
        let begin = Instant::now();
        solve(solver.as_mut(), &board, Budget::time(Duration::from_millis(20)), 1, 2);
        assert!(begin.elapsed() < Duration::from_secs(5));
        let stop = AtomicBool::new(true);
        let mut sink = |_: &Progress<'_, SameGame>| {};
        let mut context = Context::new(Budget::default(), 1, 1, 0, &stop, &mut sink);
        solver.solve(&board, &mut context);
    }
}

/// A level of nesting more is worth more at the same budget on a full board.
#[test]
fn learning_beats_not_learning() {
    let budget = Budget::nodes(200_000);
    let (mut flat, mut learned) = (0, 0);
    for seed in 0..2 {
        let board = SameGame::start(&SameGameVariant::default(), &mut Rng::new(seed));
        flat += solve(&mut Nmcs { rollout: Uniform, level: 0 }, &board, budget, 1, 1).value;
        learned += solve(&mut Nrpa::new(Tabu::frequent(0), 2), &board, budget, 1, 1).value;
    }
    assert!(learned > flat * 3 / 2, "{learned} against {flat}");
}
