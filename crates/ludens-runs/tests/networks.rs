//! Networks from recipes to agents and solvers, on a small Former.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use ludens_core::{Budget, Player};
use ludens_engine::analysis::{Method, Request};
use ludens_engine::{Turn, game};
use ludens_runs::speed;
use ludens_runs::train::{TrainError, TrainProgress, TrainRequest, train};
use ludens_runs::tune::{TuneRequest, tune};

const GAME: &str = "former:rows=4,cols=4,shapes=3";

/// A folder of this test's own, empty.
fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("ludens-networks-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("scratch for a folder");
    path
}

fn request(recipe: &str, run: &Path, settings: &[(&str, &str)]) -> TrainRequest {
    let owned = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
    TrainRequest {
        recipe: recipe.to_owned(),
        game: Some(GAME.to_owned()),
        settings: settings.iter().map(owned).collect(),
        seed: Some(1),
        run: Some(run.to_owned()),
        ..TrainRequest::default()
    }
}

/// A run on an engine that this program does not have does not begin, and goes on with another one.
#[test]
#[cfg(not(feature = "burn-cuda"))]
fn engines_that_are_missing_are_refused() {
    let told = |request: &TrainRequest| learned(request).err().map(|error| error.to_string());
    let refused = "engine: found 'cuda', expected native: this program was built without Burn's CUDA; build with --features burn-cuda";
    for recipe in ["supervised", "ppo", "alphazero", "probs"] {
        let run = folder("engine").join("run");
        let mut request = request(recipe, &run, &[("engine", "cuda")]);
        if recipe == "probs" {
            request.game = Some("connect-four".to_owned());
        }
        assert_eq!(told(&request).as_deref(), Some(refused), "{recipe}");
        assert!(!run.exists(), "{recipe}");
    }
    let run = folder("engine").join("run");
    let mut request = request("alphazero", &run, &[("channels", "4"), ("minutes", "0")]);
    assert_eq!(told(&request), None);
    let (config, files) = (run.join("config.toml"), || std::fs::read_dir(&run).unwrap().count());
    let text = std::fs::read_to_string(&config).expect("its settings");
    let elsewhere = text.replace("engine = \"native\"", "engine = \"cuda\"");
    assert_ne!(text, elsewhere);
    std::fs::write(&config, elsewhere).expect("scratch");
    let before = files();
    (request.resume, request.settings) = (true, Vec::new());
    assert_eq!(told(&request).as_deref(), Some(refused));
    assert_eq!(files(), before);
    request.settings = vec![("engine".to_owned(), "own".to_owned())];
    assert_eq!(told(&request), None);
    assert_eq!(std::fs::read_to_string(&config).expect("its settings"), text);
}

const SMALL: &[(&str, &str)] = &[
    ("channels", "4"),
    ("depth", "2"),
    ("games", "80"),
    ("branches", "1"),
    ("beam", "4"),
    ("batch", "16"),
    ("epochs", "2"),
    ("threads", "2"),
];

fn learned(request: &TrainRequest) -> Result<Vec<TrainProgress>, TrainError> {
    let mut told = Vec::new();
    train(request, &AtomicBool::new(false), &mut |progress| told.push(progress.clone()))?;
    Ok(told)
}

/// Moves that a solver needs for the board of a seed.
fn solved(solver: &str, seed: u64) -> usize {
    let table = game(GAME).expect("a game").start(seed);
    let request = Request {
        method: Method::solver(solver),
        budget: Budget::nodes(2000),
        seed: 1,
        memory: 1 << 26,
        ..Request::default()
    };
    let analysis = table.analyze(&request, Request::never(), &mut |_| {});
    let analysis = analysis.expect("a right solver");
    let solved = analysis.solved().expect("a line");
    assert!(solved.finished, "{solver}");
    solved.moves.len()
}

fn played(agent: &str, seed: u64) -> usize {
    let mut table = game(GAME).expect("a game").start(seed);
    table.seat(Player::One, agent).expect("an agent");
    let request = Request::default();
    while table.play_agent(&request, Request::never()).expect("a legal move").is_some() {}
    assert_eq!(table.turn(), Turn::Over);
    table.history().len()
}

