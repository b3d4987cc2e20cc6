//! Tables of exact values on disk, where there are files.

use ludens_core::ParseError;
use ludens_search::tabular::ExactTable;

const PARAMETER: &str = "table";

/// The table of a game with its checksum.
///
/// # Errors
/// When the file cannot be read, is damaged, or is for another game.
#[cfg(feature = "files")]
pub(crate) fn load(path: &str, game: &str) -> Result<(ExactTable, String), ParseError> {
    let expected = "a file by `ludens solve --exact --table FILE`";
    ExactTable::load(std::path::Path::new(path), game)
        .map_err(|error| ParseError::new(PARAMETER, error.to_string(), expected))
}

/// Whether there is such a file.
#[cfg(feature = "files")]
pub(crate) fn exists(path: &str) -> bool {
    std::path::Path::new(path).exists()
}

/// Writes the table of a game.
///
/// # Errors
/// When the file cannot be written.
#[cfg(feature = "files")]
pub(crate) fn save(table: &ExactTable, path: &str, game: &str) -> Result<(), String> {
    table.save(std::path::Path::new(path), game).map_err(|error| error.to_string())
}

/// Refuses: there are no files.
#[cfg(not(feature = "files"))]
pub(crate) fn load(_: &str, _: &str) -> Result<(ExactTable, String), ParseError> {
    Err(ParseError::new(PARAMETER, "a file", "none: this program has no files"))
}

/// There are no files.
#[cfg(not(feature = "files"))]
pub(crate) fn exists(_: &str) -> bool {
    false
}

/// Refuses: there are no files.
#[cfg(not(feature = "files"))]
pub(crate) fn save(_: &ExactTable, _: &str, _: &str) -> Result<(), String> {
    Err("this program has no files".to_owned())
}
