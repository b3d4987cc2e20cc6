//! Known boards and games, where there are any.

use std::path::PathBuf;

/// The folder named by `LUDENS_DATA`; `None`, with a notice, when none is named. A test that
/// gets `None` ends there: it is skipped.
pub fn data_folder() -> Option<PathBuf> {
    let folder = std::env::var_os("LUDENS_DATA").filter(|folder| !folder.is_empty());
    #[expect(clippy::print_stderr, reason = "a skipped check must be seen")]
    if folder.is_none() {
        eprintln!("skipped: LUDENS_DATA is not set");
    }
    folder.map(PathBuf::from)
}

/// The content of a file of [`data_folder`].
///
/// # Panics
/// When the folder has no such file.
pub fn data(path: &str) -> Option<String> {
    let path = data_folder()?.join(path);
    Some(std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())))
}
