//! Where a network is read from.

#[cfg(feature = "files")]
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::{Bundled, Error, Role};

/// Where a network is read from.
#[derive(Clone, Debug)]
pub enum Source {
    /// A file.
    #[cfg(feature = "files")]
    File(PathBuf),
    /// The program itself.
    Bundled(&'static Bundled),
    /// Bytes that the host gave under a name.
    Bytes(Arc<str>, Arc<[u8]>),
}

impl Source {
    /// The file that a text names: itself, or that of a run folder.
    #[cfg(feature = "files")]
    pub fn file(text: &str, role: Role) -> Self {
        let path = Path::new(text);
        Source::File(if path.is_dir() { path.join(role.file()) } else { path.to_owned() })
    }

    /// The bundled network of a game.
    ///
    /// # Errors
    /// When there is none.
    pub fn bundled(game: &str, role: Role) -> Result<Self, Error> {
        let missing = || Error::NotBundled { game: game.to_owned(), whose: role.whose() };
        Bundled::find(game, role).map(Source::Bundled).ok_or_else(missing)
    }

    /// What messages call it.
    pub fn name(&self) -> String {
        match self {
            #[cfg(feature = "files")]
            Source::File(path) => path.display().to_string(),
            Source::Bundled(bundled) => bundled.name(),
            Source::Bytes(name, _) => name.to_string(),
        }
    }
}
