//! What can go wrong while learning.

use std::path::Path;

use ludens_core::ParseError;
use serde_json::Value;

/// Why a run could not start or go on.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A setting is wrong.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// The network could not be made, read or written.
    #[error(transparent)]
    Network(#[from] ludens_ntuple::Error),
    /// A neural network could not be made, read or written.
    #[error(transparent)]
    Neural(#[from] ludens_nn::Error),
    /// A file of games could not be used.
    #[error("games: {0}")]
    Games(#[from] rusqlite::Error),
    /// A folder cannot be used as asked.
    #[error("{0}")]
    Run(String),
}

impl Error {
    /// Whether what was asked for is wrong, rather than what became of it.
    pub fn is_usage(&self) -> bool {
        matches!(
            self,
            Error::Parse(_)
                | Error::Network(
                    ludens_ntuple::Error::Parse(_) | ludens_ntuple::Error::TooLarge { .. }
                )
        )
    }
}

/// What went wrong with a file.
pub(crate) fn failed(path: &Path, error: std::io::Error) -> Error {
    Error::Run(format!("{}: {error}", path.display()))
}

/// A number that a checkpoint's notes must have.
pub(crate) fn noted(notes: &Value, name: &str) -> Result<u64, Error> {
    let missing =
        || Error::Run(format!("a checkpoint without its number of {name}: it is damaged"));
    notes[name].as_u64().ok_or_else(missing)
}
