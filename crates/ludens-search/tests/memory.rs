//! Searches end with what they have when the system has no more memory.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::process::Command;
use std::sync::atomic::AtomicBool;

use ludens_core::{Budget, Context, Progress, Solver};
use ludens_games::Former;
use ludens_games::former::{Evaluation, daily};
use ludens_search::{AStar, Beam, Rounds, Unbounded};

/// Says to the process that it is the one with a limit.
const LIMITED: &str = "LUDENS_TEST_LIMITED";

/// Runs a test of this file in a process with 256 MB of address space.
fn under_a_limit(test: &str) {
    let script = "ulimit -v 262144; exec \"$0\" \"$@\"";
    let output = Command::new("sh")
        .args(["-c", script])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture", "--test-threads=1"])
        .env(LIMITED, "1")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{output:?}");
}

/// The moves and nodes of a search that may use as much memory as it likes.
fn solve(solver: &mut impl Solver<Former>, budget: Budget) -> (usize, u64) {
    let (stop, mut silent) = (AtomicBool::new(false), |_: &Progress<'_, Former>| {});
    let mut context = Context::new(budget, 1, 1, usize::MAX, &stop, &mut silent);
    let solution = solver.solve(&daily(2025, 2, 15).unwrap(), &mut context).unwrap();
    (solution.line.len(), solution.nodes)
}

#[test]
fn a_star_ends() {
    if std::env::var_os(LIMITED).is_none() {
        return under_a_limit("a_star_ends");
    }
    let (moves, nodes) = solve(&mut AStar { relaxation: 1.0 }, Budget::default());
    assert!(moves > 0 && nodes > 100_000, "{moves} {nodes}");
}

#[test]
fn beams_get_narrower() {
    if std::env::var_os(LIMITED).is_none() {
        return under_a_limit("beams_get_narrower");
    }
    let rounds = Rounds::plain(1 << 30);
    let mut beam = Beam { heuristic: Evaluation::default(), ceiling: Unbounded, rounds };
    let (moves, nodes) = solve(&mut beam, Budget::nodes(300_000));
    assert!(moves > 0 && nodes >= 300_000, "{moves} {nodes}");
}
