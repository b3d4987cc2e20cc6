//! What results are kept under: the program with its build.

use crate::failure::Failure;

/// Name, version and build. A build is told by the hash of the program's own file: a version or a
/// commit may be that of many.
pub(crate) fn name() -> Result<String, Failure> {
    let build = ludens_runs::arena::fingerprint::of_build().map_err(|error| {
        let message = "cannot read the program's own file, by which results are told apart";
        Failure::Failed(format!("{message}: {error}"))
    })?;
    Ok(format!("ludens {} build {build}", env!("CARGO_PKG_VERSION")))
}
