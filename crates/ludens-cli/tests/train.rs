//! `ludens train`: runs that are killed lose nothing but the time since the last save.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const SETTINGS: [&str; 8] =
    ["--set", "layout=re", "--set", "episodes=400", "--set", "block=20", "--set", "save=0"];

fn train(run: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("ludens"));
    command.args(["train", "2048-td", "--seed", "5", "--json", "--run"]).arg(run).args(more);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

#[test]
fn killed_runs_go_on_as_if_nothing_had_happened() {
    let folder = std::env::temp_dir().join(format!("ludens-train-{}", std::process::id()));
    let (whole, killed) = (folder.join("whole"), folder.join("killed"));
    let output = train(&whole, &SETTINGS).output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("we write UTF-8");
    let last: serde_json::Value =
        serde_json::from_str(text.lines().last().expect("figures")).expect("JSON");
    assert_eq!(last["episodes"], 400);
    for field in ["mean_score", "rate", "moves_per_s", "moves_per_cpu_s"] {
        assert!(!last[field].is_null(), "{field} in {last}");
    }
    // Killed at moments that have nothing to do with what it is doing, maybe before its first save.
    for (round, millis) in [40, 90, 60, 130].into_iter().enumerate() {
        let resume = killed.join("model.ntuple").exists();
        let more: &[&str] = if resume { &["--resume"] } else { &SETTINGS };
        let mut child = train(&killed, more).spawn().expect("it runs");
        std::thread::sleep(Duration::from_millis(millis));
        child.kill().expect("it can be killed");
        child.wait().unwrap_or_else(|error| panic!("round {round}: {error}"));
    }
    let more: &[&str] =
        if killed.join("model.ntuple").exists() { &["--resume"] } else { &SETTINGS };
    let output = train(&killed, more).output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let model = |run: &Path| std::fs::read(run.join("model.ntuple")).expect("a network");
    assert!(model(&whole) == model(&killed));
    let lines = |run: &Path| {
        let text = std::fs::read_to_string(run.join("metrics.jsonl")).expect("figures");
        text.lines().count()
    };
    assert_eq!((lines(&whole), lines(&killed)), (20, 20));
    let _ = std::fs::remove_dir_all(&folder);
}
