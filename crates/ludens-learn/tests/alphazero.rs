//! The recipe on games small enough to be solved.

#![expect(clippy::unwrap_used, reason = "a test fails by it")]

use std::sync::atomic::AtomicBool;

use ludens_core::{Budget, Choice, Context, Deterministic, Duel, Game, Notation, Rng};
use ludens_games::sevn::Base;
use ludens_games::{ConnectFour, Sevn};
use ludens_learn::alphazero::{
    AlphaZero, AlphaZeroConfig, GraphLearner, Iteration, Learner, PlaneLearner, Referee, Sample,
    SelfPlay, Setup,
};
use ludens_learn::{MODEL, Recipe, RunConfig, RunDir, Step};
use ludens_nn::{Adam, ConnectFourCells, GraphSpec, Optimizer, SevnCells, SevnGraph};
use ludens_search::tree::{PriorAgent, PuctConfig, Results, TreeAgent, TreeSearch};

fn never() -> bool {
    false
}

fn config() -> AlphaZeroConfig {
    AlphaZeroConfig {
        channels: 8,
        blocks: 1,
        sims: 16,
        fast: 4,
        random_opening: 0.0,
        opening: 8,
        games: 24,
        batch: 32,
        parallel_games: 5,
        threads: 1,
        iterations: 3,
        ..AlphaZeroConfig::default()
    }
}

type SevnLearner = PlaneLearner<Sevn, SevnCells>;
type SevnZero = AlphaZero<Sevn, SevnLearner, TreeSearch<Sevn, Results>>;

fn sevn(config: AlphaZeroConfig, base: usize) -> SevnZero {
    let base = Base::new(base).unwrap();
    let learner = Learner::new(&(), &base, &config, &mut Rng::new(7)).unwrap();
    AlphaZero::new(config, base, 7, learner, TreeSearch::puct)
}

fn connect_four(
    config: AlphaZeroConfig,
) -> AlphaZero<
    ConnectFour,
    PlaneLearner<ConnectFour, ConnectFourCells>,
    TreeSearch<ConnectFour, Results>,
> {
    let learner = Learner::new(&(), &Default::default(), &config, &mut Rng::new(1)).unwrap();
    AlphaZero::new(config, Default::default(), 3, learner, TreeSearch::puct)
}

fn run<G: Duel + Deterministic + Notation, L: Learner<G>>(
    state: &mut AlphaZero<G, L, TreeSearch<G, Results>>,
) -> Vec<Iteration<G>> {
    let mut all = Vec::new();
    while !state.is_done() {
        all.push(state.iterate(&never).unwrap().unwrap());
    }
    all
}

/// What is played and learned does not depend on the number of threads or on interleaving.
#[test]
fn threads_and_parallel_games_change_nothing() {
    let play = |threads, parallel_games| {
        let mut state = sevn(AlphaZeroConfig { threads, parallel_games, ..config() }, 3);
        let all = run(&mut state);
        let all: Vec<_> = all.into_iter().map(|i| (i.games, i.losses, i.steps)).collect();
        (all, state.learner.model("sevn", &serde_json::Value::Null))
    };
    let one = play(1, 5);
    assert_eq!(one, play(2, 1));
    assert!(one.0[0].1.is_none() && one.0[2].1.is_some());
}

#[test]
fn games_round_trip() {
    let mut state = sevn(config(), 5);
    let iteration = state.iterate(&never).unwrap().unwrap();
    let (mut taught, mut fast) = (0, 0);
    for game in &iteration.games {
        let line = game.to_json().to_string();
        let read = serde_json::from_str(&line).unwrap();
        assert_eq!(&SelfPlay::from_json(&Base::new(5).unwrap(), &read).unwrap(), game);
        let samples = game.samples(0.0);
        assert!(samples.iter().all(|sample| sample.value == game.result as f32));
        for sample in samples {
            if sample.policy.is_empty() {
                fast += 1;
            } else {
                taught += 1;
                assert!((sample.policy.iter().sum::<f32>() - 1.0).abs() < 1e-3);
            }
        }
        let mut damaged = read.clone();
        damaged["turns"][0][0] = serde_json::json!(9999);
        assert!(SelfPlay::<Sevn>::from_json(&Base::new(5).unwrap(), &damaged).is_err());
        let mut turned = read.clone();
        turned["result"] = serde_json::json!(-game.result);
        assert!(SelfPlay::<Sevn>::from_json(&Base::new(5).unwrap(), &turned).is_err());
    }
    assert!(taught > 20 && fast > 20, "{taught} {fast}");
}

