//! Shards that are killed in the middle of their work are resumed by the same command.
#![cfg(unix)]

mod processes;

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use ludens_runs::arena::Store;
use processes::{ludens, succeeded, text};
use serde_json::Value;

/// How many units a store has.
type Count = fn(&Store) -> usize;

fn results(store: &Store) -> usize {
    store.evaluations().expect("a store").iter().map(|e| e.results).sum()
}

fn games(store: &Store) -> usize {
    store.pairings().expect("a store").iter().map(|pairing| pairing.games).sum()
}

fn blocks(store: &Store) -> usize {
    store.count_blocks().expect("a store")
}

/// Kills a shard once its store has something and not all; how much it had. `None` if it was too fast.
fn cut_off(args: &[&str], store: &Path, count: Count) -> Option<usize> {
    let mut child = ludens(args).stdout(Stdio::null()).spawn().expect("it runs");
    let there = || if store.exists() { Store::open(store).map_or(0, |s| count(&s)) } else { 0 };
    while there() < 2 {
        if child.try_wait().expect("a process").is_some() {
            return None;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().expect("it can be killed");
    let killed = child.wait().expect("it ends").code().is_none();
    killed.then(there)
}

/// A killed and resumed shard of two, with the other, makes the whole.
fn resumes(command: &[&str], count: Count) {
    let folder = tempfile::TempDir::new().expect("a folder");
    let files = [1, 2].map(|index| folder.path().join(format!("part-{index}.sqlite")));
    let shard = |index: usize| {
        let part = format!("{}/2", index + 1);
        let mut args: Vec<String> = command.iter().map(|arg| (*arg).to_owned()).collect();
        args.extend(["--threads", "1", "--shard", &part, "--store"].map(str::to_owned));
        args.push(text(&files[index]).to_owned());
        args
    };
    let [first, second] = [shard(0), shard(1)];
    let first: Vec<&str> = first.iter().map(String::as_str).collect();
    let second: Vec<&str> = second.iter().map(String::as_str).collect();
    let before = cut_off(&first, &files[0], count);
    if let Some(before) = before {
        let store = Store::open(&files[0]).expect("a killed shard's store is sound");
        assert_eq!(store.shards().expect("a store").len(), 0, "it was not entered as done");
        drop(store);
        succeeded(&first);
        let after = count(&Store::open(&files[0]).expect("a store"));
        assert!(after > before, "{after} units after {before}");
    }
    succeeded(&second);
    let hash = |told: String| -> Value {
        let mut told: Value = serde_json::from_str(&told).expect("JSON");
        told.as_object_mut().expect("an object").retain(|name, _| !name.contains("time"));
        told
    };
    let merged = hash(succeeded(&["merge", text(&files[0]), text(&files[1]), "--json"]));
    let mut whole: Vec<&str> = command.to_vec();
    let store = folder.path().join("whole.sqlite");
    whole.extend(["--threads", "1", "--json", "--store", text(&store)]);
    let whole = hash(succeeded(&whole));
    for field in ["hash", "avg", "proven", "games", "standings"] {
        assert_eq!(merged[field], whole[field], "{field}");
    }
}

#[test]
fn suites() {
    let suite = ["eval", "samegame", "--suite", "random:40", "--nodes", "4000"];
    resumes(&[&suite[..], &["--workers", "1"]].concat(), results);
}

#[test]
fn contests() {
    let agents = ["arena", "connect-four", "uct:200", "uct:100", "--games", "80"];
    resumes(&[&agents[..], &["--workers", "1"]].concat(), games);
}

#[test]
fn self_play() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let run = folder.path().join("run");
    let train = ["train", "alphazero", "--game", "connect-four", "--seed", "3", "--steps", "0"];
    let settings = ["--set", "sims=32", "--set", "games=120", "--set", "channels=8"];
    succeeded(&[&train[..], &settings, &["--run", text(&run)]].concat());
    resumes(&["selfplay", "--run", text(&run), "--block", "4"], blocks);
}
