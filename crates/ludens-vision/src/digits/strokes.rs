//! Digits as strokes, in the forms that printed fonts give them.

use std::f32::consts::PI;

/// Points that a pen goes through, in a box that is one high and `WIDTH` wide.
type Stroke = Vec<(f32, f32)>;

/// The width of the box of a digit.
const WIDTH: f32 = 0.6;
/// Pixels of the height that digits are drawn with.
const HEIGHT: usize = 40;
/// Widths of the pen, of the height: light, regular, bold, black.
const PENS: [f32; 4] = [0.07, 0.12, 0.18, 0.24];

/// A digit drawn as a grid of values from 0 to 1.
pub(super) struct Drawing {
    /// Which digit.
    pub(super) digit: u8,
    /// Pixels of a row.
    pub(super) width: usize,
    /// The pixels.
    pub(super) pixels: Vec<f32>,
}

/// Every form of every digit with every pen.
pub(super) fn drawings() -> Vec<Drawing> {
    let mut all = Vec::new();
    for digit in 0..10 {
        for form in forms(digit) {
            for pen in PENS {
                all.push(draw(digit, &form, pen));
            }
        }
    }
    all
}

/// An arc of an ellipse; angles in half turns, 0 to the right, growing clockwise.
fn arc(cx: f32, cy: f32, rx: f32, ry: f32, from: f32, to: f32) -> Stroke {
    const STEPS: usize = 14;
    (0..=STEPS)
        .map(|i| {
            let angle = PI * (from + (to - from) * i as f32 / STEPS as f32);
            (cx + rx * angle.cos(), cy + ry * angle.sin())
        })
        .collect()
}

/// Strokes one after the other without lifting the pen.
fn joined(parts: &[&[(f32, f32)]]) -> Stroke {
    parts.concat()
}