#[test]
fn networks_that_imitate_play_and_guide_searches() {
    for kind in ["value", "policy"] {
        let run = folder(kind);
        let mut request = request("supervised", &run, SMALL);
        request.settings.push(("kind".to_owned(), kind.to_owned()));
        let told = learned(&request).expect("a run");
        let last = &told.last().expect("epochs").json;
        assert_eq!((&last["stage"], &last["epoch"]), (&"learning".into(), &2.into()));
        assert!(last["validation"]["loss"].as_f64().is_some_and(f64::is_finite));
        for file in ["config.toml", "games.sqlite", "metrics.jsonl", "model.safetensors"] {
            assert!(run.join(file).is_file(), "{file}");
        }
        assert!(learned(&request).is_err(), "a folder holds one run");

        // More epochs, from where it was.
        let resumed = TrainRequest {
            settings: vec![("epochs".to_owned(), "3".to_owned())],
            resume: true,
            ..request.clone()
        };
        let told = learned(&resumed).expect("it goes on");
        assert_eq!(told.last().expect("an epoch").json["epoch"], 3);
        let metrics = std::fs::read_to_string(run.join("metrics.jsonl")).expect("figures");
        assert_eq!(metrics.lines().count(), 3);
        let other = TrainRequest {
            settings: vec![("channels".to_owned(), "8".to_owned())],
            resume: true,
            ..request.clone()
        };
        assert!(learned(&other).expect_err("another network").to_string().contains("resumed run"));

        let path = run.display();
        let agent = format!("net:model={path}");
        let random: usize = (0..20).map(|seed| played("random", seed)).sum();
        let net: usize = (0..20).map(|seed| played(&agent, seed)).sum();
        assert!(net < random, "{kind}: {net} {random}");
        let solver = if kind == "value" {
            format!("beam:eval={path}")
        } else {
            format!("mcts:policy={path}")
        };
        assert!((0..5).map(|seed| solved(&solver, seed)).sum::<usize>() < random);

        // The other way round, another board, and nothing at all are told apart.
        let wrong = if kind == "value" {
            format!("mcts:policy={path}")
        } else {
            format!("beam:eval={path}")
        };
        let table = game(GAME).expect("a game").start(1);
        let told = table.solver_name(Some(&wrong), false).expect_err("no such head").to_string();
        assert!(told.contains("expected one that gives"), "{told}");
        let told = game("former").expect("a game").start(1).seat(Player::One, &agent);
        let told = told.expect_err("another board").to_string();
        assert!(told.contains(&format!("a network for {GAME}, expected one for former")), "{told}");
        let file = run.join("metrics.jsonl");
        let method = Method::agent(&format!("net:{}", file.display()));
        let request = Request { method, ..Request::default() };
        let told = table.analyze(&request, Request::never(), &mut |_| {});
        assert!(told.expect_err("no network").to_string().contains("no network, or damaged"));
        std::fs::remove_dir_all(run).expect("its own folder");
    }
}

#[test]
fn losses_that_are_no_numbers_end_a_run() {
    let run = folder("nan");
    let mut request = request("supervised", &run, SMALL);
    learned(&request).expect("a run");
    let model = std::fs::read(run.join("model.safetensors")).expect("a network");
    // Weights that are too large for their squares.
    let again = folder("nan-2");
    std::fs::copy(run.join("games.sqlite"), again.join("games.sqlite")).expect("scratch");
    request.run = Some(again.clone());
    request.settings.push(("rate".to_owned(), "1".to_owned()));
    request.settings.push(("decay".to_owned(), "1".to_owned()));
    request.settings.push(("epochs".to_owned(), "200".to_owned()));
    request.settings.push(("patience".to_owned(), "200".to_owned()));
    match learned(&request) {
        // Adam may hold out against it; what matters is that nothing broken is kept.
        Ok(_) => {}
        Err(error) => assert!(error.to_string().contains("the loss is no number"), "{error}"),
    }
    assert_eq!(std::fs::read(run.join("model.safetensors")).expect("a network"), model);
    std::fs::remove_dir_all(run).expect("its own folder");
    std::fs::remove_dir_all(again).expect("its own folder");
}

