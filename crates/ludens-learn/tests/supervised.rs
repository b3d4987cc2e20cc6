//! The recipe on a small Former: games, samples, learning, and going on after a kill.

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use ludens_core::{Game, Rng, Solver, Symmetric};
use ludens_games::former::{Evaluation, Former, FormerVariant};
use ludens_learn::Error;
use ludens_learn::ppo::PpoConfig;
use ludens_learn::supervised::{
    Experts, Games, Imitation, Kind, Plan, Played, Sample, Schedule, SupervisedConfig, generate,
    samples,
};
use ludens_learn::{NetworkFolder, RunFolder};
use ludens_nn::FormerCells;
use ludens_search::{Beam, ByBound, Exact, Rounds};

static GO: AtomicBool = AtomicBool::new(false);

fn variant() -> FormerVariant {
    FormerVariant::new(4, 4, 3).expect("a small board")
}

fn play(path: &Path, count: u64, threads: usize) -> Vec<Played<Former>> {
    let branches = 0;
    play_plan(path, &Plan { seed: 7, count, branches, ends: 4, threads })
}

fn play_plan(path: &Path, plan: &Plan) -> Vec<Played<Former>> {
    let player = || -> Box<dyn Solver<Former>> {
        let rounds = Rounds::plain(2);
        Box::new(Beam { heuristic: Evaluation::default(), ceiling: ByBound, rounds })
    };
    let exact = || -> Box<dyn Solver<Former>> {
        Box::new(Exact { heuristic: Evaluation::default(), width: 16 })
    };
    let experts = Experts { player: &player, exact: &exact };
    let mut games = Games::open(path, "former:rows=4,cols=4,shapes=3", 7).expect("a new file");
    let mut told = 0;
    generate(&mut games, &variant(), plan, &experts, &GO, &mut |done| told = done).expect("games");
    assert_eq!(told, plan.count);
    games.read(&variant(), plan.count, plan.branches + 1).expect("its own games")
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

#[test]
fn games_are_the_same_however_they_are_played() {
    let (one, two) = (folder(), folder());
    let whole = play(&one.path().join("games.sqlite"), 60, 1);
    // In two parts, by two threads.
    play(&two.path().join("games.sqlite"), 25, 2);
    assert_eq!(play(&two.path().join("games.sqlite"), 60, 2), whole);
    assert!(whole.iter().any(|game| game.exact < game.line.len()));
    let other = Games::open(&one.path().join("games.sqlite"), "former", 7);
    assert!(matches!(other, Err(Error::Run(told)) if told.contains("expected former with seed 7")));
}

/// Branches begin one move off the line of their game, and are held back with it.
#[test]
fn branches_leave_the_line_by_one_move() {
    let (one, two) = (folder(), folder());
    let plan = |count, threads| Plan { seed: 3, count, branches: 3, ends: 4, threads };
    let open = |folder: &tempfile::TempDir| folder.path().join("games.sqlite");
    Games::open(&open(&one), "former:rows=4,cols=4,shapes=3", 7).expect("a new file");
    let whole = play_plan(&open(&one), &plan(40, 1));
    play_plan(&open(&two), &plan(15, 2));
    assert_eq!(play_plan(&open(&two), &plan(40, 2)), whole);
    let mut branches = 0;
    for game in whole.iter().filter(|game| game.number % 4 == 0) {
        let line = along(game.start, &game.line);
        for branch in whole.iter().filter(|b| b.game == game.game && b.number != game.number) {
            branches += 1;
            let left = |from: &Former| from.actions().any(|a| from.apply(a).0 == branch.start);
            assert!(line.iter().any(left), "branch {}", branch.number);
        }
    }
    assert!(branches > 80, "{branches}");
    let split = samples(&whole, 20);
    assert!(!split.held.is_empty() && split.learn.len() > 5 * split.held.len());
}

/// The positions of a line, the first to the last.
fn along(start: Former, line: &[<Former as Game>::Action]) -> Vec<Former> {
    let mut positions = vec![start];
    for &action in line {
        positions.push(positions[positions.len() - 1].apply(action).0);
    }
    positions
}

/// The value of the rest of a line after moves that are followed by an optimal end.
fn rest(game: &Played<Former>, from: usize) -> (Former, i64) {
    let mut here = game.start;
    let mut left = game.value;
    for &action in &game.line[..from] {
        let (after, reward) = here.apply(action);
        (here, left) = (after, left - i64::from(reward));
    }
    (here, left)
}

#[test]
fn ends_are_optimal() {
    let games = play(&folder().path().join("games.sqlite"), 30, 1);
    for game in games.iter().filter(|game| game.exact < game.line.len()) {
        let (here, left) = rest(game, game.exact);
        let mut sink = |_: &ludens_core::Progress<'_, Former>| {};
        let budget = ludens_core::Budget::default();
        let mut context = ludens_core::Context::new(budget, 0, 1, 1 << 26, &GO, &mut sink);
        let best = ludens_search::IdaStar.solve(&here, &mut context).expect("a line");
        assert_eq!(best.value, left);
    }
}

#[test]
fn samples_are_split_by_game_and_come_once() {
    let games = play(&folder().path().join("games.sqlite"), 100, 1);
    let split = samples(&games, 20);
    assert!(split.learn.len() > 5 * split.held.len() && !split.held.is_empty());
    let all: Vec<Former> =
        split.learn.iter().chain(&split.held).map(|sample| sample.position).collect();
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
    for sample in &split.learn {
        assert!(usize::from(sample.choice) < sample.position.actions().len());
        assert!(sample.worth < 0);
    }
    assert!(samples(&games, 1).learn.is_empty());
}

/// An image's move leads to an image of where the sample's move leads.
#[test]
fn images_keep_the_expert_s_move() {
    let games = play(&folder().path().join("games.sqlite"), 20, 1);
    let (split, mut rng) = (samples(&games, 20), Rng::new(5));
    let after = |sample: &Sample<Former>| {
        let action = sample.position.actions().nth(sample.choice.into()).expect("its move");
        sample.position.apply(action).0.canonical()
    };
    let mut moved = 0;
    for sample in &split.learn {
        let image = sample.image(&mut rng);
        assert_eq!((after(&image), image.worth), (after(sample), sample.worth));
        moved += u32::from(image.position != sample.position);
    }
    assert!(moved > 50, "{moved}");
}

/// The rate falls in even steps from the first step to the last.
#[test]
fn a_linear_rate_ends_at_0() {
    let games = play(&folder().path().join("games.sqlite"), 60, 1);
    let last = |schedule: Schedule| {
        let config = SupervisedConfig { schedule, epochs: 1, ..config(Kind::Value) };
        let mut imitation =
            Imitation::new(config, FormerCells, variant(), 1, samples(&games, 20)).expect("enough");
        let mut rates = vec![imitation.rate()];
        let note = |now: &Imitation<_, _>| {
            rates.push(now.rate());
            Ok(())
        };
        imitation.epoch(&GO, note).expect("numbers");
        rates
    };
    assert!(last(Schedule::Constant).iter().all(|rate| *rate == 3e-3));
    let falling = last(Schedule::Linear);
    assert!(falling.windows(2).all(|pair| pair[1] < pair[0]), "{falling:?}");
    assert_eq!((falling[0], falling[falling.len() - 1]), (3e-3, 0.0));
}

fn config(kind: Kind) -> SupervisedConfig {
    SupervisedConfig { kind, w: 8, d: 2, batch: 32, epochs: 6, rate: 3e-3, ..Default::default() }
}

#[test]
fn networks_get_better_on_games_they_have_not_seen() {
    let games = play(&folder().path().join("games.sqlite"), 300, 1);
    for kind in [Kind::Policy, Kind::Value, Kind::Both] {
        let split = samples(&games, 20);
        let chances = split.held.iter().map(|s| (s.position.actions().len() as f64).ln());
        let by_chance = chances.sum::<f64>() / split.held.len() as f64;
        let mut imitation =
            Imitation::new(config(kind), FormerCells, variant(), 1, split).expect("enough samples");
        let mut losses = Vec::new();
        while !imitation.is_done() {
            let epoch = imitation.epoch(&GO, |_| Ok(())).expect("numbers").expect("a whole epoch");
            losses.push(epoch.held.loss);
            if kind.has_policy() {
                assert!(epoch.held.top1 > 0.0);
                assert!(epoch.held.top1 <= epoch.held.top3 && epoch.held.top3 <= 1.0);
            }
        }
        let least = losses.iter().copied().fold(f64::INFINITY, f64::min);
        assert!(least < 0.95 * losses[0], "{kind:?}: {losses:?}");
        if kind == Kind::Policy {
            // Many moves are as good as the expert's, which come in any order; still, it knows more
            // than that a move is legal.
            assert!(least < by_chance, "{least} {by_chance}");
        }
    }
}

#[test]
fn resumed_runs_go_on_as_if_nothing_had_happened() {
    let games = play(&folder().path().join("games.sqlite"), 100, 1);
    let config = config(Kind::Value);
    let start = || {
        let split = samples(&games, 20);
        Imitation::new(config, FormerCells, variant(), 1, split).expect("enough samples")
    };
    let mut whole = start();
    for _ in 0..2 {
        whole.epoch(&GO, |_| Ok(())).expect("numbers");
    }
    // Stopped in the middle of the second epoch, written, read, and gone on with.
    let (mut first, stop) = (start(), AtomicBool::new(false));
    first.epoch(&stop, |_| Ok(())).expect("numbers").expect("a whole epoch");
    let half = first.epoch(&stop, |now| {
        let (_, steps, all) = now.progress();
        stop.store(steps >= all / 2, std::sync::atomic::Ordering::Relaxed);
        Ok(())
    });
    assert_eq!(half.expect("numbers"), None);
    let (folder, game) = (folder(), "former:rows=4,cols=4,shapes=3");
    let path = folder.path().join("run");
    let run = RunFolder::create(&path, game, 1, &config).expect("a new folder");
    NetworkFolder::begun(run).save(&first.checkpoint(game)).expect("scratch");
    assert!(RunFolder::create(&path, game, 1, &config).is_err());
    assert!(RunFolder::resume::<SupervisedConfig>(&path, "former", |_| Ok(())).is_err());
    assert!(RunFolder::resume::<PpoConfig>(&path, game, |_| Ok(())).is_err());
    let (run, seed, read) =
        RunFolder::resume::<SupervisedConfig>(&path, game, |_| Ok(())).expect("its own run");
    let (_, checkpoint) = NetworkFolder::resumed(run).expect("its checkpoint");
    assert_eq!((seed, read), (1, config));
    let (split, checkpoint) = (samples(&games, 20), checkpoint.expect("it was saved"));
    let resumed = Imitation::resume(read, FormerCells, variant(), seed, split, checkpoint);
    let mut resumed = resumed.expect("its own checkpoint");
    resumed.epoch(&GO, |_| Ok(())).expect("numbers").expect("the rest of the epoch");
    assert_eq!(resumed.weights(), whole.weights());
}

#[test]
fn too_few_samples_are_refused() {
    let games = play(&folder().path().join("games.sqlite"), 10, 1);
    let split = samples(&games, 1);
    let refused = Imitation::new(config(Kind::Value), FormerCells, variant(), 1, split);
    assert!(refused.err().expect("no samples").to_string().contains("more games would do"));
}
