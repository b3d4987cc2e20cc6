//! Folders for files that an experiment needs for a while.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// The path of a folder among temporary files that nobody else uses. Whoever needs it makes it; it
/// goes away with this.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("ludens-lab-{}-{number}", std::process::id());
        Scratch(std::env::temp_dir().join(name))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A folder of temporary files that is left behind is no failure.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
