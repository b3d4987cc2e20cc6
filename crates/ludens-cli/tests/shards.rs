//! Shards of evaluations and contests: joined, they are what one machine prints.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

fn ludens(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("ludens").unwrap();
    command.current_dir(folder).env("LUDENS_HOME", folder.join("home")).args(args);
    command
}

fn json(folder: &Path, args: &[&str]) -> Value {
    let out = ludens(folder, args).arg("--json").assert().success().get_output().stdout.clone();
    serde_json::from_slice(&out).unwrap()
}

/// Without what a clock says.
fn timeless(mut value: Value) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                fields.retain(|name, _| {
                    !["time_ms", "moves_per_s", "moves_per_cpu_s", "time_per_move"]
                        .contains(&name.as_str())
                        && !name.contains("millis")
                        && name != "time"
                });
                fields.values_mut().for_each(strip);
            }
            Value::Array(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    strip(&mut value);
    value
}

fn shard(folder: &Path, command: &[&str], index: usize, count: usize) -> String {
    let (part, file) = (format!("{index}/{count}"), format!("part-{index}.sqlite"));
    let mut args = command.to_vec();
    args.extend(["--shard", &part, "--store", &file]);
    ludens(folder, &args).assert().success();
    file
}

/// The shards of a command, joined, against the command itself.
fn joined_is_whole(command: &[&str], count: usize) {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let whole = timeless(json(folder, command));
    let files: Vec<String> = (1..=count).map(|i| shard(folder, command, i, count)).collect();
    let mut merge = vec!["merge"];
    merge.extend(files.iter().rev().map(String::as_str));
    assert_eq!(timeless(json(folder, &merge)), whole);
    // Done again, a shard changes nothing.
    shard(folder, command, 1, count);
    assert_eq!(timeless(json(folder, &merge)), whole);
}

#[test]
fn suites() {
    let suite =
        ["eval", "samegame", "--suite", "random:5,3", "--solver", "Static", "--nodes", "2000"];
    joined_is_whole(&[&suite[..], &["--runs", "2", "--seed", "4"]].concat(), 3);
    let former = "former:rows=4,cols=4,shapes=3";
    joined_is_whole(&["eval", former, "--suite", "random:4", "--nodes", "100000"], 2);
}

#[test]
fn contests() {
    let agents = ["uct:50", "uct:100", "random"];
    let command = [&["arena", "connect-four"][..], &agents, &["--games", "6", "--seed", "2"]];
    joined_is_whole(&command.concat(), 4);
}

#[test]
fn episodes() {
    let agent = ["eval", "2048:board=3x3", "--agent", "expectimax:ply=1", "--games", "7"];
    joined_is_whole(&[&agent[..], &["--seed", "5"]].concat(), 2);
}

#[test]
fn what_is_no_whole_is_refused() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let command = ["eval", "samegame", "--suite", "random:4", "--nodes", "500"];
    let refused = |args: &[&str], says: &str| {
        let assert = ludens(folder, args).assert().failure();
        let told = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(told.contains(says), "{told}");
    };
    let one = shard(folder, &command, 1, 2);
    refused(&["merge", &one], "shards are missing: 2/2");
    refused(&["merge", &one, &one], "shard 1/2 is in part-1.sqlite and in part-1.sqlite");
    refused(&["merge", "nothing.sqlite"], "nothing.sqlite: there is no such file");
    std::fs::write(folder.join("text"), "no store").unwrap();
    refused(&["merge", "text"], "is not a Ludens result store");
    let other = [&command[..], &["--seed", "9"]].concat();
    let two = shard(folder, &other, 2, 2);
    refused(&["merge", &one, &two], "shards of different work");
    refused(&[&command[..], &["--shard", "3/2", "--store", "x"]].concat(), "such as 2/8");
    refused(&[&command[..], &["--shard", "1/2"]].concat(), "--store");
    let sprt = ["arena", "connect-four", "uct:10", "uct:20", "--sprt", "0,10"];
    refused(&[&sprt[..], &["--shard", "1/2", "--store", "y"]].concat(), "sequential test");
    let watch = ["arena", "connect-four", "uct:10", "uct:20", "--watch", "runs"];
    refused(&[&watch[..], &["--shard", "1/2", "--store", "y"]].concat(), "cannot be used with");
}

