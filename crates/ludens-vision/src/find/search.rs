//! Candidates for a board, and how well the areas of a picture fit them.

use super::lattice::lattices;
use super::segment::Blob;
use super::{Layout, Settles};
use crate::geometry::{Corners, Homography, Point, is_convex};

/// How wide the border of a frame may be, in cells.
const BORDERS: [f64; 12] = [0.0, 0.03, 0.06, 0.1, 0.15, 0.2, 0.26, 0.33, 0.4, 0.5, 0.6, 0.75];
/// How far an area may lie from the middle of its cell.
const OFF: f64 = 0.17;
/// Areas in cells whose sides have a smaller ratio are not of the same kind.
const UNLIKE: f64 = 0.75;
/// How much it counts that settled pieces lie at the edge of the board.
const SETTLED: f64 = 0.2;
/// The least support that makes a board, in cells: one piece.
const LEAST: f64 = 0.5;

/// What there is to find a board with.
pub(super) struct Search {
    /// What is looked for.
    pub(super) layout: Layout,
    /// Width and height of the picture.
    pub(super) size: (f64, f64),
    /// Quadrilaterals that may be a board's outline.
    pub(super) frames: Vec<Corners>,
    /// Areas that may be cells.
    pub(super) cells: Vec<Blob>,
}

/// A cell of a board, and the centre of the area in it.
type Supported = (Point, Point);

impl Search {
    /// The best board and its score, up to about one.
    pub(super) fn best(&self) -> Option<(f64, Corners)> {
        let windows = self.windows();
        let framed = self.frames.iter().flat_map(|frame| self.inside(frame));
        let possible = windows.into_iter().chain(framed).filter(|corners| self.plausible(corners));
        let scored = possible.filter_map(|corners| Some((self.score(&corners)?, corners)));
        let (mut score, mut corners) = scored.max_by(|a, b| a.0.total_cmp(&b.0))?;
        while let Some(moved) = self.fitted(&corners).filter(|c| self.plausible(c))
            && let Some(better) = self.score(&moved).filter(|&better| better > score + 1e-3)
        {
            (score, corners) = (better, moved);
        }
        let cells = (self.layout.rows * self.layout.cols) as f64;
        (self.support(&corners)?.0 * cells > LEAST).then_some((score, corners))
    }

    /// The board moved to where the areas in its cells are.
    fn fitted(&self, corners: &Corners) -> Option<Corners> {
        let Layout { rows, cols, .. } = self.layout;
        let (_, pairs) = self.support(corners)?;
        let map = (pairs.len() >= 8).then(|| Homography::fit(&pairs))??;
        let (w, h) = (cols as f64, rows as f64);
        Some([(0.0, 0.0), (w, 0.0), (w, h), (0.0, h)].map(|(x, y)| map.apply(Point::new(x, y))))
    }

    /// The places that a board can have in the lattices.
    fn windows(&self) -> Vec<Corners> {
        let (rows, cols) = (self.layout.rows as i32, self.layout.cols as i32);
        let mut found = Vec::new();
        for lattice in lattices(&self.cells) {
            // From where the board ends with what is seen to where it begins with it.
            let starts = |(first, last): (i32, i32), size: i32| {
                let (a, b) = (last + 1 - size, first);
                a.min(b)..=a.max(b)
            };
            for row in starts(lattice.rows, rows).take(24) {
                for col in starts(lattice.cols, cols).take(24) {
                    let corner = |c: i32, r: i32| {
                        lattice.map.apply(Point::new(f64::from(col + c), f64::from(row + r)))
                    };
                    found.push([
                        corner(0, 0),
                        corner(cols, 0),
                        corner(cols, rows),
                        corner(0, rows),
                    ]);
                }
            }
        }
        found
    }

