//! Networks on disk and in memory.
//!
//! A file is the eight bytes `LUDNTUP1`, the length of the header (four bytes, the
//! lowest first), the header (JSON: game, layout, cells, stages, sections, and what
//! the writer adds), the header's BLAKE3, and then section after section. A section
//! is an array in chunks of 4096 bytes, each after a byte that says whether it is
//! one item that fills it (0) or all of them (1), and the BLAKE3 of all that. So a
//! young network takes little space, and damage is found before a network is used.
//!
//! Files are written whole or not at all. What is small enough to be part of a program is
//! [packed](mod@pack).

use std::borrow::Cow;
use std::io::{BufWriter, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU8, AtomicU16, Ordering::Relaxed};

use ludens_core::{Cells, FileError};
use serde_json::Value;

use self::section::{Reader, write_header, write_section};
use crate::tables::Tables;
use crate::{Coherence, Error, Network};

#[cfg(feature = "files")]
mod disk;
mod header;
pub mod pack;
mod section;

#[cfg(feature = "files")]
pub use disk::{header, load, load_run, save, verify};

/// What a file holds.
pub struct Loaded {
    /// The network.
    pub network: Network,
    /// Its learning rates, where they were saved and asked for.
    pub coherence: Option<Coherence>,
    /// What the writer added.
    pub run: Value,
    /// A checksum of header and weights.
    pub checksum: String,
}

/// Writes a network as [`from_bytes`] reads it; `game` names the game and its variant.
///
/// # Errors
/// Those of `out`.
pub fn write(
    out: &mut impl Write,
    game: &str,
    network: &Network,
    coherence: Option<&Coherence>,
    run: &Value,
) -> std::io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 20, out);
    let header = header::whole_header(game, network, coherence.is_some(), run).to_string();
    write_header(&mut out, &header)?;
    match network.tables() {
        Tables::Full(weights) => write_section(&mut out, weights.items())?,
        Tables::Compact(items, _) => write_section(&mut out, items.items())?,
        Tables::Packed(bytes, _, wholes) => {
            let whole = |byte: &AtomicU8| wholes[usize::from(byte.load(Relaxed))] as u16;
            let items = bytes.items().iter().map(|byte| AtomicU16::new(whole(byte)));
            write_section(&mut out, &items.collect::<Vec<_>>())?;
        }
    }
    if let Some(coherence) = coherence {
        write_section(&mut out, coherence.words())?;
    }
    out.flush()
}

/// Reads a network from memory, packed or not, without its learning rates; messages call it
/// `name`.
///
/// # Errors
/// When the bytes are damaged or for another game.
pub fn from_bytes<G: Cells>(
    name: &str,
    bytes: &[u8],
    game: &str,
    variant: &G::Variant,
) -> Result<Loaded, Error> {
    let path = Path::new(name);
    Input::of_bytes(path, bytes).network::<G>(path, game, variant, false)
}

/// The header of a network in memory, packed or not; messages call it `name`.
///
/// # Errors
/// When the header is damaged.
pub fn header_from_bytes(name: &str, bytes: &[u8]) -> Result<Value, Error> {
    let path = Path::new(name);
    Input::of_bytes(path, bytes).header(path)
}

/// A network that was not read yet.
enum Input<'a> {
    Packed(Cow<'a, [u8]>),
    Plain(Box<Reader<'a, Box<dyn Read + 'a>>>),
}

impl<'a> Input<'a> {
    /// That of bytes.
    fn of_bytes(path: &'a Path, bytes: &'a [u8]) -> Self {
        if pack::is_packed(bytes) {
            Input::Packed(bytes.into())
        } else {
            Input::Plain(Box::new(Reader::new(path, Box::new(bytes))))
        }
    }

    fn header(self, path: &Path) -> Result<Value, Error> {
        match self {
            Input::Packed(bytes) => pack::about(&path.display().to_string(), &bytes),
            Input::Plain(mut reader) => reader.header(),
        }
    }

    fn network<G: Cells>(
        self,
        path: &Path,
        game: &str,
        variant: &G::Variant,
        coherence: bool,
    ) -> Result<Loaded, Error> {
        let mut reader = match self {
            Input::Packed(bytes) => {
                let name = path.display().to_string();
                let network = pack::unpack::<G>(&name, &bytes, game, variant)?;
                let run = pack::about(&name, &bytes)?["about"].take();
                let checksum = pack::checksum(&bytes);
                return Ok(Loaded { network, coherence: None, run, checksum });
            }
            Input::Plain(reader) => reader,
        };
        let mut header = reader.header()?;
        let form = header::check_form::<G>(path, &header, game, variant)?;
        let network = if header["scales"].is_array() {
            let scales = header::scales(path, &header, &form)?;
            Network::zeroed_compact(form, scales)?
        } else {
            let mut network = Network::zeroed(form, true)?;
            let initial = header["initial"].as_u64().and_then(|bits| u32::try_from(bits).ok());
            let initial =
                initial.ok_or_else(|| Error::from(FileError::content(path, "no initial value")))?;
            network.set_initial_bits(initial, header["promotion"] == true);
            network
        };
        match network.tables() {
            Tables::Compact(items, _) => reader.section(items.items(), "weights")?,
            _ => reader.section(network.weights(), "weights")?,
        }
        let checksum = reader.checksum();
        let coherence = if coherence && header["coherence"] == true {
            let coherence = Coherence::new(&network)?;
            reader.section(coherence.words(), "learning rates")?;
            Some(coherence)
        } else {
            None
        };
        Ok(Loaded { network, coherence, run: header["run"].take(), checksum })
    }
}
