//! Clumsy and malicious use: always a message of one line and the right exit code, never a panic, nothing lost.

mod processes;

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;

/// A folder of its own for a test, gone afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path =
            std::env::temp_dir().join(format!("ludens-hostile-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a temporary folder");
        Folder(path)
    }

    fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, contents).expect("scratch for a file");
        path
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("our folder");
        let mut names: Vec<String> =
            entries.flatten().map(|e| e.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn ludens(args: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("ludens"));
    command.args(args);
    command
}

/// Standard output and error of a command that ends with this code.
fn ends(code: i32, args: &[&str], input: impl AsRef<[u8]>) -> (String, String) {
    let ended = ludens(args).write_stdin(input.as_ref()).assert().code(code);
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("we write UTF-8");
    (text(&ended.get_output().stdout), text(&ended.get_output().stderr))
}

/// The message of a command that is refused.
fn refused(args: &[&str], input: impl AsRef<[u8]>) -> String {
    let (_, message) = ends(2, args, input);
    assert_eq!(message.lines().count(), 1, "{message}");
    message
}

fn text(path: &Path) -> &str {
    path.to_str().expect("paths of tests are text")
}

#[test]
fn moves_that_are_no_text_or_endless_are_refused() {
    let play = ["play", "2048", "--seed", "1"];
    assert_eq!(
        refused(&play, b"left\nr\xff\n"),
        "error: standard input, line 2: byte 2: found no UTF-8, expected text\n"
    );
    assert_eq!(
        refused(&play, vec![b'x'; 1 << 20]),
        "error: standard input, line 1: found more than 64 KiB, expected a move\n"
    );
}

