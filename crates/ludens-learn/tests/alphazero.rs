//! The recipe on games small enough to be solved.

#![expect(clippy::unwrap_used, reason = "a test fails by it")]

use std::path::Path;

use ludens_core::{Budget, Choice, Context, Deterministic, Duel, Game, Notation, Rng};
use ludens_games::sevn::Base;
use ludens_games::{ConnectFour, Sevn};
use ludens_learn::alphazero::{
    AlphaZero, AlphaZeroConfig, GraphPupil, Iteration, Lesson, PlanePupil, Pupil, Referee,
    SelfPlay, folder, residual,
};
use ludens_learn::{RunFolder, Settings};
use ludens_nn::{ConnectFourCells, GraphSpec, SevnCells, SevnGraph};
use ludens_search::tree::{PriorAgent, PuctConfig, Results, TreeAgent, TreeSearch};

fn never() -> bool {
    false
}

fn config() -> AlphaZeroConfig {
    AlphaZeroConfig {
        w: 8,
        blocks: 1,
        sims: 16,
        fast: 4,
        games: 24,
        batch: 32,
        slots: 5,
        threads: 1,
        iterations: 3,
        ..AlphaZeroConfig::for_game("sevn")
    }
}

type SevnZero = AlphaZero<Sevn, PlanePupil<Sevn, SevnCells>, TreeSearch<Sevn, Results>>;

fn sevn(config: AlphaZeroConfig, base: usize) -> SevnZero {
    let base = Base::new(base).unwrap();
    let spec = residual::<Sevn, SevnCells>(&base, config.w, config.blocks, config.kernel);
    let pupil = PlanePupil::new(SevnCells, base, spec, config.inertia, &mut Rng::new(7));
    AlphaZero::new(config, base, 7, pupil, TreeSearch::<_, Results>::puct)
}

fn run<G: Duel + Deterministic + Notation, P: Pupil<G>>(
    state: &mut AlphaZero<G, P, TreeSearch<G, Results>>,
) -> Vec<Iteration<G>> {
    let mut all = Vec::new();
    while !state.is_done() {
        all.push(state.iterate(&never).unwrap().unwrap());
    }
    all
}