#[test]
fn a_shard_writes_no_tables() {
    let folder = TempDir::new().unwrap();
    let eval = ["eval", "samegame", "--suite", "random:2", "--nodes", "50"];
    for file in ["--csv", "--plot"] {
        let args = [&eval[..], &["--shard", "1/2", "--store", "part", file, "out"]].concat();
        let assert = ludens(folder.path(), &args).assert().failure().code(2);
        let told = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(told.contains("cannot be used with") && told.contains("--shard"), "{told}");
    }
    // Contests have no such tables.
    let contest = ["arena", "connect-four", "uct:5", "uct:10", "--games", "2"];
    let part = shard(folder.path(), &contest, 1, 1);
    let merge = ["merge", &part, "--csv", "out.csv"];
    let assert = ludens(folder.path(), &merge).assert().failure().code(2);
    let told = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(told.contains("eval --suite"), "{told}");
}

#[test]
fn proofs() {
    let former = ["eval", "former:rows=4,cols=4", "--suite", "random:5", "--solver", "exact"];
    joined_is_whole(&[&former[..], &["--nodes", "1000000"]].concat(), 3);
    let folder = TempDir::new().unwrap();
    let told = json(folder.path(), &[&former[..], &["--nodes", "1000000"]].concat());
    assert_eq!(told["proven"], 5);
}

/// A small run of a recipe whose games others can play, and its files that two iterations leave.
struct SelfPlayed {
    recipe: &'static str,
    settings: &'static [&'static str],
    tensors: &'static [&'static str],
    games: &'static [&'static str],
}

const ALPHAZERO: SelfPlayed = SelfPlayed {
    recipe: "alphazero",
    settings: &["channels=4", "blocks=1", "sims=4", "games=12", "batch=32"],
    tensors: &["checkpoint.safetensors", "model.safetensors"],
    games: &["games/000001.jsonl", "games/000002.jsonl"],
};
const PROBS: SelfPlayed = SelfPlayed {
    recipe: "probs",
    settings: &["channels=4", "layers=1", "hidden=8", "games=12", "batch=32", "expand=2"],
    tensors: &["actions-2.safetensors", "values-2.safetensors", "model.safetensors"],
    games: &[],
};

impl SelfPlayed {
    /// Starts a run with its first network.
    fn start(&self, folder: &Path, run: &str) {
        let mut args = vec!["train", self.recipe, "--run", run, "--seed", "3", "--steps", "0"];
        args.extend(["--game", "connect-four"]);
        args.extend(self.settings.iter().flat_map(|setting| ["--set", *setting]));
        ludens(folder, &args).assert().success();
    }

    /// Files of a run that have no times in them, and the tensors of the others.
    fn learned(&self, run: &Path) -> Vec<(&'static str, Vec<u8>)> {
        let tensors = |name: &&'static str| {
            let bytes = std::fs::read(run.join(name)).unwrap();
            let header = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
            (*name, bytes[8 + header..].to_vec())
        };
        let games = |name: &&'static str| (*name, std::fs::read(run.join(name)).unwrap());
        self.tensors.iter().map(tensors).chain(self.games.iter().map(games)).collect()
    }

    /// Two iterations by shards come to what the program alone comes to.
    fn by_shards_is_whole(&self) {
        let folder = TempDir::new().unwrap();
        let folder = folder.path();
        self.start(folder, "whole");
        let go = ["train", self.recipe, "--run", "whole", "--resume", "--steps", "2"];
        ludens(folder, &go).assert().success();
        self.start(folder, "parts");
        for _ in 0..2 {
            let play = ["selfplay", "--run", "parts", "--block", "5"];
            let whole = timeless(json(folder, &play));
            assert_eq!(whole["games"], 12);
            let files: Vec<String> = (1..=2).map(|i| shard(folder, &play, i, 2)).collect();
            let merged = timeless(json(folder, &["merge", &files[1], &files[0]]));
            assert_eq!(merged, whole);
            let learn = ["train", self.recipe, "--run", "parts", "--resume", "--played"];
            ludens(folder, &[&learn[..], &[&files[0], &files[1]]].concat()).assert().success();
            // The next iteration wants other games.
            let again = ludens(folder, &[&learn[..], &[&files[0], &files[1]]].concat()).assert();
            let told = String::from_utf8_lossy(&again.failure().get_output().stderr).into_owned();
            assert!(told.contains("the run wants"), "{told}");
            files.iter().for_each(|file| std::fs::remove_file(folder.join(file)).unwrap());
        }
        assert_eq!(self.learned(&folder.join("parts")), self.learned(&folder.join("whole")));
    }
}

#[test]
fn self_play_and_learning() {
    ALPHAZERO.by_shards_is_whole();
    PROBS.by_shards_is_whole();
}
