//! Networks in files.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;
use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64};

use ludens_core::{Cells, FileError, file};
use serde_json::Value;

use super::section::{Item, Reader};
use super::{Input, Loaded, pack, write};
use crate::{Coherence, Error, Network};

/// No packed network is larger.
const MAX_PACKED: u64 = 1 << 30;

/// Writes a network with what else is needed to resume learning; `game` names the game and its
/// variant.
///
/// # Errors
/// When the file cannot be written; an older one of the same name is still there.
pub fn save(
    path: &Path,
    game: &str,
    network: &Network,
    coherence: Option<&Coherence>,
    run: &Value,
) -> Result<(), Error> {
    let write = |file: &mut File| write(file, game, network, coherence, run);
    Ok(file::atomic_write(path, write).map_err(FileError::io(path))?)
}

/// Reads a network, packed or not, for a variant of a game; `game` must be the name it was saved
/// with. Its learning rates are read only if `coherence` says so.
///
/// # Errors
/// When the file cannot be read, is damaged, or is for another game.
pub fn load<G: Cells>(
    path: &Path,
    game: &str,
    variant: &G::Variant,
    coherence: bool,
) -> Result<Loaded, Error> {
    Input::open(path)?.network::<G>(path, game, variant, coherence)
}

/// What the writer of a file added, without reading the network.
///
/// # Errors
/// When the file cannot be read or its header is damaged.
pub fn load_run(path: &Path) -> Result<Value, Error> {
    Ok(header(path)?.get("run").cloned().unwrap_or(Value::Null))
}

/// The header of a network, packed or not.
///
/// # Errors
/// When the file cannot be read or its header is damaged.
pub fn header(path: &Path) -> Result<Value, Error> {
    Input::open(path)?.header(path)
}

/// Reads a whole file, packed or not, and compares its checksums.
///
/// # Errors
/// When it is damaged.
pub fn verify(path: &Path) -> Result<(), Error> {
    Input::open(path)?.verify(path)
}

impl<'a> Input<'a> {
    /// That of a file.
    fn open(path: &'a Path) -> Result<Self, Error> {
        let mut magic = Vec::new();
        let open = || file::open(path).map_err(FileError::io(path));
        open()?
            .take(pack::MAGIC.len() as u64)
            .read_to_end(&mut magic)
            .map_err(FileError::io(path))?;
        if pack::is_packed(&magic) {
            let bytes = file::read(path, MAX_PACKED).map_err(FileError::io(path))?;
            return Ok(Input::Packed(bytes.into()));
        }
        let input = BufReader::with_capacity(1 << 20, open()?);
        Ok(Input::Plain(Box::new(Reader::new(path, Box::new(input)))))
    }

    fn verify(self, path: &Path) -> Result<(), Error> {
        let Input::Plain(mut reader) = self else { return self.header(path).map(drop) };
        let header = reader.header()?;
        let entries = header["entries"].as_u64().and_then(|entries| usize::try_from(entries).ok());
        let entries =
            entries.ok_or_else(|| Error::from(FileError::content(path, "no number of entries")))?;
        let bytes = if header["scales"].is_array() { AtomicU16::BYTES } else { AtomicU32::BYTES };
        reader.chunks(entries, bytes, "weights", |_, _, _| {})?;
        if header["coherence"] == true {
            reader.chunks(entries, AtomicU64::BYTES, "learning rates", |_, _, _| {})?;
        }
        Ok(())
    }
}
