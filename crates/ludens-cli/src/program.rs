//! What results are kept under: the program with its build.

use crate::failure::Failure;

/// Name, version and build of the program that runs.
pub(crate) fn name() -> Result<String, Failure> {
    ludens_runs::program::name().map_err(|error| {
        let message = "cannot read the program's own file, by which results are told apart";
        Failure::Failed(format!("{message}: {error}"))
    })
}
