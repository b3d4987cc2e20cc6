//! Beams, nested searches and threads.

use std::sync::atomic::AtomicBool;

use ludens_core::{Budget, Game, Position, Progress};
use ludens_games::samegame::{SameGame, VsSameGame};

use super::tests::{best, board, grow, search, units};
use super::tree::{NONE, Tree};
use super::*;

fn by_name(name: &str) -> Config {
    composition(name).unwrap()
}

/// The mean value on some boards at equal nodes.
fn mean(config: Config, nodes: u64) -> f64 {
    let values = (0..4).map(|seed| {
        let start = VsSameGame::new(board(15, 15, 5, seed));
        search(&mut Mcts::new(config), &start, Budget::nodes(nodes), seed).value
    });
    values.sum::<i64>() as f64 / 4.0
}

/// The mean best of random games at equal nodes.
fn random(nodes: u64) -> f64 {
    let values = (0..4).map(|seed| {
        let start = VsSameGame::new(board(15, 15, 5, seed));
        let (mut used, mut best) = (0, i64::MIN);
        let mut rng = ludens_core::Rng::new(seed);
        while used < nodes {
            let mut line = Vec::new();
            let (_, value) = Uniform.play(&start, &mut line, &mut rng);
            used += line.len() as u64 + 1;
            best = best.max(value);
        }
        best
    });
    values.sum::<i64>() as f64 / 4.0
}

#[test]
fn nesting_and_beams_beat_random_games() {
    let chance = random(100_000);
    for name in ["NMCTS", "BMCTS"] {
        let nesting = Nesting { iterations: 64, ..by_name(name).nesting };
        let found = mean(Config { nesting, ..by_name(name) }, 100_000);
        assert!(found > chance + 50.0, "{name}: {found}, random games {chance}");
    }
}

/// Level 1 is the ordinary search, and lower searches keep to the whole's budget.
#[test]
fn levels() {
    let start = VsSameGame::new(board(9, 9, 4, 5));
    let plain = search(&mut Mcts::new(Config::default()), &start, units(5000), 3);
    let level = |level| {
        let nesting = Nesting { level, iterations: 12 };
        let mut solver = Mcts::new(Config { nesting, ..Config::default() });
        let found = search(&mut solver, &start, units(5000), 3);
        let spent = solver.statistics().units();
        assert!((4000.0..5100.0).contains(&spent), "level {level} spent {spent}");
        (found, solver.statistics().clone())
    };
    assert_eq!(level(1).0, plain);
    for nested in 2..=3 {
        let (_, statistics) = level(nested);
        assert!(statistics.games > 2 * statistics.iterations, "level {nested}: {statistics:?}");
    }
}

/// Where all is tried, what lower searches have proven adds up to the best.
#[test]
fn nested_searches_solve_small_boards() {
    for seed in 0..30 {
        let start = board(3, 4, 3, seed);
        let most = best(&start);
        let found = search(&mut Mcts::new(by_name("NMCTS")), &start, Budget::default(), seed);
        assert_eq!((found.value, found.bound), (most, Some(most)), "{start:?}");
    }
}

/// The number of nodes at every depth, by the ways that own them.
fn widths<G: SoloPuzzle>(tree: &Tree<G>) -> Vec<usize> {
    let mut widths = Vec::new();
    let mut layer = vec![0];
    while !layer.is_empty() {
        widths.push(layer.len());
        let children = layer.iter().flat_map(|&id| tree.tried(id)).filter_map(|e| {
            let child = tree.edges[e as usize].child;
            (child != NONE && tree.nodes[child as usize].via == e).then_some(child)
        });
        layer = children.collect();
    }
    widths
}

#[test]
fn closed_depths_are_no_wider_than_the_beam() {
    let start = VsSameGame::new(board(12, 12, 4, 9));
    for duplicates in [Duplicates::Keep, Duplicates::Consistent, Duplicates::Naive] {
        let narrowing = Some(Narrowing { after: 60, width: 5 });
        let config = Config { narrowing, duplicates, ..Config::default() };
        let (tree, statistics, value) = grow(&config, &mut Uniform, &start, 100_000, 1 << 28);
        let widths = widths(&tree);
        let closed = widths.iter().take_while(|&&width| width <= 5).count();
        assert!(value.is_some() && closed > 5, "{duplicates:?}: {widths:?}");
        assert_eq!(widths.iter().sum::<usize>(), tree.nodes.len());
        assert!(statistics.nodes > 5 * tree.nodes.len() as u64);
        for (id, node) in tree.nodes.iter().enumerate() {
            assert_eq!(
                tree.find(tree.positions[id].key()).is_some(),
                duplicates != Duplicates::Keep
            );
            assert!(id == 0 || tree.edges[node.via as usize].child == id as u32);
        }
    }
}

/// Every beam combines with schedules over moves, graphs and policies.
#[test]
fn beams_go_with_other_parts() {
    let start = board(9, 9, 4, 6);
    for name in ["Uniform", "BaseExp+Tabu", "UCT2", "UCD", "RAVE", "PUCT", "StatePruning"] {
        let narrowing = Some(Narrowing { after: 40, width: 4 });
        let config = Config { narrowing, ..by_name(name) };
        let found = search(&mut Mcts::new(config), &start, units(20_000), 2);
        assert_eq!(found, search(&mut Mcts::new(config), &start, units(20_000), 2), "{name}");
        assert_eq!(found.bound, None);
    }
}

/// A beam that has come to its end starts anew, and without a limit it ends.
#[test]
fn beams_start_anew() {
    let start = VsSameGame::new(board(6, 6, 3, 6));
    let narrowing = Some(Narrowing { after: 10, width: 2 });
    let config = Config { narrowing, ..Config::default() };
    let mut solver = Mcts::new(config);
    search(&mut solver, &start, units(30_000), 1);
    assert!(solver.statistics().units() > 29_000.0);
    search(&mut solver, &start, Budget::default(), 1);
    assert!(solver.statistics().units() < 29_000.0);
}

#[test]
fn threads_grow_trees_of_their_own() {
    let start = board(10, 10, 4, 3);
    let solve = |threads| {
        let (stop, mut sink) = (AtomicBool::new(false), |_: &Progress<'_, SameGame>| {});
        let mut context = Context::new(Budget::nodes(40_000), 5, threads, 0, &stop, &mut sink);
        let mut solver = Mcts::new(Config::default());
        let found = solver.solve(&start, &mut context).unwrap();
        let end = found.line.iter().fold((start, 0), |(here, sum), &action| {
            let (next, reward) = here.apply(action);
            (next, sum + i64::from(reward))
        });
        assert!(end.0.is_over() && end.1 == found.value);
        assert!((40_000..41_000).contains(&found.nodes), "{} nodes", found.nodes);
        found
    };
    assert_eq!(solve(3), solve(3));
    assert_ne!(solve(1).line, solve(3).line);
    // A proof on one thread ends the others.
    let small = board(3, 4, 3, 1);
    let (stop, mut sink) = (AtomicBool::new(false), |_: &Progress<'_, SameGame>| {});
    let mut context = Context::new(Budget::default(), 5, 3, 0, &stop, &mut sink);
    let found = Mcts::new(Config::default()).solve(&small, &mut context).unwrap();
    assert_eq!((found.value, found.bound), (best(&small), Some(best(&small))));
}
