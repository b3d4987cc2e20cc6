//! What is compared of a digit: where its edges lie and how they run.

/// Columns and rows that every digit is stretched to.
const ACROSS: usize = 16;
const DOWN: usize = 20;
/// Directions of edges that are told apart.
const DIRECTIONS: usize = 4;
/// Fields of the grid in which edges are counted, across and down.
const FIELDS: (usize, usize) = (4, 5);
/// Digits narrower than this, for their height, are not stretched further.
const NARROWEST: f32 = 0.4;
/// How much the ink in a field counts besides the edges, and how much the width does.
const INK: f32 = 0.5;
const WIDTH: f32 = 0.35;

/// The number of values of a shape.
const SIZE: usize = FIELDS.0 * FIELDS.1 * (DIRECTIONS + 1) + 1;

/// A digit in numbers.
#[derive(Clone, Debug)]
pub(super) struct Shape([f32; SIZE]);

impl Shape {
    /// The shape of a digit that fills a grid of values from 0 to 1.
    pub(super) fn of(width: usize, pixels: &[f32]) -> Shape {
        let height = (pixels.len() / width.max(1)).max(1);
        let grid = stretched(width, height, pixels);
        let at = |x: isize, y: isize| {
            let inside = (0..ACROSS as isize).contains(&x) && (0..DOWN as isize).contains(&y);
            if inside { grid[y as usize * ACROSS + x as usize] } else { 0.0 }
        };
        let mut edges = [0.0; SIZE];
        let mut ink = [0.0; SIZE];
        for y in -1..=DOWN as isize {
            for x in -1..=ACROSS as isize {
                let (dx, dy) = (at(x + 1, y) - at(x - 1, y), at(x, y + 1) - at(x, y - 1));
                let strength = dx.hypot(dy);
                // Opposite edges of a stroke run the same way, and are told apart all the same
                // by where they are.
                let turn = dy.atan2(dx).rem_euclid(std::f32::consts::PI) / std::f32::consts::PI;
                let direction = turn * DIRECTIONS as f32;
                let (one, share) = (direction.floor(), direction.fract());
                for (field, weight) in fields(x, y) {
                    let first = field * (DIRECTIONS + 1);
                    edges[first + one as usize % DIRECTIONS] += weight * strength * (1.0 - share);
                    edges[first + (one as usize + 1) % DIRECTIONS] += weight * strength * share;
                    ink[first + DIRECTIONS] += weight * at(x, y);
                }
            }
        }
        let length = |v: &[f32; SIZE]| v.iter().map(|v| v * v).sum::<f32>().sqrt().max(1e-6);
        let (edge_length, ink_length) = (length(&edges), length(&ink));
        let mut values = [0.0; SIZE];
        for (i, value) in values.iter_mut().enumerate() {
            *value = edges[i] / edge_length + INK * ink[i] / ink_length;
        }
        values[SIZE - 1] = WIDTH * (width as f32 / height as f32).ln().clamp(-2.0, 1.0);
        Shape(values)
    }

    /// How unlike two shapes are: about 0.1 for the same digit in similar fonts, 1 for others.
    pub(super) fn unlike(&self, other: &Shape) -> f32 {
        self.0.iter().zip(&other.0).map(|(a, b)| (a - b).powi(2)).sum()
    }
}

/// The fields that a pixel counts for, with its weight in each.
fn fields(x: isize, y: isize) -> impl Iterator<Item = (usize, f32)> {
    let split = |v: isize, size: usize, count: usize| {
        let at =
            ((v as f32 + 0.5) / size as f32 * count as f32 - 0.5).clamp(0.0, count as f32 - 1.0);
        let first = (at.floor() as usize).min(count - 1);
        let share = at - first as f32;
        [(first, 1.0 - share), ((first + 1).min(count - 1), share)]
    };
    let (across, down) = (split(x, ACROSS, FIELDS.0), split(y, DOWN, FIELDS.1));
    down.into_iter().flat_map(move |(row, a)| {
        across.into_iter().map(move |(col, b)| (row * FIELDS.0 + col, a * b))
    })
}

/// The digit in a grid of fixed size, by the means of what each place stands for.
fn stretched(width: usize, height: usize, pixels: &[f32]) -> [f32; ACROSS * DOWN] {
    const PARTS: usize = 3;
    let mut grid = [0.0; ACROSS * DOWN];
    // A stroke stays one: narrow digits keep empty space at their sides.
    let shown = (width as f32).max(NARROWEST * height as f32);
    let margin = (shown - width as f32) / 2.0;
    for (i, value) in grid.iter_mut().enumerate() {
        for part in 0..PARTS * PARTS {
            let at = |place: usize, part: usize| place as f32 + (part as f32 + 0.5) / PARTS as f32;
            let x = at(i % ACROSS, part % PARTS) / ACROSS as f32 * shown - margin;
            let y = at(i / ACROSS, part / PARTS) / DOWN as f32 * height as f32;
            let inside = x >= 0.0 && x < width as f32;
            if let Some(v) = inside
                .then(|| pixels.get((y as usize).min(height - 1) * width + x as usize))
                .flatten()
            {
                *value += v / (PARTS * PARTS) as f32;
            }
        }
    }
    grid
}
