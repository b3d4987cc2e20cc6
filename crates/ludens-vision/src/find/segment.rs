//! Areas of one colour, by the graph method of Felzenszwalb and Huttenlocher (2004).
//!
//! Neighbouring pixels are joined in the order of their difference. Two areas join when the
//! difference between them is hardly larger than those within them, so that slow shading does
//! not divide an area and faint edges still do.

use crate::geometry::Point;
use crate::picture::Picture;

/// How much areas of few pixels are favoured: larger values give larger areas.
const SCALE: f32 = 160.0;
/// Differences that are always within an area: steps of slow shading, and a part of the usual
/// difference, which is noise.
const STEP: f32 = 2.2;
const NOISE: f32 = 1.2;
/// Parts of a difference of one that are told apart.
const UNITS: f32 = 16.0;
/// Areas of fewer pixels are noise.
const SMALLEST: usize = 10;

/// An area of one colour, as a box around it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Blob {
    /// The middle of the box.
    pub(crate) centre: Point,
    /// Its width.
    pub(crate) width: f64,
    /// Its height.
    pub(crate) height: f64,
    /// Pixels.
    pub(crate) area: usize,
    label: u32,
}

/// All areas of a picture.
pub(crate) struct Segments {
    /// The areas, in no particular order.
    pub(crate) blobs: Vec<Blob>,
    labels: Vec<u32>,
    width: usize,
}

impl Segments {
    /// Divides a picture into areas.
    pub(crate) fn of(picture: &Picture) -> Self {
        let (width, height) = (picture.width(), picture.height());
        let edges = edges(picture);
        let usual = edges.get(edges.len() / 2).map_or(0.0, |edge| f32::from(edge.2) / UNITS);
        let mut areas = Areas::of(width * height, STEP + NOISE * usual);
        for (from, to, weight) in edges {
            areas.join(from, to, f32::from(weight) / UNITS);
        }
        let labels: Vec<u32> =
            (0..(width * height) as u32).map(|pixel| areas.root(pixel)).collect();
        let mut boxes = vec![None::<Box>; width * height];
        for (pixel, &label) in labels.iter().enumerate() {
            let (x, y) = (pixel % width, pixel / width);
            boxes[label as usize]
                .get_or_insert(Box { left: x, right: x, top: y, bottom: y, area: 0 })
                .add(x, y);
        }
        let blobs = (0..).zip(boxes).filter_map(|(label, found)| {
            found.filter(|b| b.area >= SMALLEST).map(|b| b.blob(label))
        });
        Segments { blobs: blobs.collect(), labels, width }
    }

    /// The outermost pixels of an area, row by row.
    pub(crate) fn outline(&self, blob: &Blob) -> Vec<Point> {
        let span = |row: &[u32]| {
            let inside = |label: &u32| *label == blob.label;
            Some((row.iter().position(inside)?, row.iter().rposition(inside)?))
        };
        outline(&self.labels.chunks(self.width).map(span).collect::<Vec<_>>())
    }

    /// The outlines of what lies in a ground: connected pixels that are not its own, where their
    /// box has at least `least` pixels.
    pub(crate) fn islands(&self, ground: &Blob, least: f64) -> Vec<Vec<Point>> {
        let (width, height) = (self.width, self.labels.len() / self.width);
        let mut seen: Vec<bool> = self.labels.iter().map(|&label| label == ground.label).collect();
        let mut found = Vec::new();
        for start in 0..seen.len() {
            if seen[start] {
                continue;
            }
            seen[start] = true;
            let mut spans: Vec<Option<(usize, usize)>> = vec![None; height];
            let mut open = vec![start];
            while let Some(at) = open.pop() {
                let (x, y) = (at % width, at / width);
                let span = spans[y].get_or_insert((x, x));
                *span = (span.0.min(x), span.1.max(x));
                let left = (x > 0).then(|| at - 1);
                let right = (x + 1 < width).then_some(at + 1);
                let above = (y > 0).then(|| at - width);
                let below = (y + 1 < height).then_some(at + width);
                for next in [left, right, above, below].into_iter().flatten() {
                    if !seen[next] {
                        seen[next] = true;
                        open.push(next);
                    }
                }
            }
            let rows = spans.iter().flatten();
            let across = rows.clone().map(|s| s.1 + 1).max().unwrap_or(0)
                - rows.clone().map(|s| s.0).min().unwrap_or(0);
            if (across * rows.count()) as f64 >= least {
                found.push(outline(&spans));
            }
        }
        found
    }
}

