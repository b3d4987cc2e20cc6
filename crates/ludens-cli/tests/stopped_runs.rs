//! Runs that are asked to stop save first; folders that are in use or damaged are refused, and what
//! they hold is left as it is.

#![cfg(unix)]

mod processes;

use std::path::Path;
use std::process::Command;

use processes::{Running, complaint, ended, ludens, succeeded, text};

const BLOCKS: [&str; 8] =
    ["--set", "layout=re", "--set", "episodes=100000", "--set", "block=20", "--set", "save=86400"];

/// A run that goes on for longer than any test.
fn endless(run: &Path) -> Command {
    let begin = ["train", "2048-td", "--json", "--run", text(run)];
    ludens(&[&begin[..], &BLOCKS].concat())
}

/// Episodes of the last line of figures.
fn episodes(run: &Path) -> u64 {
    let figures = std::fs::read_to_string(run.join("metrics.jsonl")).expect("figures");
    let last: serde_json::Value =
        serde_json::from_str(figures.lines().last().expect("a line")).expect("JSON");
    last["episodes"].as_u64().expect("a number")
}

/// Whether whoever started the tests has SIGHUP ignored, which processes inherit.
fn hangup_is_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|m| m & 1 == 1)
}

#[test]
fn signals_save_before_the_end() {
    let folder = tempfile::tempdir().expect("a folder");
    for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        if signal == "HUP" && hangup_is_ignored() {
            continue;
        }
        let run = folder.path().join(signal);
        let mut running = Running::start(endless(&run));
        assert!(running.lines_with("episodes", 2));
        running.signal(signal);
        assert_eq!(running.wait().code(), Some(code), "{signal}");
        let saved = episodes(&run);
        assert!(saved >= 40, "{saved}");
        // All that was learned is there.
        let mut resumed = Running::start(ludens(&[
            "train",
            "2048-td",
            "--json",
            "--run",
            text(&run),
            "--resume",
        ]));
        let next = resumed.line().expect("figures");
        assert_eq!(next["episodes"], saved + 20, "{signal}");
        assert!(resumed.killed_after("episodes", 1), "{signal}");
    }
}

/// As `nohup` wants it.
#[test]
fn a_hangup_that_is_ignored_stays_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = endless(&folder.path().join("run"));
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' HUP; exec \"$@\"", "sh"]).arg(program.get_program());
    shell.args(program.get_args()).stdout(std::process::Stdio::piped());
    let mut running = Running::start(shell);
    assert!(running.lines_with("episodes", 1));
    running.signal("HUP");
    assert!(running.lines_with("episodes", 5), "it goes on");
    running.signal("TERM");
    assert_eq!(running.wait().code(), Some(143));
}

#[cfg(target_os = "linux")]
#[test]
fn other_long_commands_end_by_signals_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = folder.path().join("results.sqlite");
    let arena = ["arena", "sevn:base=3", "random", "lookahead:1", "--games", "10000000"];
    for args in [
        &["serve", "--no-open", "--port", "0"][..],
        &["eval", "2048", "--agent", "random", "--games", "100000000"],
        &[&arena[..], &["--store", text(&store)]].concat(),
    ] {
        let mut command = ludens(args);
        command.env("LUDENS_HOME", folder.path());
        let running = Running::start(command);
        running.listens_for(15);
        running.signal("TERM");
        assert_eq!(running.wait().code(), Some(143), "{args:?}");
    }
}

#[test]
fn a_folder_in_use_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = folder.path().join("run");
    let mut running = Running::start(endless(&run));
    assert!(running.lines_with("episodes", 1));
    running.signal("INT");
    assert_eq!(running.wait().code(), Some(130));
    let saved = episodes(&run);
    let resume = ["train", "2048-td", "--json", "--run", text(&run), "--resume"];
    let mut running = Running::start(ludens(&resume));
    assert!(running.lines_with("episodes", 1));
    let holder = format!("is in use by process {}:", running.child.id());
    for args in [
        &["train", "2048-td", "--run", text(&run), "--resume"][..],
        &["train", "2048-td", "--run", text(&run)],
        &["train", "alphazero", "--game", "sevn", "--run", text(&run)],
        &["tune", "supervised", "--run", text(&run)],
    ] {
        let output = ended(args);
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        assert!(complaint(&output).contains(&holder), "{args:?}: {}", complaint(&output));
    }
    // The lock goes with its process, however that ends; what was saved before is there.
    assert!(running.killed_after("episodes", 1));
    let mut resumed = Running::start(ludens(&resume));
    assert_eq!(resumed.line().expect("metrics")["episodes"], saved + 20);
    assert!(resumed.killed_after("episodes", 1));
}

