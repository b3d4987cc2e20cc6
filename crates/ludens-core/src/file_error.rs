//! The error of every file: which one, and what is wrong.

use std::io;
use std::path::{Path, PathBuf};

/// Why a file could not be read or written. What was read from memory has a name for its path.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is damaged or is something else.
    #[error("{}: {what}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong, and what would be right.
        what: String,
    },
}

impl FileError {
    /// Names the file of a failed read or write.
    pub fn io(path: &Path) -> impl FnOnce(io::Error) -> FileError + '_ {
        |source| FileError::Io { path: path.to_owned(), source }
    }

    /// A file that is not what it should be.
    pub fn content(path: &Path, what: impl Into<String>) -> FileError {
        FileError::Content { path: path.to_owned(), what: what.into() }
    }
}
