//! The parts of the recipe of Clark (2021), small: plain gradient descent on squared errors, boards of
//! two sizes, the games of the last iteration alone, and more games after a resumption.

#![expect(clippy::unwrap_used, reason = "a test fails by it")]

use ludens_core::{Game, Rng};
use ludens_games::Sevn;
use ludens_games::sevn::Base;
use ludens_learn::alphazero::{
    AlphaZero, AlphaZeroConfig, GraphLearner, Iteration, Learner, LossKind, OptimizerKind,
    SelfPlay, Setup,
};
use ludens_learn::{Recipe, RunConfig, RunDir};
use ludens_nn::{GraphSpec, PolicyOutput, SevnGraph};
use ludens_search::tree::{Results, TreeSearch};

type Graphs = GraphLearner<Sevn, SevnGraph>;
type Zero = AlphaZero<Sevn, Graphs, TreeSearch<Sevn, Results>>;

fn never() -> bool {
    false
}

fn config() -> AlphaZeroConfig {
    AlphaZeroConfig {
        graph: 1,
        policy: PolicyOutput::Tanh,
        loss: LossKind::Squares,
        optimizer: OptimizerKind::Sgd,
        rate: 0.002,
        decay: 0.0,
        batch: 16,
        replay_ratio: 4.0,
        window_iterations: 1,
        lag: 0,
        ema_decay: 0.0,
        blend: 0.0,
        games: 12,
        iterations: 3,
        sims: 8,
        full: 1.0,
        considered: 0,
        noise: 0.0,
        plain: 1,
        c: 3.0,
        opening: 1000,
        random_opening: 0.0,
        validation: 0.25,
        threads: 1,
        ..AlphaZeroConfig::default()
    }
}

fn bases() -> Vec<(Base, f32)> {
    [(3, 0.7), (5, 0.3)].map(|(base, share)| (Base::new(base).unwrap(), share)).to_vec()
}

fn spec() -> GraphSpec {
    GraphSpec::new(7, vec![3, 8, 8, 2]).unwrap()
}

fn zero(config: AlphaZeroConfig) -> Zero {
    let learner = Graphs::new(&spec(), &Base::default(), &config, &mut Rng::new(7)).unwrap();
    AlphaZero::new(config, Base::default(), 7, learner, TreeSearch::puct).of_variants(bases())
}

fn positions<'a>(games: impl Iterator<Item = &'a SelfPlay<Sevn>>) -> usize {
    games.map(|game| game.moves.len()).sum()
}

#[test]
fn games_of_the_last_iteration_are_learned_from_at_once() {
    let mut state = zero(config());
    let all: Vec<Iteration<Sevn>> =
        (0..3).map(|_| state.iterate(&never).unwrap().unwrap()).collect();
    for iteration in &all {
        let [policy, value] = iteration.losses.unwrap();
        let [held_policy, held_value] = iteration.validation.unwrap();
        assert!([policy, value, held_policy, held_value].iter().all(|loss| *loss > 0.0));
        for game in &iteration.games {
            assert_eq!(game.moves.iter().filter(|made| made.policy.is_empty()).count(), 0);
            let line = game.to_json();
            assert_eq!(&SelfPlay::from_json(&Base::default(), &line).unwrap(), game);
        }
    }
    let games = all.iter().flat_map(|iteration| &iteration.games);
    let of = |base: usize| games.clone().filter(|game| game.start.variant().get() == base).count();
    assert_eq!(of(3) + of(5), 36);
    assert!(of(3) > of(5) && of(5) > 0, "{} {}", of(3), of(5));
    // Every fourth game is held out.
    let last = all[2].games.iter().filter(|game| game.number % 4 != 3);
    assert_eq!(state.samples(), positions(last));
    assert!(all[2].losses.unwrap()[1] < all[0].losses.unwrap()[1], "{:?}", all[2].losses);
}

#[test]
fn more_games_after_a_resumption() {
    let folder = tempfile::tempdir().unwrap();
    let recorded = RunConfig::new("sevn", 7, &config());
    let mut dir = RunDir::new(folder.path(), recorded).unwrap();
    dir.start().unwrap();
    let mut whole = zero(config());
    whole.save(&dir).unwrap();
    whole.step(&std::sync::atomic::AtomicBool::new(false)).unwrap();
    whole.save(&dir).unwrap();
    let setup: Setup<Sevn, Graphs, TreeSearch<Sevn, Results>> =
        Setup { tree: TreeSearch::puct, referee: None, variants: bases(), architecture: spec() };
    let more = AlphaZeroConfig { games: 20, ..config() };
    let resume = |config| {
        let resumed = AlphaZero::resume(config, Base::default(), 7, &setup, &dir).unwrap();
        resumed.of_variants(bases())
    };
    let next = resume(more).iterate(&never).unwrap().unwrap();
    let numbers: Vec<u64> = next.games.iter().map(|game| game.number).collect();
    assert_eq!(numbers, (12..32).collect::<Vec<_>>());
    let (mut same, expected) = (resume(config()), whole.iterate(&never).unwrap().unwrap());
    let found = same.iterate(&never).unwrap().unwrap();
    assert_eq!((found.games, found.losses), (expected.games, expected.losses));
}
