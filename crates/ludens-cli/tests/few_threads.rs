//! A system that gives no threads: a message and exit code 1, no panic.

#![cfg(target_os = "linux")]

mod processes;

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use processes::complaint;

/// Another user than root, whom limits on processes do not bind; one with no process of its own, so
/// that the limit is that of the program alone.
const USER: &str = "64999";

/// A copy of the program that every user may start.
fn program(folder: &Path) -> PathBuf {
    let open = |path: &Path| {
        let all = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(path, all).expect("it is ours");
    };
    let path = folder.join("ludens");
    std::fs::copy(assert_cmd::cargo::cargo_bin!("ludens"), &path).expect("a copy");
    open(folder);
    open(&path);
    path
}

/// Runs a command line with at most `most` processes and threads; `None` where that cannot be.
fn limited(most: u32, line: &[&str]) -> Option<Output> {
    let mut command = Command::new("setpriv");
    let user = ["--reuid", USER, "--regid", USER, "--clear-groups"];
    command.args(user).args(["prlimit", &format!("--nproc={most}")]).args(line);
    command.env("LUDENS_HOME", "/nonexistent").output().ok()
}

#[test]
fn too_few_threads_are_told() {
    // Not below the folder of the tests, which others may not be allowed to enter.
    let folder = tempfile::tempdir_in("/tmp").expect("a folder");
    let program = program(folder.path());
    let program = program.to_str().expect("a plain path");
    let there = limited(1, &[program, "--version"]);
    if !there.is_some_and(|output| output.status.success()) {
        ludens_testkit::skipped("threads that are refused", "it takes root, setpriv and prlimit");
        return;
    }
    let solve = ["solve", "former", "--nodes", "100", "--json", "--threads", "2"];
    let serve = ["serve", "--no-open", "--port", "0"];
    let arena = ["arena", "connect-four", "random", "greedy", "--games", "2"];
    for (most, args) in [(1, &solve[..]), (3, &solve), (1, &serve), (8, &serve), (2, &arena)] {
        let output = limited(most, &[&[program], args].concat()).expect("it ran before");
        let message = complaint(&output);
        assert_eq!(output.status.code(), Some(1), "{most} {args:?}: {message}");
        assert!(message.starts_with("error: ") && message.contains(" threads: "), "{message}");
        assert!(!message.contains("panicked"), "{message}");
    }
    let output = limited(50, &[&[program], &solve[..]].concat()).expect("it ran before");
    assert!(output.status.success(), "{}", complaint(&output));
}