/// A run that is cut off anywhere is resumed as if nothing had happened.
#[test]
fn resumed_runs_are_the_same_runs() {
    let config = AlphaZeroConfig { window: 150, iterations: 6, ..config() };
    let (base, stop) = (Base::new(3).unwrap(), AtomicBool::new(false));
    let folder = tempfile::tempdir().unwrap();
    let recorded = RunConfig::new("sevn:base=3", 7, &config);
    let mut dir = RunDir::new(folder.path(), recorded).unwrap();
    dir.start().unwrap();
    let step = |state: &mut SevnZero, dir: Option<&RunDir>| {
        let Step::Done(mut metrics) = state.step(&stop).unwrap() else { panic!("it was stopped") };
        dir.into_iter().for_each(|dir| state.save(dir).unwrap());
        let clock = |name: &str| name == "minutes" || name.ends_with("_s");
        metrics.as_object_mut().unwrap().retain(|name, _| !clock(name));
        metrics
    };
    let mut whole = sevn(config, 3);
    whole.save(&dir).unwrap();
    (0..4).for_each(|_| drop(step(&mut whole, Some(&dir))));
    // Files of an iteration that never came to its checkpoint.
    std::fs::write(folder.path().join("games/000005.jsonl"), "cut o").unwrap();
    let setup: Setup<Sevn, SevnLearner, TreeSearch<Sevn, Results>> =
        Setup { tree: TreeSearch::puct, referee: None, variants: Vec::new(), architecture: () };
    let mut resumed = AlphaZero::resume(config, base, 7, &setup, &dir).unwrap();
    assert_eq!((resumed.count(), resumed.samples()), (4, whole.samples()));
    assert!(resumed.oldest() > 1, "old games are let go");
    for _ in 4..6 {
        assert_eq!(step(&mut resumed, Some(&dir)), step(&mut whole, None));
    }
    let notes = serde_json::Value::Null;
    assert_eq!(resumed.learner.model("", &notes), whole.learner.model("", &notes));
    let model: ludens_nn::Model = ludens_nn::Model::load(&dir.file(MODEL)).unwrap();
    assert_eq!(model.notes["iterations"], 6);
    // Games that the window still has are missed.
    std::fs::remove_file(dir.file("games/000006.jsonl")).unwrap();
    let lost = AlphaZero::resume(config, base, 7, &setup, &dir).err().unwrap().to_string();
    assert!(lost.contains("000006.jsonl"), "{lost}");
    assert!(AlphaZero::resume(config, Base::new(5).unwrap(), 7, &setup, &dir).is_err());
}

#[test]
fn a_stop_ends_an_iteration_at_once() {
    let mut state = sevn(AlphaZeroConfig { games: 100_000, ..config() }, 5);
    assert_eq!(state.iterate(&|| true).unwrap(), None);
    let mut short = sevn(AlphaZeroConfig { games: 100_000, minutes: 0.005, ..config() }, 5);
    assert_eq!(short.iterate(&never).unwrap(), None);
    assert_eq!(short.count(), 0);
}

/// Every position of base 3 by its result under best play, for the player to move.
fn solved(position: &Sevn, known: &mut std::collections::HashMap<Sevn, i32>) -> i32 {
    if let Some(outcome) = position.outcome() {
        return outcome.value() * position.to_move().sign();
    }
    if let Some(&value) = known.get(position) {
        return value;
    }
    let values = position.actions().map(|action| -solved(&position.apply(action).0, known));
    let value = values.max().unwrap();
    known.insert(*position, value);
    value
}

