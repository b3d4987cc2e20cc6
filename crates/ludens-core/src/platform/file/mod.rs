//! Files that somebody named: opened without waiting, regular, and read up to a limit; written
//! whole or not at all.
//!
//! A pipe blocks whoever opens it, and a device such as `/dev/zero` has no end and no size. So
//! what is opened is looked at before anything is read, and sizes are those of what was read.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

mod atomic;

pub use atomic::{atomic_copy, atomic_write, remove_leftovers};

/// Opens a regular file to read it.
///
/// # Errors
/// When there is none, it may not be read, or it is a folder, a pipe or a device.
pub fn open(path: &Path) -> io::Result<File> {
    // Devices may act when they are opened, so that they are not even that.
    check(&std::fs::metadata(path)?)?;
    let file = options().open(path)?;
    // Another may have replaced it since.
    check(&file.metadata()?)?;
    Ok(file)
}

/// The bytes of a regular file of at most `most` bytes.
///
/// # Errors
/// When it cannot be opened ([`open`]) or read, or is larger.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    rest(&mut open(path)?, most)
}

/// The text of a regular file of at most `most` bytes.
///
/// # Errors
/// When it cannot be read ([`read`]), or is no UTF-8.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    String::from_utf8(read(path, most)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to() + 1;
        io::Error::new(ErrorKind::InvalidData, format!("byte {at}: found no UTF-8, expected text"))
    })
}

/// What is still to be read, at most `most` bytes.
///
/// # Errors
/// When reading fails, or there is more.
pub fn rest(input: &mut dyn Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let message = format!("found more than {}, expected less", size(most));
        return Err(io::Error::new(ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

fn check(about: &std::fs::Metadata) -> io::Result<()> {
    if about.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    if !about.is_file() {
        let message = "found a pipe or a device, expected a regular file";
        return Err(io::Error::new(ErrorKind::InvalidInput, message));
    }
    Ok(())
}

#[cfg(unix)]
fn options() -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = OpenOptions::new();
    // A pipe is opened at once, whether or not somebody writes to it; files do not care.
    options.read(true).custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY);
    options
}

#[cfg(not(unix))]
fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true);
    options
}

/// A limit as messages name it.
fn size(bytes: u64) -> String {
    match bytes {
        _ if bytes >= 1 << 20 && bytes.is_multiple_of(1 << 20) => format!("{} MiB", bytes >> 20),
        _ => format!("{bytes} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_hold_by_what_is_read() {
        let message = |bytes: &mut dyn Read, most| rest(bytes, most).map_err(|e| e.to_string());
        assert_eq!(message(&mut &b"four"[..], 4), Ok(b"four".to_vec()));
        let more = Err("found more than 3 bytes, expected less".to_owned());
        assert_eq!(message(&mut &b"four"[..], 3), more);
        let more = Err("found more than 1 MiB, expected less".to_owned());
        assert_eq!(message(&mut io::repeat(0), 1 << 20), more);
    }

    /// Neither a device nor a pipe that nobody writes to is read, and neither blocks.
    #[test]
    #[cfg(unix)]
    fn only_regular_files_are_opened() {
        let folder = std::env::temp_dir().join(format!("ludens-file-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let pipe = folder.join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for path in [Path::new("/dev/zero"), &pipe] {
            let message = read(path, 10).unwrap_err().to_string();
            assert_eq!(message, "found a pipe or a device, expected a regular file");
            // The same where it replaced a file that had been looked at.
            let opened = options().open(path).unwrap();
            assert!(check(&opened.metadata().unwrap()).is_err());
        }
        assert_eq!(open(&folder).unwrap_err().kind(), ErrorKind::IsADirectory);
        assert_eq!(open(&folder.join("none")).unwrap_err().kind(), ErrorKind::NotFound);
        let text = folder.join("text");
        std::fs::write(&text, b"ab\xff").unwrap();
        assert_eq!(read(&text, 3).unwrap(), b"ab\xff");
        let message = read_text(&text, 3).unwrap_err().to_string();
        assert_eq!(message, "byte 3: found no UTF-8, expected text");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
