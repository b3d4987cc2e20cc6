//! Networks small enough to be part of a program.
//!
//! A packed network keeps the entries that matter most and a byte for each: how much
//! an entry matters is its square times the sum of its errors' sizes, which grows with
//! how often it was used. The byte is the root of the entry's size in 127 steps up to
//! the largest of its table, with its sign, so small entries are kept more finely than
//! large ones. What is left out is 0.
//!
//! The bytes are the eight bytes `LUDNPAK1`, a BLAKE3 of all that follows, the length
//! of the header (four bytes, the lowest first), the header (JSON), and the entries
//! compressed by Zstandard.

use std::io::Read;
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;

use ludens_core::{Cells, FileError};
use ruzstd::decoding::StreamingDecoder;
use serde_json::Value;

use super::header::{check_form, scales};
use crate::tables::Tables;
use crate::{Error, Network};

#[cfg(feature = "pack")]
mod write;

#[cfg(feature = "pack")]
pub use write::pack;

pub(super) const MAGIC: &[u8; 8] = b"LUDNPAK1";
/// Entries unpacked at a time.
const CHUNK: usize = 1 << 16;

/// The header of a packed network; `name` is what messages call it.
///
/// # Errors
/// When it is damaged or is something else.
pub fn about(name: &str, bytes: &[u8]) -> Result<Value, Error> {
    Ok(split(name, bytes)?.0)
}

/// The checksum of a packed network, as its bytes have it; [`unpack`] compares it.
pub fn checksum(bytes: &[u8]) -> String {
    let kept = bytes.get(MAGIC.len()..MAGIC.len() + 32).unwrap_or_default();
    kept.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The header and what is compressed.
fn split<'a>(name: &str, bytes: &'a [u8]) -> Result<(Value, &'a [u8]), Error> {
    let wrong = |what: &str| Error::from(FileError::content(Path::new(name), what));
    let rest = bytes.strip_prefix(MAGIC).ok_or_else(|| wrong("no packed network"))?;
    let (hash, rest) = rest.split_at_checked(32).ok_or_else(|| wrong("it ends too early"))?;
    if blake3::hash(rest).as_bytes() != hash {
        return Err(wrong("it is damaged (wrong checksum)"));
    }
    let (len, rest) = rest.split_at_checked(4).ok_or_else(|| wrong("it ends too early"))?;
    let len = u32::from_le_bytes(len.try_into().expect("four bytes")) as usize;
    let (header, rest) = rest.split_at_checked(len).ok_or_else(|| wrong("it ends too early"))?;
    let header = serde_json::from_slice(header);
    let header = header.map_err(|error| wrong(&format!("the header is no JSON: {error}")))?;
    Ok((header, rest))
}

/// A network for play of packed bytes, with a byte per entry, for a variant of a game.
///
/// # Errors
/// When the bytes are damaged or for another game.
pub fn unpack<G: Cells>(
    name: &str,
    bytes: &[u8],
    game: &str,
    variant: &G::Variant,
) -> Result<Network, Error> {
    let path = Path::new(name);
    let (header, compressed) = split(name, bytes)?;
    let form = check_form::<G>(path, &header, game, variant)?;
    let scales = scales(path, &header, &form)?;
    let network = Network::zeroed_packed(form, scales)?;
    let Tables::Packed(items, ..) = network.tables() else { unreachable!("it was made packed") };
    let mut decoder = StreamingDecoder::new(compressed).map_err(|error| {
        Error::from(FileError::content(path, format!("no Zstandard frame: {error}")))
    })?;
    let mut chunk = vec![0u8; CHUNK];
    for items in items.items().chunks(CHUNK) {
        let bytes = &mut chunk[..items.len()];
        decoder.read_exact(bytes).map_err(FileError::io(path))?;
        for (item, &byte) in items.iter().zip(&*bytes) {
            // Fresh memory is zero already: what is not written takes no memory.
            if byte != 0 {
                item.store(byte, Relaxed);
            }
        }
    }
    Ok(network)
}
