//! Known boards and games, where there are any, and what is said where there are none.

use std::io::Write;
use std::path::PathBuf;

/// Says that a test did not check something: `skipped: WHAT (WHY)` on standard error, also where
/// the test harness captures the output of tests that pass.
pub fn skipped(what: &str, why: &str) {
    // The harness captures `eprintln!` only. A reader who has gone needs no notice.
    let _ = writeln!(std::io::stderr(), "skipped: {what} ({why})");
}

/// The folder named by the environment variable `LUDENS_DATA`; `None`, with a line
/// `skipped: WHAT (..)`, when none is named.
pub fn data_folder(what: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("LUDENS_DATA").filter(|folder| !folder.is_empty());
    if folder.is_none() {
        skipped(what, "LUDENS_DATA is not set");
    }
    folder.map(PathBuf::from)
}

/// A file of the [`data_folder`]; `None`, with a notice, when no folder is named.
///
/// # Panics
/// When the folder has no such file.
pub fn data(path: &str) -> Option<String> {
    let path = data_folder(path)?.join(path);
    Some(std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())))
}