/// The forms of a digit.
fn forms(digit: u8) -> Vec<Vec<Stroke>> {
    const M: f32 = WIDTH / 2.0;
    const W: f32 = WIDTH;
    match digit {
        0 => vec![
            vec![arc(M, 0.5, M, 0.5, 0.0, 2.0)],
            // With straight sides.
            vec![joined(&[
                &arc(M, 0.3, M, 0.3, 1.0, 2.0),
                &arc(M, 0.7, M, 0.3, 0.0, 1.0),
                &[(0.0, 0.3)],
            ])],
        ],
        1 => vec![
            vec![vec![(0.0, 0.2), (0.22, 0.0), (0.22, 1.0)]],
            vec![vec![(0.0, 0.12), (0.2, 0.02), (0.2, 1.0)]],
            vec![vec![(0.0, 0.0), (0.0, 1.0)]],
            vec![vec![(0.06, 0.12), (0.28, 0.0), (0.28, 1.0)], vec![(0.03, 1.0), (0.53, 1.0)]],
        ],
        2 => vec![
            vec![joined(&[
                &arc(M, 0.28, M, 0.28, 1.0, 2.1),
                &[(0.45, 0.55), (0.0, 1.0), (W, 1.0)],
            ])],
            vec![joined(&[
                &[(0.02, 0.1)],
                &arc(M, 0.27, 0.27, 0.27, 1.35, 2.2),
                &[(0.0, 1.0), (W, 1.0)],
            ])],
        ],
        3 => vec![
            vec![joined(&[
                &arc(0.27, 0.25, 0.29, 0.25, 1.1, 2.5),
                &arc(0.27, 0.74, 0.33, 0.26, 1.5, 2.9),
            ])],
            vec![
                joined(&[&[(0.04, 0.05)], &arc(0.24, 0.25, 0.3, 0.25, 1.5, 2.5), &[(0.14, 0.5)]]),
                joined(&[&[(0.14, 0.5)], &arc(0.24, 0.75, 0.34, 0.25, 1.5, 2.5), &[(0.0, 0.95)]]),
            ],
        ],
        4 => vec![
            vec![vec![(0.45, 1.0), (0.45, 0.0), (0.0, 0.7), (W + 0.03, 0.7)]],
            vec![vec![(0.48, 1.0), (0.48, 0.0), (0.4, 0.0), (0.0, 0.76), (W + 0.05, 0.76)]],
            // Open at the top.
            vec![vec![(0.2, 0.0), (0.0, 0.65), (W, 0.65)], vec![(0.42, 0.35), (0.42, 1.0)]],
        ],
        5 => vec![
            vec![joined(&[
                &[(0.54, 0.0), (0.08, 0.0), (0.05, 0.45)],
                &arc(0.27, 0.67, 0.32, 0.31, 1.25, 2.85),
            ])],
            vec![joined(&[
                &[(0.5, 0.0), (0.06, 0.0), (0.06, 0.42)],
                &arc(0.22, 0.69, 0.36, 0.29, 1.4, 2.5),
                &[(0.0, 0.96)],
            ])],
        ],
        6 => vec![
            vec![
                arc(M, 0.68, M, 0.32, 0.0, 2.0),
                joined(&[&[(0.0, 0.68)], &arc(0.36, 0.5, 0.36, 0.5, 1.0, 1.75)]),
            ],
            vec![arc(M, 0.68, M, 0.32, 0.0, 2.0), vec![(0.02, 0.6), (0.38, 0.0)]],
        ],
        7 => vec![
            vec![vec![(0.0, 0.0), (W, 0.0), (0.18, 1.0)]],
            vec![vec![(0.0, 0.0), (W, 0.0), (0.34, 0.45), (0.2, 1.0)]],
        ],
        8 => vec![
            vec![arc(M, 0.25, 0.26, 0.25, 0.0, 2.0), arc(M, 0.75, M, 0.25, 0.0, 2.0)],
            vec![arc(M, 0.22, 0.24, 0.22, 0.0, 2.0), arc(M, 0.72, M, 0.28, 0.0, 2.0)],
        ],
        _ => vec![
            vec![
                arc(M, 0.32, M, 0.32, 0.0, 2.0),
                joined(&[&[(W, 0.32)], &arc(W - 0.36, 0.5, 0.36, 0.5, 0.0, 0.75)]),
            ],
            vec![arc(M, 0.32, M, 0.32, 0.0, 2.0), vec![(W - 0.02, 0.4), (W - 0.38, 1.0)]],
        ],
    }
}

/// Draws strokes with a round pen, and cuts off what is empty around them.
fn draw(digit: u8, strokes: &[Stroke], pen: f32) -> Drawing {
    let all = || strokes.iter().flatten();
    let low = |of: fn(&(f32, f32)) -> f32| all().map(of).fold(f32::MAX, f32::min) - pen / 2.0;
    let high = |of: fn(&(f32, f32)) -> f32| all().map(of).fold(f32::MIN, f32::max) + pen / 2.0;
    let (left, right, top, bottom) = (low(|p| p.0), high(|p| p.0), low(|p| p.1), high(|p| p.1));
    let scale = HEIGHT as f32 / (bottom - top);
    let width = (((right - left) * scale).round() as usize).max(1);
    let mut pixels = Vec::with_capacity(width * HEIGHT);
    for y in 0..HEIGHT {
        for x in 0..width {
            let at = (left + (x as f32 + 0.5) / scale, top + (y as f32 + 0.5) / scale);
            let near = strokes.iter().flat_map(|s| s.windows(2)).map(|s| off(at, s[0], s[1]));
            let nearest = near.fold(f32::MAX, f32::min);
            pixels.push(((pen / 2.0 - nearest) * scale + 0.5).clamp(0.0, 1.0));
        }
    }
    Drawing { digit, width, pixels }
}

/// The distance of a point from a line between two others.
fn off(p: (f32, f32), a: (f32, f32), b: (f32, f32)) -> f32 {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let length = (dx * dx + dy * dy).max(1e-9);
    let along = (((p.0 - a.0) * dx + (p.1 - a.1) * dy) / length).clamp(0.0, 1.0);
    (p.0 - a.0 - along * dx).hypot(p.1 - a.1 - along * dy)
}
