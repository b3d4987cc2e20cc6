//! Sums and changes of all numbers of a batch, channel by channel.
//!
//! Plain loops: as kernels they are compiled for the widest vectors.

#![expect(unsafe_code, reason = "kernels are unsafe to call; these bodies need nothing unsafe")]

use crate::simd::{Kernel, Simd};

/// Adds to `sums`, over the rows of a batch, `f` of every number and the one beside it.
pub(super) struct SumRows<'a, F> {
    pub(super) rows: &'a [f32],
    pub(super) beside: &'a [f32],
    pub(super) sums: &'a mut [f32],
    pub(super) f: F,
}

impl<F: Fn(f32, f32) -> f32> Kernel for SumRows<'_, F> {
    #[inline(always)]
    unsafe fn run<S: Simd>(self) {
        let stride = self.sums.len();
        for (row, beside) in self.rows.chunks_exact(stride).zip(self.beside.chunks_exact(stride)) {
            for ((sum, x), y) in self.sums.iter_mut().zip(row).zip(beside) {
                *sum += (self.f)(*x, *y);
            }
        }
    }
}

/// Changes every number of `rows` by `f`, which also gets the one beside it and two numbers of its
/// channel.
pub(super) struct MapRows<'a, F> {
    pub(super) rows: &'a mut [f32],
    pub(super) beside: &'a [f32],
    pub(super) a: &'a [f32],
    pub(super) b: &'a [f32],
    pub(super) f: F,
}

impl<F: Fn(f32, f32, f32, f32) -> f32> Kernel for MapRows<'_, F> {
    #[inline(always)]
    unsafe fn run<S: Simd>(self) {
        let stride = self.a.len();
        let rows = self.rows.chunks_exact_mut(stride).zip(self.beside.chunks_exact(stride));
        for (row, beside) in rows {
            for (((x, y), a), b) in row.iter_mut().zip(beside).zip(self.a).zip(self.b) {
                *x = (self.f)(*x, *y, *a, *b);
            }
        }
    }
}
