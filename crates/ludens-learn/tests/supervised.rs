//! The recipe on a small Former: games, samples, learning, and going on after a kill.

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use ludens_core::{Game, Rng, Solver, Symmetric};
use ludens_games::former::{Evaluation, Former, FormerVariant};
use ludens_learn::supervised::{
    ExpertGame, Experts, Games, Heads, Plan, Sample, Schedule, Supervised, SupervisedConfig,
    generate, samples,
};
use ludens_learn::{CHECKPOINT, Error, Recipe, RunConfig, RunDir, Step};
use ludens_nn::{Checkpoint, FormerCells};
use ludens_search::{Beam, ByBound, Exact, Rounds};

static GO: AtomicBool = AtomicBool::new(false);

fn variant() -> FormerVariant {
    FormerVariant::new(4, 4, 3).expect("a small board")
}

fn play(path: &Path, count: u64, threads: usize) -> Vec<ExpertGame<Former>> {
    let branches = 0;
    play_plan(path, &Plan { seed: 7, count, branches, ends: 4, threads })
}

fn play_plan(path: &Path, plan: &Plan) -> Vec<ExpertGame<Former>> {
    let player = || -> Box<dyn Solver<Former>> {
        let rounds = Rounds::plain(2);
        Box::new(Beam { heuristic: Evaluation::default(), ceiling: ByBound, rounds })
    };
    let exact = || -> Box<dyn Solver<Former>> {
        Box::new(Exact { width: 16, ..Exact::new(Evaluation::default()) })
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

/// Branches start one move off the line of their game, and are split with it.
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
    assert!(!split.validation.is_empty() && split.training.len() > 5 * split.validation.len());
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
fn rest(game: &ExpertGame<Former>, from: usize) -> (Former, i64) {
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
    assert!(split.training.len() > 5 * split.validation.len() && !split.validation.is_empty());
    let all: Vec<Former> =
        split.training.iter().chain(&split.validation).map(|sample| sample.position).collect();
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
    for sample in &split.training {
        assert!(usize::from(sample.choice) < sample.position.actions().len());
        assert!(sample.value < 0);
    }
    assert!(samples(&games, 1).training.is_empty());
}

/// The move of an augmented sample leads to where the sample's move leads, through a symmetry.
#[test]
fn augmentation_keeps_the_expert_s_move() {
    let games = play(&folder().path().join("games.sqlite"), 20, 1);
    let (split, mut rng) = (samples(&games, 20), Rng::new(5));
    let after = |sample: &Sample<Former>| {
        let action = sample.position.actions().nth(sample.choice.into()).expect("its move");
        sample.position.apply(action).0.canonical()
    };
    let mut moved = 0;
    for sample in &split.training {
        let other = sample.augmented(&mut rng);
        assert_eq!((after(&other), other.value), (after(sample), sample.value));
        moved += u32::from(other.position != sample.position);
    }
    assert!(moved > 50, "{moved}");
}

/// The rate falls in even steps from the first step to the last.
#[test]
fn a_linear_rate_ends_at_0() {
    let games = play(&folder().path().join("games.sqlite"), 60, 1);
    let last = |schedule: Schedule| {
        let config = SupervisedConfig { schedule, epochs: 1, ..config(Heads::Value) };
        let mut supervised =
            Supervised::new(config, FormerCells, variant(), 1, samples(&games, 20), None)
                .expect("enough");
        let mut rates = vec![supervised.rate()];
        while supervised.step(&GO).expect("numbers") == Step::Partial {
            rates.push(supervised.rate());
        }
        rates.push(supervised.rate());
        rates
    };
    assert!(last(Schedule::Constant).iter().all(|rate| *rate == 3e-3));
    let falling = last(Schedule::Linear);
    assert!(falling.windows(2).all(|pair| pair[1] < pair[0]), "{falling:?}");
    assert_eq!((falling[0], falling[falling.len() - 1]), (3e-3, 0.0));
}

fn config(kind: Heads) -> SupervisedConfig {
    SupervisedConfig {
        kind,
        channels: 8,
        depth: 2,
        batch: 32,
        epochs: 6,
        rate: 3e-3,
        ..Default::default()
    }
}

#[test]
fn networks_get_better_on_games_they_have_not_seen() {
    let games = play(&folder().path().join("games.sqlite"), 300, 1);
    for kind in [Heads::Policy, Heads::Value, Heads::Both] {
        let split = samples(&games, 20);
        let chances = split.validation.iter().map(|s| (s.position.actions().len() as f64).ln());
        let by_chance = chances.sum::<f64>() / split.validation.len() as f64;
        let mut supervised = Supervised::new(config(kind), FormerCells, variant(), 1, split, None)
            .expect("enough samples");
        let mut losses = Vec::new();
        while !supervised.is_done() {
            let Step::Done(metrics) = supervised.step(&GO).expect("numbers") else { continue };
            let found = |name: &str| metrics["validation"][name].as_f64().expect("a number");
            losses.push(found("loss"));
            if kind.has_policy() {
                assert!(found("top1") > 0.0);
                assert!(found("top1") <= found("top3") && found("top3") <= 1.0);
            }
        }
        let least = losses.iter().copied().fold(f64::INFINITY, f64::min);
        assert!(least < 0.95 * losses[0], "{kind:?}: {losses:?}");
        if kind == Heads::Policy {
            // Many moves are as good as the expert's, which come in any order; still, it knows more
            // than that a move is legal.
            assert!(least < by_chance, "{least} {by_chance}");
        }
    }
}

#[test]
fn resumed_runs_are_the_same_runs() {
    let games = play(&folder().path().join("games.sqlite"), 100, 1);
    let config = config(Heads::Value);
    let start = || {
        let split = samples(&games, 20);
        Supervised::new(config, FormerCells, variant(), 1, split, None).expect("enough samples")
    };
    let epoch = |of: &mut Supervised<Former, FormerCells>| {
        while of.step(&GO).expect("numbers") == Step::Partial {}
    };
    let mut whole = start();
    (0..2).for_each(|_| epoch(&mut whole));
    // Stopped in the middle of the second epoch, written, read, and resumed.
    let mut first = start();
    epoch(&mut first);
    while first.progress().1 < first.progress().2 / 2 {
        first.step(&GO).expect("numbers");
    }
    let folder = folder();
    let recorded = RunConfig::new("former:rows=4,cols=4,shapes=3", 1, &config);
    let mut dir = RunDir::new(&folder.path().join("run"), recorded).expect("a new folder");
    dir.start().expect("scratch");
    first.save(&dir).expect("scratch");
    let checkpoint = Checkpoint::load(&dir.file(CHECKPOINT)).expect("its own checkpoint");
    let split = samples(&games, 20);
    let resumed = Supervised::resume(config, FormerCells, variant(), 1, split, checkpoint);
    let mut resumed = resumed.expect("its own checkpoint");
    assert_eq!(resumed.progress(), first.progress());
    epoch(&mut resumed);
    assert_eq!(resumed.weights(), whole.weights());
}

#[test]
fn too_few_samples_are_refused() {
    let games = play(&folder().path().join("games.sqlite"), 10, 1);
    let split = samples(&games, 1);
    let refused = Supervised::new(config(Heads::Value), FormerCells, variant(), 1, split, None);
    assert!(refused.err().expect("no samples").to_string().contains("more games would do"));
}
