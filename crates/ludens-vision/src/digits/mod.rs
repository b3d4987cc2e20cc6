//! Numbers on tiles. Only a few numbers can stand there, so whole numbers are compared: the digits
//! found in a cell, one by one, with those of every number of the same length.

mod mask;
mod shape;
mod strokes;

use std::sync::OnceLock;

use crate::board::Board;
use mask::writing;
use shape::Shape;

/// Digits less like any template than this are no digits.
const STRANGE: f32 = 1.1;

/// What a cell shows: a number, or 0 for none, with a confidence.
pub(crate) fn number(board: &Board, cell: usize, numbers: &[u32]) -> (u32, f64) {
    let writing = writing(board, cell);
    if writing.pieces.is_empty() {
        // The fainter what is there, the surer that it is nothing.
        return (0, f64::from((1.6 - writing.contrast).clamp(0.0, 1.0)));
    }
    let unlike: Vec<[f32; 10]> = writing
        .pieces
        .iter()
        .map(|piece| compare(&Shape::of(piece.width, &piece.pixels)))
        .collect();
    let mut ranked: Vec<(f32, u32)> = numbers
        .iter()
        .filter(|number| number.to_string().len() == unlike.len())
        .map(|&number| (cost(number, &unlike), number))
        .collect();
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    match ranked[..] {
        [] => (nearest_length(numbers, unlike.len()), 0.0),
        [(own, number)] => (number, confidence(own, STRANGE)),
        [(own, number), (next, _), ..] => (number, confidence(own, next.min(STRANGE))),
    }
}

/// The mean unlikeness of a number's digits.
fn cost(number: u32, unlike: &[[f32; 10]]) -> f32 {
    let digits = number.to_string();
    let sum: f32 =
        digits.bytes().zip(unlike).map(|(digit, of)| of[usize::from(digit - b'0')]).sum();
    sum / unlike.len() as f32
}

fn confidence(own: f32, next: f32) -> f64 {
    f64::from((2.0 * (next - own) / (next + own + 0.01)).clamp(0.0, 1.0))
}

/// A number as long as what was found, or nearly: a guess.
fn nearest_length(numbers: &[u32], length: usize) -> u32 {
    let off = |number: &&u32| number.to_string().len().abs_diff(length);
    numbers.iter().min_by_key(off).copied().unwrap_or(0)
}

/// How unlike a shape is to each digit: to the template that is nearest.
fn compare(shape: &Shape) -> [f32; 10] {
    static TEMPLATES: OnceLock<Vec<(u8, Shape)>> = OnceLock::new();
    let templates = TEMPLATES.get_or_init(|| {
        let drawn = strokes::drawings();
        drawn.iter().map(|d| (d.digit, Shape::of(d.width, &d.pixels))).collect()
    });
    let mut unlike = [f32::MAX; 10];
    for (digit, template) in templates {
        let own = &mut unlike[usize::from(*digit)];
        *own = own.min(shape.unlike(template));
    }
    unlike
}
