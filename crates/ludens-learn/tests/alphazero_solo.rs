//! The recipe's form for one player, on small boards of Former.

#![expect(clippy::unwrap_used, reason = "a test fails by it")]

use ludens_core::{Budget, Choice, Context, Evaluator, Game, Rng};
use ludens_games::Former;
use ludens_games::former::FormerVariant;
use ludens_learn::alphazero::{AlphaZero, AlphaZeroConfig, Learner, PlaneLearner, SelfPlay, Setup};
use ludens_learn::{Recipe, RunConfig, RunDir};
use ludens_nn::{By, FormerCells, Model, NetAgent, NetEvaluator, NetValue, Network};
use ludens_search::tree::{Returns, TreeSearch};

const GAME: &str = "former:rows=4,cols=4,shapes=3";

type FormerLearner = PlaneLearner<Former, FormerCells>;
type Zero = AlphaZero<Former, FormerLearner, TreeSearch<Former, Returns>>;

fn never() -> bool {
    false
}

fn variant() -> FormerVariant {
    FormerVariant::new(4, 4, 3).unwrap()
}

fn config() -> AlphaZeroConfig {
    AlphaZeroConfig {
        channels: 8,
        blocks: 1,
        kernel: 3,
        considered: 0,
        alpha: 0.3,
        opening: 4,
        random_opening: 0.0,
        sims: 16,
        fast: 4,
        games: 24,
        batch: 32,
        parallel_games: 5,
        threads: 1,
        iterations: 4,
        ..AlphaZeroConfig::default()
    }
}

fn state(config: AlphaZeroConfig) -> Zero {
    let learner = Learner::new(&(), &variant(), &config, &mut Rng::new(7)).unwrap();
    AlphaZero::new(config, variant(), 7, learner, TreeSearch::puct)
}

/// The network that plays, as others load it.
fn network(state: &Zero) -> std::sync::Arc<Network> {
    let model: Model = state.learner.model(GAME, &serde_json::Value::Null);
    std::sync::Arc::new(Network::new(&model.weights))
}

/// The mean number of moves that one head of the network needs, without search.
fn moves(state: &Zero, by: By) -> f64 {
    let evaluator = NetEvaluator::new(network(state), FormerCells, &variant()).unwrap();
    let mut agent = NetAgent::new(evaluator, 1).by(by).unwrap();
    let stop = std::sync::atomic::AtomicBool::new(false);
    let (boards, mut total) = (200, 0);
    for seed in 0..boards {
        let mut board = Former::start(&variant(), &mut Rng::new(1_000_000 + seed));
        while !board.is_over() {
            let mut silent = |_: &Choice<_>| {};
            let rng = Rng::new(seed);
            let mut context = Context::for_agent(Budget::default(), rng, 1, &stop, &mut silent);
            let choice = ludens_core::Agent::choose(&mut agent, &board, &mut context);
            board = board.apply(choice.action).0;
            total += 1;
        }
    }
    f64::from(total) / boards as f64
}

/// Both heads play better than before, and the value says how many moves are left.
#[test]
fn a_small_board_is_learned() {
    let mut state = state(AlphaZeroConfig { channels: 16, games: 60, iterations: 12, ..config() });
    let before = [By::Policy, By::Value].map(|by| moves(&state, by));
    let mut lengths = Vec::new();
    while !state.is_done() {
        let iteration = state.iterate(&never).unwrap().unwrap();
        let metrics = iteration.metrics(state.samples(), 0.0);
        assert!(metrics["first_wins"].is_null());
        lengths.push(metrics["mean_length"].as_f64().unwrap());
    }
    let after = [By::Policy, By::Value].map(|by| moves(&state, by));
    let told = format!("{before:?} {after:?} {lengths:?}");
    assert!(after[0] < before[0] - 0.3 && after[1] < before[1] - 0.3, "{told}");
    assert!(lengths[11] < lengths[0], "{told}");
    let value = NetValue::new(network(&state), FormerCells, &variant()).unwrap();
    let start = Former::start(&variant(), &mut Rng::new(5));
    let guess = f64::from(ludens_core::Heuristic::value(&value, &start));
    assert!((guess + after[1]).abs() < 3.0, "{guess} {told}");
}

/// Untrained networks do not begin with values near 0, which no game comes to.
#[test]
fn the_first_values_are_those_of_random_games() {
    let state = state(config());
    let mut evaluator = state.learner.evaluators(1, 10).unwrap().remove(0);
    let mut evals = ludens_core::Evals::default();
    evaluator.evaluate(&[Former::start(&variant(), &mut Rng::new(3))], &mut evals);
    assert!((-12.0..-1.0).contains(&evals.value(0).unwrap()), "{evals:?}");
}

#[test]
fn games_round_trip_and_teach_the_moves_left() {
    let mut state = state(config());
    let iteration = state.iterate(&never).unwrap().unwrap();
    for game in &iteration.games {
        let read = serde_json::from_str(&game.to_json().to_string()).unwrap();
        assert_eq!(&SelfPlay::from_json(&variant(), &read).unwrap(), game);
        assert_eq!(game.result, -(game.moves.len() as i32));
        for (made, sample) in game.samples(0.0).iter().enumerate() {
            assert_eq!(sample.value, made as f32 - game.moves.len() as f32);
        }
        let mut damaged = read.clone();
        damaged["result"] = serde_json::json!(0);
        assert!(SelfPlay::<Former>::from_json(&variant(), &damaged).is_err());
    }
}

#[test]
fn threads_and_parallel_games_change_nothing() {
    let play = |threads, parallel_games| {
        let mut state = state(AlphaZeroConfig { threads, parallel_games, ..config() });
        let mut all = Vec::new();
        while !state.is_done() {
            let iteration = state.iterate(&never).unwrap().unwrap();
            all.push((iteration.games, iteration.losses));
        }
        (all, state.learner.model(GAME, &serde_json::Value::Null))
    };
    assert_eq!(play(1, 5), play(2, 1));
}

#[test]
fn resumed_runs_are_the_same_runs() {
    let (config, folder) = (config(), tempfile::tempdir().unwrap());
    let mut dir = RunDir::new(folder.path(), RunConfig::new(GAME, 7, &config)).unwrap();
    dir.start().unwrap();
    let stop = std::sync::atomic::AtomicBool::new(false);
    let mut whole = state(config);
    for _ in 0..2 {
        whole.step(&stop).unwrap();
        whole.save(&dir).unwrap();
    }
    let setup: Setup<Former, FormerLearner, TreeSearch<Former, Returns>> =
        Setup { tree: TreeSearch::puct, referee: None, variants: Vec::new(), architecture: () };
    let other = AlphaZero::resume(config, FormerVariant::default(), 7, &setup, &dir);
    assert!(other.is_err());
    let mut resumed = AlphaZero::resume(config, variant(), 7, &setup, &dir).unwrap();
    for _ in 0..2 {
        let (next, expected) = (resumed.iterate(&never), whole.iterate(&never));
        let (next, expected) = (next.unwrap().unwrap(), expected.unwrap().unwrap());
        assert_eq!((next.games, next.losses), (expected.games, expected.losses));
    }
    let model = |state: &Zero| state.learner.model(GAME, &serde_json::Value::Null);
    assert_eq!(model(&resumed), model(&whole));
}
