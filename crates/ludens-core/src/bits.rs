//! Bit gathering and scattering, with the processor's instructions where it has them.

/// The bits of `value` under `mask`, moved together at the low end.
///
/// ```
/// assert_eq!(ludens_core::bits::pext(0b1011_0110, 0b1111_0000), 0b1011);
/// ```
#[inline(always)]
pub fn pext(value: u64, mask: u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("bmi2") {
        return bmi2::pext(value, mask);
    }
    portable::pext(value, mask)
}

/// The low bits of `value`, spread over the set bits of `mask`.
///
/// ```
/// assert_eq!(ludens_core::bits::pdep(0b101, 0b1111_0000), 0b0101_0000);
/// ```
#[inline(always)]
pub fn pdep(value: u64, mask: u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("bmi2") {
        return bmi2::pdep(value, mask);
    }
    portable::pdep(value, mask)
}

/// The `n`-th set bit of `mask` (from 0, lowest first) as a one-bit mask, or 0
/// when there are fewer; `n` is below 64.
///
/// ```
/// assert_eq!(ludens_core::bits::nth_bit(0b1011_0000, 2), 0b1000_0000);
/// ```
#[inline(always)]
pub fn nth_bit(mask: u64, n: u32) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("bmi2") {
        return bmi2::pdep(1 << n, mask);
    }
    portable::nth_bit(mask, n)
}

/// A well-mixed hash of one word, for position keys (SplitMix64's finaliser).
#[inline]
pub const fn mix(word: u64) -> u64 {
    let mut x = word.wrapping_add(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// A hash of several words in order, for position keys.
#[inline]
pub fn mix_all(words: &[u64]) -> u64 {
    words.iter().fold(words.len() as u64, |hash, &word| mix(hash ^ word))
}

/// The instructions themselves. Written as assembly so that they inline into
/// callers compiled without the BMI2 feature: a call would cost more than the work.
#[cfg(target_arch = "x86_64")]
mod bmi2 {
    use std::arch::asm;

    #[inline(always)]
    #[expect(unsafe_code, reason = "pext moves bits between registers")]
    pub(super) fn pext(value: u64, mask: u64) -> u64 {
        let out;
        // SAFETY: the caller has checked that the processor has BMI2; the
        // instruction reads two registers, writes one, and touches nothing else.
        unsafe {
            asm!("pext {}, {}, {}", lateout(reg) out, in(reg) value, in(reg) mask,
                options(pure, nomem, nostack, preserves_flags));
        }
        out
    }

    #[inline(always)]
    #[expect(unsafe_code, reason = "pdep moves bits between registers")]
    pub(super) fn pdep(value: u64, mask: u64) -> u64 {
        let out;
        // SAFETY: as for `pext`.
        unsafe {
            asm!("pdep {}, {}, {}", lateout(reg) out, in(reg) value, in(reg) mask,
                options(pure, nomem, nostack, preserves_flags));
        }
        out
    }
}

mod portable {
    pub(super) fn pext(value: u64, mut mask: u64) -> u64 {
        let (mut out, mut to) = (0, 1);
        while mask != 0 {
            if value & mask & mask.wrapping_neg() != 0 {
                out |= to;
            }
            to <<= 1;
            mask &= mask - 1;
        }
        out
    }

    pub(super) fn pdep(mut value: u64, mut mask: u64) -> u64 {
        let mut out = 0;
        while mask != 0 && value != 0 {
            if value & 1 != 0 {
                out |= mask & mask.wrapping_neg();
            }
            value >>= 1;
            mask &= mask - 1;
        }
        out
    }

    pub(super) fn nth_bit(mut mask: u64, n: u32) -> u64 {
        for _ in 0..n {
            mask &= mask.wrapping_sub(1);
        }
        mask & mask.wrapping_neg()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    #[test]
    fn instructions_agree_with_the_portable_form() {
        let mut rng = Rng::new(5);
        for _ in 0..20_000 {
            let (value, mask) = (rng.next_u64(), rng.next_u64() & rng.next_u64());
            assert_eq!(pext(value, mask), portable::pext(value, mask));
            assert_eq!(pdep(value, mask), portable::pdep(value, mask));
            let n = rng.below(64);
            assert_eq!(nth_bit(mask, n), portable::nth_bit(mask, n));
            assert_eq!(pdep(pext(value, mask), mask), value & mask);
        }
        assert_eq!(pext(u64::MAX, u64::MAX), u64::MAX);
        assert_eq!(nth_bit(0, 0), 0);
    }
}
