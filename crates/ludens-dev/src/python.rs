//! Comparisons with OpenSpiel, an independent engine with a Python package, and the tests of our own
//! package.
//!
//! Both live in virtual environments below `target/`, made on first use with
//! the ordinary package installer.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use ludens_core::Player;
use ludens_engine::analysis::Request;
use ludens_engine::{Turn, json};

use crate::checks::{log, root, run};

/// The version the comparisons were written for.
const OPEN_SPIEL: &str = "open_spiel==2.0.2";
/// What the tests of the Python package need besides its extras.
const TOOLS: [&str; 9] = [
    "maturin==1.16.*",
    "gymnasium==1.4.*",
    "pettingzoo==1.27.*",
    OPEN_SPIEL,
    "pytest==8.*",
    "mypy==1.*",
    "nbclient==0.10.*",
    "nbformat==5.*",
    "ipykernel",
];
/// What tests of many machines need.
const RAY: &str = "ray==2.*";
/// The games OpenSpiel has too.
const SHARED: [&str; 3] = ["connect-four", "othello", "2048"];

/// Plays random games with our rules and lets OpenSpiel follow: same legal
/// moves, same positions, same rewards.
///
/// # Errors
/// When the engines differ, or Python is missing on a machine that must have it.
pub fn oracle(games: u32) -> anyhow::Result<()> {
    let Some(python) = environment("open-spiel", &[OPEN_SPIEL])? else { return Ok(()) };
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
    let Some(python) = environment("open-spiel", &[OPEN_SPIEL])? else { return Ok(()) };
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

/// Builds the wheel of the Python package, installs it and runs its tests; with Ray also those that
/// start a cluster, in an environment of their own.
///
/// # Errors
/// When something fails, or Python is missing on a machine that must have it.
pub fn package(ray: bool) -> anyhow::Result<()> {
    let (name, ray) = if ray { ("python-ray", Some(RAY)) } else { ("python", None) };
    let tools: Vec<&str> = TOOLS.into_iter().chain(ray).collect();
    let Some(python) = environment(name, &tools)? else { return Ok(()) };
    let python = text(&python)?;
    // The profile of the tests, so that what both use is built once.
    let pip = [
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--no-build-isolation",
        "--no-deps",
        "--force-reinstall",
        "--config-settings=build-args=--profile=dev",
        "./python",
    ];
    // maturin is found beside the interpreter.
    let folder = root().join("target").join(name).join("bin");
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", text(&folder)?);
    run(python, &pip, &[("PATH", &path)])?;
    run(python, &["-m", "pytest", "-q", "python/tests"], &[])
}

/// The Python of a virtual environment with some packages. `None`, with a notice, on a machine
/// without Python that is not a test machine.
fn environment(name: &str, packages: &[&str]) -> anyhow::Result<Option<PathBuf>> {
    let folder = root().join("target").join(name);
    let python = folder.join("bin/python");
    let (ready, wanted) = (folder.join("ready"), packages.join("\n"));
    if ready.exists() && fs::read_to_string(&ready)? == wanted {
        return Ok(Some(python));
    }
    let made = run("python3", &["-m", "venv", text(&folder)?], &[]);
    if made.is_err() && std::env::var_os("CI").is_none() {
        log(&format!("note: no Python with venv here; what needs target/{name} is skipped"));
        return Ok(None);
    }
    made?;
    let mut install = vec!["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    install.extend(packages);
    run(text(&python)?, &install, &[])?;
    fs::write(&ready, wanted)?;
    Ok(Some(python))
}

fn text(path: &Path) -> anyhow::Result<&str> {
    path.to_str().with_context(|| format!("{} is no valid text", path.display()))
}
