//! Programs of others that do not keep to the protocol.
#![cfg(target_os = "linux")]

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use ludens_runs::contest::{Asked, Contestant, Program};

fn program(script: &str) -> Program {
    let command = ["sh", "-c", script].map(str::to_owned).to_vec();
    Program::new(command, "connect-four", Duration::from_millis(50))
}

#[test]
fn nobody_waits_for_a_program_that_never_reads() {
    let mut program = program("echo ready; exec sleep 60");
    let begin = Instant::now();
    let told = (0..50_000).find_map(|_| program.start("").err()).unwrap();
    assert_eq!(told.to_string(), "has not read 256 lines that it was sent");
    assert!(begin.elapsed() < Duration::from_secs(30), "{:?}", begin.elapsed());
}

#[test]
fn a_move_nobody_asked_for_is_a_fault() {
    let answers = "while read -r word rest; do case $word in go) echo bestmove 4;; esac; done";
    let mut program = program(&format!("printf 'ready\\nbestmove 4\\n'; {answers}"));
    program.start("").unwrap();
    let stop = AtomicBool::new(false);
    let time = Some(Duration::from_secs(20));
    let asked = Asked { time, nodes: None, seed: 0, threads: 1, stop: &stop };
    // The early one may be taken for the first answer; then that one is early for the second.
    let told = (0..20).find_map(|_| {
        let choice = program.choose(&asked, &mut |_| {});
        std::thread::sleep(Duration::from_millis(200));
        choice.err()
    });
    assert_eq!(told.unwrap().to_string(), "wrote 'bestmove 4' before go");
}

/// Whether a process runs; one that is dead but not waited for does not.
fn runs(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"));
    stat.is_ok_and(|stat| !stat.rsplit(") ").next().unwrap_or_default().starts_with('Z'))
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default().trim().to_owned()
}

#[test]
fn what_a_program_has_started_ends_with_it() {
    let folder = std::env::temp_dir().join(format!("ludens-programs-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    // One that is killed, and one that ends and leaves its child behind.
    for (name, rest) in [("waits", "wait"), ("ends", "read hello; read newgame; exit 3")] {
        let file = folder.join(name);
        let script = format!("sleep 300 & echo $! > {}; echo ready; {rest}", file.display());
        let mut program = program(&script);
        program.start("").unwrap();
        let child = text(&file);
        assert!(!child.is_empty());
        drop(program);
        let begin = Instant::now();
        while runs(&child) {
            assert!(begin.elapsed() < Duration::from_secs(20), "{name}: {child} still runs");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
