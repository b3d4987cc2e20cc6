//! Folders that 0.1.0 wrote are resumed: one of each recipe, with a limit raised.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use ludens_runs::train::{TrainProgress, TrainRequest, old_names, train};
use ludens_runs::tune::{TuneRequest, tune};
use serde_json::Value;

/// A copy of a folder, to work in.
fn copied(name: &str) -> (tempfile::TempDir, PathBuf) {
    fn copy(from: &Path, to: &Path) {
        std::fs::create_dir_all(to).unwrap();
        for entry in std::fs::read_dir(from).unwrap() {
            let (from, to) = (entry.as_ref().unwrap().path(), to.join(entry.unwrap().file_name()));
            if from.is_dir() {
                copy(&from, &to);
            } else {
                std::fs::copy(from, to).unwrap();
            }
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/0.1.0").join(name), &run);
    (folder, run)
}

/// Resumes the run of a recipe up to a new limit: the counts of all its metrics.
fn resumed(recipe: &str, (limit, value): (&str, &str), counter: &str) -> Vec<u64> {
    let name = if recipe == "2048-td" { "td" } else { recipe };
    let (_folder, run) = copied(name);
    let request = TrainRequest {
        recipe: recipe.to_owned(),
        settings: vec![(limit.to_owned(), value.to_owned())],
        run: Some(run.clone()),
        resume: true,
        ..TrainRequest::default()
    };
    let renamed = old_names(&request);
    assert_eq!(renamed.is_empty(), name == "td", "{renamed:?}");
    let last = train(&request, &AtomicBool::new(false), &mut |_| {}).unwrap().unwrap();
    let metrics = std::fs::read_to_string(run.join("metrics.jsonl")).unwrap();
    let metrics: Vec<Value> =
        metrics.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(metrics.last(), Some(&last.json));
    // What is written now is of now.
    let config = std::fs::read_to_string(run.join("config.toml")).unwrap();
    assert!(config.contains(&format!("{limit} = {value}\n")) && config.contains("\nbuilds = ["));
    assert!(old_names(&request).is_empty());
    metrics.iter().map(|line| line[counter].as_u64().unwrap()).collect()
}

#[test]
fn runs_of_every_recipe_are_resumed() {
    let episodes: Vec<u64> = (1..=10).map(|block| 20 * block).collect();
    assert_eq!(resumed("2048-td", ("episodes", "200"), "episodes"), episodes);
    assert_eq!(resumed("supervised", ("epochs", "4"), "epoch"), [1, 2, 3, 4]);
    assert_eq!(resumed("ppo", ("steps", "192"), "iteration"), [1, 2, 3, 4, 5, 6]);
    assert_eq!(resumed("alphazero", ("iterations", "4"), "iteration"), [1, 2, 3, 4]);
    assert_eq!(resumed("probs", ("iterations", "4"), "iteration"), [1, 2, 3, 4]);
}

/// TensorBoard sees every step once, also those of before.
#[test]
fn event_files_do_not_repeat_steps() {
    let (_folder, run) = copied("alphazero");
    // As if 0.1.0 had been killed before its third checkpoint.
    let metrics = run.join("metrics.jsonl");
    let lines = std::fs::read_to_string(&metrics).unwrap();
    let third = lines.lines().last().unwrap().replace("\"iteration\":2", "\"iteration\":3");
    std::fs::write(&metrics, format!("{lines}{third}")).unwrap();
    let request = TrainRequest {
        recipe: "alphazero".to_owned(),
        settings: vec![("iterations".to_owned(), "3".to_owned())],
        run: Some(run.clone()),
        resume: true,
        ..TrainRequest::default()
    };
    train(&request, &AtomicBool::new(false), &mut |_| {}).unwrap();
    let files = || {
        let names = std::fs::read_dir(&run).unwrap().map(|entry| entry.unwrap().file_name());
        names.filter(|name| name.to_string_lossy().contains("tfevents")).count()
    };
    assert_eq!(files(), 2);
    // A run that is done adds none.
    train(&request, &AtomicBool::new(false), &mut |_| {}).unwrap();
    assert_eq!(files(), 2);
    assert_eq!(std::fs::read_to_string(&metrics).unwrap().lines().count(), 3);
}

#[test]
fn studies_are_resumed() {
    let (_folder, run) = copied("tune");
    let settings = [("w", "4"), ("d", "1"), ("games", "80"), ("beam", "4"), ("epochs", "2")];
    let owned = |(key, value): (&str, &str)| (key.to_owned(), value.to_owned());
    let request = TuneRequest {
        recipe: "former-supervised".to_owned(),
        game: Some("former:rows=4,cols=4,shapes=3".to_owned()),
        trials: 4,
        settings: settings.map(owned).to_vec(),
        seed: 3,
        run: run.clone(),
    };
    let mut trials = Vec::new();
    let mut report = |progress: &TrainProgress| trials.push(progress.json["trials"].as_u64());
    tune(&request, &AtomicBool::new(false), &mut report).unwrap().unwrap();
    assert_eq!(trials.last(), Some(&Some(4)));
    let other = TuneRequest { seed: 4, ..request };
    assert!(tune(&other, &AtomicBool::new(false), &mut |_| {}).is_err());
}
