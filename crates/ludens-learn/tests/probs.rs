//! PROBS on Connect Four, small.

#![expect(clippy::unwrap_used, reason = "a test fails by it")]

use std::sync::atomic::AtomicBool;

use ludens_core::{
    ActionValues, Agent, Budget, Choice, Context, Duel, Game, Player, RandomAgent, Rng,
};
use ludens_games::{ConnectFour, Othello};
use ludens_learn::probs::{NetKind, Probs, ProbsConfig, QLoss};
use ludens_learn::{Recipe, RunConfig, RunDir};
use ludens_nn::{ConnectFourCells, OthelloCells, Valid};
use ludens_search::probs::ProbsAgent;
use serde_json::Value;

type State = Probs<ConnectFour, ConnectFourCells>;

fn config() -> ProbsConfig {
    ProbsConfig {
        channels: 8,
        layers: 2,
        hidden: 16,
        games: 40,
        batch: 32,
        threads: 1,
        iterations: 3,
        ..ProbsConfig::default()
    }
}

/// As the program of Pastukhov (2024) has it.
fn authors() -> ProbsConfig {
    let net = NetKind::Valid(Valid::PROBS_10K);
    ProbsConfig { net, reuse: 1, q_loss: QLoss::States, validation: 0.2, ..config() }
}

fn state(config: ProbsConfig) -> State {
    Probs::new(config, ConnectFourCells, Default::default(), 5).unwrap()
}

/// The metrics of all iterations, but for those of time.
fn run(state: &mut State) -> Vec<Value> {
    let mut all = Vec::new();
    while !state.is_done() {
        let mut metrics = state.iterate(&|| false).unwrap().unwrap();
        (metrics["minutes"], metrics["positions_per_s"]) = (Value::Null, Value::Null);
        all.push(metrics);
    }
    all
}

fn values(state: &State) -> Vec<Vec<f32>> {
    let mut out = Vec::new();
    state.players().action_values(&[ConnectFour::default()], &mut out);
    out
}

#[test]
fn threads_and_parallel_games_change_nothing() {
    let go = |threads, parallel_games| {
        let of = |config: ProbsConfig| {
            let mut state = state(ProbsConfig { threads, parallel_games, ..config });
            (run(&mut state), values(&state))
        };
        [of(config()), of(authors())]
    };
    assert_eq!(go(1, 32), go(2, 7));
}

/// Games that nothing is learned from are told apart, and boards that are too small refused.
#[test]
fn some_games_are_held_out() {
    let mut state = state(authors());
    for metrics in run(&mut state) {
        let number = |name: &str| metrics[name].as_f64().unwrap();
        assert!(number("validation_value_loss") > 0.0 && number("validation_action_loss") > 0.0);
    }
    let none = ProbsConfig { validation: 0.0, iterations: 1, ..config() };
    assert_eq!(run(&mut self::state(none))[0]["validation_value_loss"], Value::Null);
    assert!(authors().check([6, 7, 2]).is_ok() && authors().check([2, 9, 3]).is_err());
}

#[test]
fn resumed_runs_are_the_same_runs() {
    resumed_is_whole(config());
    resumed_is_whole(ProbsConfig { blocks: 1, ema_decay: 0.9, temperature: 0.2, ..config() });
    resumed_is_whole(authors());
}

fn resumed_is_whole(config: ProbsConfig) {
    let mut whole = state(config);
    let all = run(&mut whole);
    let path = tempfile::tempdir().unwrap();
    let mut dir = RunDir::new(path.path(), RunConfig::new("connect-four", 5, &config)).unwrap();
    dir.start().unwrap();
    let mut cut = state(config);
    for _ in 0..2 {
        cut.iterate(&|| false).unwrap();
        cut.save(&dir).unwrap();
    }
    let mut resumed = state(config).resumed(&dir).unwrap();
    assert_eq!(run(&mut resumed), all[2..]);
    assert_eq!(values(&resumed), values(&whole));
    let other = Probs::<Othello, _>::new(config, OthelloCells, Default::default(), 5).unwrap();
    assert!(other.resumed(&dir).is_err());
}

/// The share of points against random play, sides taking turns.
fn against_random(agent: &mut dyn Agent<ConnectFour>) -> f64 {
    let stop = AtomicBool::new(false);
    let mut points = 0.0;
    for game in 0..60 {
        let mut position = ConnectFour::default();
        let own = if game % 2 == 0 { Player::One } else { Player::Two };
        let mut rng = Rng::new(game);
        while !position.is_over() {
            let mut silent = |_: &Choice<_>| {};
            let seed = Rng::new(rng.next_u64());
            let mut context = Context::for_agent(Budget::default(), seed, 1, &stop, &mut silent);
            let choice = match position.to_move() == own {
                true => agent.choose(&position, &mut context),
                false => RandomAgent.choose(&position, &mut context),
            };
            position = position.apply(choice.action).0;
        }
        points += f64::from(1 + position.outcome().unwrap().value() * own.sign()) / 2.0;
    }
    points / 60.0
}

#[test]
fn it_learns() {
    let config = ProbsConfig { games: 100, iterations: 7, expand: 8, threads: 2, ..config() };
    let mut state = state(config);
    let before = against_random(&mut ProbsAgent::new(state.players()));
    let all = run(&mut state);
    let after = against_random(&mut ProbsAgent::new(state.players()));
    let mut deeper = ProbsAgent::new(state.players());
    (deeper.expand, deeper.depth) = (30, 99);
    let searched = against_random(&mut deeper);
    assert!(after > before + 0.1 && after > 0.8, "{before} {after} {searched}");
    assert!(searched > 0.9, "{before} {after} {searched}");
    let number = |metrics: &Value, name: &str| metrics[name].as_f64().unwrap();
    let usual = |m: &Value| number(m, "positions") > 500.0 && number(m, "first_wins") > 0.3;
    assert!(all.iter().all(usual), "{all:?}");
    assert!(number(&all[6], "value_loss") < 1.2, "{}", all[6]);
}
