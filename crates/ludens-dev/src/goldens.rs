//! Golden files: perft counts and a recorded random game for every registered
//! game, and the signature of every solver and agent, so that no change of rules or
//! searches goes unnoticed.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use anyhow::Context;
use ludens_core::Player;
use ludens_engine::analysis::Request;
use ludens_engine::signature::{self, AgentSignature, Signature};
use ludens_engine::{GameHandle, GameInfo, Turn};

use crate::checks::{log, root};

/// The seed of the start positions and of the recorded games.
const SEED: u64 = 1;
/// Counting stops at the first depth with more paths than this.
const ENOUGH: u64 = 20_000;

/// Where the golden files are.
pub fn folder() -> PathBuf {
    root().join("crates/ludens-games/goldens")
}

/// The files of signatures with the lines that they should have.
///
/// # Panics
/// When a registered solver or agent cannot be made.
pub fn signatures() -> [(PathBuf, String); 2] {
    let folder = root().join("crates/ludens-engine/goldens");
    [
        (folder.join("solvers.signatures"), solver_signatures()),
        (folder.join("agents.signatures"), agent_signatures()),
    ]
}

/// Of every solver: game, solver, nodes, value, moves, hash.
fn solver_signatures() -> String {
    let mut text = String::new();
    for info in ludens_engine::games() {
        let spec = info.spec();
        let table = ludens_engine::game(&spec).expect("a registered game").start(SEED);
        let found = signature::signatures(&*table, signature::SEED, &AtomicBool::new(false))
            .expect("solvers take their own defaults");
        for Signature { solver, nodes, value, length, line } in found {
            writeln!(text, "{spec} {solver} {nodes} {value} {length} {line:016x}")
                .expect("writing to a string cannot fail");
        }
    }
    text
}

/// Of every agent: game, agent, move, nodes, value, hash.
fn agent_signatures() -> String {
    let mut text = String::new();
    for info in ludens_engine::games() {
        let spec = info.spec();
        let handle = ludens_engine::game(&spec).expect("a registered game");
        let table = handle.random(signature::SEED, signature::AGENT_PLIES);
        let found = signature::agent_signatures(&*table, &AtomicBool::new(false))
            .expect("agents take their own defaults");
        for AgentSignature { agent, action, nodes, value, moves } in found {
            writeln!(text, "{spec} {agent} {action} {nodes} {value} {moves:016x}")
                .expect("writing to a string cannot fail");
        }
    }
    text
}

/// All golden files by their path below [`folder`], as they should be.
///
/// # Panics
/// When a sample of a registered game is no variant of it.
pub fn all() -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    for info in ludens_engine::games() {
        let name = info.spec().replace([':', '='], "-");
        files.push((PathBuf::from(format!("{name}.perft")), perft(&info)));
        files.push((PathBuf::from(format!("{name}.playthrough")), playthroughs(&info)));
    }
    files
}

/// Writes the golden files and removes those that no game has any more.
///
/// # Errors
/// When a file cannot be written.
pub fn write() -> anyhow::Result<()> {
    let folder = folder();
    if folder.exists() {
        fs::remove_dir_all(&folder).context("removing the old golden files")?;
    }
    fs::create_dir_all(&folder)?;
    for (path, text) in all() {
        fs::write(folder.join(&path), text)
            .with_context(|| format!("writing {}", path.display()))?;
        log(&format!("wrote {}", path.display()));
    }
    for (path, text) in signatures() {
        fs::create_dir_all(path.parent().expect("a file has a folder"))?;
        fs::write(&path, text).with_context(|| format!("writing {}", path.display()))?;
        log(&format!("wrote {}", path.display()));
    }
    Ok(())
}

fn sampled(info: &GameInfo) -> impl Iterator<Item = Box<dyn GameHandle>> {
    info.samples.iter().map(|params| {
        let spec = info.spec_with(params);
        ludens_engine::game(&spec).unwrap_or_else(|e| panic!("sample {spec}: {e}"))
    })
}

/// Per sample variant: the spec, the start position of the seed, the counts.
fn perft(info: &GameInfo) -> String {
    let mut text = String::new();
    for handle in sampled(info) {
        let table = handle.start(SEED);
        let mut counts = Vec::new();
        for depth in 1..=12 {
            counts = table.perft(depth, &|| false).unwrap_or_else(|partial| partial);
            if counts.last().is_none_or(|&last| last > ENOUGH || last == 0) {
                break;
            }
        }
        let counts: Vec<String> = counts.iter().map(u64::to_string).collect();
        writeln!(text, "{}\n{}\n{}\n", handle.spec(), table.position(), counts.join(" "))
            .expect("writing to a string cannot fail");
    }
    text
}

/// Per sample variant: the record of a random game, then each position with
/// its number of legal moves.
fn playthroughs(info: &GameInfo) -> String {
    let mut text = String::new();
    for handle in sampled(info) {
        let mut table = handle.start(SEED);
        let mut positions = String::new();
        let random = "every game has the random agent";
        table.seat(Player::One, "random").expect(random);
        if table.players() == 2 {
            table.seat(Player::Two, "random").expect(random);
        }
        loop {
            writeln!(positions, "{} {}", table.action_count(), table.position())
                .expect("writing to a string cannot fail");
            if table.turn() == Turn::Over {
                break;
            }
            let played = table.play_agent(&Request::default(), Request::never());
            played.expect("agents play legal moves").expect("an agent sits there");
        }
        text.push_str(&table.record().write());
        text.push_str(&positions);
        text.push('\n');
    }
    text
}
