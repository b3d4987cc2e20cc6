//! The largest of messages, element by element.
//!
//! Plain loops: as kernels they are compiled for the widest vectors.

#![expect(unsafe_code, reason = "kernels are unsafe to call; these bodies need nothing unsafe")]

use super::Bundle;
use crate::simd::{Kernel, Simd};

/// Raises the numbers of targets to the messages of a relation.
pub(crate) struct Relay<'a> {
    pub(crate) bundles: &'a [Bundle],
    pub(crate) ends: &'a [u16],
    /// The node that sent the first of the messages.
    pub(crate) first: usize,
    /// Rows as long as `best`.
    pub(crate) messages: &'a [f32],
    /// Rows of all nodes.
    pub(crate) out: &'a mut [f32],
    /// A scratch buffer for a row.
    pub(crate) best: &'a mut [f32],
}

impl Kernel for Relay<'_> {
    #[inline(always)]
    unsafe fn run<S: Simd>(self) {
        let Relay { bundles, ends, first, messages, out, best } = self;
        let stride = best.len();
        for bundle in bundles {
            let (sources, targets) = bundle.of(ends);
            let row = |source: &u16| &messages[(usize::from(*source) - first) * stride..][..stride];
            best.copy_from_slice(row(&sources[0]));
            for source in &sources[1..] {
                raise(best, row(source));
            }
            for target in targets {
                raise(&mut out[usize::from(*target) * stride..][..stride], best);
            }
        }
    }
}

#[inline(always)]
fn raise(row: &mut [f32], to: &[f32]) {
    for (x, to) in row.iter_mut().zip(to) {
        *x = if *to > *x { *to } else { *x };
    }
}

/// The same, noting which message every number is from. Of equal ones the first stays, so that
/// each number has one origin and its slope one way back.
pub(crate) struct Choose<'a> {
    pub(crate) bundles: &'a [Bundle],
    pub(crate) ends: &'a [u16],
    /// The node that sent the first of the messages.
    pub(crate) first: usize,
    /// The number of that message among those of all relations.
    pub(crate) number: u32,
    pub(crate) messages: &'a [f32],
    pub(crate) out: &'a mut [f32],
    /// The numbers of the messages that `out` is from.
    pub(crate) origins: &'a mut [u32],
    /// Scratch buffers for a row and for its origins.
    pub(crate) best: &'a mut [f32],
    pub(crate) origin: &'a mut [u32],
}

impl Kernel for Choose<'_> {
    #[inline(always)]
    unsafe fn run<S: Simd>(self) {
        let Choose { bundles, ends, first, number, messages, out, origins, best, origin } = self;
        let stride = best.len();
        for bundle in bundles {
            let (sources, targets) = bundle.of(ends);
            let offset = |source: u16| usize::from(source) - first;
            for (index, &source) in sources.iter().enumerate() {
                let row = &messages[offset(source) * stride..][..stride];
                let number = number + offset(source) as u32;
                if index == 0 {
                    best.copy_from_slice(row);
                    origin.fill(number);
                    continue;
                }
                for ((best, origin), x) in best.iter_mut().zip(origin.iter_mut()).zip(row) {
                    let more = *x > *best;
                    *origin = if more { number } else { *origin };
                    *best = if more { *x } else { *best };
                }
            }
            for target in targets {
                let at = usize::from(*target) * stride;
                let mine = out[at..at + stride].iter_mut().zip(&mut origins[at..at + stride]);
                for ((x, from), (best, origin)) in mine.zip(best.iter().zip(origin.iter())) {
                    let more = *best > *x;
                    *from = if more { *origin } else { *from };
                    *x = if more { *best } else { *x };
                }
            }
        }
    }
}
