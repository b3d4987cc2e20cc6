//! An adaptive binary range coder.
//!
//! Bits are coded with probabilities that follow what was seen in the same context. What is
//! coded is written once, for [`Encoder`] and [`Decoder`] alike: both are a [`Coder`], and a
//! decoder ignores the bits it is given.
//!
//! G. N. N. Martin, Range encoding: an algorithm for removing redundancy from a digitised
//! message, 1979; carries as in LZMA.

/// Below this, the range is too small to be divided.
const LEAST: u32 = 1 << 24;

/// The probability of a set bit in one context: the mean of a fast and a slow estimate.
#[derive(Clone, Copy)]
pub(super) struct Bit {
    fast: u16,
    slow: u16,
}

impl Bit {
    /// Nothing was seen yet.
    pub(super) const NEW: Bit = Bit { fast: 1 << 15, slow: 1 << 15 };
    const FAST: u32 = 4;
    const SLOW: u32 = 7;
    /// No bit is certain.
    const SMALLEST: u32 = 48;

    /// The probability of a set bit, of 2^16.
    #[inline]
    pub(super) fn probability(self) -> u32 {
        let mean = (u32::from(self.fast) + u32::from(self.slow)) / 2;
        mean.clamp(Bit::SMALLEST, (1 << 16) - Bit::SMALLEST)
    }

    #[inline]
    fn update(&mut self, bit: bool) {
        if bit {
            self.fast += (u16::MAX - self.fast) >> Bit::FAST;
            self.slow += (u16::MAX - self.slow) >> Bit::SLOW;
        } else {
            self.fast -= self.fast >> Bit::FAST;
            self.slow -= self.slow >> Bit::SLOW;
        }
    }
}

/// Writes bits or reads them.
pub(super) trait Coder {
    /// Codes a bit of a context. A decoder returns the bit it reads, an encoder the one given.
    fn bit(&mut self, context: &mut Bit, bit: bool) -> bool;

    /// The range that is left.
    fn range(&mut self) -> &mut u32;

    /// Moves on by a byte.
    fn shift(&mut self);

    /// Widens the range after a bit of a context, which learns it.
    #[inline]
    fn renormalize(&mut self, context: &mut Bit, bit: bool) -> bool {
        while *self.range() < LEAST {
            *self.range() <<= 8;
            self.shift();
        }
        context.update(bit);
        bit
    }

    /// Codes the lowest `count` bits of a number without a context, the highest first.
    fn plain(&mut self, number: u32, count: u32) -> u32 {
        (0..count).rev().fold(0, |read, at| {
            let bit = self.bit(&mut Bit::NEW.clone(), number >> at & 1 == 1);
            read << 1 | u32::from(bit)
        })
    }
}

/// Reads what an [`Encoder`] wrote. Bytes beyond the end are zeros: callers compare checksums.
pub(super) struct Decoder<'a> {
    bytes: std::slice::Iter<'a, u8>,
    range: u32,
    code: u32,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let mut decoder = Decoder { bytes: bytes.iter(), range: u32::MAX, code: 0 };
        for _ in 0..5 {
            decoder.shift();
        }
        decoder
    }
}

impl Coder for Decoder<'_> {
    #[inline]
    fn range(&mut self) -> &mut u32 {
        &mut self.range
    }

    #[inline]
    fn shift(&mut self) {
        self.code = self.code << 8 | u32::from(self.bytes.next().copied().unwrap_or(0));
    }

    #[inline]
    fn bit(&mut self, context: &mut Bit, _: bool) -> bool {
        let bound = (self.range >> 16) * context.probability();
        let bit = self.code < bound;
        if bit {
            self.range = bound;
        } else {
            self.code -= bound;
            self.range -= bound;
        }
        self.renormalize(context, bit)
    }
}

/// Writes bits.
#[cfg(feature = "pack")]
pub(super) struct Encoder {
    bytes: Vec<u8>,
    low: u64,
    range: u32,
    /// The byte that a carry may still change, and how many of 255 follow it.
    pending: u8,
    full: usize,
}

#[cfg(feature = "pack")]
impl Encoder {
    pub(super) fn new() -> Self {
        Encoder { bytes: Vec::new(), low: 0, range: u32::MAX, pending: 0, full: 0 }
    }

    /// The bytes of all bits.
    pub(super) fn finish(mut self) -> Vec<u8> {
        for _ in 0..5 {
            self.shift();
        }
        self.bytes
    }
}

#[cfg(feature = "pack")]
impl Coder for Encoder {
    fn range(&mut self) -> &mut u32 {
        &mut self.range
    }

    fn shift(&mut self) {
        let carry = (self.low >> 32) as u8;
        if carry == 1 || self.low < 0xFF00_0000 {
            self.bytes.push(self.pending.wrapping_add(carry));
            let full = std::mem::take(&mut self.full);
            self.bytes.extend(std::iter::repeat_n(0xFFu8.wrapping_add(carry), full));
            self.pending = (self.low >> 24) as u8;
        } else {
            self.full += 1;
        }
        self.low = self.low << 8 & 0xFFFF_FFFF;
    }

    fn bit(&mut self, context: &mut Bit, bit: bool) -> bool {
        let bound = (self.range >> 16) * context.probability();
        if bit {
            self.range = bound;
        } else {
            self.low += u64::from(bound);
            self.range -= bound;
        }
        self.renormalize(context, bit)
    }
}

#[cfg(all(test, feature = "pack"))]
mod tests {
    use ludens_core::Rng;

    use super::*;

    #[test]
    fn bits_are_read_as_they_were_written() {
        let mut rng = Rng::new(3);
        // Contexts of all kinds, also ones that are never or always set: carries run far.
        let bits: Vec<(usize, bool)> = (0..200_000)
            .map(|_| {
                let context = rng.below(9);
                (context as usize, rng.below(8) < context)
            })
            .collect();
        let mut encoder = Encoder::new();
        let mut contexts = [Bit::NEW; 9];
        for &(context, bit) in &bits {
            encoder.bit(&mut contexts[context], bit);
            encoder.plain(context as u32, 4);
        }
        let bytes = encoder.finish();
        let mut decoder = Decoder::new(&bytes);
        let mut contexts = [Bit::NEW; 9];
        for &(context, bit) in &bits {
            assert_eq!(decoder.bit(&mut contexts[context], false), bit);
            assert_eq!(decoder.plain(0, 4), context as u32);
        }
    }

    #[test]
    fn rare_bits_take_little_space() {
        let mut encoder = Encoder::new();
        let mut context = Bit::NEW;
        for i in 0..100_000 {
            encoder.bit(&mut context, i % 1000 == 0);
        }
        let bytes = encoder.finish().len();
        assert!(bytes < 400, "{bytes} bytes");
    }
}
