use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ludens_core::{AfterValue, Game, Limits, Params, Rng, Variant};
use ludens_games::Game2048;

use super::*;
use crate::tabular::{Endgame, ExactTable, retrograde};
use crate::tree::stochastic::most_visited;

type Exact = Endgame<Game2048, ()>;

fn solved(board: &str) -> (<Game2048 as Game>::Variant, Arc<ExactTable>) {
    let variant = Variant::read(&mut Params::parse(board).unwrap()).unwrap();
    let table = retrograde::<Game2048>(&variant, 1 << 26, &|| false).unwrap();
    (variant, Arc::new(table))
}

fn small() -> (<Game2048 as Game>::Variant, Exact) {
    let (variant, table) = solved("board=2x2");
    (variant, Endgame::new(variant, Some(table), ()))
}

/// How far the target of a start is from its exact value, as a share of it: the mean
/// and the largest of all starts.
fn errors(outcomes: ChanceSampling, exploration: f32, simulations: u32, starts: u64) -> (f32, f32) {
    let (variant, exact) = small();
    let mut greedy = crate::Expectimax::new(exact.clone(), 1, 0);
    let mut search = StochasticMcts::<Game2048, _>::new(exact, simulations);
    (search.exploration, search.outcomes) = (exploration, outcomes);
    let (mut sum, mut largest) = (0.0, 0f32);
    for seed in 0..starts {
        let mut rng = Rng::new(seed);
        let start = Game2048::start(&variant, &mut rng);
        let (_, target) = search.target(&start, &mut rng).unwrap();
        let truth = greedy.advise(&start).best().unwrap().value;
        let error = (target - truth) / truth;
        (sum, largest) = (sum + error, largest.max(error.abs()));
    }
    (sum / starts as f32, largest)
}

/// With exact values what remains is the luck of the simulations: over 100 starts its deviation
/// is 0.3 % at 4,000 of them, and the worst 1.5 %. Exploration costs nothing that could be seen.
/// Outcomes that are chosen evenly leave rare ones out deep in the tree, where there are few visits.
#[test]
fn means_approach_the_truth() {
    for exploration in [0.0, 0.005, 0.05] {
        let (mean, largest) = errors(ChanceSampling::Random, exploration, 4000, 40);
        assert!(mean.abs() < 0.003 && largest < 0.02, "{exploration}: {mean} {largest}");
        let (mean, largest) = errors(ChanceSampling::Balanced, exploration, 4000, 40);
        assert!(mean.abs() < 0.012 && largest < 0.03, "{exploration}: {mean} {largest}");
    }
}

/// A value without meaning that no two afterstates share.
struct Guess;

impl AfterValue<Game2048> for Guess {
    fn value(&mut self, after: &<Game2048 as Game>::After) -> f32 {
        let mut hasher = DefaultHasher::new();
        after.hash(&mut hasher);
        1000.0 + (hasher.finish() % (1 << 20)) as f32 / (1 << 20) as f32 * 1000.0
    }
}

/// As exploration goes to 0, the search goes to the one without any: more and more moves are the
/// same, and at last every visit is.
#[test]
fn little_exploration_searches_like_none() {
    let mut rng = Rng::new(6);
    let mut position = Game2048::start(&Default::default(), &mut rng);
    let (mut searched, mut same) = (0, [0; 3]);
    while let Some((_, after, _)) = position.step(&mut rng) {
        let seed = rng.next_u64();
        let search = |exploration: f32| {
            let mut search = StochasticMcts::<Game2048, _>::new(Guess, 100);
            search.exploration = exploration;
            search.search(&position, &mut Rng::new(seed))
        };
        let none = search(0.0);
        assert_eq!(search(1e-9), none);
        searched += 1;
        for (same, exploration) in same.iter_mut().zip([0.1, 0.01, 0.001]) {
            *same += usize::from(best_of(&search(exploration)) == best_of(&none));
        }
        position = Game2048::apply_outcome(&after, Game2048::sample(&after, &mut rng)).0;
    }
    assert!(searched > 100 && same.is_sorted() && 100 * same[2] > 95 * searched, "{same:?}");
}

fn best_of<A: Copy>(visited: &[Visited<A>]) -> Option<A> {
    most_visited(visited).map(|best| best.action)
}

/// What games lose by moves that are not the best: the mean over `games` of the sum of what
/// each move's value lacks to the best one, and their mean score.
fn loss(outcomes: ChanceSampling, simulations: u32, exploration: f32, games: u64) -> (f64, f64) {
    let (variant, table) = solved("board=2x3");
    let exact: Exact = Endgame::new(variant, Some(table.clone()), ());
    let mut search = StochasticMcts::<Game2048, _>::new(exact, simulations);
    (search.exploration, search.outcomes) = (exploration, outcomes);
    let (mut lost, mut scored) = (0.0, 0.0);
    for game in 0..games {
        let mut rng = Rng::stream(8, game);
        let mut position = Game2048::start(&variant, &mut rng);
        while let Some((action, _)) = search.target(&position, &mut rng) {
            let (after, reward) = position.apply(action);
            let value = table.after::<Game2048>(&variant, &after).unwrap().expected;
            lost += table.state(&position).unwrap().expected - value - f64::from(reward);
            let (next, bonus) = Game2048::apply_outcome(&after, Game2048::sample(&after, &mut rng));
            scored += f64::from(reward + bonus);
            position = next;
        }
    }
    (lost / games as f64, scored / games as f64)
}

