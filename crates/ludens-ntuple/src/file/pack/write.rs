//! Packing, with the C library of Zstandard, which compresses best.

use serde_json::{Value, json};

use super::{LARGEST, MAGIC, STEPS};
use crate::file::header::header_form;
use crate::{Coherence, Error, Network};

/// How much time Zstandard spends.
const EFFORT: i32 = 19;
/// Entries far apart may be alike.
const WINDOW: u32 = 26;

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
