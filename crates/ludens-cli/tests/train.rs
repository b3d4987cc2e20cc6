//! `ludens train`: runs that are killed lose nothing but the time since the last save.

mod processes;

use std::path::Path;
use std::process::{Command, Stdio};

use processes::Running;

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
    // Killed before its first save, and then some work after each save.
    let mut episodes = 0;
    for round in 0..5 {
        let more: &[&str] = if round > 1 { &["--resume"] } else { &SETTINGS };
        let mut running = Running::start(train(&killed, more));
        if round == 0 {
            assert!(running.killed_after("", 0));
            let _ = std::fs::remove_dir_all(&killed);
            continue;
        }
        // The second line comes after the first has been saved.
        let line = running.line().expect("metrics");
        let started = line["episodes"].as_u64().expect("a number");
        assert!(started > episodes, "round {round}: {line} after {episodes}");
        episodes = started;
        assert!(running.killed_after("episodes", 1), "round {round}");
        assert!(killed.join("model.ntuple").exists(), "round {round}");
    }
    let output = train(&killed, &["--resume"]).output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let rest = String::from_utf8(output.stdout).expect("we write UTF-8").lines().count();
    assert!((1..20).contains(&rest), "{rest} lines: it was resumed, not started again");
    let model = |run: &Path| std::fs::read(run.join("model.ntuple")).expect("a network");
    assert!(model(&whole) == model(&killed));
    let lines = |run: &Path| {
        let text = std::fs::read_to_string(run.join("metrics.jsonl")).expect("figures");
        text.lines().count()
    };
    assert_eq!((lines(&whole), lines(&killed)), (20, 20));
    // A run that is finished tells its last line again.
    let again = train(&whole, &["--resume"]).output().expect("it runs");
    let kept = std::fs::read_to_string(whole.join("metrics.jsonl")).expect("figures");
    let told = String::from_utf8(again.stdout).expect("text");
    assert_eq!(told.lines().collect::<Vec<_>>(), [kept.lines().last().expect("a line")]);
    assert_eq!(lines(&whole), 20);
    played(&whole);
    let _ = std::fs::remove_dir_all(&folder);
}

/// The JSON of a command that does what it is asked.
fn json(args: &[&str]) -> serde_json::Value {
    let output = ludens(args);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one document")
}

fn ludens(args: &[&str]) -> std::process::Output {
    let ludens = assert_cmd::cargo::cargo_bin!("ludens");
    Command::new(ludens).args(args).output().expect("it runs")
}

/// What was learned can be played and asked.
fn played(run: &Path) {
    let agent = format!("ntuple:model={}", run.to_str().expect("a plain path"));
    let eval = ["eval", "2048", "--games", "30", "--seed", "1", "--json", "--agent"];
    let one = json(&[&eval[..], &[&agent]].concat());
    assert_eq!(one["games"], 30);
    let mean = |of: &serde_json::Value| of["mean"].as_f64().expect("a number");
    assert!(mean(&one) > 2500.0, "{one}");
    let inside = one["interval"][0].as_f64() < Some(mean(&one));
    assert!(inside && one["rate"]["128"].as_f64() > Some(0.8), "{one}");
    let two = json(&[&eval[..], &[&format!("{agent},ply=2")]].concat());
    assert!(mean(&two) > mean(&one), "{two}");
    let position = "2,4,8,16/0,0,0,0/0,0,0,0/2,0,0,0";
    let solve = ["solve", "2048", position, "--nodes", "20000", "--json", "--solver", &agent];
    let found = json(&solve);
    assert!(found["depth"].as_u64() >= Some(2), "{found}");
    let values = found["values"].as_object().expect("values");
    assert_eq!(values.keys().collect::<Vec<_>>(), ["up", "right", "down"], "left is not legal");
    assert!(values["up"].is_number(), "{found}");
    let best = found["best"].as_str().expect("a move");
    assert!(values.values().all(|value| value.as_f64() <= values[best].as_f64()));
    let other = ludens(&["eval", "threes", "--agent", &agent]);
    assert_eq!(other.status.code(), Some(2));
    let told = String::from_utf8_lossy(&other.stderr).into_owned();
    assert!(told.contains("a network for \"2048\", expected one for threes"), "{told}");
}

/// A disk that fills up while a run is saved, played by a limit on the size of files.
#[cfg(unix)]
#[test]
fn a_save_that_fails_keeps_the_last_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = folder.path().join("run");
    let path = run.to_str().expect("a plain path");
    let first = ["--set", "layout=re", "--set", "episodes=40", "--set", "block=20"];
    let output = train(&run, &first).output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let model = run.join("model.ntuple");
    let before = std::fs::read(&model).expect("a network");
    let ludens = assert_cmd::cargo::cargo_bin!("ludens").display().to_string();
    let script = format!(
        "trap '' XFSZ; ulimit -f 60; exec '{ludens}' train 2048-td --resume --set episodes=60 --run '{path}'"
    );
    let output = Command::new("sh").args(["-c", &script]).output().expect("a shell");
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("model.ntuple: ") && told.contains("arge"), "{told}");
    assert!(std::fs::read(&model).expect("a network") == before, "the last save is kept");
    let left = std::fs::read_dir(&run).expect("a folder").filter_map(Result::ok);
    let mut left = left.filter(|file| file.path().extension().is_some_and(|end| end == "tmp"));
    assert!(left.next().is_none(), "what was half written is gone");
    let more = ["--resume", "--set", "episodes=60"];
    assert!(train(&run, &more).status().expect("it runs").success());
}

#[test]
fn networks_are_listed_verified_and_averaged() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = folder.path().join("run");
    let settings = ["layout=re", "episodes=40", "block=20", "snapshots=20", "rectify=target"];
    let settings: Vec<&str> = settings.iter().flat_map(|setting| ["--set", setting]).collect();
    let output = train(&run, &settings).output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = |path: &Path| path.to_str().expect("a plain path").to_owned();
    let (early, late) = (text(&run.join("after-20.ntuple")), text(&run.join("after-40.ntuple")));
    let mean = text(&folder.path().join("mean.ntuple"));
    let output = ludens(&["models", "--average", &mean, &early, &late]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let listed = json(&["models", "--verify", "--json", &mean, &text(&run)]);
    for model in listed["models"].as_array().expect("a list") {
        assert_eq!((&model["game"], &model["verified"]), (&"2048".into(), &true.into()));
    }
    let shipped = json(&["models", "--verify", "--json"]);
    let first = &shipped["models"][0];
    assert!(first["path"].is_null() && first["verified"] == true, "{first}");
    assert!(first["bytes"].as_u64() < Some(16_000_000), "{first}");

    let mut bytes = std::fs::read(&mean).expect("a network");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&mean, bytes).expect("it can be written");
    let output = ludens(&["models", "--verify", &mean]);
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.code() == Some(1) && told.contains("damaged"), "{told}");
}
