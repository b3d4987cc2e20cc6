//! What can go wrong with networks and their files.

use std::path::{Path, PathBuf};

use ludens_core::ParseError;

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
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file is damaged or is something else.
    #[error("{}: {what}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong, and what would be right.
        what: String,
    },
}

impl Error {
    /// Names the file of a failed read or write.
    pub fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Error + '_ {
        |source| Error::Io { path: path.to_owned(), source }
    }

    /// A file that is not what it should be.
    pub fn file(path: &Path, what: impl Into<String>) -> Error {
        Error::File { path: path.to_owned(), what: what.into() }
    }
}
