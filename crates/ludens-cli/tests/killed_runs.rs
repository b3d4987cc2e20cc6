//! Runs that are killed some work after a checkpoint come to the same end as runs that are not: the
//! same weights, the same best network, the same figures. Of every recipe.

#![cfg(unix)]

mod processes;

use std::path::{Path, PathBuf};

use processes::{Running, ludens, succeeded, text};
use serde_json::Value;

struct Case {
    recipe: &'static str,
    game: &'static str,
    /// As given to `--set`.
    settings: &'static str,
    /// The field that counts the lines of figures.
    step: &'static str,
    /// Files that must be the same, byte by byte.
    whole: &'static [&'static str],
    /// Networks whose weights must be the same; their descriptions have times in them.
    weights: &'static [&'static str],
    /// Whether checkpoints are so rare that whole steps are lost.
    loses_steps: bool,
}

impl Case {
    fn begin(&self, run: &Path) -> Vec<String> {
        let mut args = vec!["train", self.recipe, "--game", self.game, "--seed", "3"];
        args.extend(["--threads", "1", "--json", "--run", text(run)]);
        args.extend(self.settings.split(' ').flat_map(|setting| ["--set", setting]));
        args.into_iter().map(str::to_owned).collect()
    }

    /// Without the game: the folder knows it.
    fn resume(&self, run: &Path) -> Vec<String> {
        let args = ["train", self.recipe, "--json", "--run", text(run), "--resume"];
        args.map(str::to_owned).to_vec()
    }
}

