//! What can go wrong with networks and their files.

use ludens_core::{FileError, ParseError};

/// Why a network could not be made, read or written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A layout, a stage or another text is wrong.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// A layout needs more entries than there are numbers for.
    #[error(
        "the layout has {entries} entries, at most {most} are possible; fewer or shorter tuples, fewer stages or fewer values per cell would do"
    )]
    TooLarge {
        /// The entries it would take.
        entries: u128,
        /// The most there may be.
        most: u64,
    },
    /// There is not so much memory.
    #[error("{what} needs {} MiB of memory, {} MiB are free", needed >> 20, free >> 20)]
    Memory {
        /// What needs it.
        what: &'static str,
        /// Bytes it takes.
        needed: u64,
        /// Bytes there are.
        free: u64,
    },
    /// The system refused memory.
    #[error("no memory for {bytes} bytes: {source}")]
    Map {
        /// Bytes that were asked for.
        bytes: u64,
        /// Why.
        source: std::io::Error,
    },
    /// A file could not be read or written, is damaged, or is something else.
    #[error(transparent)]
    File(#[from] FileError),
}
