//! Sums and changes of all numbers of a batch, channel by channel.
//!
//! Plain loops: as kernels they are compiled for the widest vectors.

#![expect(unsafe_code, reason = "kernels are unsafe to call; these bodies need nothing unsafe")]

use crate::simd::{Kernel, Level, Simd};

/// Sums over the rows of a batch, of `f` of every number and the one beside it.
struct SumRows<'a, F> {
    rows: &'a [f32],
    beside: &'a [f32],
    sums: &'a mut [f32],
    f: F,
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

/// The sums over all rows of `f` of every number and the one beside it, channel by channel.
pub(super) fn sums(
    level: Level,
    stride: usize,
    rows: &[f32],
    beside: &[f32],
    f: impl Fn(f32, f32) -> f32,
) -> Vec<f32> {
    // Rows are summed in parts: a float cannot count a whole batch's small numbers.
    let mut total = vec![0.0f64; stride];
    let mut part = vec![0.0; stride];
    for (rows, beside) in rows.chunks(256 * stride).zip(beside.chunks(256 * stride)) {
        part.fill(0.0);
        level.run(SumRows { rows, beside, sums: &mut part, f: &f });
        total.iter_mut().zip(&part).for_each(|(total, part)| *total += f64::from(*part));
    }
    total.into_iter().map(|sum| sum as f32).collect()
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