#[test]
fn json_play_takes_blank_lines_and_quit() {
    let (out, _) = ends(0, &["play", "2048", "--seed", "1", "--json"], "\n\nleft\nquit\nup\n");
    assert_eq!(out.lines().count(), 3, "{out}");
    assert!(out.lines().last().unwrap().starts_with(r#"{"event":"end","over":false,"moves":1"#));
}

#[test]
fn files_that_are_no_text_are_refused() {
    let folder = Folder::new("files");
    let binary = folder.file("binary", b"\x00\x01\xff\xfe");
    let expected = format!("error: {}: byte 3: found no UTF-8, expected text\n", binary.display());
    assert_eq!(refused(&["play", "--resume", text(&binary)], ""), expected);
    assert_eq!(refused(&["show", "2048", &format!("@{}", binary.display())], ""), expected);
    let huge = fs::File::create(folder.0.join("huge")).unwrap();
    huge.set_len((64 << 20) + 1).unwrap();
    let message = refused(&["record", "check", text(&folder.0.join("huge"))], "");
    assert!(message.contains("found more than 64 MiB"), "{message}");
    assert_eq!(
        refused(&["show", "2048", "@"], ""),
        "error: '': No such file or directory (os error 2)\n"
    );
}

/// A pipe that nobody writes to would block, a device has no end.
#[test]
#[cfg(unix)]
fn pipes_and_devices_are_refused() {
    let folder = Folder::new("pipes");
    let pipe = folder.0.join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let told = "found a pipe or a device, expected a regular file";
    for path in [text(&pipe), "/dev/zero"] {
        let expected = format!("error: {path}: {told}\n");
        assert_eq!(refused(&["show", "2048", &format!("@{path}")], ""), expected);
        assert_eq!(refused(&["play", "--resume", path], ""), expected);
        let model = format!("net:model={path}");
        for args in [
            ["solve", "former", "--solver", &format!("beam:eval={path}")],
            ["play", "othello", "--second", &model],
            ["play", "2048", "--first", &format!("ntuple:model={path}")],
            ["play", "2048:board=2x3", "--first", &format!("expectimax:table={path}")],
        ] {
            let message = refused(&args, "");
            assert!(message.contains(told), "{args:?}: {message}");
        }
    }
}

#[test]
fn records_are_all_checked_and_an_empty_one_is_none() {
    let folder = Folder::new("check");
    let good = folder.0.join("good");
    ends(0, &["play", "2048", "--seed", "1", "--save", text(&good)], "left\n");
    let empty = folder.file("empty", "");
    let (out, message) =
        ends(2, &["record", "check", text(&empty), "/nonexistent", text(&good)], "");
    assert!(out.ends_with("2048: stopped after 1 moves, total 0\n"), "{out}");
    let expected = "record: found the end, expected 'ludens-record 1' or an episode";
    assert!(message.starts_with(&format!("error: {}: {expected}\n", empty.display())), "{message}");
    assert!(message.contains("/nonexistent: "), "{message}");
    assert_eq!(
        refused(&["record", "convert", "-", "--to", "ludens"], ""),
        format!("error: standard input: {expected}\n")
    );
}

#[test]
fn a_damaged_record_is_refused_with_its_name() {
    let folder = Folder::new("damaged");
    let good = folder.0.join("good");
    ends(0, &["play", "2048", "--seed", "1", "--save", text(&good)], "left\n");
    let whole = fs::read_to_string(&good).unwrap();
    for damaged in [
        whole[..whole.len() - 3].to_owned(),
        whole.replace("one human", "one human\ntwo nobody"),
        whole.replace("game 2048", "game 2048:"),
        whole.replace("move left", "move l"),
        whole.replace('\n', "\r\n"),
    ] {
        let path = folder.file("damaged", &damaged);
        let message = refused(&["play", "--resume", text(&path)], "");
        assert!(message.starts_with(&format!("error: {}: ", path.display())), "{message}");
        assert_eq!(refused(&["record", "check", text(&path)], ""), message);
    }
}

#[test]
fn saving_loses_nothing() {
    let folder = Folder::new("save");
    let letter = folder.file("letter", "dear friend");
    let save = |path: &Path| refused(&["play", "2048", "--save", text(path)], "");
    assert!(save(&letter).contains("exists already"));
    assert_eq!(fs::read_to_string(&letter).unwrap(), "dear friend");
    assert!(save(&folder.0).contains("is a directory"));
    assert!(save(Path::new("/dev/null")).contains("is no regular file"));
    let (_, message) = ends(1, &["play", "2048", "--save", "/nonexistent/x"], "");
    assert!(message.starts_with("error: /nonexistent/x: not saved: "), "{message}");
    // Another file of the user's is no place for a temporary one.
    let other = folder.file("game.tmp", "mine");
    let game = folder.0.join("game");
    ends(0, &["play", "2048", "--seed", "1", "--save", text(&game)], "left\n");
    assert_eq!(fs::read_to_string(other).unwrap(), "mine");
    assert!(save(&game).contains("exists already"));
    ends(0, &["play", "--resume", text(&game), "--save", text(&game)], "up\n");
    assert_eq!(fs::read_to_string(&game).unwrap().matches("\nmove ").count(), 2);
    assert_eq!(folder.names(), ["game", "game.tmp", "letter"]);
}

#[cfg(unix)]
#[test]
fn saving_through_a_link_keeps_the_link() {
    let folder = Folder::new("link");
    let target = folder.file("target", "");
    let link = folder.0.join("link");
    std::os::unix::fs::symlink(&target, &link).unwrap();
    ends(0, &["play", "2048", "--seed", "1", "--save", text(&link)], "left\n");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::read_to_string(&target).unwrap().ends_with("end\n"));
}

#[test]
fn a_resumed_game_goes_on_with_its_players_and_its_luck() {
    let folder = Folder::new("resume");
    let (whole, part) = (folder.0.join("whole"), folder.0.join("part"));
    ends(0, &["play", "2048", "--seed", "1", "--save", text(&whole)], "left\nup\nleft\n");
    ends(0, &["play", "2048", "--seed", "1", "--save", text(&part)], "left\n");
    ends(0, &["play", "--resume", text(&part), "--save", text(&part)], "up\nleft\n");
    let moves = |path: &Path| -> Vec<String> {
        let record = fs::read_to_string(path).unwrap();
        record
            .lines()
            .filter_map(|l| Some(l.strip_prefix("move ")?.rsplit_once(' ')?.0.to_owned()))
            .collect()
    };
    assert_eq!(moves(&whole), moves(&part));
    let duel = folder.0.join("duel");
    ends(0, &["play", "connect-four", "--second", "human", "--save", text(&duel)], "4\n");
    ends(0, &["play", "--resume", text(&duel), "--save", text(&duel)], "4\n4\n");
    let record = fs::read_to_string(&duel).unwrap();
    assert!(record.contains("two human\n"), "{record}");
    assert_eq!(moves(&duel).len(), 3);
}

#[test]
fn a_seed_is_heard_wherever_the_position_comes_from() {
    let position = "0,2,0,0/0,0,0,0/0,0,0,0/0,2,0,0";
    let end = |seed: &str| {
        ends(0, &["play", "2048", position, "--first", "random", "--seed", seed], "").0
    };
    assert_eq!(end("1"), end("1"));
    assert_ne!(end("1"), end("2"));
}

#[test]
fn a_flag_that_does_not_exist_is_named() {
    let message = refused(&["show", "2048", "--jsn"], "");
    assert!(
        message.starts_with("error: '--jsn' is no flag, and as a position: board: "),
        "{message}"
    );
}

#[test]
fn flags_without_effect_are_refused() {
    for flags in [["--random", "3"], ["--date", "2025-01-01"], ["--thesis", "1"]] {
        let message = refused(&["bench", "--seconds", "0.01", flags[0], flags[1]], "");
        assert!(message.contains("need the game"), "{message}");
    }
    let (_, message) = ends(2, &["bench", "--seconds", "-1"], "");
    assert!(message.contains("expected seconds from 0.01 to 3600"), "{message}");
    let (_, message) = ends(2, &["perft", "2048", "-1"], "");
    assert!(message.contains("expected a whole number from 1 to 1000"), "{message}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_failure() {
    for args in [&["games"][..], &["show", "2048"], &["man"], &["--help"], &["--version"]] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("ludens"));
        let ended = command.args(args).stdout(full).output().unwrap();
        let message = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(1), "{args:?}");
        assert!(
            message.starts_with("error: standard output: No space left"),
            "{args:?}: {message}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_first_ctrl_c_stops_a_long_measurement() {
    use processes::Running;
    let args = ["bench", "connect-four", "--seconds", "600", "--json"];
    let mut running = Running::start(processes::ludens(&args));
    running.listens_for(2);
    running.signal("INT");
    let out = running.line().expect("what was measured so far");
    assert!(out["playouts"]["connect-four"]["games_per_s"].is_number(), "{out}");
    assert_eq!(running.wait().code(), Some(130));
}