/// The corners of the first and last pixel of each row.
fn outline(spans: &[Option<(usize, usize)>]) -> Vec<Point> {
    let mut points = Vec::new();
    for (y, span) in spans.iter().enumerate() {
        let Some((first, last)) = *span else { continue };
        for x in [first as f64, last as f64 + 1.0] {
            points.push(Point::new(x, y as f64));
            points.push(Point::new(x, y as f64 + 1.0));
        }
    }
    points
}

#[derive(Clone, Copy)]
struct Box {
    left: usize,
    right: usize,
    top: usize,
    bottom: usize,
    area: usize,
}

impl Box {
    fn add(&mut self, x: usize, y: usize) {
        self.left = self.left.min(x);
        self.right = self.right.max(x);
        self.bottom = self.bottom.max(y);
        self.area += 1;
    }

    fn blob(self, label: u32) -> Blob {
        let (width, height) = (self.right + 1 - self.left, self.bottom + 1 - self.top);
        let centre = Point::new(
            self.left as f64 + width as f64 / 2.0,
            self.top as f64 + height as f64 / 2.0,
        );
        Blob { centre, width: width as f64, height: height as f64, area: self.area, label }
    }
}

/// All pairs of neighbours with their difference, the most alike first.
fn edges(picture: &Picture) -> Vec<(u32, u32, u16)> {
    let (width, pixels) = (picture.width(), picture.pixels());
    let mut all = Vec::with_capacity(2 * pixels.len());
    for (i, &pixel) in pixels.iter().enumerate() {
        let right = ((i + 1) % width != 0).then_some(i + 1);
        let below = Some(i + width).filter(|&below| below < pixels.len());
        for other in right.into_iter().chain(below) {
            let sum: i32 =
                (0..3).map(|c| (i32::from(pixel[c]) - i32::from(pixels[other][c])).pow(2)).sum();
            all.push((i as u32, other as u32, (UNITS * (sum as f32).sqrt()) as u16));
        }
    }
    all.sort_unstable_by_key(|&(from, to, weight)| (weight, from, to));
    all
}

/// Sets of pixels that are joined.
struct Areas {
    parents: Vec<u32>,
    sizes: Vec<u32>,
    /// The largest difference within each set.
    within: Vec<f32>,
    least: f32,
}

impl Areas {
    /// Single pixels; differences up to `least` always join.
    fn of(count: usize, least: f32) -> Self {
        let parents = (0..count as u32).collect();
        Areas { parents, sizes: vec![1; count], within: vec![0.0; count], least }
    }

    fn root(&mut self, mut pixel: u32) -> u32 {
        while self.parents[pixel as usize] != pixel {
            let above = self.parents[self.parents[pixel as usize] as usize];
            self.parents[pixel as usize] = above;
            pixel = above;
        }
        pixel
    }

    fn join(&mut self, from: u32, to: u32, weight: f32) {
        let (a, b) = (self.root(from), self.root(to));
        if a == b {
            return;
        }
        let bound =
            |root: u32| self.within[root as usize] + SCALE / self.sizes[root as usize] as f32;
        if weight > self.least && weight > bound(a).min(bound(b)) {
            return;
        }
        let (large, small) =
            if self.sizes[a as usize] >= self.sizes[b as usize] { (a, b) } else { (b, a) };
        self.parents[small as usize] = large;
        self.sizes[large as usize] += self.sizes[small as usize];
        self.within[large as usize] = weight;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two squares on a ground that grows darker to the right.
    #[test]
    fn shading_divides_no_area_and_edges_do() {
        let (width, height) = (120, 60);
        let pixel = |x: usize, y: usize| {
            let square = (10..40).contains(&y) && ((15..45).contains(&x) || (70..100).contains(&x));
            let light = 220 - x as u8;
            if square { [light, light - 60, 40] } else { [light, light, light] }
        };
        let pixels = (0..width * height).map(|i| pixel(i % width, i / width)).collect();
        let segments = Segments::of(&Picture::new(width, height, pixels));
        let mut areas: Vec<usize> = segments.blobs.iter().map(|b| b.area).collect();
        areas.sort_unstable();
        assert_eq!(areas, [900, 900, 5400]);
        let ground = segments.blobs.iter().find(|b| b.area == 5400).unwrap();
        assert_eq!(segments.outline(ground).len(), 4 * height);
    }
}
