//! Whole runs: learning, saving, going on.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::Path;

use ludens_core::{Game, Rng};
use ludens_games::{Game2048, Game2584, Threes};
use ludens_learn::td::{self, Learnable, MODEL};
use ludens_learn::{Error, Recipe, RunDir, RunRequest, Settings, TdConfig, Trainer};
use ludens_ntuple::{Network, Probe, Stages};

fn config(settings: &[(&str, &str)]) -> TdConfig {
    let mut config = TdConfig::default();
    for (key, value) in settings {
        config.set(key, value).unwrap();
    }
    config
}

fn trainer<G: Learnable>(settings: &[(&str, &str)]) -> Trainer<G> {
    Trainer::new(G::Variant::default(), config(settings), 7).unwrap()
}

fn finish<G: Learnable>(trainer: &mut Trainer<G>) {
    while !trainer.is_done() {
        trainer.block();
    }
}

fn request(folder: &Path, resume: bool, settings: &[(&str, &str)]) -> RunRequest {
    let owned = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
    RunRequest {
        dir: Some(folder.to_owned()),
        resume,
        settings: settings.iter().map(owned).collect(),
        seed: 7,
        ..RunRequest::default()
    }
}

fn open<G: Learnable>(request: &RunRequest) -> Result<(Trainer<G>, RunDir), Error> {
    let (trainer, dir) = td::open::<G>(request, G::Variant::default(), TdConfig::default())?;
    let mut dir = dir.unwrap();
    dir.start()?;
    Ok((trainer, dir))
}

fn resumed_equals_whole<G: Learnable>(settings: &[(&str, &str)]) {
    let folder = tempfile::tempdir().unwrap();
    let (whole, path) = (folder.path().join("whole"), folder.path().join("part"));
    let (mut trainer, dir) = open::<G>(&request(&whole, false, settings)).unwrap();
    finish(&mut trainer);
    trainer.save(&dir).unwrap();
    let (mut part, mut dir) = open::<G>(&request(&path, false, settings)).unwrap();
    let mut blocks = 0;
    while !part.is_done() {
        part.block();
        blocks += 1;
        part.save(&dir).unwrap();
        drop(dir);
        (part, dir) = open::<G>(&request(&path, true, &[])).unwrap();
    }
    assert!(blocks > 2);
    let model = |folder: &Path| std::fs::read(folder.join(MODEL)).unwrap();
    assert!(model(&path) == model(&whole), "{settings:?}");
}

#[test]
fn a_resumed_run_is_equal_to_a_whole_one() {
    let base = [("layout", "re"), ("episodes", "90"), ("block", "20")];
    for more in [
        &[][..],
        &[("method", "td"), ("initial", "500"), ("explore", "epsilon:0.1"), ("restart", "60")],
        &[("stages", "64,128"), ("promotion", "on"), ("carousel", "on"), ("interleave", "3")],
        &[("stages", "64"), ("jump", "0.5"), ("tc_from", "0.5"), ("schedule", "60:0.5")],
        &[("reset", "40"), ("rectify", "relu"), ("values", "12")],
        &[
            ("method", "otd+tc"),
            ("explore", "softmax:0.1"),
            ("softmax_scale", "best"),
            ("explore_step", "20"),
        ],
        &[("marks", "64,64+32"), ("carousel", "on"), ("reset", "60")],
        &[("learn", "action"), ("explore", "epsilon:0.1"), ("stages", "64"), ("promotion", "on")],
        &[("mcts", "5"), ("mcts_norm", "2000"), ("interleave", "1")],
        &[("steps", "3"), ("lambda", "0.5"), ("order", "forward"), ("explore", "softmax:50")],
    ] {
        resumed_equals_whole::<Game2048>(&[&base, more].concat());
    }
    let states = [("episodes", "12"), ("block", "4"), ("learn", "state")];
    resumed_equals_whole::<Game2048>(&[&base[..], &states].concat());
    resumed_equals_whole::<Threes>(&base);
    resumed_equals_whole::<Game2584>(&[&base[..], &[("values", "20")]].concat());
}

/// Records and learns, as the loop of runs does.
fn drive<G: Learnable>(trainer: &mut Trainer<G>) {
    let stop = std::sync::atomic::AtomicBool::new(false);
    while !trainer.is_done() {
        trainer.step(&stop).unwrap();
    }
}

/// The values of the afterstates of a game, stage by stage: of all that come before the boundary,
/// and of all that come after.
fn values(network: &Network, stages: &Stages) -> [Vec<f32>; 2] {
    let (mut rng, mut probe) = (Rng::new(5), Probe::default());
    let mut found = [Vec::new(), Vec::new()];
    let mut position = Game2048::start(&Default::default(), &mut rng);
    while let Some(action) = position.actions().next() {
        let (after, _) = position.apply(action);
        network.probe::<Game2048>(&after, &mut probe);
        found[stages.of::<Game2048>(&after, 16)].push(network.value(&probe));
        position = Game2048::apply_outcome(&after, Game2048::sample(&after, &mut rng)).0;
    }
    found
}

