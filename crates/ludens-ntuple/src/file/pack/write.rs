//! Packing, with the C library of Zstandard, which compresses best.

use ludens_core::FileError;
use serde_json::{Value, json};

use super::MAGIC;
use crate::file::header::header_form;
use crate::tables::{LARGEST, STEPS};
use crate::{Coherence, Error, Network};

/// How much time Zstandard spends.
const EFFORT: i32 = 19;
/// Entries far apart may be alike.
const WINDOW: u32 = 26;

/// Packs the `keep` entries that matter most; `about` says where the network is from.
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
    let importance = |index: usize| {
        let weight = network.entry_value(index);
        weight * weight * coherence.map_or(1.0, |coherence| coherence.size(index))
    };
    let mut importances: Vec<f32> =
        (0..network.entries()).map(importance).filter(|importance| *importance > 0.0).collect();
    let least = match importances.len().checked_sub(keep).filter(|left_out| *left_out > 0) {
        Some(left_out) => *importances.select_nth_unstable_by(left_out, f32::total_cmp).1,
        None => f32::MIN_POSITIVE,
    };
    drop(importances);
    let kept =
        |index: usize| if importance(index) >= least { network.entry_value(index) } else { 0.0 };
    let mut scales = Vec::new();
    let mut bytes = vec![0u8; network.entries()];
    for table in 0..network.form().layout.tuples().len() {
        let indices = || network.indices_of_table(table);
        let largest = indices().map(|index| kept(index).abs()).fold(0.0, f32::max);
        scales.push(largest / LARGEST);
        for index in indices().filter(|_| largest > 0.0) {
            let weight = kept(index);
            let root = ((weight.abs() / largest).sqrt() * STEPS).round();
            bytes[index] = root.copysign(weight) as i8 as u8;
        }
    }
    let mut header = header_form(game, network);
    header["scales"] = json!(scales);
    header["about"] = about.clone();
    let header = header.to_string();
    let failed = |source| FileError::Io { path: "the packed network".into(), source };
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
