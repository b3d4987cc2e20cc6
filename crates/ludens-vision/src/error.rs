//! Why a picture gives no position.

use ludens_core::ParseError;

/// Why nothing was read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum VisionError {
    /// The game, its variant, the method or the corners are wrong.
    #[error(transparent)]
    Request(#[from] ParseError),
    /// The file is no picture, is damaged, or is larger than what is allowed.
    #[error("image: found {0}")]
    Image(String),
    /// The picture is one, but no board was found in it.
    #[error("image: found no board of {rows} rows and {cols} columns; give its corners")]
    NoBoard {
        /// Rows of the board that was looked for.
        rows: usize,
        /// Columns of it.
        cols: usize,
    },
}
