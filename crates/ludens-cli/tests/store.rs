//! Results that are kept: whose count again, and whether they are by the rules.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use ludens_runs::arena::{EvalResult, RunResult, Store};
use serde_json::Value;
use tempfile::TempDir;

fn run_by(program: &Path, home: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(program);
    command.args(args).env("LUDENS_HOME", home).stdin(Stdio::null());
    command.output().expect("the program starts")
}

fn run(home: &Path, args: &[&str]) -> Output {
    run_by(assert_cmd::cargo::cargo_bin!("ludens"), home, args)
}

fn json(out: &Output) -> Value {
    let message = || String::from_utf8_lossy(&out.stderr).into_owned();
    serde_json::from_slice(&out.stdout).unwrap_or_else(|_| panic!("{}", message()))
}

const EVAL: &[&str] =
    &["eval", "former", "--suite", "random:3", "--solver", "greedy", "--time", "1s", "--json"];
const ARENA: &[&str] = &["arena", "connect-four", "random", "greedy", "--games", "4", "--json"];

#[test]
fn another_build_has_other_results() {
    let home = TempDir::new().expect("a folder");
    let own = assert_cmd::cargo::cargo_bin!("ludens");
    // The same program with a byte more is another build.
    let other = home.path().join("ludens-other");
    fs::copy(own, &other).expect("scratch for a copy");
    let file = fs::OpenOptions::new().append(true).open(&other);
    file.and_then(|mut file| file.write_all(b"\0")).expect("it can be written");
    let counts = |told: &Value| {
        ["reused", "reused_of_other_builds", "left_aside"].map(|field| told[field].clone())
    };
    for (question, all) in [(EVAL, 3), (ARENA, 4)] {
        let told = json(&run(home.path(), question));
        assert_eq!(counts(&told), [0, 0, 0], "{told}");
        // The memory makes no other results of them.
        let memory: &[&str] = if question == EVAL { &["--memory", "64M"] } else { &[] };
        let told = json(&run(home.path(), &[question, memory].concat()));
        assert_eq!(counts(&told), [all, 0, 0], "{told}");
        let any = json(&run_by(&other, home.path(), &[question, &["--reuse", "any"]].concat()));
        assert_eq!(counts(&any), [all, all, 0], "{any}");
        let same = json(&run_by(&other, home.path(), question));
        assert_eq!(counts(&same), [0, 0, all], "{same}");
    }
    let text = run(home.path(), &EVAL[..EVAL.len() - 1]);
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    assert!(text.contains("3 of 3; 3 of other builds left aside (--reuse any)"), "{text}");
    let text = run(home.path(), &ARENA[..ARENA.len() - 1]);
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    assert!(text.contains("4 games of other builds were left aside (--reuse any)"), "{text}");
}

/// The networks that come with the program are told apart like those of files.
#[test]
fn networks_are_part_of_what_results_are_kept_under() {
    let home = TempDir::new().expect("a folder");
    let told = |args: &[&str]| json(&run(home.path(), args));
    let net = ["eval", "former", "--suite", "random:1", "--agent", "net", "--json"];
    let budget = told(&net)["budget"].as_str().expect("a text").to_owned();
    assert!(budget.contains("network="), "{budget}");
    // The same network as a file is the same one.
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/../ludens-models/models/former.safetensors");
    let named = format!("net:model={model}");
    let file = ["eval", "former", "--suite", "random:1", "--agent", &named, "--json"];
    assert_eq!(told(&file)["budget"], budget.as_str());
    let tuples = ["eval", "threes", "--suite", "random:1", "--agent", "ntuple", "--json"];
    let budget = told(&tuples)["budget"].as_str().expect("a text").to_owned();
    assert!(budget.contains("network="), "{budget}");
    let store = Store::open(&home.path().join("results.sqlite")).expect("a store");
    let duel = ["arena", "connect-four", "net", "random", "--games", "2", "--json"];
    assert_eq!(told(&duel)["games"], 2);
    let pairing = store.pairings().expect("it can be read").remove(0).pairing;
    assert!(pairing.one.starts_with("net@") && pairing.two == "random", "{pairing:?}");
}

#[test]
fn a_store_is_checked() {
    let home = TempDir::new().expect("a folder");
    let path = home.path().join("results.sqlite");
    let check = |args: &[&str]| run(home.path(), &[&["store", "check"], args].concat());
    assert_eq!(check(&[]).status.code(), Some(1), "there is none yet");
    assert!(!path.exists());
    assert!(run(home.path(), EVAL).status.success());
    assert!(run(home.path(), ARENA).status.success());
    // With chance: nature draws as it did.
    let tiles = ["eval", "2048", "--suite", "random:2", "--agent", "greedy", "--quiet"];
    assert!(run(home.path(), &tiles).status.success());
    let sound = check(&["--json"]);
    let told = json(&sound);
    assert_eq!(sound.status.code(), Some(0), "{told}");
    let counts = ["results", "replayed", "without_board", "failures", "games"];
    assert_eq!(counts.map(|field| told[field].clone()), [5, 5, 0, 0, 4], "{told}");
    assert_eq!((&told["damaged"], &told["complete"]), (&Value::Array(vec![]), &true.into()));
    // A result that no solver found.
    let mut store = Store::open(&path).expect("a store");
    let id = store.evaluations().expect("it can be read")[0].id;
    let outcome =
        EvalResult { value: Some(-1), length: 1, line: "0,0".into(), ..EvalResult::default() };
    let wrong = RunResult { case: "0".to_owned(), run: 9, seed: 1, outcome };
    store.insert(id, &wrong).expect("it can be written");
    drop(store);
    let damaged = check(&["--json"]);
    let told = json(&damaged);
    assert_eq!(damaged.status.code(), Some(1), "{told}");
    assert_eq!(
        (&told["damaged"][0]["table"], &told["damaged"][0]["id"]),
        (&"result".into(), &6.into())
    );
    let text = check(&[]);
    assert!(String::from_utf8_lossy(&text.stdout).contains("result 6: "), "{text:?}");
    // A file that is none.
    fs::write(&path, "no store").expect("it can be written");
    assert_eq!(check(&[]).status.code(), Some(1));
}