#[test]
fn a_stage_learns_alone_from_where_games_entered_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let base = [("layout", "re"), ("episodes", "300"), ("block", "100")];
    let (mut first, dir) = open::<Game2048>(&request(&path("one"), false, &base)).unwrap();
    drive(&mut first);
    first.save(&dir).unwrap();
    let second = [
        ("stage", "2"),
        ("stages", "32"),
        ("arrivals", "40"),
        ("method", "otd+tc"),
        ("initial", "900"),
        ("episodes", "200"),
        ("block", "50"),
    ];
    let from = |name: &str| RunRequest {
        from: Some(path("one").join(MODEL)),
        ..request(&path(name), false, &second)
    };
    let (mut whole, dir) = open::<Game2048>(&from("whole")).unwrap();
    let stages = whole.network().form().stages.clone();
    let untrained = values(whole.network(), &stages);
    assert!(untrained[1].iter().all(|value| (value - 900.0).abs() < 0.1) && untrained[1].len() > 5);
    assert_eq!(untrained[0], values(first.network(), &stages)[0]);
    drive(&mut whole);
    let trained = values(whole.network(), &stages);
    assert_eq!(trained[0], untrained[0], "the first stage is kept");
    assert!(trained[1].iter().zip(&untrained[1]).all(|(now, then)| now != then));
    // Scores count from the start of the game.
    assert!(whole.last().mean() > 250.0, "{}", whole.last().mean());
    assert_eq!(whole.metrics()["arrivals"], 40);
    whole.save(&dir).unwrap();
    let text = std::fs::read_to_string(path("whole").join(td::ARRIVALS)).unwrap();
    assert!(text.starts_with("ludens-arrivals 1\ngame=2048\nstages=32\nstage=2\ncount=40\n"));
    // Stopped after every step, also while arrivals are recorded.
    let (mut part, mut dir) = open::<Game2048>(&from("part")).unwrap();
    let stop = std::sync::atomic::AtomicBool::new(false);
    part.save(&dir).unwrap();
    while !part.is_done() {
        while !part.prepare(&stop).unwrap() {}
        part.step(&stop).unwrap();
        part.save(&dir).unwrap();
        drop(dir);
        (part, dir) = open::<Game2048>(&request(&path("part"), true, &[])).unwrap();
    }
    let model = |name: &str| std::fs::read(path(name).join(MODEL)).unwrap();
    assert!(model("part") == model("whole"));
    // A third stage follows two, and what does not follow is refused.
    let third = [("stage", "3"), ("stages", "32,64"), ("arrivals", "5"), ("episodes", "20")];
    let asked = |settings: &[(&str, &str)]| RunRequest {
        from: Some(path("whole").join(MODEL)),
        ..request(&path("three"), false, settings)
    };
    let (mut three, _) = open::<Game2048>(&asked(&third)).unwrap();
    drive(&mut three);
    assert_eq!(three.network().form().stages.count(), 3);
    let refused = |settings: &[(&str, &str)]| {
        let request = RunRequest { dir: None, ..asked(settings) };
        td::open::<Game2048>(&request, Default::default(), TdConfig::default())
            .err()
            .unwrap()
            .to_string()
    };
    assert!(refused(&[]).contains("--set stage=2 or more"));
    assert!(refused(&[("stage", "2")]).contains("2 after a network of 2"));
    assert!(refused(&[("stage", "3"), ("stages", "16,64")]).contains("those of --from first"));
    assert!(
        refused(&[("stage", "3"), ("layout", "4x6")]).contains("what the network of --from has")
    );
    let alone = Trainer::<Game2048>::new(Default::default(), config(&[("stage", "2")]), 1);
    assert!(alone.err().unwrap().to_string().contains("stage=2 without --from"));
}

#[test]
fn a_stage_that_no_game_enters_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let base = [("layout", "re"), ("episodes", "1"), ("block", "1")];
    let (one, dir) = open::<Game2048>(&request(folder.path(), false, &base)).unwrap();
    one.save(&dir).unwrap();
    let request = RunRequest {
        settings: vec![("stage".to_owned(), "2".to_owned())],
        from: Some(folder.path().join(MODEL)),
        ..RunRequest::default()
    };
    let opened = td::open::<Game2048>(&request, Default::default(), TdConfig::default());
    let mut trainer = opened.unwrap().0;
    let stop = std::sync::atomic::AtomicBool::new(false);
    let told = loop {
        match trainer.step(&stop) {
            Ok(step) => assert_eq!(step, ludens_learn::Step::Partial),
            Err(error) => break error.to_string(),
        }
    };
    assert!(told.contains("entered stage 2 (stages=16384)"), "{told}");
}