    /// The boards inside a frame, whose border is as wide on all sides.
    fn inside(&self, frame: &Corners) -> Vec<Corners> {
        let Some(map) = Homography::of_board(1, 1, frame) else { return Vec::new() };
        let (w, h) = (self.layout.cols as f64, self.layout.rows as f64);
        let board = |border: f64| {
            let (x, y) = (border / (w + 2.0 * border), border / (h + 2.0 * border));
            let corners = [(x, y), (1.0 - x, y), (1.0 - x, 1.0 - y), (x, 1.0 - y)];
            corners.map(|(x, y)| map.apply(Point::new(x, y)))
        };
        BORDERS.into_iter().map(board).collect()
    }

    /// Whether a board can lie there: in the picture, with cells that are not much larger at one
    /// side than at the other.
    fn plausible(&self, corners: &Corners) -> bool {
        let (w, h) = self.size;
        let within =
            |p: &Point| (-0.1 * w..1.1 * w).contains(&p.x) && (-0.1 * h..1.1 * h).contains(&p.y);
        let side = |i: usize| corners[(i + 1) % 4].from(corners[i]).length();
        let alike = |a: f64, b: f64| a < 2.0 * b && b < 2.0 * a;
        corners.iter().all(within)
            && is_convex(corners)
            && alike(side(0), side(2))
            && alike(side(1), side(3))
    }

    /// How well a board is supported by the areas in its cells, and by frames that it lies evenly
    /// in.
    fn score(&self, corners: &Corners) -> Option<f64> {
        let Layout { rows, cols, settles } = self.layout;
        let map = Homography::of_board(rows, cols, corners)?;
        let back = map.inverse()?;
        let (support, _) = self.support(corners)?;
        let framed = self.frames.iter().filter_map(|frame| self.evenness(&back, frame));
        let framed = framed.max_by(f64::total_cmp).unwrap_or(0.0);
        // What falls leaves no empty row at the bottom: the board ends where the pieces do.
        let (left, low) = (corners[0].x + corners[3].x, corners[2].y + corners[3].y);
        let settled = match settles {
            Settles::No => 0.0,
            Settles::Down => 2.0 - low / self.size.1,
            Settles::DownLeft => 2.0 + left / self.size.0 - low / self.size.1,
        };
        let shape = shape(&map, cols as f64, rows as f64);
        Some(support * (0.75 + 0.25 * framed) + 0.02 * framed + SETTLED * settled - 0.1 * shape)
    }

    /// The share of cells in which an area lies as it should, less those that lie between cells;
    /// and these areas.
    fn support(&self, corners: &Corners) -> Option<(f64, Vec<Supported>)> {
        let Layout { rows, cols, .. } = self.layout;
        let back = Homography::of_board(rows, cols, corners)?.inverse()?;
        let (w, h) = (cols as f64, rows as f64);
        // Where the areas lie in cells, and their size.
        let mut placed: Vec<(&Blob, Point, [f64; 2])> = Vec::new();
        let mut across = 0.0;
        for blob in &self.cells {
            let at = back.apply(blob.centre);
            if !(-1.0..w + 1.0).contains(&at.x) || !(-1.0..h + 1.0).contains(&at.y) {
                continue;
            }
            let side = |dx: f64, dy: f64| back.apply(blob.centre.plus(Point::new(dx, dy)));
            let width = side(blob.width / 2.0, 0.0).from(side(-blob.width / 2.0, 0.0)).length();
            let height = side(0.0, blob.height / 2.0).from(side(0.0, -blob.height / 2.0)).length();
            if (0.4..1.25).contains(&width) && (0.4..1.25).contains(&height) {
                placed.push((blob, at, [width, height]));
            } else if cut(at, (width, height), (w, h)) {
                across += 0.5;
            }
        }
        let usual = [0, 1].map(|side| {
            let mut sizes: Vec<f64> = placed.iter().map(|p| p.2[side]).collect();
            sizes.sort_by(f64::total_cmp);
            sizes.get(sizes.len() / 2).copied().unwrap_or(1.0)
        });
        let mut best = vec![(0.0f64, Point::default()); rows * cols];
        let mut against = across;
        for (blob, at, size) in placed {
            let unlike = |a: f64, b: f64| a < UNLIKE * b || b < UNLIKE * a;
            if unlike(size[0], usual[0]) || unlike(size[1], usual[1]) {
                continue;
            }
            let middle = |v: f64| (v - v.floor() - 0.5).abs();
            let off = middle(at.x).max(middle(at.y));
            let inside = (0.0..w).contains(&at.x) && (0.0..h).contains(&at.y);
            match (inside, off < OFF) {
                (true, true) => {
                    let cell = &mut best[at.y as usize * cols + at.x as usize];
                    let fit = 1.0 - (off / OFF).powi(2);
                    if fit > cell.0 {
                        *cell = (fit, blob.centre);
                    }
                }
                (true, false) => against += 0.5,
                // More cells of the same kind beside the board.
                (false, near) => against += if near && off < 0.12 { 0.5 } else { 0.0 },
            }
        }
        let centre =
            |cell: usize| Point::new((cell % cols) as f64 + 0.5, (cell / cols) as f64 + 0.5);
        let taken = best.iter().enumerate().filter(|(_, (fit, _))| *fit > 0.0);
        let pairs = taken.map(|(cell, (_, at))| (centre(cell), *at)).collect();
        let sum: f64 = best.iter().map(|(fit, _)| fit).sum();
        Some(((sum - against) / (rows * cols) as f64, pairs))
    }

