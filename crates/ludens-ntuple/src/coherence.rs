//! Temporal coherence: a learning rate per entry that falls where its errors
//! contradict each other.
//!
//! Every entry remembers the sum of its errors, E, and of their sizes, A. Its rate
//! is |E| / A, or 1 where it has none yet. Both sums are two halves of one word.
//!
//! W. Jaśkowski, Mastering 2048 with delayed temporal coherence learning, multistage
//! weight promotion, redundant encoding and carousel shaping, IEEE Trans. Games 10 (2018).

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::buffer::Buffer;
use crate::prefetch::prefetch;
use crate::tables::{entry, in_parts};
use crate::{Error, Network, Probe};

/// The errors of every entry of a network.
pub struct Coherence {
    sums: Buffer<AtomicU64>,
}

#[inline(always)]
fn unpack(word: u64) -> (f32, f32) {
    (f32::from_bits(word as u32), f32::from_bits((word >> 32) as u32))
}

#[inline(always)]
fn pack(error: f32, size: f32) -> u64 {
    u64::from(error.to_bits()) | u64::from(size.to_bits()) << 32
}

impl Coherence {
    /// No errors yet, for a network's entries.
    ///
    /// # Errors
    /// When there is not enough memory.
    pub fn new(network: &Network) -> Result<Self, Error> {
        let what = "temporal coherence";
        Ok(Coherence { sums: Buffer::zeroed(network.entries(), network.huge_pages(), what)? })
    }

    /// Adds `step` times its rate to every entry of a probe, for an error with the
    /// sign and, up to a common factor, the size of `step`. The new value.
    #[inline]
    #[expect(unsafe_code, reason = "entries without a bounds check")]
    pub fn adjust(&self, network: &Network, probe: &Probe, step: f32) -> f32 {
        let (weights, sums) = (network.weights(), self.sums.items());
        assert!(
            probe.bound() <= weights.len().min(sums.len()) as u64,
            "a probe of another network"
        );
        in_parts(probe.indices(), |index| {
            // SAFETY: the probe's indices are below its bound, which there are weights and
            // sums for.
            let (weight, sum) = unsafe { (entry(weights, index), entry(sums, index)) };
            let (error, size) = unpack(sum.load(Relaxed));
            let rate = if size == 0.0 { 1.0 } else { error.abs() / size };
            let changed = f32::from_bits(weight.load(Relaxed)) + step * rate;
            weight.store(changed.to_bits(), Relaxed);
            sum.store(pack(error + step, size + step.abs()), Relaxed);
            changed
        })
    }

    /// Asks for the sums of a probe.
    #[inline]
    pub fn prefetch(&self, probe: &Probe) {
        let sums = self.sums.items().as_ptr();
        for &index in probe.indices() {
            prefetch(sums.wrapping_add(index as usize));
        }
    }

    /// Forgets all errors, so that every rate is 1 again.
    pub fn reset(&self) {
        for sum in self.sums.items() {
            sum.store(0, Relaxed);
        }
    }

    /// The sum of the sizes of an entry's errors.
    #[cfg(feature = "pack")]
    pub(crate) fn size(&self, index: usize) -> f32 {
        unpack(self.sums.items()[index].load(Relaxed)).1
    }

    /// The words as files keep them.
    pub(crate) fn words(&self) -> &[AtomicU64] {
        self.sums.items()
    }
}
