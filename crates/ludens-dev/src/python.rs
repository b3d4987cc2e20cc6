//! Comparisons with OpenSpiel, an independent engine with a Python package.
//!
//! It lives in a virtual environment below `target/`, made on first use with
//! the ordinary package installer.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use ludens_core::Player;
use ludens_engine::analysis::Request;
use ludens_engine::{Turn, json};

use crate::checks::{root, run, tell};

/// The version the comparisons were written for.
const OPEN_SPIEL: &str = "open_spiel==2.0.2";
/// The games OpenSpiel has too.
const SHARED: [&str; 3] = ["connect-four", "othello", "2048"];

/// Plays random games with our rules and lets OpenSpiel follow: same legal
/// moves, same positions, same rewards.
///
/// # Errors
/// When the engines differ, or Python is missing on a machine that must have it.
pub fn oracle(games: u32) -> anyhow::Result<()> {
    let Some(python) = environment()? else { return Ok(()) };
    let folder = root().join("target/oracle");
    fs::create_dir_all(&folder)?;
    let file = folder.join("games.jsonl");
    let lines: Vec<String> = SHARED
        .iter()
        .flat_map(|game| (0..u64::from(games)).map(move |seed| followed_game(game, seed)))
        .collect();
    fs::write(&file, lines.join("\n")).context("writing the games to follow")?;
    run(text(&python)?, &["tools/oracle.py", text(&file)?], &[])
}

/// Measures random play of OpenSpiel from Python and ours in turns.
///
/// # Errors
/// When something cannot be built or run.
pub fn rivals(rounds: u32) -> anyhow::Result<()> {
    let Some(python) = environment()? else { return Ok(()) };
    run("cargo", &["build", "--release", "--package", "ludens-cli"], &[])?;
    let binary = root().join("target/release/ludens");
    run(text(&python)?, &["tools/rivals.py", text(&binary)?, &rounds.to_string()], &[])
}

/// One random game as JSON: each position with its legal moves and what was played.
fn followed_game(spec: &str, seed: u64) -> String {
    let handle = ludens_engine::game(spec).expect("a registered game");
    let mut table = handle.start(seed);
    for player in [Player::One, Player::Two].into_iter().take(table.players()) {
        table.seat(player, "random").expect("every game has the random agent");
    }
    let mut plies = Vec::new();
    while table.turn() != Turn::Over {
        let mut ply = json::position(&*table);
        let played = table.play_agent(&Request::default(), Request::never());
        let played = played.expect("agents play legal moves").expect("an agent sits there");
        ply["played"] = json::played(&played);
        plies.push(ply);
    }
    let end = json::position(&*table);
    serde_json::json!({"game": spec, "plies": plies, "end": end, "total": table.total()})
        .to_string()
}

/// The Python of the virtual environment. `None`, with a notice, on a machine
/// without Python that is not a test machine.
fn environment() -> anyhow::Result<Option<PathBuf>> {
    let folder = root().join("target/open-spiel");
    let python = folder.join("bin/python");
    let ready = folder.join("ready");
    if ready.exists() && fs::read_to_string(&ready)? == OPEN_SPIEL {
        return Ok(Some(python));
    }
    let made = run("python3", &["-m", "venv", text(&folder)?], &[]);
    if made.is_err() && std::env::var_os("CI").is_none() {
        tell("note: no Python with venv here; the comparison with OpenSpiel is skipped");
        return Ok(None);
    }
    made?;
    run(
        text(&python)?,
        &["-m", "pip", "install", "--quiet", "--disable-pip-version-check", OPEN_SPIEL],
        &[],
    )?;
    fs::write(&ready, OPEN_SPIEL)?;
    Ok(Some(python))
}

fn text(path: &Path) -> anyhow::Result<&str> {
    path.to_str().with_context(|| format!("{} is no valid text", path.display()))
}