#[test]
fn later_starts_need_a_place() {
    let refused = |settings: &[(&str, &str)]| {
        let error = Trainer::<Game2048>::new(Default::default(), config(settings), 1).err();
        error.expect("no place to start").to_string()
    };
    let base = ("layout", "re");
    assert!(refused(&[base, ("carousel", "on")]).contains("marks=TILE"));
    assert!(refused(&[base, ("jump", "0.5")]).contains("marks=TILE"));
    assert!(refused(&[base, ("carousel", "on"), ("marks", "63")]).contains("'63'"));
}

#[test]
fn learning_raises_the_score() {
    for method in ["td", "tc"] {
        for threads in ["1", "2"] {
            let settings = [
                ("layout", "re"),
                ("method", method),
                ("threads", threads),
                ("episodes", "1200"),
                ("block", "200"),
            ];
            let mut trainer = trainer::<Game2048>(&settings);
            let first = trainer.block().clone();
            finish(&mut trainer);
            let last = trainer.last();
            assert_eq!((first.episodes, last.episodes), (200, 200));
            assert!(last.mean() > 1.5 * first.mean(), "{} {}", first.mean(), last.mean());
            assert!(last.mean() > 3000.0 && last.best as f64 >= last.mean());
            let rates = last.rates::<Game2048>();
            assert!(rates.is_sorted_by(|a, b| a.0 > b.0 && a.1 <= b.1), "{rates:?}");
        }
    }
}

#[test]
fn optimism_explores_and_fades() {
    let settings = [("layout", "re"), ("initial", "20000"), ("episodes", "200"), ("block", "100")];
    let mut trainer = trainer::<Game2048>(&settings);
    let hopeful = trainer.block().mean();
    let plain = [settings[0], settings[2], settings[3]];
    let plain = self::trainer::<Game2048>(&plain).block().mean();
    assert!(hopeful < plain, "{hopeful} {plain}");
    finish(&mut trainer);
}

#[test]
fn folders_are_not_overwritten_or_misread() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let resume = request(&path, true, &[]);
    let missing = open::<Game2048>(&resume).err().unwrap();
    assert!(matches!(&missing, Error::Run(told) if told.ends_with("holds no run to resume")));
    assert!(!path.exists());
    let new = request(&path, false, &[("layout", "re")]);
    let (trainer, dir) = open::<Game2048>(&new).unwrap();
    trainer.save(&dir).unwrap();
    drop(dir);
    let again = open::<Game2048>(&new).err().unwrap();
    assert!(again.to_string().contains("holds a run already"), "{again}");
    let other = open::<Threes>(&resume).err().unwrap();
    assert!(other.to_string().contains("a run of 2048, expected threes"), "{other}");
    // What a crash while saving leaves behind changes nothing, and goes away.
    let half = path.join(".model.ntuple.1-0.tmp");
    std::fs::write(&half, "half").unwrap();
    let held = open::<Game2048>(&resume).unwrap();
    assert!(!half.exists());
    let taken = open::<Game2048>(&resume).err().unwrap().to_string();
    assert!(taken.contains("in use by process"), "{taken}");
    drop(held);
    assert_eq!(ludens_learn::game_of(&path).unwrap(), "2048");
    // What would make it another run is refused, and nothing of it is written.
    let config = || std::fs::read_to_string(path.join("config.toml")).unwrap();
    let before = config();
    let refused = |settings: &[(&str, &str)]| {
        open::<Game2048>(&request(&path, true, settings)).err().unwrap().to_string()
    };
    let told = refused(&[("episodes", "7"), ("method", "td")]);
    assert!(told.contains("one of schedule, snapshots, episodes"), "{told}");
    assert_eq!(config(), before);
    open::<Game2048>(&request(&path, true, &[("episodes", "7"), ("method", "tc")])).unwrap();
    assert!(config().contains("\nepisodes = 7\n") && before.contains("\nepisodes = 100000\n"));
    // A network that was lost is not replaced by a new one: its metrics are still there.
    std::fs::remove_file(path.join(MODEL)).unwrap();
    std::fs::write(path.join("metrics.jsonl"), "{\"episodes\":1000}\n").unwrap();
    assert!(refused(&[]).contains("has lost model.ntuple"));
    std::fs::remove_file(path.join("config.toml")).unwrap();
    std::fs::remove_file(path.join("run.lock")).unwrap();
    let again = open::<Game2048>(&new).err().unwrap().to_string();
    assert!(again.contains("holds a run already (metrics.jsonl)"), "{again}");
    assert_eq!(std::fs::read_dir(&path).unwrap().count(), 1, "refused runs leave nothing behind");
}
