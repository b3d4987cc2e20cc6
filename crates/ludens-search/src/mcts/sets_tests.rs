//! Set-based search, symmetric duplicates, and visits that are counted on the way down.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use ludens_core::{Budget, Game, Progress, Symmetric};
use ludens_games::samegame::{Guided, SameGame, SameGameKnowledge, Sampling, Tabu};

use super::layer::first_layer;
use super::tests::{best, board, grow, search, units};
use super::*;

fn hgsts(set: usize) -> Sets<Guided, SameGameKnowledge> {
    let rollout = Guided::new(Tabu::frequent(0), Sampling::Reward, 10);
    Sets { set, batch: 4, ..Sets::new(rollout).with_trees(SameGameKnowledge) }
}

#[test]
fn the_best_line_of_small_boards_is_found() {
    for seed in 0..4 {
        let start = board(4, 4, 3, seed);
        let top = best(&start);
        for set in [1, 5, 50] {
            assert_eq!(search(&mut hgsts(set), &start, units(60_000), seed).value, top);
        }
        let symmetric = Config { duplicates: Duplicates::Symmetric, ..Config::default() };
        let mut solver = Mcts::new(symmetric).knowledge(SameGameKnowledge);
        assert_eq!(search(&mut solver, &start, units(200_000), seed).value, top, "seed {seed}");
    }
}

#[test]
fn results_do_not_depend_on_the_threads() {
    let start = board(8, 8, 4, 1);
    let run = |threads| {
        let (stop, mut sink) = (AtomicBool::new(false), |_: &Progress<'_, SameGame>| {});
        let mut context = Context::new(units(4000), 7, threads, 1 << 26, &stop, &mut sink);
        let solution = hgsts(20).solve(&start, &mut context).unwrap();
        (solution, context.statistics.unwrap())
    };
    let (one, statistics) = run(1);
    assert_eq!((&one, &statistics), (&run(3).0, &run(3).1));
    assert!(statistics.units() >= 4000.0 && statistics.units() < 4400.0);
    assert!(statistics.nodes > 0 && statistics.average_depth() > 2.0);
}

/// A position and its mirror image are one entry of a layer, reached with the larger score.
#[test]
fn a_layer_has_symmetric_positions_once() {
    let start = board(5, 5, 3, 2);
    let (stop, mut sink) = (AtomicBool::new(false), |_: &Progress<'_, SameGame>| {});
    let context = Context::new(Budget::default(), 1, 1, 1 << 26, &stop, &mut sink);
    let plain = first_layer(&start, 60, &(), &context, &mut |_| {}).0;
    let layer = first_layer(&start, 60, &SameGameKnowledge, &context, &mut |_| {}).0;
    let mut paid: HashMap<SameGame, i64> = HashMap::new();
    for way in &plain {
        let most = paid.entry(way.position.canonical()).or_insert(i64::MIN);
        *most = way.paid.max(*most);
    }
    let depth = |layer: &[super::layer::Reached<SameGame>]| layer[0].line.len();
    assert_eq!(depth(&plain), depth(&layer), "the same layer");
    assert_eq!(layer.len(), paid.len());
    for way in &layer {
        assert_eq!(paid[&way.position.canonical()], way.paid);
        let end = way.line.iter().fold(start, |here, &action| here.apply(action).0);
        assert_eq!(end, way.position);
    }
}

#[test]
fn visits_on_the_way_down_are_those_of_simulations() {
    for duplicates in [Duplicates::Keep, Duplicates::Symmetric] {
        let config = Config { count_on_descent: true, duplicates, ..Config::default() };
        let start = board(6, 6, 3, 3);
        let (tree, statistics, _) = grow(&config, &mut Uniform, &start, 3000, 1 << 26);
        assert_eq!(u64::from(tree.nodes[0].visits), statistics.games);
        assert!(tree.nodes.iter().all(|node| node.visits > 0));
    }
}
