use ludens_arena::Reuse;

use super::*;

#[test]
fn new_checkpoints_are_rated_and_old_games_kept() {
    let folder = tempfile::TempDir::new().unwrap();
    let ladder = ["random", "lookahead:1"].map(str::to_owned);
    let plan = RatingPlan {
        game: "connect-four",
        ladder: &ladder,
        anchor: 1000.0,
        agent: "lookahead:{}",
        folder: folder.path(),
        every: 1,
        games: 40,
        plies: 4,
        options: ContestOptions { program: "test", reuse: Reuse::Same, seed: 1, workers: 2 },
    };
    let (mut store, stop) = (Store::in_memory().unwrap(), AtomicBool::new(false));
    let (rated, skipped) = rate(&plan, &mut store, &stop, &mut |_| {}).unwrap();
    assert_eq!(skipped, []);
    assert_eq!(rated.len(), 2);
    assert!(rated[1].elo.unwrap() > 1000.0 && rated[0].elo == Some(1000.0));
    // A checkpoint whose agent cannot be made is skipped, with the reason.
    std::fs::create_dir(folder.path().join("3")).unwrap();
    let (again, skipped) = rate(&plan, &mut store, &stop, &mut |_| {}).unwrap();
    assert_eq!((&again, skipped.len()), (&rated, 1));
    assert!(skipped[0].checkpoint == "3" && skipped[0].why.contains("steps"), "{skipped:?}");
    // An agent that there is not is no fault of the checkpoints.
    let wrong = RatingPlan { agent: "wizard:model={}", ..plan };
    let error = rate(&wrong, &mut store, &stop, &mut |_| {}).unwrap_err().to_string();
    assert!(error.contains("wizard"), "{error}");
    let checkpoint = Some("after-7".to_owned());
    let learned = RatedAgent { checkpoint, iteration: Some(7), ..rated[1].clone() };
    let svg = strength_plot("run", &[rated, vec![learned]].concat());
    assert!(svg.contains("lookahead:1") && svg.contains("checkpoints"), "{svg}");
}

#[test]
fn numbers_in_names_count() {
    let folder = tempfile::TempDir::new().unwrap();
    for name in ["step-10", "step-9", ".hidden", "step-100"] {
        std::fs::create_dir(folder.path().join(name)).unwrap();
    }
    std::fs::write(folder.path().join("notes.txt"), "no network").unwrap();
    let names: Vec<String> =
        checkpoints(folder.path()).unwrap().iter().map(Checkpoint::name).collect();
    assert_eq!(names, ["step-9", "step-10", "step-100"]);
}

/// What a run has kept by itself is rated, and nothing else of its folder.
#[test]
fn networks_that_a_run_keeps_have_their_iterations() {
    let folder = tempfile::TempDir::new().unwrap();
    for name in ["model", "checkpoint", "mean-20", "after-20", "after-5", "after-10", "after-x"] {
        std::fs::write(folder.path().join(format!("{name}.safetensors")), name).unwrap();
    }
    let all = checkpoints(folder.path()).unwrap();
    let found: Vec<(u64, String)> = all.iter().map(|one| (one.iteration, one.name())).collect();
    let file = |n: u64| (n, format!("after-{n}.safetensors"));
    assert_eq!(found, [5, 10, 20].map(file));
    assert!(!folder.path().join(KEPT).exists());
    // The one before and the one ten iterations before, where there is one.
    assert_eq!([0, 1, 2].map(|at| met(&all, at)), [vec![], vec![0], vec![1]]);
    let every: Vec<Checkpoint> =
        (1..=12).map(|iteration| Checkpoint { iteration, ..all[0].clone() }).collect();
    assert_eq!(
        [1, 9, 10, 11].map(|at| met(&every, at)),
        [vec![0], vec![8], vec![9, 0], vec![10, 1]]
    );
}

#[test]
fn every_state_of_a_network_is_kept_once() {
    let folder = tempfile::TempDir::new().unwrap();
    let current = folder.path().join(CURRENT);
    for (text, count) in [("one", 1), ("one", 1), ("two", 2), ("one", 3)] {
        std::fs::write(&current, text).unwrap();
        let all = checkpoints(folder.path()).unwrap();
        assert_eq!(all.len(), count);
        assert_eq!(std::fs::read_to_string(&all.last().unwrap().path).unwrap(), text);
    }
}