/// What is played and learned does not depend on the number of threads or on interleaving.
#[test]
fn threads_and_slots_change_nothing() {
    let play = |threads, slots| {
        let mut state = sevn(AlphaZeroConfig { threads, slots, ..config() }, 3);
        let all = run(&mut state);
        let all: Vec<_> = all.into_iter().map(|i| (i.games, i.losses, i.steps)).collect();
        (all, state.pupil.model("sevn", &serde_json::Value::Null))
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
        let lessons = game.lessons(0.0);
        assert!(lessons.iter().all(|lesson| lesson.value == game.result as f32));
        for lesson in lessons {
            if lesson.policy.is_empty() {
                fast += 1;
            } else {
                taught += 1;
                assert!((lesson.policy.iter().sum::<f32>() - 1.0).abs() < 1e-3);
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

/// A run that is cut off anywhere goes on as if nothing had happened.
#[test]
fn resumed_runs_are_the_same_runs() {
    let config = AlphaZeroConfig { window: 150, iterations: 6, ..config() };
    let base = Base::new(3).unwrap();
    let whole_folder = tempfile::tempdir().unwrap();
    let mut whole = sevn(config, 3);
    let run_folder = RunFolder::create(whole_folder.path(), "sevn:base=3", 7, &config).unwrap();
    let go = |state: &mut SevnZero, run: &RunFolder, to: u64| {
        while state.iterations() < to {
            let iteration = state.iterate(&never).unwrap().unwrap();
            let figures = serde_json::json!({});
            folder::save(run, "sevn:base=3", 7, state, Some((&iteration, &figures))).unwrap();
        }
    };
    go(&mut whole, &run_folder, 4);
    drop(run_folder);
    // Files of an iteration that never came to its checkpoint.
    std::fs::write(whole_folder.path().join("games/000005.jsonl"), "cut o").unwrap();
    let resume = |path: &Path| {
        let (run, seed, config) =
            RunFolder::resume::<AlphaZeroConfig>(path, "sevn:base=3", |_| Ok(())).unwrap();
        let state = run.file(folder::CHECKPOINT);
        let mean = |notes: &serde_json::Value| run.file(&folder::mean_of(notes));
        let (pupil, notes) =
            PlanePupil::load(SevnCells, base, &state, mean, "sevn:base=3", config.inertia).unwrap();
        let mut resumed = AlphaZero::new(config, base, seed, pupil, TreeSearch::<_, Results>::puct);
        let iterations = notes["iterations"].as_u64().unwrap();
        let games = folder::games(&run, &base, iterations).unwrap();
        resumed.resume(iterations, notes["seconds"].as_f64().unwrap(), games);
        (run, resumed)
    };
    let (run, mut resumed) = resume(whole_folder.path());
    assert_eq!((resumed.iterations(), resumed.lessons()), (4, whole.lessons()));
    assert!(resumed.oldest() > 1, "old games are let go");
    let next = resumed.iterate(&never).unwrap().unwrap();
    let expected = whole.iterate(&never).unwrap().unwrap();
    assert_eq!((&next.games, next.losses), (&expected.games, expected.losses));
    let figures = serde_json::json!({});
    folder::save(&run, "sevn:base=3", 7, &resumed, Some((&next, &figures))).unwrap();
    go(&mut resumed, &run, 6);
    let model: ludens_nn::Model = ludens_nn::Model::load(&run.file(folder::MODEL)).unwrap();
    assert_eq!(model.notes["iterations"], 6);
    // Games that the window still has are missed.
    std::fs::remove_file(run.file("games/000006.jsonl")).unwrap();
    let lost = folder::games::<Sevn>(&run, &base, 6).unwrap_err().to_string();
    assert!(lost.contains("000006.jsonl"), "{lost}");
    drop(run);
    assert!(RunFolder::resume::<AlphaZeroConfig>(whole_folder.path(), "sevn", |_| Ok(())).is_err());
    assert!(RunFolder::create(whole_folder.path(), "sevn:base=3", 7, &config).is_err());
}

#[test]
fn a_stop_ends_an_iteration_at_once() {
    let mut state = sevn(AlphaZeroConfig { games: 100_000, ..config() }, 5);
    assert_eq!(state.iterate(&|| true).unwrap(), None);
    let mut short = sevn(AlphaZeroConfig { games: 100_000, minutes: 0.005, ..config() }, 5);
    assert_eq!(short.iterate(&never).unwrap(), None);
    assert_eq!(short.iterations(), 0);
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
    let config = AlphaZeroConfig { w: 16, games: 100, iterations: 12, ..config() };
    let mut state = sevn(config, 3);
    let raw = |state: &SevnZero| state.pupil.evaluators(1, 1000).unwrap().remove(0);
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
fn solved_lessons(games: u64) -> Vec<Lesson<Sevn>> {
    let (base, mut known) = (Base::new(3).unwrap(), Default::default());
    let mut lessons = Vec::new();
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
            lessons.push(Lesson { position, policy, value, searched: value });
            position = next;
        }
    }
    lessons
}

#[test]
fn the_graph_network_learns() {
    graph_network_learns(false);
}

#[test]
fn the_value_win_network_learns() {
    graph_network_learns(true);
}

/// A graph network learns what it is taught, is saved whole, and plays boards of another size.
fn graph_network_learns(wins: bool) {
    let config = AlphaZeroConfig { games: 3, iterations: 1, ..config() };
    let spec = GraphSpec::new(7, vec![3, 24, 24, 16, 2]).unwrap();
    let mut pupil = GraphPupil::new(SevnGraph, spec, wins, 0.9, &mut Rng::new(7));
    let lessons = solved_lessons(200);
    let mut rng = Rng::new(1);
    let mut learn = |pupil: &mut GraphPupil<Sevn, SevnGraph>, steps: usize| {
        let mut totals = [0.0, 0.0];
        for _ in 0..steps {
            let pick = |_| &lessons[rng.below(lessons.len() as u32) as usize];
            let batch: Vec<_> = (0..32).map(pick).collect();
            let losses = pupil.learn(&batch, 0.003, 1e-5, &mut Rng::new(0));
            totals.iter_mut().zip(losses).for_each(|(total, loss)| *total += loss / steps as f32);
        }
        totals
    };
    let judge = |pupil: &GraphPupil<Sevn, SevnGraph>| pupil.evaluators(1, 1000).unwrap().remove(0);
    let before = kept(&mut PriorAgent::new(judge(&pupil)));
    let first = learn(&mut pupil, 10);
    learn(&mut pupil, 400);
    let last = learn(&mut pupil, 20);
    let after = kept(&mut PriorAgent::new(judge(&pupil)));
    assert!(last[0] < first[0] && last[1] < first[1], "{first:?} {last:?} {before} {after}");
    assert!(after > before + 0.1, "{first:?} {last:?} {before} {after}");
    let path = tempfile::tempdir().unwrap();
    let [checkpoint, mean] = ["state", "mean"].map(|name| path.path().join(name));
    let notes = serde_json::json!({"iterations": 10});
    pupil.save(&checkpoint, &mean, "sevn:base=3", &notes).unwrap();
    let load = |game: &str, wins: bool| {
        GraphPupil::<Sevn, _>::load(SevnGraph, &checkpoint, |_| mean.clone(), game, wins, 0.9)
    };
    assert!(load("sevn", wins).is_err());
    assert!(load("sevn:base=3", !wins).is_err());
    let (pupil, read) = load("sevn:base=3", wins).unwrap();
    assert_eq!(read, notes);
    let mut larger = AlphaZero::new(
        AlphaZeroConfig { games: 3, iterations: 1, ..config },
        Base::new(5).unwrap(),
        1,
        pupil,
        TreeSearch::<_, Results>::puct,
    );
    assert_eq!(run(&mut larger)[0].games.len(), 3);
}

/// Settings of all games make runs, Connect Four with PUCT and noise instead of the Gumbel root.
#[test]
fn connect_four_with_noise_learns() {
    let mut config = AlphaZeroConfig { considered: 0, iterations: 4, ..config() };
    config.set("scatter", "0.5").unwrap();
    let spec = residual::<ConnectFour, ConnectFourCells>(&Default::default(), 8, 1, 3);
    let pupil = PlanePupil::new(ConnectFourCells, Default::default(), spec, 0.99, &mut Rng::new(1));
    let mut state =
        AlphaZero::new(config, Default::default(), 3, pupil, TreeSearch::<_, Results>::puct);
    let all = run(&mut state);
    let losses: Vec<_> = all.iter().filter_map(|iteration| iteration.losses).collect();
    assert_eq!(losses.len(), 3);
    assert!(losses[2][0] < losses[0][0], "{losses:?}");
    let scattered = all[0].games.iter().filter(|game| game.start != ConnectFour::default());
    assert!((4..20).contains(&scattered.count()));
}

/// What a referee knows takes the place of what was played, at its own positions and before them.
#[test]
fn settled_positions_teach_best_play() {
    use ludens_games::connect_four::solver::{Bounds, results};
    let referee = |nodes: u64| -> Referee<ConnectFour> {
        let bounds = Bounds::new(1 << 16);
        Box::new(move |position| results(position, &bounds, &|looked_at| looked_at >= nodes))
    };
    let play = |threads, exact| {
        let config = AlphaZeroConfig { scatter: 0.5, games: 12, threads, exact, ..config() };
        let spec = residual::<ConnectFour, ConnectFourCells>(&Default::default(), 8, 1, 3);
        let pupil =
            PlanePupil::new(ConnectFourCells, Default::default(), spec, 0.9, &mut Rng::new(1));
        let state =
            AlphaZero::new(config, Default::default(), 3, pupil, TreeSearch::<_, Results>::puct);
        state.refereed(Some(referee)).iterate(&never).unwrap().unwrap().games
    };
    let games = play(1, 1);
    assert_eq!(games, play(2, 1));
    let plain = play(1, 0);
    assert!(plain.iter().flat_map(|game| &game.turns).all(|turn| !turn.exact));
    let (mut settled, mut corrected) = (0, 0);
    let bounds = Bounds::new(1 << 20);
    for game in &games {
        let read = serde_json::from_str(&game.to_json().to_string()).unwrap();
        assert_eq!(&SelfPlay::from_json(&Default::default(), &read).unwrap(), game);
        // Games that end soon may have other moves in the end that are hard to tell.
        let Some(first) = game.turns.iter().position(|turn| turn.exact) else { continue };
        let lessons = game.lessons(0.0);
        for (place, (lesson, turn)) in lessons.iter().zip(&game.turns).enumerate() {
            assert_eq!(turn.exact, place >= first);
            if place < first {
                assert_eq!(lesson.value, lessons[first].value);
                continue;
            }
            settled += 1;
            let exact = results(&lesson.position, &bounds, &|_| false);
            let best = exact.iter().flatten().max().copied();
            assert_eq!(
                lesson.value,
                f32::from(best.unwrap()) * lesson.position.to_move().sign() as f32
            );
            assert!((lesson.policy.iter().sum::<f32>() - 1.0).abs() < 1e-3);
            let wasted = lesson.policy.iter().zip(&exact).filter(|(_, result)| **result < best);
            assert!(wasted.map(|(chance, _)| *chance).sum::<f32>() == 0.0);
            corrected += usize::from(lesson.value != game.result as f32);
        }
    }
    assert!(settled > 50 && corrected > 5, "{settled} {corrected}");
}
