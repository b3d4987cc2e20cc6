//! What results are kept under: the program with its build.

use std::io;

/// Name, version and build. A build is told by the hash of the program's own file: a version or a
/// commit may be that of many.
///
/// # Errors
/// When the file cannot be read.
pub fn name() -> io::Result<String> {
    let build = ludens_arena::fingerprint::of_build()?;
    Ok(format!("ludens {} build {build}", env!("CARGO_PKG_VERSION")))
}