#[test]
fn networks_learn_by_playing() {
    let run = folder("ppo");
    let settings = &[
        ("channels", "8"),
        ("depth", "2"),
        ("steps", "24576"),
        ("envs", "16"),
        ("horizon", "128"),
        ("batch", "128"),
        ("epochs", "4"),
        ("rate", "0.002"),
    ];
    let told = learned(&request("ppo", &run, settings)).expect("a run");
    assert_eq!(told.len(), 12);
    let mean = |part: &[TrainProgress]| {
        let reward = |progress: &TrainProgress| progress.json["reward"].as_f64().expect("a mean");
        part.iter().map(reward).sum::<f64>() / part.len() as f64
    };
    let (first, last) = (mean(&told[..3]), mean(&told[9..]));
    assert!(last > first + 0.1, "{first} {last}");
    assert!(played(&format!("net:{}", run.display()), 3) <= 16);
    std::fs::remove_dir_all(run).expect("its own folder");
}

/// With the mask of cells there is more to choose between, and the same network plays other games.
#[test]
fn cells_can_be_drawn_in_place_of_moves() {
    let first = |mask: &str| {
        let run = folder(&format!("ppo-{mask}"));
        let settings = &[
            ("mask", mask),
            ("channels", "4"),
            ("depth", "1"),
            ("steps", "1024"),
            ("envs", "8"),
            ("horizon", "64"),
            ("batch", "64"),
        ];
        let told = learned(&request("ppo", &run, settings)).expect("a run");
        std::fs::remove_dir_all(run).expect("its own folder");
        told.first().and_then(|first| first.json["entropy"].as_f64()).expect("an entropy")
    };
    let (moves, cells) = (first("moves"), first("cells"));
    // A fresh network is nearly indifferent: at most ln(16) for the cells of a board.
    assert!(moves + 0.2 < cells && cells < 16f64.ln(), "{moves} {cells}");
}

/// Games of the expert of Urheim (2025), played once for several runs.
#[test]
fn runs_share_the_games_of_an_expert() {
    let (whole, around) = (folder("games-whole"), folder("games-shared"));
    let expert = &[("expert", "look-ahead-beam"), ("beam", "4"), ("exact", "0")];
    let sized = |settings: &[(&'static str, &'static str)]| {
        [SMALL, settings, &[("duplicates", "keep")]].concat()
    };
    let first = TrainRequest { steps: Some(0), ..request("supervised", &whole, &sized(expert)) };
    let told = learned(&first).expect("games");
    assert!(told.iter().any(|progress| progress.json["stage"] == "games"));
    let run = around.join("run");
    let given = |settings: &[(&'static str, &'static str)]| TrainRequest {
        expert_games: Some(whole.clone()),
        ..request("supervised", &run, &sized(settings))
    };
    let told = learned(&given(expert)).expect("a run");
    let of_games = told.iter().filter(|progress| progress.json["stage"] == "games");
    // All games are there from the beginning.
    assert!(of_games.map(|p| &p.json).all(|json| json["games"] == json["of"]));
    assert!(told.iter().any(|progress| progress.json["stage"] == "learning"));
    std::fs::remove_dir_all(&run).expect("its own folder");
    let refused = learned(&given(&[("beam", "5")])).expect_err("another player").to_string();
    assert!(refused.contains("games of expert=look-ahead-beam,branches=1,beam=4"), "{refused}");
    let seeded = TrainRequest { seed: Some(2), run: Some(around.join("seed")), ..given(expert) };
    let refused = learned(&seeded).expect_err("another seed").to_string();
    assert!(refused.contains("expected former:rows=4,cols=4,shapes=3 with seed 2"), "{refused}");
    assert!(!around.join("seed").exists(), "nothing was begun");
    let elsewhere = TrainRequest { recipe: "ppo".to_owned(), ..given(&[]) };
    assert!(
        learned(&elsewhere).expect_err("no games there").to_string().contains("--expert-games")
    );
    std::fs::remove_dir_all(whole).expect("its own folder");
    std::fs::remove_dir_all(around).expect("its own folder");
}

