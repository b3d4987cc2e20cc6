//! Known boards and games, where there are any.

use std::path::PathBuf;

/// A file of the folder named by `LUDENS_DATA`; `None`, with a notice, when no
/// folder is named.
///
/// # Panics
/// When the folder has no such file.
pub fn data(path: &str) -> Option<String> {
    let Some(folder) = std::env::var_os("LUDENS_DATA") else {
        #[expect(clippy::print_stderr, reason = "a skipped check must be seen")]
        {
            eprintln!("LUDENS_DATA is not set: {path} is not checked");
        }
        return None;
    };
    let path = PathBuf::from(folder).join(path);
    Some(std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())))
}
