//! A plane in one AVX2 register: a column is a 16-bit lane, so that shifts stop
//! at the edges of a column by themselves.

#![expect(unsafe_code, reason = "vector instructions make random games several times faster")]

use std::arch::x86_64::*;
use std::ops::{BitAnd, BitOr, BitXor};

use super::plane::{Bits, Lanes, Plane};

/// Makes [`Vector`]s; exists only where the processor has AVX2 and the bit
/// instructions that came with it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx2(());

impl Avx2 {
    /// The maker of vectors, if this processor has them.
    #[inline(always)]
    pub(super) fn detect() -> Option<Self> {
        let found = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        found.then_some(Avx2(()))
    }
}

/// A set of cells. Only [`Avx2`] makes one, so where there is one the processor
/// has AVX2: this is what makes every instruction below sound.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vector(__m256i);

/// The number of each column in its lane.
#[inline(always)]
fn columns(_: Avx2) -> __m256i {
    // SAFETY: an `Avx2` exists.
    unsafe { _mm256_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) }
}

impl BitAnd for Vector {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        // SAFETY: a `Vector` exists.
        Vector(unsafe { _mm256_and_si256(self.0, other.0) })
    }
}

impl BitOr for Vector {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        // SAFETY: a `Vector` exists.
        Vector(unsafe { _mm256_or_si256(self.0, other.0) })
    }
}

impl BitXor for Vector {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        // SAFETY: a `Vector` exists.
        Vector(unsafe { _mm256_xor_si256(self.0, other.0) })
    }
}

impl Plane for Vector {
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        // SAFETY: a `Vector` exists.
        Vector(unsafe { _mm256_andnot_si256(other.0, self.0) })
    }

    #[inline(always)]
    fn up(self) -> Self {
        // SAFETY: a `Vector` exists.
        Vector(unsafe { _mm256_slli_epi16::<1>(self.0) })
    }

    #[inline(always)]
    fn down(self) -> Self {
        // SAFETY: a `Vector` exists.
        Vector(unsafe { _mm256_srli_epi16::<1>(self.0) })
    }

    #[inline(always)]
    fn right(self) -> Self {
        // SAFETY: a `Vector` exists.
        Vector(unsafe {
            // The low half moved up brings its last column to the high half.
            let low = _mm256_permute2x128_si256::<0x08>(self.0, self.0);
            _mm256_alignr_epi8::<14>(self.0, low)
        })
    }

    #[inline(always)]
    fn left(self) -> Self {
        // SAFETY: a `Vector` exists.
        Vector(unsafe {
            let high = _mm256_permute2x128_si256::<0x81>(self.0, self.0);
            _mm256_alignr_epi8::<2>(high, self.0)
        })
    }

    #[inline(always)]
    fn below_lowest(self) -> Self {
        // SAFETY: a `Vector` exists.
        Vector(unsafe {
            let less_one = _mm256_add_epi16(self.0, _mm256_set1_epi16(-1));
            _mm256_andnot_si256(self.0, less_one)
        })
    }

    #[inline(always)]
    fn above_lowest(self) -> Self {
        // SAFETY: a `Vector` exists.
        Vector(unsafe {
            let less_one = _mm256_add_epi16(self.0, _mm256_set1_epi16(-1));
            _mm256_and_si256(self.0, less_one)
        })
    }

    #[inline(always)]
    fn columns(self) -> u32 {
        // SAFETY: a `Vector` exists.
        let empty =
            unsafe { _mm256_movemask_epi8(_mm256_cmpeq_epi16(self.0, _mm256_setzero_si256())) };
        !(empty as u32)
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        // SAFETY: a `Vector` exists.
        unsafe { _mm256_testz_si256(self.0, self.0) == 1 }
    }

    #[inline(always)]
    fn gap(self) -> Option<u32> {
        // SAFETY: a `Vector` exists.
        let empty =
            unsafe { _mm256_movemask_epi8(_mm256_cmpeq_epi16(self.0, _mm256_setzero_si256())) };
        // Two bits per column.
        let filled = !(empty as u32);
        (filled & filled.wrapping_add(1) != 0).then(|| filled.trailing_ones() / 2)
    }

    #[inline(always)]
    fn bits(self) -> Bits {
        // SAFETY: both are 32 bytes without padding, and any bits are valid words.
        unsafe { std::mem::transmute::<__m256i, Bits>(self.0) }
    }
}

impl Lanes for Avx2 {
    type Plane = Vector;

    #[inline(always)]
    fn load(self, bits: Bits) -> Vector {
        // SAFETY: both are 32 bytes without padding, and any bits are a valid vector.
        Vector(unsafe { std::mem::transmute::<Bits, __m256i>(bits) })
    }

    #[inline(always)]
    fn cell(self, cell: u8) -> Vector {
        // SAFETY: an `Avx2` exists.
        Vector(unsafe {
            let column = _mm256_cmpeq_epi16(columns(self), _mm256_set1_epi16(i16::from(cell / 16)));
            _mm256_and_si256(column, _mm256_set1_epi16(1 << (cell % 16)))
        })
    }

    #[inline(always)]
    fn before(self, cell: u8) -> Vector {
        // SAFETY: an `Avx2` exists.
        Vector(unsafe {
            let here = _mm256_set1_epi16(i16::from(cell / 16));
            let left = _mm256_cmpgt_epi16(here, columns(self));
            let column = _mm256_cmpeq_epi16(here, columns(self));
            let rows = _mm256_set1_epi16(((1u32 << (cell % 16)) - 1) as i16);
            _mm256_or_si256(left, _mm256_and_si256(column, rows))
        })
    }
}
