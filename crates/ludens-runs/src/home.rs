//! Where Ludens keeps what it makes: results, runs, models.

use std::path::PathBuf;

/// The file of results in [`folder`].
pub const STORE: &str = "results.sqlite";

/// The folder named by `LUDENS_HOME`, or `ludens` among the user's data; it need
/// not exist. `None` when there is no home at all.
pub fn folder() -> Option<PathBuf> {
    let named = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    named("LUDENS_HOME")
        .or_else(|| named("XDG_DATA_HOME").map(|data| data.join("ludens")))
        .or_else(|| named("HOME").map(|home| home.join(".local/share/ludens")))
}
