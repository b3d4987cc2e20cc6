//! Tables on disk.
//!
//! A file is the eight bytes `LUDEXAC1`, the length of the game's name (four bytes, the
//! lowest first) and the name, five numbers of eight bytes (positions and afterstates with
//! all images, the value of the start, entries for positions and for afterstates), the
//! entries of 24 bytes (key, expected, best, worst) in the order of their keys, and the
//! BLAKE3 of all that. It is written whole or not at all.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::Path;

use ludens_core::file::{atomic_write, open};

use super::{ByKey, ExactTable, ExactValue};

const MAGIC: &[u8; 8] = b"LUDEXAC1";
const LONGEST_NAME: u32 = 1 << 12;
const ENTRY: usize = 24;
/// No table has more entries: they would take 24 GB.
const MOST_ENTRIES: u64 = 1_000_000_000;

/// Why a table was not read or written.
#[derive(Debug)]
pub struct FileError(String);

impl std::fmt::Display for FileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for FileError {}

fn wrong(path: &Path, what: impl std::fmt::Display) -> FileError {
    FileError(format!("{}: {what}", path.display()))
}

/// Passes bytes on and remembers their hash.
struct Hashed<T> {
    inner: T,
    hasher: blake3::Hasher,
}

impl<T> Hashed<T> {
    fn new(inner: T) -> Self {
        Hashed { inner, hasher: blake3::Hasher::new() }
    }
}

impl<W: Write> Hashed<W> {
    fn put(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.hasher.update(bytes);
        self.inner.write_all(bytes)
    }
}

impl<R: Read> Hashed<R> {
    fn take<const N: usize>(&mut self) -> std::io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.inner.read_exact(&mut bytes)?;
        self.hasher.update(&bytes);
        Ok(bytes)
    }
}

impl ExactTable {
    /// Writes the table of a game, named with its variant.
    ///
    /// # Errors
    /// When the file cannot be written; an older one of the same name is still there.
    pub fn save(&self, path: &Path, game: &str) -> Result<(), FileError> {
        atomic_write(path, |file| self.write(file, game)).map_err(|error| wrong(path, error))
    }

    fn write(&self, file: &mut File, game: &str) -> std::io::Result<()> {
        let mut out = Hashed::new(BufWriter::with_capacity(1 << 20, file));
        out.put(MAGIC)?;
        out.put(&(game.len() as u32).to_le_bytes())?;
        out.put(game.as_bytes())?;
        for number in [
            self.positions,
            self.afterstates,
            self.start.to_bits(),
            self.states.len() as u64,
            self.afters.len() as u64,
        ] {
            out.put(&number.to_le_bytes())?;
        }
        for entries in [&self.states, &self.afters] {
            let mut keys: Vec<u64> = entries.keys().copied().collect();
            keys.sort_unstable();
            for key in keys {
                let value = entries[&key];
                let mut bytes = [0; ENTRY];
                bytes[..8].copy_from_slice(&key.to_le_bytes());
                bytes[8..16].copy_from_slice(&value.expected.to_le_bytes());
                bytes[16..20].copy_from_slice(&value.best.to_le_bytes());
                bytes[20..].copy_from_slice(&value.worst.to_le_bytes());
                out.put(&bytes)?;
            }
        }
        let hash = out.hasher.finalize();
        out.inner.write_all(hash.as_bytes())?;
        out.inner.flush()
    }

    /// Reads the table of a game, which must be the one it was saved for, and its checksum.
    ///
    /// # Errors
    /// When the file cannot be read, is damaged, or is for another game.
    pub fn load(path: &Path, game: &str) -> Result<(ExactTable, String), FileError> {
        let file = open(path).map_err(|error| wrong(path, error))?;
        let mut reader = Hashed::new(BufReader::with_capacity(1 << 20, file));
        let short = |_| wrong(path, "the file ends too early");
        if &reader.take::<8>().map_err(short)? != MAGIC {
            return Err(wrong(
                path,
                "found another kind of file, expected a table of exact values",
            ));
        }
        let length = u32::from_le_bytes(reader.take().map_err(short)?);
        if length > LONGEST_NAME {
            return Err(wrong(path, "the file is damaged: its name is too long"));
        }
        let mut name = vec![0; length as usize];
        reader.inner.read_exact(&mut name).map_err(short)?;
        reader.hasher.update(&name);
        if name != game.as_bytes() {
            let found = String::from_utf8_lossy(&name);
            return Err(wrong(path, format!("found a table of {found}, expected one of {game}")));
        }
        let mut number = || reader.take().map(u64::from_le_bytes).map_err(short);
        let (positions, afterstates) = (number()?, number()?);
        let start = f64::from_bits(number()?);
        let (states, afters) = (number()?, number()?);
        // Checked before anything is allocated.
        if states.checked_add(afters).is_none_or(|all| all > MOST_ENTRIES) {
            return Err(wrong(
                path,
                format!("found more than {MOST_ENTRIES} entries, expected less"),
            ));
        }
        let mut entries = |count: u64| -> Result<ByKey<ExactValue>, FileError> {
            let (mut entries, mut last) = (ByKey::default(), None);
            for _ in 0..count {
                // Room is made for what was read, whatever the file says there is.
                entries.try_reserve(1).map_err(|error| wrong(path, error))?;
                let bytes: [u8; ENTRY] = reader.take().map_err(short)?;
                let part = |at: usize| bytes[at..at + 4].try_into().expect("four bytes");
                let word = |at: usize| bytes[at..at + 8].try_into().expect("eight bytes");
                let value = ExactValue {
                    expected: f64::from_le_bytes(word(8)),
                    best: i32::from_le_bytes(part(16)),
                    worst: i32::from_le_bytes(part(20)),
                };
                let key = u64::from_le_bytes(word(0));
                // An endless row of zeros is noticed at once.
                if last.is_some_and(|last| last >= key) {
                    return Err(wrong(path, "the file is damaged: its keys are not in order"));
                }
                last = Some(key);
                entries.insert(key, value);
            }
            Ok(entries)
        };
        let (states, afters) = (entries(states)?, entries(afters)?);
        let hash = reader.hasher.finalize();
        let mut kept = [0; 32];
        reader.inner.read_exact(&mut kept).map_err(short)?;
        let mut rest = [0];
        let more = reader.inner.read(&mut rest).map_err(|error| wrong(path, error))?;
        if &kept != hash.as_bytes() || more > 0 {
            return Err(wrong(path, "the file is damaged: its checksum is wrong"));
        }
        let table = ExactTable { states, afters, positions, afterstates, start };
        Ok((table, hash.to_hex().to_string()))
    }
}
