//! Files that are written whole or not at all.
//!
//! A file is written beside its path under a name that nobody else uses, synced, renamed, and its
//! folder synced: after a crash there is the old file or the new one, never half of one. What a
//! killed process leaves behind is a file like `.NAME.PID-NUMBER.tmp`, see [`remove_leftovers`].

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::open;

/// Writes a file with what `fill` puts into it.
///
/// ```
/// use std::io::Write;
/// let path = std::env::temp_dir().join(format!("ludens-atomic-{}", std::process::id()));
/// ludens_core::file::atomic_write(&path, |file| file.write_all(b"whole"))?;
/// assert_eq!(std::fs::read(&path)?, b"whole");
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// When it cannot be written; an older one of the same name is still there.
pub fn atomic_write(path: &Path, fill: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let (mut file, temporary) = beside(path)?;
    let written = fill(&mut file)
        .and_then(|()| file.sync_all())
        .and_then(|()| std::fs::rename(&temporary, path))
        .and_then(|()| sync_folder(path));
    if written.is_err() {
        // What is left of it is of no use; the first error is the one to report.
        let _ = std::fs::remove_file(&temporary);
    }
    written
}

/// Copies a file.
///
/// # Errors
/// When it cannot be read or written; an older one of the same name is still there.
pub fn atomic_copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut source = open(from)?;
    atomic_write(to, |file| io::copy(&mut source, file).map(drop))
}

/// Removes what killed processes have left of writes in a folder; files that are being written stay.
///
/// # Errors
/// When the folder cannot be read.
pub fn remove_leftovers(folder: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if !entry.file_name().to_str().is_some_and(is_temporary) {
            continue;
        }
        // A leftover that cannot be opened or removed costs space, not correctness.
        if let Ok(file) = File::open(entry.path())
            && file.try_lock().is_ok()
        {
            let _ = std::fs::remove_file(entry.path());
        }
    }
    Ok(())
}

/// A new file beside a path, locked until it is closed, and its path.
fn beside(path: &Path) -> io::Result<(File, PathBuf)> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let name = path.file_name().ok_or(io::ErrorKind::IsADirectory)?;
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let mut own = std::ffi::OsString::from(".");
        own.push(name);
        own.push(format!(".{}-{number}.tmp", std::process::id()));
        let own = path.with_file_name(own);
        match File::create_new(&own) {
            Ok(file) => {
                // Where there are no locks, leftovers are at worst removed too early, which their
                // writer reports.
                let _ = file.try_lock();
                return Ok((file, own));
            }
            // Of a process that had our number and was killed.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

/// Whether [`beside`] makes such names.
fn is_temporary(name: &str) -> bool {
    let middle = name.strip_prefix('.').and_then(|rest| rest.strip_suffix(".tmp"));
    let numbers = middle.and_then(|rest| rest.rsplit_once('.')).map(|(_, numbers)| numbers);
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let pair = numbers.and_then(|numbers| numbers.split_once('-'));
    pair.is_some_and(|(process, number)| digits(process) && digits(number))
}

/// Makes a rename in a folder last.
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    // Systems that cannot open folders have nothing to sync either.
    File::open(folder.unwrap_or(Path::new("."))).map_or(Ok(()), |folder| folder.sync_all())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Two writers of one file, one inside the other: neither sees the other's half.
    #[test]
    fn writers_do_not_share_a_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.ntuple");
        atomic_write(&path, |outer| {
            outer.write_all(b"out")?;
            atomic_write(&path, |inner| inner.write_all(b"inner"))?;
            assert_eq!(std::fs::read(&path)?, b"inner");
            outer.write_all(b"er")
        })
        .unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"outer");
        assert_eq!(names(folder.path()), ["model.ntuple"]);
    }

    #[test]
    fn a_write_that_fails_keeps_the_old_file_and_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model");
        atomic_write(&path, |file| file.write_all(b"old")).unwrap();
        let failed = atomic_write(&path, |file| {
            file.write_all(b"half")?;
            Err(io::ErrorKind::StorageFull.into())
        });
        assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::StorageFull);
        assert!(atomic_copy(&folder.path().join("none"), &path).is_err());
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["model"]);
    }

    #[test]
    fn leftovers_are_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let (path, process) = (folder.path().join("model"), std::process::id());
        for name in [".model.1-0.tmp", "model.tmp", ".model.x-0.tmp", ".model.1-.tmp", ".1-1.tmp"] {
            std::fs::write(folder.path().join(name), "half").unwrap();
        }
        // Also one that a process of our number has left.
        std::fs::write(folder.path().join(format!(".model.{process}-0.tmp")), "half").unwrap();
        atomic_write(&path, |file| {
            remove_leftovers(folder.path())?;
            file.write_all(b"whole")
        })
        .unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"whole");
        let kept = [".1-1.tmp", ".model.1-.tmp", ".model.x-0.tmp", "model", "model.tmp"];
        assert_eq!(names(folder.path()), kept);
    }
}
