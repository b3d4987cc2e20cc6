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

use ludens_core::Cells;
use serde_json::{Value, json};

use crate::file::{check_form, header_form};
use crate::{Coherence, Error, Network};

pub(crate) const MAGIC: &[u8; 8] = b"LUDNPAK1";
/// Steps of a byte on each side of 0.
const STEPS: f32 = 127.0;
/// The largest whole number of a compact network's entries.
const LARGEST: f32 = 32767.0;
/// How much time Zstandard spends.
const EFFORT: i32 = 19;
/// Entries far apart may be alike.
const WINDOW: u32 = 26;
/// Entries unpacked at a time.
const CHUNK: usize = 1 << 16;

/// Packs the `keep` entries that matter most; `about` tells where the network is from.
///
/// # Errors
/// When memory is short.
pub fn pack(
    game: &str,
    network: &Network,
    coherence: Option<&Coherence>,
    keep: usize,
    about: &Value,
) -> Result<Vec<u8>, Error> {
    let worth = |place: usize| {
        let weight = network.entry_value(place);
        weight * weight * coherence.map_or(1.0, |coherence| coherence.size(place))
    };
    let mut worths: Vec<f32> =
        (0..network.entries()).map(worth).filter(|worth| *worth > 0.0).collect();
    let least = match worths.len().checked_sub(keep).filter(|left_out| *left_out > 0) {
        Some(left_out) => *worths.select_nth_unstable_by(left_out, f32::total_cmp).1,
        None => f32::MIN_POSITIVE,
    };
    drop(worths);
    let kept = |place: usize| if worth(place) >= least { network.entry_value(place) } else { 0.0 };
    let mut scales = Vec::new();
    let mut bytes = vec![0u8; network.entries()];
    for table in 0..network.form().layout.tuples().len() {
        let places = || network.places_of_table(table);
        let largest = places().map(|place| kept(place).abs()).fold(0.0, f32::max);
        scales.push(largest / LARGEST);
        for place in places().filter(|_| largest > 0.0) {
            let weight = kept(place);
            let root = ((weight.abs() / largest).sqrt() * STEPS).round();
            bytes[place] = root.copysign(weight) as i8 as u8;
        }
    }
    let mut header = header_form(game, network);
    header["scales"] = json!(scales);
    header["about"] = about.clone();
    let header = header.to_string();
    let failed = |source| Error::Io { path: "the packed network".into(), source };
    let compressed = compress(&bytes).map_err(failed)?;
    let mut rest = (header.len() as u32).to_le_bytes().to_vec();
    rest.extend(header.as_bytes());
    rest.extend(compressed);
    let mut packed = MAGIC.to_vec();
    packed.extend(blake3::hash(&rest).as_bytes());
    packed.extend(rest);
    Ok(packed)
}

fn compress(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    use zstd::zstd_safe::CParameter;
    let mut compressor = zstd::bulk::Compressor::new(EFFORT)?;
    compressor.set_parameter(CParameter::WindowLog(WINDOW))?;
    compressor.set_parameter(CParameter::EnableLongDistanceMatching(true))?;
    compressor.compress(bytes)
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
    let wrong = |what: &str| Error::file(Path::new(name), what);
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

/// A compact network of packed bytes, for a variant of a game.
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
    let scales: Option<Vec<f32>> = header["scales"].as_array().and_then(|scales| {
        scales.iter().map(|scale| scale.as_f64().map(|scale| scale as f32)).collect()
    });
    let scales = scales.filter(|scales| scales.len() == form.layout.tuples().len());
    let scales = scales.ok_or_else(|| Error::file(path, "not one scale per table"))?;
    let network = Network::zeroed_compact(form, scales)?;
    let (items, _) = network.compacted().expect("it was made as a compact one");
    let whole = |byte: u8| {
        let root = f32::from(byte as i8) / STEPS;
        (root * root.abs() * LARGEST).round() as i16 as u16
    };
    let wholes: [u16; 256] = std::array::from_fn(|byte| whole(byte as u8));
    let failed = |source| Error::Io { path: path.to_owned(), source };
    let mut decoder = zstd::Decoder::new(compressed).map_err(failed)?;
    decoder.window_log_max(WINDOW).map_err(failed)?;
    let mut chunk = vec![0u8; CHUNK];
    for items in items.chunks(CHUNK) {
        let bytes = &mut chunk[..items.len()];
        decoder.read_exact(bytes).map_err(failed)?;
        for (item, &byte) in items.iter().zip(&*bytes) {
            // Fresh memory is zero already: what is not written takes no room.
            if byte != 0 {
                item.store(wholes[usize::from(byte)], Relaxed);
            }
        }
    }
    Ok(network)
}
