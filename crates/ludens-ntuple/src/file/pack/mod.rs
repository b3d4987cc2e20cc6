//! Networks small enough to be part of a program.
//!
//! A packed network keeps each entry as precisely as it was used: entries are coded by their
//! distance from what their neighbours say (`table`), with as many bits as lower the error of
//! values by enough (`write`). What was hardly used is left out, which is 0.
//!
//! The bytes are the eight bytes `LUDNPAK2`, a BLAKE3 of all that follows, the length
//! of the header (four bytes, the lowest first), the header (JSON), and the streams of the
//! tables one after another. Version 1, which is still read, has one byte per entry instead,
//! compressed by Zstandard: the root of its size in 127 steps up to the largest of its table,
//! with its sign.

use std::io::Read;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;

use ludens_core::platform::thread;
use ludens_core::{Cells, FileError};
use ruzstd::decoding::StreamingDecoder;
use serde_json::Value;

use self::coder::Decoder;
use self::grid::Grid;
use self::table::{Table, Unread};
use super::header::{check_form, scales};
use crate::tables::Tables;
use crate::{Error, Form, Network};

mod coder;
mod grid;
mod table;
#[cfg(feature = "pack")]
mod write;

#[cfg(feature = "pack")]
pub use write::{Precision, pack};

pub(super) const MAGIC: &[u8; 8] = b"LUDNPAK2";
const MAGIC_1: &[u8; 8] = b"LUDNPAK1";
/// Entries of version 1 unpacked at a time.
const CHUNK: usize = 1 << 16;
/// Units of a step.
const STEPS: RangeInclusive<u64> = 1..=64;

/// Whether these are the bytes of a packed network.
pub(super) fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC) || bytes.starts_with(MAGIC_1)
}

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
    let rest = bytes.strip_prefix(MAGIC).or_else(|| bytes.strip_prefix(MAGIC_1));
    let rest = rest.ok_or_else(|| wrong("no packed network"))?;
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

/// A network for play of packed bytes, for a variant of a game: two bytes per entry, one in
/// version 1.
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
    if bytes.starts_with(MAGIC_1) {
        return unpack_bytes(path, form, scales, compressed);
    }
    let step = header["step"].as_u64().filter(|step| STEPS.contains(step));
    let (Some(step), Some(streams)) = (step, streams(&header, &form, compressed)) else {
        return Err(FileError::content(path, "its header and its tables do not fit").into());
    };
    let network = Network::zeroed_compact(form, scales)?;
    let Tables::Compact(items, ..) = network.tables() else { unreachable!("it was made compact") };
    thread::map(Grid::of(&network).iter().zip(streams), |(grid, stream)| {
        Table::new(grid, items.items(), step as i32).code(&mut Decoder::new(stream), &Unread);
    });
    Ok(network)
}

/// The streams of the tables, if the header's lengths are those of what there is.
fn streams<'a>(header: &Value, form: &Form, mut bytes: &'a [u8]) -> Option<Vec<&'a [u8]>> {
    let mut streams = Vec::new();
    for length in header["lengths"].as_array()? {
        let (stream, rest) = bytes.split_at_checked(usize::try_from(length.as_u64()?).ok()?)?;
        streams.push(stream);
        bytes = rest;
    }
    (bytes.is_empty() && streams.len() == form.layout.tuples().len()).then_some(streams)
}

/// Version 1: a byte per entry.
fn unpack_bytes(
    path: &Path,
    form: Form,
    scales: Vec<f32>,
    compressed: &[u8],
) -> Result<Network, Error> {
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