/// The share of positions with good and bad moves in which an agent plays a good one.
fn kept(agent: &mut dyn ludens_core::Agent<Sevn>) -> f64 {
    let (base, mut known) = (Base::new(3).unwrap(), Default::default());
    let (mut right, mut all) = (0, 0);
    let stop = std::sync::atomic::AtomicBool::new(false);
    for seed in 1000..1080 {
        let mut rng = Rng::new(seed);
        let mut position = Sevn::start(&base, &mut rng);
        while !position.is_over() {
            let value = solved(&position, &mut known);
            let mut good = |action| -solved(&position.apply(action).0, &mut known) == value;
            let good: Vec<_> = position.actions().filter(|action| good(*action)).collect();
            if good.len() < position.actions().len() {
                let mut silent = |_: &Choice<_>| {};
                let rng = Rng::new(seed);
                let mut context = Context::for_agent(Budget::default(), rng, 1, &stop, &mut silent);
                agent.reset();
                all += 1;
                right += usize::from(good.contains(&agent.choose(&position, &mut context).action));
            }
            position = position.step(&mut rng).unwrap().1;
        }
    }
    assert!(all > 100, "{all}");
    right as f64 / all as f64
}

#[test]
fn the_smallest_sevn_is_learned() {
    // All games are needed: there are few.
    let config =
        AlphaZeroConfig { channels: 16, games: 100, iterations: 12, validation: 0.0, ..config() };
    let mut state = sevn(config, 3);
    let raw = |state: &SevnZero| state.learner.evaluators(1, 1000).unwrap().remove(0);
    let before = kept(&mut PriorAgent::new(raw(&state)));
    run(&mut state);
    let after = kept(&mut PriorAgent::new(raw(&state)));
    let mut search = TreeAgent::<_, _>::puct(PuctConfig::default(), raw(&state));
    search.simulations = Some(32);
    let searched = kept(&mut search);
    assert!(after > before + 0.1, "{before} {after}");
    assert!(after > 0.8, "{before} {after}");
    assert!(searched > 0.97, "{searched}");
}

/// Positions of base 3 with what is known of them.
fn solved_samples(games: u64) -> Vec<Sample<Sevn>> {
    let (base, mut known) = (Base::new(3).unwrap(), Default::default());
    let mut samples = Vec::new();
    for seed in 0..games {
        let mut rng = Rng::new(seed);
        let mut position = Sevn::start(&base, &mut rng);
        while let Some((_, next, _)) = position.step(&mut rng) {
            let value = solved(&position, &mut known);
            let mut good = |action| -solved(&position.apply(action).0, &mut known) == value;
            let good: Vec<bool> = position.actions().map(&mut good).collect();
            let count = good.iter().filter(|good| **good).count() as f32;
            let policy = good.iter().map(|good| f32::from(u8::from(*good)) / count).collect();
            let value = (value * position.to_move().sign()) as f32;
            samples.push(Sample { position, policy, value, searched: value });
            position = next;
        }
    }
    samples
}

#[test]
fn the_graph_network_learns() {
    graph_network_learns(false);
}

#[test]
fn the_value_win_network_learns() {
    graph_network_learns(true);
}

type SevnGraphs = GraphLearner<Sevn, SevnGraph>;

/// A graph network learns what it is taught, is saved whole, and plays boards of another size.
fn graph_network_learns(wins: bool) {
    let config = |wins: bool| {
        let (ema_decay, wins) = (0.9, u8::from(wins));
        AlphaZeroConfig { ema_decay, wins, games: 3, iterations: 1, ..config() }
    };
    let spec = GraphSpec::new(7, vec![3, 24, 24, 16, 2]).unwrap();
    let base = Base::new(3).unwrap();
    let mut learner = SevnGraphs::new(&spec, &base, &config(wins), &mut Rng::new(7)).unwrap();
    let samples = solved_samples(200);
    let mut rng = Rng::new(1);
    let adam = Optimizer::Adam(Adam { rate: 0.003, decay: 1e-5, ..Adam::default() });
    let mut learn = |learner: &mut SevnGraphs, steps: usize| {
        let mut totals = [0.0, 0.0];
        for _ in 0..steps {
            let pick = |_| &samples[rng.below(samples.len() as u32) as usize];
            let batch: Vec<_> = (0..32).map(pick).collect();
            let losses = learner.learn(&batch, &adam, &mut Rng::new(0));
            totals.iter_mut().zip(losses).for_each(|(total, loss)| *total += loss / steps as f32);
        }
        totals
    };
    let evaluator = |learner: &SevnGraphs| learner.evaluators(1, 1000).unwrap().remove(0);
    let before = kept(&mut PriorAgent::new(evaluator(&learner)));
    let first = learn(&mut learner, 10);
    learn(&mut learner, 400);
    let last = learn(&mut learner, 20);
    let after = kept(&mut PriorAgent::new(evaluator(&learner)));
    assert!(last[0] < first[0] && last[1] < first[1], "{first:?} {last:?} {before} {after}");
    assert!(after > before + 0.1, "{first:?} {last:?} {before} {after}");
    let path = tempfile::tempdir().unwrap();
    let [checkpoint, mean] = ["state", "mean"].map(|name| path.path().join(name));
    let notes = serde_json::json!({"iterations": 10});
    learner.save(&checkpoint, &mean, "sevn:base=3", &notes).unwrap();
    let load = |game: &str, wins: bool| {
        SevnGraphs::load(&base, &config(wins), &checkpoint, |_| mean.clone(), game)
    };
    assert!(load("sevn", wins).is_err());
    assert!(load("sevn:base=3", !wins).is_err());
    let (learner, read) = load("sevn:base=3", wins).unwrap();
    assert_eq!(read, notes);
    let mut larger =
        AlphaZero::new(config(wins), Base::new(5).unwrap(), 1, learner, TreeSearch::puct);
    assert_eq!(run(&mut larger)[0].games.len(), 3);
}

