//! AVX2 with FMA, and AVX-512.

use std::arch::x86_64::{
    __m256, __m512, _mm256_add_ps, _mm256_fmadd_ps, _mm256_loadu_ps, _mm256_max_ps, _mm256_set1_ps,
    _mm256_storeu_ps, _mm512_add_ps, _mm512_fmadd_ps, _mm512_loadu_ps, _mm512_max_ps,
    _mm512_set1_ps, _mm512_storeu_ps,
};

use super::{Kernel, Simd};

/// Runs a kernel with AVX2 and FMA.
///
/// # Safety
/// The processor has them.
#[target_feature(enable = "avx2,fma")]
pub(super) unsafe fn run_avx2(kernel: impl Kernel) {
    // SAFETY: the caller's.
    unsafe { kernel.run::<Avx2>() };
}

/// Runs a kernel with AVX-512.
///
/// # Safety
/// The processor has it.
#[target_feature(enable = "avx512f,avx2,fma")]
pub(super) unsafe fn run_avx512(kernel: impl Kernel) {
    // SAFETY: the caller's.
    unsafe { kernel.run::<Avx512>() };
}

/// Sixteen registers of eight floats.
pub(super) struct Avx2;

/// Thirty-two registers of sixteen floats.
pub(super) struct Avx512;

macro_rules! simd {
    ($name:ident, $vector:ty, $lanes:expr, $cells:expr,
     $load:ident, $store:ident, $splat:ident, $fma:ident, $add:ident, $max:ident) => {
        impl Simd for $name {
            const LANES: usize = $lanes;
            const CELLS: usize = $cells;
            type Vector = $vector;

            #[inline(always)]
            unsafe fn load(from: *const f32) -> $vector {
                // SAFETY: the caller's.
                unsafe { $load(from) }
            }

            #[inline(always)]
            unsafe fn store(to: *mut f32, vector: $vector) {
                // SAFETY: the caller's.
                unsafe { $store(to, vector) };
            }

            #[inline(always)]
            unsafe fn splat(value: f32) -> $vector {
                // SAFETY: the caller's.
                unsafe { $splat(value) }
            }

            #[inline(always)]
            unsafe fn fma(a: $vector, b: $vector, c: $vector) -> $vector {
                // SAFETY: the caller's.
                unsafe { $fma(a, b, c) }
            }

            #[inline(always)]
            unsafe fn add(a: $vector, b: $vector) -> $vector {
                // SAFETY: the caller's.
                unsafe { $add(a, b) }
            }

            #[inline(always)]
            unsafe fn max(a: $vector, b: $vector) -> $vector {
                // SAFETY: the caller's.
                unsafe { $max(a, b) }
            }
        }
    };
}

simd!(
    Avx2,
    __m256,
    8,
    4,
    _mm256_loadu_ps,
    _mm256_storeu_ps,
    _mm256_set1_ps,
    _mm256_fmadd_ps,
    _mm256_add_ps,
    _mm256_max_ps
);
simd!(
    Avx512,
    __m512,
    16,
    8,
    _mm512_loadu_ps,
    _mm512_storeu_ps,
    _mm512_set1_ps,
    _mm512_fmadd_ps,
    _mm512_add_ps,
    _mm512_max_ps
);