fn whole_output(args: &[String]) -> String {
    succeeded(&args.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Runs a command to its end: the lines of figures that it told.
fn run(args: &[String], step: &str) -> usize {
    let named = format!("\"{step}\":");
    whole_output(args).lines().filter(|line| line.contains(&named)).count()
}

fn start(args: &[String]) -> Running {
    Running::start(ludens(&args.iter().map(String::as_str).collect::<Vec<_>>()))
}

/// The lines of figures without those that depend on the clock.
fn figures(run: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(run.join("metrics.jsonl")).expect("figures");
    let timeless = |line: &str| {
        let mut line: Value = serde_json::from_str(line).expect("JSON");
        let clock = |name: &str| name == "minutes" || name.ends_with("_s");
        line.as_object_mut().expect("an object").retain(|name, _| !clock(name));
        line
    };
    text.lines().map(timeless).collect()
}

/// The tensors of a network's file, without its description.
fn tensors(file: PathBuf) -> Vec<u8> {
    let bytes = std::fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let header = u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes")) as usize;
    bytes[8 + header..].to_vec()
}

/// Stops a run so that it saves, and kills it some steps later: the lines that it had written then.
/// `None` if it came to its end before.
fn cut_off(case: &Case, whole: &Path, killed: &Path) -> Option<usize> {
    let mut first = start(&case.begin(killed));
    first.lines_with(case.step, 3).then_some(())?;
    first.signal("INT");
    (first.wait().code() == Some(130)).then_some(())?;
    let saved = figures(killed).len();
    let second = start(&case.resume(killed));
    second.killed_after(case.step, 2).then_some(())?;
    let path = killed.join("metrics.jsonl");
    let mut lines = std::fs::read_to_string(&path).expect("figures");
    let count = lines.lines().count();
    assert!(count >= saved + 2, "{}: {saved} {count}", case.recipe);
    // As if the kill had come between a line and its checkpoint, and in the middle of the next line.
    let all = std::fs::read_to_string(whole.join("metrics.jsonl")).expect("figures");
    let mut rest = all.lines().skip(count);
    if let (Some(next), Some(half)) = (rest.next(), rest.next()) {
        lines.push_str(&format!("{next}\n{}", &half[..half.len() / 2]));
        std::fs::write(&path, lines).expect("scratch");
    }
    Some(count)
}

fn survives(case: &Case) {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = folder.path().join("whole");
    let all = run(&case.begin(&whole), case.step);
    // On a busy machine a run may come to its end before it is killed.
    let mut tries = (0..5).map(|number| folder.path().join(format!("killed-{number}")));
    let found =
        tries.find_map(|killed| cut_off(case, &whole, &killed).map(|count| (killed, count)));
    let (killed, count) = found.expect("a run that was killed");
    let rest = run(&case.resume(&killed), case.step);
    assert!(!case.loses_steps || count + rest > all, "no step was lost: {count} {rest}");
    assert_eq!(figures(&killed), figures(&whole), "{}", case.recipe);
    for name in case.whole {
        let read = |run: &Path| std::fs::read(run.join(name)).expect("a file");
        assert!(read(&whole) == read(&killed), "{}: {name}", case.recipe);
    }
    for name in case.weights {
        let (expected, found) = (tensors(whole.join(name)), tensors(killed.join(name)));
        assert!(expected == found, "{}: {name}", case.recipe);
    }
    for entry in std::fs::read_dir(&killed).expect("a folder") {
        let name = entry.expect("a file").file_name();
        assert!(!name.to_string_lossy().ends_with(".tmp"), "{name:?} is left over");
    }
}

/// Temporal differences, saved when stopped and at the end only.
fn td(recipe: &'static str, game: &'static str, settings: &'static str) {
    let case = Case {
        recipe,
        game,
        settings,
        step: "episodes",
        whole: &["model.ntuple", "after-200.ntuple", "config.toml"],
        weights: &[],
        loses_steps: true,
    };
    survives(&case);
}

#[test]
fn temporal_coherence_of_2048() {
    let settings = "layout=re episodes=2000 block=20 save=86400 snapshots=200 reset=100";
    td("td", "2048", settings);
}

#[test]
fn later_starts_of_2048() {
    let settings = "layout=re episodes=400 block=20 save=86400 snapshots=200 stages=64,128 promotion=on carousel=on method=td restart=60";
    td("2048-td", "2048", settings);
}

#[test]
fn action_values_of_2048() {
    let settings = "layout=012+456+89a episodes=800 block=20 save=86400 snapshots=200 learn=action explore=epsilon:0.1";
    td("2048-td", "2048:board=3x3", settings);
}

#[test]
fn threes() {
    let settings = "layout=re episodes=2000 block=20 save=86400 snapshots=200";
    td("threes-td", "threes", settings);
}

#[test]
fn game_2584() {
    let settings = "layout=re values=20 episodes=240 block=10 save=86400 snapshots=200";
    td("2584-td", "2584", settings);
}

#[test]
fn imitation() {
    survives(&Case {
        recipe: "supervised",
        game: "former:rows=5,cols=4,shapes=3",
        settings: "channels=8 depth=2 games=200 beam=4 batch=16 epochs=10 patience=10",
        step: "epoch",
        whole: &["model.safetensors", "checkpoint.safetensors", "config.toml"],
        weights: &[],
        loses_steps: false,
    });
}

/// Games are longer than the moves between two updates, so a checkpoint has games under way.
#[test]
fn policy_gradients() {
    survives(&Case {
        recipe: "ppo",
        game: "former",
        settings: "channels=4 depth=1 steps=1280 envs=4 horizon=8 batch=16 epochs=1 save=86400",
        step: "iteration",
        whole: &["model.safetensors", "checkpoint.safetensors", "config.toml"],
        weights: &[],
        loses_steps: true,
    });
}

#[test]
fn alphazero_for_two() {
    survives(&Case {
        recipe: "alphazero",
        game: "sevn:base=3",
        settings: "channels=8 blocks=1 sims=8 fast=4 games=20 batch=32 window=300 iterations=8 graph=0 minutes=1000",
        step: "iteration",
        whole: &["games/000008.jsonl", "config.toml"],
        weights: &["model.safetensors", "checkpoint.safetensors", "mean-8.safetensors"],
        loses_steps: false,
    });
}

#[test]
fn alphazero_for_one() {
    survives(&Case {
        recipe: "alphazero",
        game: "former:rows=5,cols=4,shapes=3",
        settings: "channels=8 blocks=1 sims=8 fast=4 games=20 batch=32 iterations=8 kernel=3 minutes=1000",
        step: "iteration",
        whole: &["games/000008.jsonl", "config.toml"],
        weights: &["model.safetensors", "checkpoint.safetensors", "mean-8.safetensors"],
        loses_steps: false,
    });
}

#[test]
fn probs() {
    survives(&Case {
        recipe: "probs",
        game: "connect-four",
        settings: "channels=8 layers=1 hidden=8 games=12 expand=4 batch=32 iterations=8 minutes=1000",
        step: "iteration",
        whole: &["config.toml"],
        weights: &[
            "model.safetensors",
            "value.safetensors",
            "values-8.safetensors",
            "actions-mean-8.safetensors",
        ],
        loses_steps: false,
    });
}

/// A trial that was cut off is begun again with its settings.
#[test]
fn tuning() {
    let folder = tempfile::tempdir().expect("a folder");
    let args = |run: &str| -> Vec<String> {
        let mut args = vec!["tune", "supervised", "--game", "former:rows=5,cols=4,shapes=3"];
        args.extend(["--trials", "5", "--seed", "3", "--threads", "1", "--json"]);
        for setting in ["channels=8", "depth=1", "games=150", "beam=4", "epochs=3"] {
            args.extend(["--set", setting]);
        }
        let run = folder.path().join(run);
        args.extend(["--run", text(&run)]);
        args.into_iter().map(str::to_owned).collect()
    };
    /// The trials of an output, without their seconds.
    fn trials(lines: impl Iterator<Item = Value>) -> Vec<Value> {
        let mut trials: Vec<Value> = lines.map(|line| line["last"].clone()).collect();
        trials.retain(|trial| !trial.is_null());
        trials.iter_mut().for_each(|trial| trial["seconds"] = Value::Null);
        trials
    }
    let json = |text: String| -> Vec<Value> {
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    };
    let whole = trials(json(whole_output(&args("whole"))).into_iter());
    assert_eq!(whole.len(), 5);
    let mut found = (0..5).filter_map(|number| {
        let args = args(&format!("killed-{number}"));
        let mut first = start(&args);
        let mut lines = Vec::new();
        while trials(lines.iter().cloned()).len() < 2 {
            lines.push(first.line()?);
        }
        first.killed_after("", 0).then_some((args, lines))
    });
    let (args, mut lines) = found.next().expect("a study that was killed");
    lines.extend(json(whole_output(&args)));
    let mut killed = trials(lines.into_iter());
    // One that ended while it was being killed was told by nobody.
    killed.dedup();
    assert_eq!(killed.last(), whole.last());
    assert!(killed.iter().all(|trial| whole.contains(trial)), "{killed:?} {whole:?}");
}
