//! The one command every change must pass.

use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, bail};

use crate::{page, python};

/// The root of the workspace.
pub fn root() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("this crate lies two folders below the root").to_owned()
}

/// Runs a program in the root of the workspace and fails when it fails.
///
/// # Errors
/// When the program cannot be started or ends with an error.
pub fn run(program: &str, args: &[&str], env: &[(&str, &str)]) -> anyhow::Result<()> {
    let shown = format!("{program} {}", args.join(" "));
    log(&format!("==> {shown}"));
    let begin = Instant::now();
    let status = Command::new(program)
        .args(args)
        .envs(env.iter().copied())
        .current_dir(root())
        .status()
        .with_context(|| format!("{shown} could not be started"))?;
    if !status.success() {
        bail!("{shown} failed ({status})");
    }
    log(&format!("    {:.1} s", begin.elapsed().as_secs_f64()));
    Ok(())
}

/// A line for the developer.
#[expect(clippy::print_stderr, reason = "this program talks to a person")]
pub fn log(text: &str) {
    eprintln!("{text}");
}

/// Compares the dependencies with `deny.toml`. Skipped, with a notice, without cargo-deny.
fn dependencies() -> anyhow::Result<()> {
    let found = Command::new("cargo").args(["deny", "--version"]).output();
    if !found.is_ok_and(|found| found.status.success()) {
        log("note: no cargo-deny here; the check of dependencies and their licences is skipped");
        return Ok(());
    }
    run("cargo", &["deny", "--locked", "check", "bans", "licenses", "sources"], &[])
}

/// Which checks of [`test()`] are made.
#[derive(Clone, Copy, Debug, Default)]
pub struct Choice {
    /// Only format, lints and unit tests.
    pub fast: bool,
    /// The comparison with Burn is compiled too.
    pub burn: bool,
    /// The tests of the Python package that start a Ray cluster are run too.
    pub ray: bool,
}

/// Format, lints, dependencies, the fuzz targets, tests (golden files and the dependency rule among them),
/// documentation, the page in a browser, the comparison with an independent engine, and the Python
/// package.
///
/// # Errors
/// At the first thing that is not right.
pub fn test(choice: Choice) -> anyhow::Result<()> {
    run("cargo", &["fmt", "--all", "--check"], &[])?;
    // Without its feature the crate of the Python package is empty; lints need no Python for it.
    let all = ["--workspace", "--all-targets", "--features", "ludens-py/extension-module"];
    let clippy = [&["clippy"], &all[..], &["--locked", "--", "-D", "warnings"]].concat();
    run("cargo", &clippy, &[])?;
    if choice.fast {
        return run("cargo", &["test", "--workspace", "--locked", "--lib", "--bins"], &[]);
    }
    if std::env::var_os("LUDENS_DATA").is_none() {
        log("note: LUDENS_DATA is not set; tests that need known boards are skipped");
    }
    dependencies()?;
    // The fuzz targets are a workspace of their own; the target folder is ours, so
    // that what both use is built once.
    let target = root().join("target");
    let target = target.to_str().context("the path of the workspace is no valid text")?;
    run(
        "cargo",
        &["check", "--locked", "--manifest-path", "fuzz/Cargo.toml"],
        &[("CARGO_TARGET_DIR", target)],
    )?;
    wasm()?;
    if choice.burn {
        let burn = ["check", "--locked", "--all-targets", "-p", "ludens-nn", "--features", "burn"];
        run("cargo", &burn, &[])?;
    }
    run("cargo", &["test", "--workspace", "--locked"], &[])?;
    run(
        "cargo",
        &["doc", "--workspace", "--no-deps", "--locked"],
        &[("RUSTDOCFLAGS", "-D warnings")],
    )?;
    page::check()?;
    python::oracle(60)?;
    python::package(choice.ray)
}

/// Compiles the engine for WebAssembly and lets Node play with it. Skipped, with a notice, without
/// that target.
fn wasm() -> anyhow::Result<()> {
    const TARGET: &str = "wasm32-unknown-unknown";
    let asked =
        Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]).output();
    let folder = asked.context("rustc could not be started")?.stdout;
    if !PathBuf::from(String::from_utf8_lossy(&folder).trim()).is_dir() {
        log(&format!("note: rustc has no {TARGET} here; the engine is not tried there"));
        return Ok(());
    }
    run("cargo", &["check", "--locked", "--target", TARGET, "-p", "ludens-engine"], &[])?;
    run("cargo", &["build", "--locked", "--target", TARGET, "-p", "ludens-wasm"], &[])?;
    let module = root().join("target").join(TARGET).join("debug/ludens_wasm.wasm");
    let module = module.to_str().context("the path of the workspace is no valid text")?;
    let program = ["--test", "crates/ludens-wasm/tests/engine.mjs"];
    if Command::new("node").arg("--version").output().is_err() {
        log("note: no Node here; the engine is not run there");
        return Ok(());
    }
    run("node", &program, &[("LUDENS_WASM", module)])
}
