//! What can go wrong with networks and their files.

use ludens_core::{FileError, ParseError};

/// Why a network could not be described, read or written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A description is wrong.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// Weights that do not belong to the network.
    #[error("{what}")]
    Weights {
        /// What is wrong, and what would be right.
        what: String,
    },
    /// A file could not be read or written, is damaged, or is something else.
    #[error(transparent)]
    File(#[from] FileError),
}
