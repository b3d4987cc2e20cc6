//! The entries of a network, in one of three precisions.

use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, Ordering::Relaxed};

use crate::buffer::Buffer;
use crate::prefetch::prefetch;
use crate::{Error, Probe};

/// The largest whole number of an entry with a scale.
pub(crate) const LARGEST: f32 = 32767.0;
/// Steps of a byte on each side of 0.
pub(crate) const STEPS: f32 = 127.0;

/// The entries.
pub(crate) enum Tables {
    /// Floats, as learning needs them.
    Full(Buffer<AtomicU32>),
    /// Whole numbers, with a scale per table.
    Compact(Buffer<AtomicU16>, Vec<f32>),
    /// Bytes that stand for whole numbers, with a scale per table.
    Packed(Buffer<AtomicU8>, Vec<f32>, Box<[i16; 256]>),
}

impl Tables {
    /// Zeros in bytes.
    pub(crate) fn packed(entries: usize, scales: Vec<f32>) -> Result<Self, Error> {
        let bytes = Buffer::zeroed(entries, true, "the network")?;
        let whole = |byte: u8| {
            let root = f32::from(byte as i8) / STEPS;
            (root * root.abs() * LARGEST).round() as i16
        };
        let wholes = std::array::from_fn(|byte| whole(byte as u8));
        Ok(Tables::Packed(bytes, scales, Box::new(wholes)))
    }

    /// The scales, unless entries are floats.
    pub(crate) fn scales(&self) -> Option<&[f32]> {
        match self {
            Tables::Full(_) => None,
            Tables::Compact(_, scales) | Tables::Packed(_, scales, _) => Some(scales),
        }
    }

    /// Bytes of an entry.
    pub(crate) fn entry_bytes(&self) -> usize {
        match self {
            Tables::Full(_) => 4,
            Tables::Compact(..) => 2,
            Tables::Packed(..) => 1,
        }
    }

    /// Asks for the entries of a probe.
    #[inline(always)]
    pub(crate) fn prefetch(&self, probe: &Probe) {
        match self {
            Tables::Full(weights) => fetch(weights.items(), probe),
            Tables::Compact(items, _) => fetch(items.items(), probe),
            Tables::Packed(bytes, ..) => fetch(bytes.items(), probe),
        }
    }
}

#[inline(always)]
fn fetch<T>(items: &[T], probe: &Probe) {
    for &index in probe.indices() {
        prefetch(items.as_ptr().wrapping_add(index as usize));
    }
}

/// The entry at an index. A bounds check per look-up would cost a tenth of the training speed:
/// callers compare the bound of a [`Probe`] with the number of items once.
///
/// # Safety
/// There must be an item at the index.
#[inline(always)]
#[expect(unsafe_code, reason = "a bounds check per look-up costs a tenth of the training speed")]
pub(crate) unsafe fn entry<T>(items: &[T], index: u32) -> &T {
    debug_assert!((index as usize) < items.len());
    // SAFETY: the caller's.
    unsafe { items.get_unchecked(index as usize) }
}

/// The sum of a probe's entries.
#[inline(always)]
#[expect(unsafe_code, reason = "entries without a bounds check")]
pub(crate) fn sum(weights: &[AtomicU32], probe: &Probe) -> f32 {
    assert!(probe.bound() <= weights.len() as u64, "a probe of another network");
    // SAFETY: the probe's indices are below its bound, which there are weights for.
    let weight = |index: u32| unsafe { entry(weights, index) };
    in_parts(probe.indices(), |index| f32::from_bits(weight(index).load(Relaxed)))
}

/// The sum of a probe's whole numbers, those of each table times its scale; `per_table` has the
/// look-ups of each.
#[inline(always)]
#[expect(unsafe_code, reason = "entries without a bounds check")]
pub(crate) fn scaled_sum<T>(
    items: &[T],
    (scales, per_table): (&[f32], &[usize]),
    probe: &Probe,
    whole: impl Fn(&T) -> i16,
) -> f32 {
    assert!(probe.bound() <= items.len() as u64, "a probe of another network");
    let (mut indices, mut value) = (probe.indices(), 0.0);
    for (&count, scale) in per_table.iter().zip(scales) {
        let (table, rest) = indices.split_at(count);
        // SAFETY: the probe's indices are below its bound, which there are items for.
        let item = |index: u32| unsafe { entry(items, index) };
        let sum: i32 = table.iter().map(|&index| i32::from(whole(item(index)))).sum();
        value += sum as f32 * scale;
        indices = rest;
    }
    value
}

/// The sum of what indices give, asked for one after another: in a fixed order and in eight parts,
/// so that additions need not wait for each other.
#[inline(always)]
pub(crate) fn in_parts(indices: &[u32], mut term: impl FnMut(u32) -> f32) -> f32 {
    let mut parts = [0f32; 8];
    let (eights, rest) = indices.as_chunks::<8>();
    for eight in eights {
        for i in 0..8 {
            parts[i] += term(eight[i]);
        }
    }
    for (i, &index) in rest.iter().enumerate() {
        parts[i] += term(index);
    }
    let [a, b, c, d, e, f, g, h] = parts;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}
