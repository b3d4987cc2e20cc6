//! Packing: which level of each entry is worth its bits.

use std::ops::Range;
use std::sync::atomic::AtomicU16;

use ludens_core::platform::thread;
use serde_json::{Value, json};

use super::coder::Encoder;
use super::grid::Grid;
use super::table::{Contexts, Levels, Near, Table};
use super::{MAGIC, STEPS};
use crate::buffer::Buffer;
use crate::file::header::header_form;
use crate::tables::LARGEST;
use crate::{Coherence, Error, Network};

/// How closely a network is packed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Precision {
    /// The distance of levels, in points.
    pub step: f32,
    /// What a bit must save: the square of an error, in steps, times how much the entry was used.
    /// Entries that were used little are kept coarsely, or not at all.
    pub bit: f32,
}

/// Packs a network; `about` says where it is from. How much an entry was used is the sum of its
/// errors' sizes, or the same for all without `coherence`.
///
/// # Errors
/// When memory is short.
pub fn pack(
    game: &str,
    network: &Network,
    coherence: Option<&Coherence>,
    precision: Precision,
    about: &Value,
) -> Result<Vec<u8>, Error> {
    let largest = (0..network.entries()).map(|index| network.entry_value(index).abs());
    let largest = largest.fold(0.0, f32::max);
    // As many units to a step as the largest entry leaves room for.
    let units = (LARGEST * precision.step / largest.max(f32::MIN_POSITIVE)).floor();
    let units = units.clamp(1.0, *STEPS.end() as f32);
    let unit = (precision.step / units).max(largest / LARGEST);
    let read = Buffer::<AtomicU16>::zeroed(network.entries(), network.huge_pages(), "packing")?;
    let streams = thread::map(Grid::of(network), |grid| {
        let levels = Worthwhile { network, coherence, precision, unit, units, grid: &grid };
        let mut coder = Encoder::new();
        Table::new(&grid, read.items(), units as i32).code(&mut coder, &levels);
        coder.finish()
    });
    let mut header = header_form(game, network);
    header["scales"] = json!(vec![unit; streams.len()]);
    header["step"] = json!(units as i32);
    header["lengths"] = json!(streams.iter().map(Vec::len).collect::<Vec<_>>());
    header["about"] = about.clone();
    let header = header.to_string();
    let mut rest = (header.len() as u32).to_le_bytes().to_vec();
    rest.extend(header.as_bytes());
    rest.extend(streams.concat());
    let mut packed = MAGIC.to_vec();
    packed.extend(blake3::hash(&rest).as_bytes());
    packed.extend(rest);
    Ok(packed)
}

/// Takes, for each entry, the level whose error and bits together cost least.
struct Worthwhile<'a> {
    network: &'a Network,
    coherence: Option<&'a Coherence>,
    precision: Precision,
    /// Points of a unit.
    unit: f32,
    /// Units of a step.
    units: f32,
    grid: &'a Grid,
}

impl Worthwhile<'_> {
    fn used(&self, index: usize) -> f32 {
        self.coherence.map_or(1.0, |coherence| coherence.size(index))
    }
}

impl Levels for Worthwhile<'_> {
    fn any(&self, plane: usize, mut entries: Range<usize>) -> bool {
        entries.any(|entry| {
            let index = self.grid.index(plane, entry);
            self.used(index) > 0.0 && self.network.entry_value(index) != 0.0
        })
    }

    fn level(&self, plane: usize, entry: usize, near: &Near, contexts: &Contexts) -> Option<i32> {
        let index = self.grid.index(plane, entry);
        let (value, used) = (self.network.entry_value(index), self.used(index));
        if used <= 0.0 || value == 0.0 {
            return None;
        }
        let steps = |points: f32| points / self.unit / self.units;
        let exact = steps(value) - near.prediction as f32 / self.units;
        let nearest = exact.round();
        let cost = |level: Option<f32>| {
            let error = level.map_or(steps(value), |level| exact - level);
            let bits = contexts.bits(near, level.map(|level| level as i32));
            used * error * error + self.precision.bit * bits
        };
        let towards = |by: f32| nearest.signum() * (nearest.abs() - by).max(0.0);
        let half = (nearest / 2.0).trunc();
        [Some(nearest), Some(towards(1.0)), Some(towards(2.0)), Some(half), Some(0.0), None]
            .into_iter()
            .min_by(|a, b| cost(*a).total_cmp(&cost(*b)))
            .flatten()
            .map(|level| level as i32)
    }
}
