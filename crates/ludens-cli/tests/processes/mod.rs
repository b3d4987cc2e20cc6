//! `ludens` as a process that is watched, stopped and killed.
#![allow(dead_code, reason = "each test file uses its own part of this")]

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitStatus, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

pub(crate) fn ludens(args: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("ludens"));
    command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs a command to its end.
pub(crate) fn ended(args: &[&str]) -> Output {
    ludens(args).output().expect("it runs")
}

pub(crate) fn complaint(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Runs a command to its end, which must be a good one.
pub(crate) fn succeeded(args: &[&str]) -> String {
    let output = ended(args);
    assert!(output.status.success(), "{args:?}: {}", complaint(&output));
    String::from_utf8(output.stdout).expect("we write UTF-8")
}

pub(crate) fn text(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

/// A command under way that writes JSON lines.
pub(crate) struct Running {
    pub(crate) child: Child,
    lines: BufReader<ChildStdout>,
}

impl Running {
    pub(crate) fn start(mut command: Command) -> Self {
        let mut child = command.spawn().expect("it runs");
        let lines = BufReader::new(child.stdout.take().expect("a pipe"));
        Running { child, lines }
    }

    /// The next line; `None` at the end of the output.
    pub(crate) fn line(&mut self) -> Option<Value> {
        let mut line = String::new();
        self.lines.read_line(&mut line).expect("a pipe");
        serde_json::from_str(&line).ok()
    }

    /// Waits for `count` lines that have a field; whether they came.
    pub(crate) fn lines_with(&mut self, field: &str, count: usize) -> bool {
        let mut found = 0;
        while found < count {
            let Some(line) = self.line() else { return false };
            found += usize::from(!line[field].is_null());
        }
        true
    }

    /// Kills it in the middle of its work, after `count` lines that have a field. Whether it was
    /// killed: on a busy machine it may have come to its end before.
    pub(crate) fn killed_after(mut self, field: &str, count: usize) -> bool {
        let there = self.lines_with(field, count);
        std::thread::sleep(Duration::from_millis(10));
        self.child.kill().expect("it can be killed");
        // One that ended by itself has a code.
        self.wait().code().is_none() && there
    }

    /// Waits until it has taken over a signal, by number.
    #[cfg(target_os = "linux")]
    pub(crate) fn listens_for(&self, signal: u32) {
        let process = self.child.id();
        let caught = || {
            let status = format!("/proc/{process}/status");
            let status = std::fs::read_to_string(status).expect("a process");
            let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
            let mask = u64::from_str_radix(mask.expect("a mask").trim(), 16).expect("a number");
            mask >> (signal - 1) & 1 == 1
        };
        let tries = std::iter::repeat_with(|| std::thread::sleep(Duration::from_millis(5)));
        assert!(tries.take(12_000).any(|()| caught()), "it does not listen");
    }

    /// Sends a signal by name.
    pub(crate) fn signal(&self, name: &str) {
        let process = self.child.id().to_string();
        let sent = Command::new("kill").args([&format!("-{name}"), &process]).status();
        assert!(sent.expect("a shell's kill").success(), "{name}");
    }

    pub(crate) fn wait(mut self) -> ExitStatus {
        // What it still has to say must not block it.
        while self.lines.read_line(&mut String::new()).is_ok_and(|bytes| bytes > 0) {}
        self.child.wait().expect("it ends")
    }
}
