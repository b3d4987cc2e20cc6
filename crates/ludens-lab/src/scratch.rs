//! Folders for files that an experiment needs for a while.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::Error;

/// The path of a folder among temporary files that nobody else has or can guess. Whoever needs it
/// makes it; it goes away with this, also when the experiment fails or is interrupted.
pub(crate) struct Scratch {
    path: PathBuf,
    /// What the folder is made in, for a run wants to make its own; removed when it is dropped.
    _around: TempDir,
}

impl Scratch {
    /// # Errors
    /// When temporary files cannot be made.
    pub(crate) fn new() -> Result<Self, Error> {
        let root = std::env::temp_dir();
        let made = tempfile::Builder::new().prefix("ludens-lab-").tempdir_in(&root);
        let around = made.map_err(|error| Error::Failed(format!("{}: {error}", root.display())))?;
        let path = around.path().join("run");
        Ok(Scratch { path, _around: around })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_unlike_and_go_away() {
        let (one, two) = (Scratch::new().unwrap(), Scratch::new().unwrap());
        assert_ne!(one.path(), two.path());
        assert!(!one.path().exists(), "a run makes its own folder");
        std::fs::create_dir(one.path()).unwrap();
        std::fs::write(one.path().join("file"), "text").unwrap();
        let around = |scratch: &Scratch| scratch.path().parent().unwrap().to_owned();
        let (gone, stays) = (around(&one), around(&two));
        drop(one);
        assert!(!gone.exists() && stays.exists());
    }
}