    /// One where the frame has equal and narrow borders around the cells, less where not.
    fn evenness(&self, back: &Homography, frame: &Corners) -> Option<f64> {
        let (w, h) = (self.layout.cols as f64, self.layout.rows as f64);
        let [a, b, c, d] = frame.map(|corner| back.apply(corner));
        // How far each corner lies outside the cells, across and down.
        let borders = [-a.x, -d.x, b.x - w, c.x - w, -a.y, -b.y, c.y - h, d.y - h];
        let (least, most) = (
            borders.iter().copied().min_by(f64::total_cmp)?,
            borders.iter().copied().max_by(f64::total_cmp)?,
        );
        let uneven = |from: usize| {
            let of = &borders[from..from + 4];
            let highest = of.iter().copied().fold(f64::MIN, f64::max);
            highest - of.iter().copied().fold(f64::MAX, f64::min)
        };
        if least < -0.2 || most > 1.5 {
            return None;
        }
        Some((1.0 - 1.5 * uneven(0).max(uneven(4)) - 0.15 * most.max(0.0)).max(0.0))
    }
}

/// Whether an area of several whole cells, pieces of one colour side by side, lies partly in a
/// board of `w * h` cells and partly beside it.
fn cut(at: Point, (width, height): (f64, f64), (w, h): (f64, f64)) -> bool {
    let edges = [at.x - width / 2.0, at.x + width / 2.0, at.y - height / 2.0, at.y + height / 2.0];
    let whole = edges.iter().all(|edge| (edge - edge.round()).abs() < 0.2);
    let [left, right, top, bottom] = edges;
    let inside = left < w - 0.5 && right > 0.5 && top < h - 0.5 && bottom > 0.5;
    whole && inside && (left < -0.5 || top < -0.5 || right > w + 0.5 || bottom > h + 0.5)
}

/// How far cells in the middle of a board are from being as wide as high, beyond what cards are.
fn shape(map: &Homography, w: f64, h: f64) -> f64 {
    let middle = Point::new(w / 2.0, h / 2.0);
    let step = |dx: f64, dy: f64| {
        let d = Point::new(dx, dy);
        map.apply(middle.plus(d)).from(map.apply(middle.plus(d.times(-1.0)))).length()
    };
    let ratio = (step(0.5, 0.0) / step(0.0, 0.5)).ln().abs();
    (ratio - 0.1).max(0.0)
}