/// Exact values need no search: what a search of them loses is luck, little of it where outcomes
/// are chosen evenly: 0.4 % of the optimum at 20 simulations.
#[test]
fn play_by_exact_values_is_within_a_hundredth_of_the_best() {
    let (_, table) = solved("board=2x3");
    let optimum = table.start();
    for (simulations, exploration) in [(20, 0.0), (20, 0.001), (50, 0.005), (20, 0.05)] {
        let (lost, scored) = loss(ChanceSampling::Balanced, simulations, exploration, 1000);
        assert!(lost < 0.01 * optimum, "{simulations}, {exploration}: {lost} of {optimum}");
        // The scores say the same, as far as 1,000 games tell: 4.1 is a standard error.
        assert!((scored - (optimum - lost)).abs() < 16.0, "{exploration}: {scored} {lost}");
    }
}

/// Where outcomes are drawn, their luck costs 2 %, and exploration adds less than 1 %.
#[test]
fn exploration_costs_little_where_outcomes_are_drawn() {
    let (_, table) = solved("board=2x3");
    let optimum = table.start();
    let (without, _) = loss(ChanceSampling::Random, 20, 0.0, 1000);
    assert!(without < 0.03 * optimum, "{without}");
    for exploration in [0.001, 0.005] {
        let (lost, _) = loss(ChanceSampling::Random, 20, exploration, 1000);
        assert!((lost - without).abs() < 0.01 * optimum, "{exploration}: {lost} {without}");
    }
}

/// However outcomes are chosen, their shares become those of the rules.
#[test]
fn outcomes_come_as_often_as_they_should() {
    let start = Game2048::start(&Default::default(), &mut Rng::new(1));
    let mut search = StochasticMcts::<Game2048, _>::new(Guess, 20_000);
    search.search(&start, &mut Rng::new(2));
    let tree = &search.tree.tree;
    let best = tree.edges_of(0).iter().max_by_key(|edge| edge.visits).unwrap();
    let outcomes = tree.edges_of(best.child);
    assert!(best.visits > 4000 && outcomes.len() > 20, "{best:?}");
    for outcome in outcomes {
        let share = outcome.prior * best.visits as f32;
        assert!((outcome.visits as f32 - share).abs() < 2.0, "{outcome:?} {share}");
    }
}

#[test]
fn one_simulation_is_greedy_play() {
    let (variant, exact) = small();
    let mut greedy = crate::Expectimax::new(exact.clone(), 1, 0);
    let mut one = StochasticMcts::new(exact, 1);
    let mut rng = Rng::new(1);
    for _ in 0..50 {
        let start = Game2048::start(&variant, &mut rng);
        let best = greedy.advise(&start).best().unwrap();
        assert_eq!(one.target(&start, &mut rng), Some((best.action, best.value)));
    }
}

#[test]
fn limits_and_cancelling_are_obeyed() {
    use std::time::{Duration, Instant};

    use ludens_core::Budget;
    let (variant, exact) = small();
    let start = Game2048::start(&variant, &mut Rng::new(1));
    let mut search = StochasticMcts::new(exact, 100_000_000);
    let mut visits = |budget: Budget, stopped: bool| {
        let stop = AtomicBool::new(stopped);
        let limits = Limits::new(Instant::now(), budget, &stop);
        let visited = search.search_within(&start, &mut Rng::new(2), &limits);
        assert!(Strength::FULL.choose(&visited, &mut Rng::new(3)).is_some());
        visited.iter().map(|v| v.visits - 1).sum::<u32>()
    };
    assert_eq!(visits(Budget::default(), true), 0, "cancelled before it began");
    assert_eq!(visits(Budget::nodes(0), false), 0);
    let few = visits(Budget::nodes(2000), false);
    assert!((100..20_000).contains(&few), "{few}");
    let begin = Instant::now();
    assert!(visits(Budget::time(Duration::from_millis(20)), false) > few);
    assert!(begin.elapsed().as_secs() < 3);
}

#[test]
fn strength_follows_visits() {
    let visited: Vec<Visited<u8>> = [(0, 60), (1, 30), (2, 10), (3, 1)]
        .map(|(action, visits)| Visited { action, visits, value: 1.0 })
        .to_vec();
    let mut rng = Rng::new(3);
    let mut share = |index: f32, threshold: f32| {
        let mut counts = [0u32; 4];
        for _ in 0..6000 {
            let strength = Strength { index, threshold };
            counts[usize::from(strength.choose(&visited, &mut rng).unwrap())] += 1;
        }
        counts
    };
    assert_eq!(share(f32::INFINITY, 0.0), [6000, 0, 0, 0]);
    let proportional = share(1.0, 0.0);
    assert!(proportional[0].abs_diff(3600) < 200 && proportional[2].abs_diff(600) < 120);
    let equal = share(0.0, 0.25);
    assert!(equal[0].abs_diff(3000) < 200 && equal[1].abs_diff(3000) < 200);
    assert_eq!((equal[2], equal[3]), (0, 0), "below the threshold");
    let worst = share(-5.0, 0.0);
    assert!(worst[3] > 5800, "{worst:?}");
    assert_eq!(Strength::FULL.choose::<u8>(&[], &mut rng), None);
}