/// Short runs of all recipes whose settings are read from `config.toml`, and the file that each goes on
/// from.
const RECIPES: [(&str, &str, &[&str], &str); 4] = [
    (
        "former-supervised",
        "former:rows=4,cols=4,shapes=3",
        &["w=4", "d=1", "games=80", "beam=4", "batch=16", "epochs=2"],
        "checkpoint.safetensors",
    ),
    (
        "ppo",
        "2048",
        &["w=4", "d=1", "steps=64", "envs=2", "horizon=16", "batch=16", "epochs=1"],
        "checkpoint.safetensors",
    ),
    (
        "alphazero",
        "sevn:base=3",
        &["w=8", "blocks=1", "sims=4", "fast=2", "games=4", "batch=8", "iterations=1", "graph=0"],
        "checkpoint.safetensors",
    ),
    (
        "probs",
        "connect-four",
        &["w=8", "d=1", "hidden=8", "games=4", "expand=2", "batch=32", "iterations=1"],
        "state.json",
    ),
];

#[test]
fn what_is_lost_is_not_begun_anew() {
    let folder = tempfile::tempdir().expect("a folder");
    for (recipe, game, settings, checkpoint) in RECIPES {
        let run = folder.path().join(recipe);
        let mut args = vec!["train", recipe, "--game", game, "--run", text(&run), "--threads", "1"];
        args.extend(settings.iter().flat_map(|setting| ["--set", *setting]));
        succeeded(&args);
        let resume = ["train", recipe, "--run", text(&run), "--resume"];
        succeeded(&resume);
        let read = |name: &str| std::fs::read(run.join(name)).expect("a file");
        let model = read("model.safetensors");
        let refused = |args: &[&str], expected: &str| {
            let output = ended(args);
            assert_eq!(output.status.code(), Some(1), "{args:?}: {}", complaint(&output));
            assert!(complaint(&output).contains(expected), "{args:?}: {}", complaint(&output));
            assert!(read("model.safetensors") == model, "{recipe}: the old network is still there");
        };
        let config = run.join("config.toml");
        let whole = String::from_utf8(read("config.toml")).expect("text");
        let lines: Vec<&str> = whole.lines().collect();
        for kept in 1..lines.len() {
            // Half of them, by whole lines, and within one.
            if kept % 5 == 1 {
                std::fs::write(&config, format!("{}\n", lines[..kept].join("\n")))
                    .expect("scratch");
                refused(&resume, "config.toml: found no ");
            }
        }
        std::fs::write(&config, &whole[..whole.len() - 3]).expect("scratch");
        refused(&resume, "config.toml");
        std::fs::write(&config, whole.replace("seed = 0", "seed = \"x\"")).expect("scratch");
        refused(&resume, "expected a whole number");
        std::fs::remove_file(&config).expect("a file");
        refused(&resume, "holds no run to resume");
        refused(&args, "holds a run already");
        std::fs::write(&config, &whole).expect("scratch");

        let other = if game == "connect-four" { "othello" } else { game };
        let other = [&resume[..], &["--game", other]].concat();
        if game == "connect-four" {
            refused(&other, "a run of connect-four, expected othello");
        } else {
            succeeded(&other);
        }
        std::fs::rename(run.join(checkpoint), folder.path().join("elsewhere")).expect("a file");
        refused(&resume, &format!("has lost {checkpoint}"));
        std::fs::rename(folder.path().join("elsewhere"), run.join(checkpoint)).expect("a file");
        if ["alphazero", "probs"].contains(&recipe) {
            // As if it had been killed after its last checkpoint, before the network that plays.
            std::fs::write(run.join("model.safetensors"), "an older one").expect("scratch");
        }
        succeeded(&resume);
        assert!(read("model.safetensors") == model, "{recipe}: nothing was left to learn");
    }
}

/// The variant comes from the folder, also where the network's file has it.
#[test]
fn a_run_that_goes_on_knows_its_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = folder.path().join("run");
    let begin = ["train", "2048-td", "--game", "2048:board=3x3", "--run", text(&run)];
    let short = ["--set", "layout=012+456+89a", "--set", "episodes=20", "--set", "block=20"];
    succeeded(&[&begin[..], &short].concat());
    let resume = ["train", "2048-td", "--run", text(&run), "--resume"];
    succeeded(&[&resume[..], &["--set", "episodes=40"]].concat());
    assert_eq!(episodes(&run), 40);
    let other = ended(&[&resume[..], &["--game", "2048"]].concat());
    let told = complaint(&other);
    assert!(
        !other.status.success() && told.contains("a run of 2048:board=3x3, expected 2048"),
        "{told}"
    );
    let recipe = ended(&["train", "threes-td", "--run", text(&run), "--resume"]);
    assert!(complaint(&recipe).contains("expected threes, the recipe's"), "{}", complaint(&recipe));
}
