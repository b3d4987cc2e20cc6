//! What does not fit is refused before a kernel looks at it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::*;
use crate::simd::Kernel;

const THEN: Then = Then::Keep;

/// Whether a kernel stops with this message.
pub(crate) fn refused(level: Level, kernel: impl Kernel, message: &str) -> bool {
    let Err(said) = catch_unwind(AssertUnwindSafe(|| level.run(kernel))) else { return false };
    let said = said
        .downcast_ref::<String>()
        .map(String::as_str)
        .or(said.downcast_ref::<&'static str>().copied());
    said.is_some_and(|said| said.contains(message))
}

fn convolve<'a>(
    matrix: &'a Matrix,
    [rows, cols]: [usize; 2],
    input: &'a [f32],
    output: &'a mut [f32],
) -> Convolve<'a> {
    Convolve { matrix, rows, cols, input, output, skip: None, then: THEN }
}

fn matrix(level: Level, outputs: usize, depth: usize) -> Matrix {
    Matrix::pack(level, outputs, depth, |_| 0.0, |_, _| 1.0)
}

/// The weights of a kernel for two planes and eight outputs.
pub(crate) fn sparse(level: Level, kernel: usize) -> Sparse {
    Sparse::pack(level, kernel, 2, 8, |_| 0.0, |_, _, _| 1.0)
}

/// A level with longer vectors than the portable one, where this processor has one.
pub(crate) fn wide() -> Option<Level> {
    let wide = |level: &Level| level.lanes() > Level::PORTABLE.lanes();
    let found = Level::available().into_iter().find(wide);
    if found.is_none() {
        eprintln!("skipped: all vectors of this processor have the same length");
    }
    found
}

/// Weights packed for short vectors have too few for long ones.
#[test]
fn weights_for_other_vectors_are_refused() {
    let narrow = Level::PORTABLE;
    let Some(wide) = wide() else { return };
    let (input, mut output) = ([1.0; 32], [0.0; 32]);
    let linear = matrix(narrow, 8, 4);
    let multiply = Multiply {
        matrix: &linear,
        input: &input,
        stride: 4,
        output: &mut output[..8],
        then: THEN,
    };
    assert!(refused(wide, multiply, "packed for these vectors"));
    let taps = matrix(narrow, 8, 9 * 8);
    let (input, output) = (&input, &mut output);
    let (rows, cols) = (2, 2);
    let convolve = convolve(&taps, [rows, cols], &input[..], &mut output[..]);
    assert!(refused(wide, convolve, "packed for these vectors"));
    let stem = sparse(narrow, 3);
    let entries = &mut Entries::default();
    let scatter = Scatter {
        matrix: &stem,
        rows,
        cols,
        input: &input[..8],
        output: &mut output[..],
        entries,
        then: THEN,
    };
    assert!(refused(wide, scatter, "whole vectors"));
}

/// An even kernel has taps beyond its weights.
#[test]
fn even_kernels_are_refused() {
    let stem = sparse(Level::PORTABLE, 2);
    let (rows, cols, entries) = (2, 2, &mut Entries::default());
    let (input, output) = (&[1.0; 8], &mut [0.0; 32]);
    let scatter = Scatter { matrix: &stem, rows, cols, input, output, entries, then: THEN };
    assert!(refused(Level::PORTABLE, scatter, "a kernel with a centre"));
}

/// Sizes whose product wraps around to one that would fit.
#[test]
fn products_that_wrap_around_are_refused() {
    let message = "sizes of what lies in memory";
    let level = Level::PORTABLE;
    let (input, output) = (&[1.0; 64], &mut [0.0; 64]);
    let half = usize::MAX / 2 + 1;
    let linear = matrix(level, 8, 4);
    let rows = &mut output[..24];
    let multiply = Multiply { matrix: &linear, input, stride: half, output: rows, then: THEN };
    assert!(refused(level, multiply, message));
    // Eight cells more than the number of all addresses.
    let (rows, cols) = (usize::MAX / 8 + 2, 8);
    let taps = matrix(level, 8, 9 * 8);
    let convolve = convolve(&taps, [rows, cols], &input[..], &mut output[..]);
    assert!(refused(level, convolve, message));
    let stem = sparse(level, 3);
    let entries = &mut Entries::default();
    let sixteen = &input[..16];
    let scatter =
        Scatter { matrix: &stem, rows, cols, input: sixteen, output, entries, then: THEN };
    assert!(refused(level, scatter, message));
}