#[test]
fn playing_goes_on_after_an_end() {
    let (whole, parts) = (folder("ppo-whole"), folder("ppo-parts"));
    let settings = &[
        ("channels", "4"),
        ("depth", "1"),
        ("steps", "1024"),
        ("envs", "4"),
        ("horizon", "32"),
        ("batch", "32"),
    ];
    let request = |run| request("ppo", run, settings);
    let all = learned(&request(&whole)).expect("a run");
    // Stopped after three iterations, it goes on as if it had not been.
    let (stop, mut heard) = (AtomicBool::new(false), 0);
    train(&request(&parts), &stop, &mut |_| {
        heard += 1;
        stop.store(heard == 3, Ordering::Relaxed);
    })
    .expect("a part");
    let resumed = TrainRequest { resume: true, settings: Vec::new(), ..request(&parts) };
    let rest = learned(&resumed).expect("the rest");
    let losses = |part: &[TrainProgress]| -> Vec<(u64, f64, f64)> {
        let one = |p: &TrainProgress| {
            let number = |name: &str| p.json[name].as_f64().expect("a number");
            (number("iteration") as u64, number("critic"), number("entropy"))
        };
        part.iter().map(one).collect()
    };
    assert_eq!((all.len(), rest.len()), (8, 5));
    assert_eq!(losses(&all[3..]), losses(&rest));
    let metrics = std::fs::read_to_string(parts.join("metrics.jsonl")).expect("figures");
    assert_eq!(metrics.lines().count(), 8);
    std::fs::remove_dir_all(whole).expect("its own folder");
    std::fs::remove_dir_all(parts).expect("its own folder");
}

#[test]
fn settings_are_tuned_by_trials() {
    let run = folder("tune");
    let owned = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
    let settings = SMALL.iter().filter(|(key, _)| *key != "batch").map(owned).collect();
    let mut request = TuneRequest {
        recipe: "supervised".to_owned(),
        game: Some(GAME.to_owned()),
        trials: 3,
        settings,
        seed: 1,
        run: run.clone(),
    };
    let run_trials = |request: &TuneRequest| {
        let mut told = 0;
        let done = tune(request, &AtomicBool::new(false), &mut |progress| {
            told += usize::from(progress.json["stage"] == "tuning");
        });
        (told, done.expect("trials").expect("figures").json)
    };
    assert_eq!(run_trials(&request).0, 3);
    request.trials = 6;
    let (told, json) = run_trials(&request);
    assert_eq!((told, &json["trials"]), (3, &6.into()));
    assert!(json["best"]["loss"].as_f64().is_some_and(f64::is_finite));
    let svg = std::fs::read_to_string(run.join("convergence.svg")).expect("a plot");
    assert!(svg.starts_with("<svg"));
    // One that is done reports its last metrics again.
    assert_eq!(run_trials(&request).0, 1);
    request.settings.push(("rate".to_owned(), "0.1".to_owned()));
    let refused = tune(&request, &AtomicBool::new(false), &mut |_| {});
    assert!(refused.expect_err("it is tuned").to_string().contains("a setting that is not tuned"));
    std::fs::remove_dir_all(run).expect("its own folder");
}

#[test]
fn speeds_are_measured() {
    let span = std::time::Duration::from_millis(1);
    for bench in speed::benches(&[1, 2]) {
        let row = bench.run(span, 1);
        assert!(row.per_s > 0.0 && row.per_cpu_s > 0.0, "{row:?}");
    }
}