/// Settings of all games make runs, Connect Four with PUCT and noise instead of the Gumbel root.
#[test]
fn connect_four_with_noise_learns() {
    let config = AlphaZeroConfig {
        considered: 0,
        iterations: 4,
        random_opening: 0.5,
        ema_decay: 0.99,
        ..config()
    };
    let mut state = connect_four(config);
    let all = run(&mut state);
    let losses: Vec<_> = all.iter().filter_map(|iteration| iteration.losses).collect();
    assert_eq!(losses.len(), 3);
    assert!(losses[2][0] < losses[0][0], "{losses:?}");
    let scattered = all[0].games.iter().filter(|game| game.start != ConnectFour::default());
    assert!((4..20).contains(&scattered.count()));
}

/// What a referee knows takes the place of what was played, at its own positions and before them.
#[test]
fn solved_positions_teach_best_play() {
    use ludens_games::connect_four::solver::{Bounds, results};
    let referee = |nodes: u64| -> Referee<ConnectFour> {
        let bounds = Bounds::new(1 << 16);
        Box::new(move |position| results(position, &bounds, &|looked_at| looked_at >= nodes))
    };
    let play = |threads, exact| {
        let config = AlphaZeroConfig {
            random_opening: 0.5,
            ema_decay: 0.9,
            games: 12,
            threads,
            exact,
            ..config()
        };
        connect_four(config).refereed(Some(referee)).iterate(&never).unwrap().unwrap().games
    };
    let games = play(1, 1);
    assert_eq!(games, play(2, 1));
    let plain = play(1, 0);
    assert!(plain.iter().flat_map(|game| &game.moves).all(|made| !made.exact));
    let (mut solved, mut corrected) = (0, 0);
    let bounds = Bounds::new(1 << 20);
    for game in &games {
        let read = serde_json::from_str(&game.to_json().to_string()).unwrap();
        assert_eq!(&SelfPlay::from_json(&Default::default(), &read).unwrap(), game);
        // Games that end soon may have other moves in the end that are hard to tell.
        let Some(first) = game.moves.iter().position(|made| made.exact) else { continue };
        let samples = game.samples(0.0);
        for (place, (sample, turn)) in samples.iter().zip(&game.moves).enumerate() {
            assert_eq!(turn.exact, place >= first);
            if place < first {
                assert_eq!(sample.value, samples[first].value);
                continue;
            }
            solved += 1;
            let exact = results(&sample.position, &bounds, &|_| false);
            let best = exact.iter().flatten().max().copied();
            assert_eq!(
                sample.value,
                f32::from(best.unwrap()) * sample.position.to_move().sign() as f32
            );
            assert!((sample.policy.iter().sum::<f32>() - 1.0).abs() < 1e-3);
            let wasted = sample.policy.iter().zip(&exact).filter(|(_, result)| **result < best);
            assert!(wasted.map(|(chance, _)| *chance).sum::<f32>() == 0.0);
            corrected += usize::from(sample.value != game.result as f32);
        }
    }
    assert!(solved > 50 && corrected > 5, "{solved} {corrected}");
}
