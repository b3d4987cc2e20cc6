//! What can go wrong, each as one line for a person.

use std::io;
use std::path::{Path, PathBuf};

use ludens_core::ParseError;

/// Why a suite, an evaluation, the store or an export failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file cannot be read or written.
    #[error("cannot {action} {}: {source}", path.display())]
    File {
        /// What was tried: `read` or `write`.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },

    /// A file is not of the expected kind as a whole.
    #[error("{}: found {found}, expected {expected}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is there.
        found: String,
        /// What would be right.
        expected: String,
    },

    /// An entry of a file is wrong.
    #[error("{}, {source}", path.display())]
    Entry {
        /// The file.
        path: PathBuf,
        /// Where in it, what was found, what was expected.
        source: ParseError,
    },

    /// A suite that holds nothing, or an identifier twice.
    #[error("suite {name}, {source}")]
    Suite {
        /// The suite.
        name: String,
        /// What is wrong with it.
        source: ParseError,
    },

    /// An evaluation or a contest that cannot be run.
    #[error("{0}")]
    Plan(ParseError),

    /// An agent panicked: a fault of the program.
    #[error("a game of {one} against {two} crashed in opening {opening}; games so far are kept")]
    CrashedGame {
        /// Who moved first.
        one: String,
        /// Who moved second.
        two: String,
        /// The number of the opening.
        opening: u32,
    },

    /// The file is no result store: something else lives there.
    #[error("{} is not a Ludens result store ({detail}); it was left as it is", path.display())]
    ForeignStore {
        /// The file.
        path: PathBuf,
        /// What gave it away.
        detail: String,
    },

    /// The file is a result store, but damaged.
    #[error("the result store {} is damaged ({detail}); it was left as it is: move it away or restore a copy", path.display())]
    DamagedStore {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        detail: String,
    },

    /// A later version of the program wrote the store.
    #[error("the result store {} has version {found}, this program knows versions up to {known}: use a newer program", path.display())]
    NewerStore {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: i64,
        /// The latest version this program reads.
        known: i64,
    },

    /// The store could not be read or written for another reason: a full disk,
    /// missing rights, another program that does not let go of it.
    #[error("the result store {}: {source}", path.display())]
    Store {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        source: rusqlite::Error,
    },
}

impl Error {
    /// A file that could not be read, written or made; `action` says which.
    pub fn file(action: &'static str, path: &Path, source: io::Error) -> Self {
        Error::File { action, path: path.to_owned(), source }
    }

    /// A file with something wrong in it.
    pub fn entry(path: &Path, source: ParseError) -> Self {
        Error::Entry { path: path.to_owned(), source }
    }
}
