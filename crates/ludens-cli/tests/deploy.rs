//! The job templates of deploy/, run for real with stand-ins for Slurm's commands.
#![cfg(target_os = "linux")]

mod processes;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use processes::{complaint, succeeded, text};
use serde_json::Value;
use tempfile::TempDir;

/// Runs jobs at once and arrays in turn, as Slurm would with a single core. A job whose dependency has
/// failed is not run.
const SBATCH: &str = r#"#!/usr/bin/env bash
set -uo pipefail
array= output=/dev/null after=
while [[ $1 == --* ]]; do
    case $1 in
        --array=1-*) array=${1#--array=1-} ;;
        --output=*) output=${1#--output=} ;;
        --dependency=afterok:*) after=${1#--dependency=afterok:} ;;
        --parsable) ;;
        *) echo "unknown option $1" >&2; exit 1 ;;
    esac
    shift
done
jobs=$SPOOL/jobs; mkdir -p "$jobs"
id=$(($(ls "$jobs" | wc -l) + 1))
state=ok
if [[ -n $after && $(cat "$jobs/$after") != ok ]]; then
    state=never
else
    # The spool has a copy of the script: it must not look for its neighbours.
    cp "$1" "$SPOOL/slurm_script"; shift
    for task in $(seq 1 "${array:-1}"); do
        export SLURM_ARRAY_TASK_ID=$task
        [[ -n $array ]] || unset SLURM_ARRAY_TASK_ID
        bash "$SPOOL/slurm_script" "$@" >"${output//%a/$task}" 2>&1 || state=failed
    done
fi
echo $state >"$jobs/$id"
echo "$id;cluster"
"#;

fn templates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/slurm")
}

fn submit(folder: &Path, script: &str, args: &[&str]) -> Output {
    let spool = folder.join("spool");
    fs::create_dir_all(&spool).expect("a folder");
    let sbatch = spool.join("sbatch");
    fs::write(&sbatch, SBATCH).expect("a file");
    fs::set_permissions(&sbatch, fs::Permissions::from_mode(0o755)).expect("permissions");
    let path = format!("{}:{}", text(&spool), std::env::var("PATH").expect("a path"));
    Command::new(templates().join(script))
        .args(args)
        .current_dir(folder)
        .env("PATH", path)
        .env("SPOOL", &spool)
        .env("LUDENS", assert_cmd::cargo::cargo_bin!("ludens"))
        .output()
        .expect("it runs")
}

fn submitted(folder: &Path, script: &str, args: &[&str]) {
    let output = submit(folder, script, args);
    assert!(output.status.success(), "{}", complaint(&output));
}

#[test]
fn templates_are_sound() {
    let mut seen = 0;
    for entry in fs::read_dir(templates()).expect("the folder") {
        let path = entry.expect("an entry").path();
        let checked = Command::new("bash").arg("-n").arg(&path).output().expect("bash");
        assert!(checked.status.success(), "{}: {}", path.display(), complaint(&checked));
        let mode = fs::metadata(&path).expect("a file").permissions().mode();
        assert_eq!(mode & 0o111, 0o111, "{} can be run", path.display());
        seen += 1;
    }
    assert_eq!(seen, 6);
    let output = submit(TempDir::new().expect("a folder").path(), "submit.sh", &["x", "y", "z"]);
    assert!(complaint(&output).contains("usage:"), "{}", complaint(&output));
}

#[test]
fn an_array_is_one_command() {
    let folder = TempDir::new().expect("a folder");
    let command = ["eval", "samegame", "--suite", "random:5", "--nodes", "500", "--seed", "2"];
    let args = [&["3", "results"], &command[..]].concat();
    submitted(folder.path(), "submit.sh", &args);
    let result = || -> Value {
        let text = fs::read_to_string(folder.path().join("results/result.json")).expect("a result");
        serde_json::from_str(&text).expect("JSON")
    };
    let told = result();
    let store = folder.path().join("whole.sqlite");
    let whole = succeeded(&[&command[..], &["--json", "--store", text(&store)]].concat());
    let whole: Value = serde_json::from_str(&whole).expect("JSON");
    for field in ["avg", "min", "max", "over_runs", "suite_hash", "program"] {
        assert_eq!(told[field], whole[field], "{field}");
    }
    // A task that was lost is done again, the others are not.
    fs::remove_file(folder.path().join("results/part-2-of-3.sqlite")).expect("a file");
    submitted(folder.path(), "submit.sh", &args);
    assert_eq!(result()["avg"], whole["avg"]);
    // A task that fails keeps the merge from running.
    fs::remove_file(folder.path().join("results/result.json")).expect("a file");
    fs::write(folder.path().join("results/part-1-of-3.sqlite"), "no store").expect("a file");
    submitted(folder.path(), "submit.sh", &args);
    assert!(!folder.path().join("results/result.json").exists());
}

#[test]
fn an_array_plays_for_a_learner() {
    let folder = TempDir::new().expect("a folder");
    let settings = "channels=4 blocks=1 sims=4 games=8 batch=16";
    let start = |run: &str| {
        let run = folder.path().join(run);
        let mut args = vec!["train", "alphazero", "--game", "connect-four", "--seed", "5"];
        args.extend(["--steps", "0", "--run", text(&run)]);
        args.extend(settings.split(' ').flat_map(|setting| ["--set", setting]));
        succeeded(&args);
    };
    start("array");
    start("alone");
    submitted(folder.path(), "train.sh", &["2", "array", "2"]);
    let alone = folder.path().join("alone");
    succeeded(&["train", "alphazero", "--run", text(&alone), "--resume", "--steps", "2"]);
    let games = |run: &str| {
        let file = folder.path().join(run).join("games/000002.jsonl");
        fs::read_to_string(file).expect("games")
    };
    assert_eq!(games("array"), games("alone"));
    assert_eq!(fs::read_dir(folder.path().join("array/parts/2")).expect("logs").count(), 3);
}
