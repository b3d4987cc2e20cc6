//! The web app's page: built from `web/`, compared with what is committed, and
//! tried in a browser.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, bail};

use crate::checks::{log, root, run};

/// Where the built page is committed.
const ASSETS: &str = "crates/ludens-web/assets";
/// Where it is built for the comparison.
const BUILT: &str = "target/page";
const BROWSERS: &[&str] = &["chromium", "chromium-browser", "google-chrome"];

/// Builds the page into the crate that serves it.
///
/// # Errors
/// When a tool is missing or the source is wrong.
pub fn build() -> anyhow::Result<()> {
    packages()?;
    run("npm", &["--prefix", "web", "run", "build"], &[])
}

/// Checks the source, compares the committed page with one built anew, and plays
/// in a browser. Without Node or a browser that is skipped, unless `CI` is set.
///
/// # Errors
/// When something is not right.
pub fn check() -> anyhow::Result<()> {
    let missing = match (starts("npm"), BROWSERS.iter().any(|browser| starts(browser))) {
        (true, true) => None,
        (false, _) => Some("npm"),
        (_, false) => Some("chromium"),
    };
    if let Some(tool) = missing {
        if std::env::var_os("CI").is_some() {
            bail!("{tool} is needed for the tests of the page");
        }
        log(&format!("note: the tests of the page are skipped, because there is no {tool}"));
        return Ok(());
    }
    packages()?;
    run("npm", &["--prefix", "web", "run", "check"], &[])?;
    let out = format!("../{BUILT}");
    run("npm", &["--prefix", "web", "run", "build", "--", "--outDir", &out], &[])?;
    compare()?;
    run("cargo", &["build", "--locked", "--package", "ludens-cli"], &[])?;
    run("npm", &["--prefix", "web", "test"], &[])
}

/// Whether a program can be started.
fn starts(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Installs what `web/package-lock.json` names, unless that has been done.
fn packages() -> anyhow::Result<()> {
    let changed = |path: &str| fs::metadata(root().join(path)).and_then(|about| about.modified());
    let wanted = changed("web/package-lock.json").context("web/package-lock.json")?;
    if changed("web/node_modules/.package-lock.json").is_ok_and(|installed| installed >= wanted) {
        return Ok(());
    }
    // Not `ci`: it wants every system's binaries in the lock file, which has this one's.
    run("npm", &["--prefix", "web", "install", "--no-save", "--no-audit", "--no-fund"], &[])
}

fn compare() -> anyhow::Result<()> {
    let (committed, built) = (files(&root().join(ASSETS))?, files(&root().join(BUILT))?);
    if committed == built {
        return Ok(());
    }
    let differs = |(name, bytes): &(&String, &Vec<u8>)| built.get(*name) != Some(bytes);
    let mut names: Vec<&String> = committed.iter().filter(differs).map(|(name, _)| name).collect();
    names.extend(built.keys().filter(|name| !committed.contains_key(*name)));
    bail!("{ASSETS} is not what web/ builds ({names:?}): run `cargo dev page` and commit it")
}

/// The files of a flat folder with their contents.
fn files(folder: &Path) -> anyhow::Result<BTreeMap<String, Vec<u8>>> {
    let place = || folder.display().to_string();
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).with_context(place)? {
        let entry = entry.with_context(place)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        files.insert(name, fs::read(entry.path()).with_context(place)?);
    }
    Ok(files)
}
