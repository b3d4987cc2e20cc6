//! One writer per folder.

use std::fs::{File, TryLockError};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use ludens_core::file::remove_leftovers;

use crate::Error;
use crate::error::failed;

/// The file that is locked; it has the number of the process that holds the lock.
const LOCK: &str = "run.lock";

/// The right to write to a folder; it ends when this is dropped, or with the process, however that
/// ends.
pub struct FolderLock {
    file: File,
    path: PathBuf,
    /// Whether there was no such file before.
    fresh: bool,
}

impl FolderLock {
    /// Takes the lock of a folder, and removes what a killed writer has left half written.
    ///
    /// # Errors
    /// When another process has it, which the message names, or the folder cannot be written.
    pub fn take(folder: &Path) -> Result<FolderLock, Error> {
        let path = folder.join(LOCK);
        let fresh = !path.exists();
        let fail = |error| failed(&path, error);
        let file = File::options().read(true).write(true).create(true).truncate(false).open(&path);
        let mut file = file.map_err(fail)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(taken(folder, &mut file)),
            // A file system without locks is no reason not to learn there.
            Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(fail(error)),
        }
        file.set_len(0).map_err(fail)?;
        file.write_all(std::process::id().to_string().as_bytes()).map_err(fail)?;
        remove_leftovers(folder).map_err(|error| failed(folder, error))?;
        Ok(FolderLock { file, path, fresh })
    }

    /// Whether a folder has been locked before.
    pub(super) fn exists(folder: &Path) -> bool {
        folder.join(LOCK).exists()
    }

    /// Gives the lock back, and leaves nothing behind.
    pub(super) fn undo(self) {
        if self.fresh {
            // A file too many is no reason to hide why the folder was not used.
            let _ = std::fs::remove_file(&self.path);
        }
        drop(self.file);
    }
}

fn taken(folder: &Path, file: &mut File) -> Error {
    let mut number = String::new();
    // The holder may be about to write it, or the system may not let us read.
    let holder = match file.read_to_string(&mut number) {
        Ok(_) if !number.is_empty() => format!("process {number}"),
        _ => "another process".to_owned(),
    };
    let folder = folder.display();
    Error::Run(format!("{folder} is in use by {holder}: wait for its end, or name another folder"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_has_one_writer() {
        let folder = tempfile::tempdir().unwrap();
        let first = FolderLock::take(folder.path()).unwrap();
        let message = FolderLock::take(folder.path()).err().unwrap().to_string();
        let holder = format!("in use by process {}:", std::process::id());
        assert!(message.contains(&holder), "{message}");
        drop(first);
        FolderLock::take(folder.path()).unwrap();
    }
}
