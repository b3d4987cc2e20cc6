//! PROBS on Connect Four, small.

#![expect(clippy::unwrap_used, reason = "a test fails by it")]

use std::sync::atomic::AtomicBool;

use ludens_core::{
    ActionValues, Agent, Budget, Choice, Context, Duel, Game, Player, RandomAgent, Rng,
};
use ludens_games::ConnectFour;
use ludens_learn::RunFolder;
use ludens_learn::probs::{Probs, ProbsConfig, ProbsIteration, folder};
use ludens_nn::ConnectFourCells;
use ludens_search::probs::ProbsAgent;

type State = Probs<ConnectFour, ConnectFourCells>;

fn config() -> ProbsConfig {
    ProbsConfig {
        w: 8,
        d: 2,
        hidden: 16,
        games: 40,
        batch: 32,
        threads: 1,
        iterations: 3,
        ..ProbsConfig::default()
    }
}

fn state(config: ProbsConfig) -> State {
    Probs::new(config, ConnectFourCells, Default::default(), 5).unwrap()
}

fn run(state: &mut State) -> Vec<ProbsIteration> {
    let mut all = Vec::new();
    while !state.is_done() {
        let mut iteration = state.iterate(&|| false).unwrap().unwrap();
        iteration.seconds = 0.0;
        all.push(iteration);
    }
    all
}

fn values(state: &State) -> Vec<Vec<f32>> {
    let mut out = Vec::new();
    state.players().action_values(&[ConnectFour::default()], &mut out);
    out
}

#[test]
fn threads_and_slots_change_nothing() {
    let go = |threads, slots| {
        let mut state = state(ProbsConfig { threads, slots, ..config() });
        (run(&mut state), values(&state))
    };
    assert_eq!(go(1, 32), go(2, 7));
}

#[test]
fn resumed_runs_are_the_same_runs() {
    resumed_is_whole(config());
    resumed_is_whole(ProbsConfig { blocks: 1, inertia: 0.9, temperature: 0.2, ..config() });
}

fn resumed_is_whole(config: ProbsConfig) {
    let mut whole = state(config);
    let all = run(&mut whole);
    let path = tempfile::tempdir().unwrap();
    let run_folder = RunFolder::create(path.path(), "connect-four", 5, &config).unwrap();
    let mut cut = state(config);
    assert!(!run_folder.is_saved(folder::STATE).unwrap());
    for _ in 0..2 {
        cut.iterate(&|| false).unwrap();
        folder::save(&run_folder, "connect-four", 5, &cut, None).unwrap();
    }
    drop(run_folder);
    let (run_folder, _, config) =
        RunFolder::resume::<ProbsConfig>(path.path(), "connect-four", |_| Ok(())).unwrap();
    let load = |game: &str| {
        folder::load(&run_folder, game, state(config), ConnectFourCells, &Default::default())
    };
    let mut resumed = load("connect-four").unwrap();
    assert_eq!(run(&mut resumed), all[2..]);
    assert_eq!(values(&resumed), values(&whole));
    assert!(load("othello").is_err());
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
    assert!(all.iter().all(|iteration| iteration.states > 500 && iteration.results[0] > 0.3));
    assert!(all[6].losses[0] < 1.2, "{:?}", all[6]);
}
