use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ludens_core::{Budget, Game};
use ludens_games::former::thesis_boards;
use ludens_games::samegame::{
    Penalty, SameGame, SameGameKnowledge, SameGameVariant, Scoring, Tabu, TabuColour, TabuPairs,
    VsSameGame,
};

use ludens_core::{Progress, Rng};
use ludens_testkit::best_total;

use super::schedule::{Meter, Share};
use super::search::{Parts, Search};
use super::tree::{NONE, Tree};
use super::*;

pub(super) fn board(rows: u8, cols: u8, colours: u8, seed: u64) -> SameGame {
    let scoring = Scoring::SameGame(Penalty::Colour);
    let variant = SameGameVariant::new(rows, cols, colours, scoring).unwrap();
    SameGame::start(&variant, &mut Rng::new(seed))
}

pub(super) fn units(units: u64) -> Budget {
    Budget { units: Some(units), ..Budget::default() }
}

pub(super) fn search<G: SoloPuzzle>(
    solver: &mut impl Solver<G>,
    start: &G,
    budget: Budget,
    seed: u64,
) -> Solution<G> {
    let (stop, mut sink) = (AtomicBool::new(false), |_: &Progress<'_, G>| {});
    let mut context = Context::new(budget, seed, 1, 1 << 28, &stop, &mut sink);
    let solution = solver.solve(start, &mut context).unwrap();
    let mut sum = 0;
    let end = solution.line.iter().fold(*start, |here, &action| {
        assert!(here.is_legal(action));
        let (next, reward) = here.apply(action);
        sum += i64::from(reward);
        next
    });
    assert!(end.is_over());
    assert_eq!(sum, solution.value);
    solution
}

/// The tree of one search with that many units, its statistics and its best value.
pub(super) fn grow<G: SoloPuzzle>(
    config: &Config,
    rollout: &mut impl Rollout<G>,
    start: &G,
    units: u64,
    memory: usize,
) -> (Tree<G>, SearchStatistics, Option<i64>) {
    let (stop, mut sink) = (AtomicBool::new(false), |_: &Progress<'_, G>| {});
    let context = Context::new(Budget::default(), 1, 1, memory, &stop, &mut sink);
    let share = Share { eighths: Some(8 * units), ..Share::default() };
    let mut tree = Tree::new();
    let parts = Parts {
        config,
        rollout,
        knowledge: &(),
        policy: &mut (),
        tree: &mut tree,
        lower: &mut [],
        before: 0,
        meter: Meter::new(context.limits, share),
        rng: Rng::new(3),
        memory,
    };
    let mut search = Search::new(parts, start);
    search.run(&mut |_| {});
    let (statistics, best) = (search.statistics.clone(), search.best);
    (tree, statistics, best)
}

fn tabu(config: &Config) -> Tabu {
    let tabu = match config.simulation {
        Simulation::TabuRandom => TabuColour::Random,
        Simulation::TabuColour => TabuColour::Frequent,
        Simulation::TabuBandit => TabuColour::Bandit,
        Simulation::Tabu(colour) => TabuColour::Colour(colour),
        Simulation::Random | Simulation::Roulette | Simulation::Policy => TabuColour::None,
    };
    Tabu::new(tabu, config.random_below, TabuPairs::Never)
}

pub(super) fn best<G: SoloPuzzle>(position: &G) -> i64 {
    best_total(position, &mut HashMap::new())
}

#[test]
fn names_are_distinct_and_found() {
    let mut all: Vec<_> = names().collect();
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count);
    assert!(names().all(|name| composition(name).is_some()));
    assert_eq!(composition("Static"), Some(Config::default()));
    assert_eq!(composition("static?"), None);
}

/// Every composition keeps to its budget, returns a legal game and the same one
/// again for the same seed.
#[test]
fn every_composition_plays_and_repeats() {
    let whole = board(9, 9, 4, 5);
    let pruned = VsSameGame::new(whole);
    for name in names() {
        let config = composition(name).unwrap();
        let make = || Mcts::new(config).rollout(tabu(&config)).knowledge(SameGameKnowledge);
        let mut solver = make();
        if config.move_pruning {
            let found = search(&mut solver, &pruned, units(6000), 7);
            assert_eq!(found, search(&mut make(), &pruned, units(6000), 7), "{name}");
        } else {
            let found = search(&mut solver, &whole, units(6000), 7);
            assert_eq!(found, search(&mut make(), &whole, units(6000), 7), "{name}");
        }
        let spent = solver.statistics().units();
        let over = 60.0 * f64::from(config.runs);
        assert!((1.0..6000.0 + over).contains(&spent), "{name} spent {spent}");
    }
}

/// Where all is tried, the best line is the best there is; bounds and shared
/// nodes do not lose it.
#[test]
fn small_boards_are_solved_to_the_end() {
    for seed in 0..60 {
        let start = board(3, 4, 3, seed);
        let most = best(&start);
        for name in ["Static", "UCT2", "UCD", "RAVE", "PUCT", "CNode"] {
            let config = composition(name).unwrap();
            let mut solver = Mcts::new(config).knowledge(SameGameKnowledge);
            let found = search(&mut solver, &start, Budget::default(), seed);
            assert_eq!((found.value, found.bound), (most, Some(most)), "{name} on {start:?}");
        }
        for name in ["StatePruning", "Naive", "Dynamic", "Consistent", "Base"] {
            let config = composition(name).unwrap();
            let mut solver = Mcts::new(config).knowledge(SameGameKnowledge);
            let found = search(&mut solver, &start, Budget::default(), seed);
            assert!(found.value <= most && found.bound.is_none());
            if name == "StatePruning" {
                assert_eq!(found.value, most, "{start:?}");
            }
        }
    }
}

/// With consistent duplicates a node's visits are its own simulation and the
/// visits of the children it owns that are not solved.
#[test]
fn retracted_statistics_add_up() {
    let start = VsSameGame::new(board(8, 8, 4, 11));
    let config = composition("Base").unwrap();
    let (tree, statistics, _) = grow(&config, &mut Uniform, &start, 40_000, 1 << 28);
    assert!(statistics.hits > 100 && statistics.suboptimal > 0 && statistics.terminals > 0);
    for (id, node) in tree.nodes.iter().enumerate().filter(|(_, node)| !node.solved) {
        let (mut visits, mut sum) = (0, 0);
        for e in tree.tried(id as u32) {
            let edge = tree.edges[e as usize];
            if edge.child != NONE {
                let child = &tree.nodes[edge.child as usize];
                if child.via == e && !child.solved {
                    visits += child.visits;
                    sum += child.sum + i64::from(child.visits) * i64::from(edge.reward);
                }
            }
        }
        assert_eq!(node.visits - visits, u32::from(id != 0), "node {id}");
        assert!(id != 0 || node.sum == sum);
    }
}

#[test]
fn every_move_at_the_root_gets_its_visits() {
    let start = thesis_boards().next().unwrap();
    let config = composition("PUCT").unwrap();
    let (tree, ..) = grow(&config, &mut Sampled::new(()), &start, 30_000, 1 << 28);
    assert_eq!(tree.tried(0).len(), start.actions().len());
    for e in tree.tried(0) {
        assert!(tree.nodes[tree.edges[e as usize].child as usize].visits >= 10);
    }
}

#[test]
fn interruption_and_time_are_honoured() {
    let start = VsSameGame::new(board(15, 15, 5, 2));
    let config = composition("BaseExp+Tabu48").unwrap();
    let begin = Instant::now();
    let budget = Budget::time(Duration::from_millis(50));
    search(&mut Mcts::new(config).rollout(tabu(&config)), &start, budget, 1);
    assert!(begin.elapsed() < Duration::from_secs(5));
    let stop = AtomicBool::new(true);
    let mut sink = |_: &Progress<'_, VsSameGame>| {};
    let mut context = Context::new(Budget::default(), 1, 1, 0, &stop, &mut sink);
    assert!(Mcts::new(config).solve(&start, &mut context).is_some());
    stop.store(false, Ordering::Relaxed);
    let found = search(&mut Mcts::new(config), &start, Budget::nodes(5000), 4);
    assert_eq!(found, search(&mut Mcts::new(config), &start, Budget::nodes(5000), 4));
    let zero = Budget { nodes: Some(0), units: Some(0), ..Budget::default() };
    search(&mut Mcts::new(config), &start, zero, 4);
}

#[test]
fn full_memory_ends_growth_not_the_search() {
    let start = VsSameGame::new(board(15, 15, 5, 2));
    let config = Config::default();
    let (tree, statistics, best) = grow(&config, &mut Uniform, &start, 20_000, 10_000);
    assert!(best.is_some() && statistics.games > statistics.nodes + 100);
    assert!(tree.bytes() < 20_000);
}

#[test]
fn milestones_follow_the_text() {
    use super::schedule::milestones;
    let ends = |allocation| milestones(allocation, Some(640_000.0));
    assert!(ends(Allocation::Whole).is_empty());
    let uniform = ends(Allocation::Uniform);
    assert!((uniform[14] - 0.5).abs() < 1e-9);
    let linear = ends(Allocation::Linear);
    assert!((29..=30).contains(&linear.len()));
    // A + C for the first move, B + C for the last.
    let c = 1.0 / 30.0 - (1.0 / 12.2 + 1.0 / 64.0) / 2.0;
    assert!((linear[0] - (1.0 / 12.2 + c)).abs() < 1e-9);
    let exponential = ends(Allocation::Exponential);
    assert_eq!(exponential.len(), 30);
    assert!((exponential[0] - 1.0 / 7.0).abs() < 1e-9);
    assert!((exponential[29] - exponential[28] - 2048.0 / 640_000.0).abs() < 1e-9);
}

/// With late ends every terminal node is chosen once more before it is solved.
#[test]
fn late_ends_take_an_iteration_each() {
    let start = board(4, 4, 3, 2);
    let config = |late_ends| Config { late_ends, move_pruning: false, ..Config::default() };
    let grown = |config: &Config| grow(config, &mut tabu(config), &start, 10_000_000, 1 << 28);
    let (_, early, best) = grown(&config(false));
    let (_, late, same) = grown(&config(true));
    assert_eq!((best, early.nodes, early.terminals), (same, late.nodes, late.terminals));
    assert_eq!(early.iterations, early.nodes);
    assert_eq!(late.iterations, late.nodes + late.terminals);
}

/// A move that leads to a position of another node takes an iteration.
#[test]
fn a_cut_ends_the_iteration() {
    let start = board(4, 4, 3, 2);
    let config = Config { duplicates: Duplicates::Naive, late_ends: false, ..Config::default() };
    let (_, statistics, _) = grow(&config, &mut tabu(&config), &start, 10_000_000, 1 << 28);
    assert!(statistics.hits > 0);
    assert_eq!(statistics.iterations, statistics.nodes + statistics.hits);
}
