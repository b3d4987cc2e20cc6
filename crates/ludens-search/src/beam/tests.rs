//! Beams against trying everything, and their promises.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use ludens_core::{Budget, Deterministic, Notation, Position, Solo};
use ludens_games::former::{Evaluation, FormerVariant, daily};
use ludens_games::{Former, SameGame};

use super::*;

const MEMORY: usize = 64 << 20;

fn former(first: usize, widest: usize) -> Beam<Evaluation, ByBound> {
    let rounds = Rounds { first, widest, noise: 0.5, ..Rounds::default() };
    Beam { heuristic: Evaluation::default(), ceiling: ByBound, rounds }
}

fn solve<G: Game + Solo, S: Solver<G>>(
    solver: &mut S,
    position: &G,
    budget: Budget,
    threads: usize,
    memory: usize,
) -> Solution<G> {
    let (stop, mut sink) = (AtomicBool::new(false), |_: &Progress<'_, G>| {});
    let mut context = Context::new(budget, 7, threads, memory, &stop, &mut sink);
    solver.solve(position, &mut context).unwrap()
}

/// Replays a line to the end of the game.
fn check<G: Deterministic + Notation>(position: &G, solution: &Solution<G>) {
    let mut here = *position;
    let mut value = 0;
    for &action in &solution.line {
        assert!(here.is_legal(action), "{action:?} in {}", here.text());
        let (next, reward) = here.apply(action);
        (here, value) = (next, value + i64::from(reward));
    }
    assert!(here.is_over());
    assert_eq!(value, solution.value);
}

fn optimum(position: Former, known: &mut HashMap<Former, i64>) -> i64 {
    if position.is_over() {
        return 0;
    }
    if let Some(&value) = known.get(&position) {
        return value;
    }
    let mut best = i64::MIN;
    position.children(|_, child, reward| {
        best = best.max(i64::from(reward) + optimum(child, known));
    });
    known.insert(position, best);
    best
}

#[test]
fn small_boards_are_solved_and_proven() {
    let mut rng = Rng::new(31);
    for (rows, cols, shapes) in [(3, 4, 3), (4, 3, 4), (2, 6, 2), (4, 4, 3), (1, 8, 3)] {
        let variant = FormerVariant::new(rows, cols, shapes).unwrap();
        for _ in 0..40 {
            let board = Former::start(&variant, &mut rng);
            let best = optimum(board, &mut HashMap::new());
            let solution = solve(&mut former(4, 1 << 20), &board, Budget::default(), 1, MEMORY);
            check(&board, &solution);
            assert_eq!(solution.value, best, "{}", board.text());
            assert!(solution.is_proven());
        }
    }
}

/// A narrow plain beam never claims more than it knows.
#[test]
fn plain_beams_do_not_overclaim() {
    let mut rng = Rng::new(32);
    let variant = FormerVariant::new(4, 4, 3).unwrap();
    for _ in 0..60 {
        let board = Former::start(&variant, &mut rng);
        let best = optimum(board, &mut HashMap::new());
        for width in [1, 2, 5] {
            let rounds = Rounds::plain(width);
            let mut beam = Beam { heuristic: Evaluation::EULER, ceiling: ByBound, rounds };
            let solution = solve(&mut beam, &board, Budget::default(), 1, MEMORY);
            check(&board, &solution);
            assert!(solution.value <= best && solution.bound.unwrap() >= best);
        }
    }
}

#[test]
fn one_thread_and_a_node_budget_repeat() {
    let board = daily(2025, 5, 19).unwrap();
    let run = || solve(&mut former(16, 1 << 20), &board, Budget::nodes(60_000), 1, MEMORY);
    let solution = run();
    check(&board, &solution);
    assert_eq!(solution, run());
    // Looked at every few positions.
    assert!((60_000..62_000).contains(&solution.nodes), "{}", solution.nodes);
}

#[test]
fn known_boards_are_solved_with_two_threads() {
    for (month, day, length) in [(5, 18, 11), (3, 17, 11)] {
        let board = daily(2025, month, day).unwrap();
        let solution = solve(&mut former(16, 1 << 20), &board, Budget::nodes(400_000), 2, MEMORY);
        check(&board, &solution);
        assert_eq!(solution.value, -length);
    }
}

#[test]
fn limits_are_kept() {
    let board = daily(2025, 5, 19).unwrap();
    // No time at all, and next to no nodes: as far as it came, a legal line.
    for budget in [Budget::time(Duration::ZERO), Budget::nodes(1), Budget::nodes(200)] {
        let (stop, mut sink) = (AtomicBool::new(false), |_: &Progress<'_, Former>| {});
        let mut context = Context::new(budget, 7, 2, MEMORY, &stop, &mut sink);
        if let Some(solution) = former(16, 64).solve(&board, &mut context) {
            let mut here = board;
            for &action in &solution.line {
                assert!(here.is_legal(action));
                here = here.apply(action).0;
            }
            assert!(here.is_over() || !solution.is_proven());
        }
    }
    let begin = Instant::now();
    let budget = Budget::time(Duration::from_millis(50));
    check(&board, &solve(&mut former(16, 1 << 20), &board, budget, 2, MEMORY));
    // Generous, for busy machines.
    assert!(begin.elapsed() < Duration::from_secs(5));
    // Little memory means narrow beams, not none.
    check(&board, &solve(&mut former(16, 1 << 20), &board, Budget::nodes(50_000), 1, 0));
}

#[test]
fn an_empty_board_is_solved() {
    let variant = FormerVariant::new(2, 2, 2).unwrap();
    let board = Former::parse(&variant, "....").unwrap();
    let solution = solve(&mut former(16, 64), &board, Budget::default(), 1, MEMORY);
    assert_eq!((solution.line.len(), solution.value, solution.is_proven()), (0, 0, true));
}

/// The sum of rewards matters, not the number of moves.
#[derive(Clone, Copy)]
struct Flat;

impl<G: Game> Heuristic<G> for Flat {
    fn value(&self, _: &G) -> f32 {
        0.0
    }
}

#[test]
fn games_for_points_work_without_a_bound() {
    let mut rng = Rng::new(33);
    let board = SameGame::start(&Default::default(), &mut rng);
    let rounds = Rounds { first: 4, count: 3, ..Rounds::default() };
    let mut beam = Beam { heuristic: Flat, ceiling: Unbounded, rounds };
    let solution = solve(&mut beam, &board, Budget::nodes(30_000), 1, MEMORY);
    check(&board, &solution);
    assert_eq!(solution.bound, None);
}

#[test]
fn layers_keep_the_best_different_positions() {
    use layer::{Candidate, Layer, Link};
    let variant = FormerVariant::new(3, 4, 3).unwrap();
    let mut rng = Rng::new(34);
    let mut layer: Layer<Former, u8> = Layer::new(true);
    for width in [1, 3, 8, 50] {
        layer.reset(width).unwrap();
        let mut best: HashMap<Former, (i64, u32)> = HashMap::new();
        for i in 0..400 {
            // Few boards, so that many come twice.
            let position = Former::start(&variant, &mut Rng::new(u64::from(rng.below(90))));
            let score = position.euler() as f32 + position.key() as u8 as f32 / 256.0;
            let link = Link { parent: i, action: 0 };
            layer.offer(Candidate { position, value: 0, score, link });
            best.insert(position, (0, score.to_bits()));
        }
        layer.finish();
        let mut scores: Vec<f32> = best.values().map(|&(_, bits)| f32::from_bits(bits)).collect();
        scores.sort_by(|a, b| b.total_cmp(a));
        let mut kept: Vec<f32> =
            layer.positions().iter().map(|p| f32::from_bits(best[p].1)).collect();
        kept.sort_by(|a, b| b.total_cmp(a));
        assert_eq!(kept, scores[..width.min(scores.len())]);
        assert_eq!(layer.was_cut(), scores.len() > width);
    }
}

/// Copies crowd others out, where they are kept.
#[test]
fn layers_keep_copies_where_asked() {
    use layer::{Candidate, Layer, Link};
    let variant = FormerVariant::new(3, 4, 3).unwrap();
    let boards: Vec<Former> =
        (0..5).map(|seed| Former::start(&variant, &mut Rng::new(seed))).collect();
    for distinct in [true, false] {
        let mut layer: Layer<Former, u8> = Layer::new(distinct);
        layer.reset(4).unwrap();
        for i in 0..15 {
            // The first board is the best and comes three times.
            let (position, score) = (boards[i as usize % 5], -((i % 5) as f32));
            layer.offer(Candidate {
                position,
                value: 0,
                score,
                link: Link { parent: i, action: 0 },
            });
        }
        layer.finish();
        let first = layer.positions().iter().filter(|position| **position == boards[0]).count();
        assert_eq!((layer.positions().len(), first), (4, if distinct { 1 } else { 3 }));
    }
}

/// The beam of Urheim (2025) ends with its first line, which no bound helps to find.
#[test]
fn beams_of_length_alone_find_lines() {
    let board = daily(2025, 5, 18).unwrap();
    let rounds = Rounds { distinct: false, paced: false, count: 4, ..Rounds::default() };
    let mut beam = Beam { heuristic: Evaluation::default(), ceiling: ByLength, rounds };
    let solution = solve(&mut beam, &board, Budget::default(), 1, MEMORY);
    check(&board, &solution);
    assert_eq!(solution.bound, None);
}

/// A round as wide as the one before allocates nothing.
#[test]
fn rounds_allocate_nothing() {
    struct Best(i64);
    impl<A> Watch<A> for Best {
        fn go_on(&mut self, _: u64) -> bool {
            true
        }
        fn to_beat(&self) -> i64 {
            self.0
        }
        fn found(&mut self, value: i64, _: &[A]) {
            self.0 = value;
        }
    }
    let board = daily(2025, 5, 18).unwrap();
    let mut pass = Pass::new(true);
    let mut run = || {
        let parts = (&Evaluation::default(), &ByBound, 0.5);
        pass.run(&board, 50, parts, &mut Rng::new(1), &mut Best(NOTHING))
    };
    assert_eq!(run(), End::Narrow);
    let allocations = ludens_testkit::CountingAllocator::count(|| assert_eq!(run(), End::Narrow));
    assert_eq!(allocations, 0);
}

/// Where no memory can be had for a width, a smaller one does.
#[test]
fn layers_that_do_not_fit_are_refused() {
    let mut layer = layer::Layer::<Former, u8>::new(true);
    assert!(layer.reset(1 << 55).is_err());
    assert!(layer.reset(4).is_ok());
}
