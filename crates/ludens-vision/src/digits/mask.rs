//! What is written on a tile: the pixels that differ from it, in pieces from left to right.

use crate::board::Board;
use crate::colour::{Colour, distance, median};

/// The part of a cell that is looked at: frames and gaps lie outside.
const EDGE: f32 = 0.07;
/// How much writing differs from its tile at least, of 441.
const LEGIBLE: f32 = 36.0;
/// Heights of digits, as shares of the cell.
const HEIGHTS: std::ops::Range<f32> = 0.11..0.8;
/// A piece wider than this, for its height, is more than one digit.
const WIDEST: f32 = 1.15;
/// The usual width of one digit for its height.
const USUAL: f32 = 0.72;

/// One digit, cut out: values from 0 to 1, row by row.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// Pixels of a row.
    pub(super) width: usize,
    /// The pixels.
    pub(super) pixels: Vec<f32>,
    left: usize,
    top: usize,
}

impl Piece {
    fn height(&self) -> usize {
        self.pixels.len() / self.width.max(1)
    }

    fn columns(&self, range: std::ops::Range<usize>) -> Piece {
        let rows = self.pixels.chunks(self.width);
        let pixels = rows.flat_map(|row| row[range.clone()].iter().copied()).collect();
        Piece { width: range.len(), pixels, left: self.left + range.start, top: self.top }
    }
}

/// The writing in a cell.
pub(super) struct Writing {
    /// Its digits from left to right; none on an empty cell.
    pub(super) pieces: Vec<Piece>,
    /// How much it differs from its tile, where [`LEGIBLE`] is one.
    pub(super) contrast: f32,
}

/// The writing in a cell of a board.
pub(super) fn writing(board: &Board, cell: usize) -> Writing {
    let first = (EDGE * board.side as f32) as usize;
    let size = board.side - 2 * first;
    let colours: Vec<Colour> =
        (0..size * size).map(|i| board.pixel(cell, first + i % size, first + i / size)).collect();
    let tile = median(colours.iter().copied());
    let off: Vec<f32> = colours.iter().map(|&c| distance(c, tile)).collect();
    let (bound, low, high) = divide(&off);
    let contrast = (high - low) / LEGIBLE;
    if contrast < 1.0 {
        return Writing { pieces: Vec::new(), contrast };
    }
    let values: Vec<f32> =
        off.iter().map(|&v| ((v - low) / (high - low)).clamp(0.0, 1.0)).collect();
    let written: Vec<bool> = off.iter().map(|&v| v > bound).collect();
    let mut pieces = pieces(&written, &values, size, board.side as f32);
    let Some(tallest) = pieces.iter().max_by_key(|p| p.height()).cloned() else {
        return Writing { pieces, contrast };
    };
    let (height, middle) =
        (tallest.height() as f32, tallest.top as f32 + tallest.height() as f32 / 2.0);
    pieces.retain(|p| {
        let own = p.top as f32 + p.height() as f32 / 2.0;
        p.height() as f32 > 0.7 * height && (own - middle).abs() < 0.25 * height
    });
    pieces.sort_by_key(|p| p.left);
    Writing { pieces: pieces.into_iter().flat_map(parted).collect(), contrast }
}

/// The bound between two kinds of values that makes them most unlike (Otsu 1979), with the means
/// below and above it.
fn divide(values: &[f32]) -> (f32, f32, f32) {
    const BINS: usize = 128;
    const WIDTH: f32 = 3.5;
    let mut counts = [0.0f32; BINS];
    for v in values {
        counts[((v / WIDTH) as usize).min(BINS - 1)] += 1.0;
    }
    let centre = |bin: usize| (bin as f32 + 0.5) * WIDTH;
    let (all, sum) =
        (0..BINS).fold((0.0, 0.0), |(n, s), bin| (n + counts[bin], s + counts[bin] * centre(bin)));
    let (mut below, mut below_sum) = (0.0, 0.0);
    let mut best = (0.0, 0.0, 0.0, 0.0);
    for (bin, count) in counts[..BINS - 1].iter().enumerate() {
        below += count;
        below_sum += count * centre(bin);
        let above = all - below;
        if below == 0.0 || above == 0.0 {
            continue;
        }
        let (low, high) = (below_sum / below, (sum - below_sum) / above);
        let spread = below * above * (high - low).powi(2);
        if spread > best.0 {
            best = (spread, (bin + 1) as f32 * WIDTH, low, high);
        }
    }
    (best.1, best.2, best.3)
}

/// The connected parts that are as high as digits and do not touch the edge.
fn pieces(written: &[bool], values: &[f32], size: usize, side: f32) -> Vec<Piece> {
    let mut seen = vec![false; written.len()];
    let mut found = Vec::new();
    for start in 0..written.len() {
        if !written[start] || seen[start] {
            continue;
        }
        seen[start] = true;
        let (mut left, mut right, mut top, mut bottom) = (size, 0, size, 0);
        let mut members = Vec::new();
        let mut open = vec![start];
        while let Some(at) = open.pop() {
            members.push(at);
            let (x, y) = (at % size, at / size);
            (left, right, top, bottom) = (left.min(x), right.max(x), top.min(y), bottom.max(y));
            for ny in y.saturating_sub(1)..=(y + 1).min(size - 1) {
                for nx in x.saturating_sub(1)..=(x + 1).min(size - 1) {
                    let next = ny * size + nx;
                    if written[next] && !seen[next] {
                        seen[next] = true;
                        open.push(next);
                    }
                }
            }
        }
        let touches = left == 0 || top == 0 || right == size - 1 || bottom == size - 1;
        let (width, height) = (right + 1 - left, bottom + 1 - top);
        if touches || !HEIGHTS.contains(&(height as f32 / side)) {
            continue;
        }
        // Only its own pixels and the soft ones around them: a neighbour may reach into the box.
        let mut pixels = vec![0.0; width * height];
        for &at in &members {
            let (x, y) = (at % size, at / size);
            for ny in y.max(top + 1) - 1..=(y + 1).min(bottom) {
                for nx in x.max(left + 1) - 1..=(x + 1).min(right) {
                    pixels[(ny - top) * width + nx - left] = values[ny * size + nx];
                }
            }
        }
        found.push(Piece { width, pixels, left, top });
    }
    found
}

/// Digits that touch, parted where the ink between them is thinnest.
fn parted(piece: Piece) -> Vec<Piece> {
    let shape = piece.width as f32 / piece.height() as f32;
    if shape < WIDEST {
        return vec![piece];
    }
    let count = ((shape / USUAL).round() as usize).max(2);
    let ink = |x: usize| piece.pixels.iter().skip(x).step_by(piece.width).sum::<f32>();
    let mut cuts = vec![0];
    for cut in 1..count {
        let (at, reach) = (piece.width * cut / count, piece.width / (4 * count));
        let near = at.saturating_sub(reach).max(1)..=(at + reach).min(piece.width - 1);
        cuts.extend(near.min_by(|&a, &b| ink(a).total_cmp(&ink(b))));
    }
    cuts.push(piece.width);
    cuts.windows(2).filter(|c| c[0] < c[1]).map(|c| piece.columns(c[0]..c[1])).collect()
}