/// PPO begins with what another run has learned, and says what it cannot begin with.
#[test]
fn ppo_goes_on_from_another_network() {
    let folder = folder("from");
    let go = AtomicBool::new(false);
    let both = [SMALL, &[("kind", "both")]].concat();
    let (taught, valued) = (folder.join("taught"), folder.join("valued"));
    train(&request("supervised", &taught, &both), &go, &mut |_| {}).expect("a run");
    train(&request("supervised", &valued, SMALL), &go, &mut |_| {}).expect("a run");
    let steps = [("envs", "2"), ("horizon", "16"), ("steps", "64"), ("batch", "16")];
    let run = folder.join("ppo");
    let from =
        |from: &Path| TrainRequest { from: Some(from.to_owned()), ..request("ppo", &run, &steps) };
    let refused = |request: TrainRequest| {
        train(&request, &go, &mut |_| {}).expect_err("nothing to begin with").to_string()
    };
    assert!(refused(from(&valued)).contains("a policy and a value"));
    assert!(!run.exists(), "a refused run leaves nothing behind");
    let elsewhere = TrainRequest { recipe: "alphazero".to_owned(), ..from(&taught) };
    assert!(refused(elsewhere).starts_with("--from:"));
    let sized = |size: (&'static str, &'static str)| {
        let steps = [&steps[..], &[size]].concat();
        TrainRequest { from: Some(taught.clone()), ..request("ppo", &run, &steps) }
    };
    assert!(refused(sized(("depth", "3"))).contains("the network of --from has its depth"));
    assert!(refused(sized(("channels", "3"))).contains("4, as the network of --from has, or more"));
    let wide = folder.join("wide");
    let wider = TrainRequest { run: Some(wide.clone()), ..sized(("channels", "6")) };
    train(&wider, &go, &mut |_| {}).expect("a run").expect("an update");
    let model = ludens_nn::Model::<ludens_nn::Spec>::load(&wide.join("model.safetensors"));
    assert_eq!(model.expect("its network").weights.spec().channels, 6);
    train(&from(&taught), &go, &mut |_| {}).expect("a run").expect("an update");
    assert!(refused(TrainRequest { resume: true, ..from(&taught) }).contains("started already"));
    let parent = taught.join("model.safetensors");
    let recorded = format!("parent = {:?}\n", parent.display().to_string());
    let config = std::fs::read_to_string(run.join("config.toml")).expect("its settings");
    assert!(config.contains("channels = 4\n") && config.contains("depth = 2\n"), "{config}");
    assert!(config.contains(&recorded), "{config}");
    let model = ludens_nn::Model::<ludens_nn::Spec>::load(&run.join("model.safetensors"));
    let spec = model.expect("its network").weights.spec().to_string();
    assert!(spec.contains("policy=cells") && spec.contains("value=pooled"), "{spec}");
}

/// A network goes on with its own games, and learns what they lead to.
#[test]
fn a_network_learns_from_its_own_games() {
    let folder = folder("own");
    let go = AtomicBool::new(false);
    let both = [SMALL, &[("kind", "both")]].concat();
    let (taught, run) = (folder.join("taught"), folder.join("own"));
    train(&request("supervised", &taught, &both), &go, &mut |_| {}).expect("a run");
    let sized = |(key, _): &&(&str, &str)| *key != "channels" && *key != "depth";
    let own: Vec<(&str, &str)> = both.iter().filter(sized).copied().collect();
    let own = [&own[..], &[("expert", "own"), ("branches", "2")]].concat();
    let fresh = request("supervised", &run, &own);
    let refused = |request: &TrainRequest| {
        train(request, &go, &mut |_| {}).expect_err("nothing to begin with").to_string()
    };
    assert!(refused(&fresh).contains("--from DIR"));
    assert!(!run.exists(), "a refused run leaves nothing behind");
    let from = TrainRequest { from: Some(taught.clone()), ..fresh };
    train(&from, &go, &mut |_| {}).expect("a run").expect("an epoch");
    let read = |path: &Path| std::fs::read(path).expect("a file");
    let kept = ludens_nn::Model::<ludens_nn::Spec>::load(&run.join("start.safetensors"));
    let given = ludens_nn::Model::<ludens_nn::Spec>::load(&taught.join("model.safetensors"));
    assert_eq!(kept.expect("kept").weights, given.expect("given").weights);
    assert_ne!(read(&run.join("model.safetensors")), read(&taught.join("model.safetensors")));
    // It goes on without being told where from.
    let more = [("epochs", "9"), ("patience", "9")];
    let more = TrainRequest { resume: true, ..request("supervised", &run, &more) };
    train(&more, &go, &mut |_| {}).expect("a run").expect("more epochs");
    std::fs::remove_file(run.join("start.safetensors")).expect("it is there");
    assert!(refused(&more).contains("has lost the network that plays"));
}
