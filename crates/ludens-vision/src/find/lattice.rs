//! Areas of like size that lie in rows and columns: the cells of a board, where they can be told
//! from their surroundings.

use std::collections::HashMap;

use super::segment::Blob;
use crate::geometry::{Homography, Point};

/// How much the sides of like areas differ at most.
const LIKE: f64 = 1.3;
/// How far an area may lie from where it is expected, as a share of the step.
const NEAR: f64 = 0.17;
/// How many steps apart neighbours may be.
const REACH: i32 = 3;
/// Sizes of areas that are tried at most.
const MOST_SIZES: usize = 14;
/// Areas of one size at most.
const MOST_BLOBS: usize = 600;

/// A map from a lattice of unit cells to a picture, with the cells where areas are.
pub(crate) struct Lattice {
    /// Takes the point (column, row) of the lattice to the picture.
    pub(crate) map: Homography,
    /// The first and last column that has an area.
    pub(crate) cols: (i32, i32),
    /// The first and last row.
    pub(crate) rows: (i32, i32),
}

/// The lattices of areas of every size, those of most areas first.
pub(crate) fn lattices(blobs: &[Blob]) -> Vec<Lattice> {
    let like = |a: &Blob, b: &Blob, by: f64| {
        let near = |a: f64, b: f64| a < b * by && b < a * by;
        near(a.width, b.width) && near(a.height, b.height)
    };
    let members = |seed: &Blob| blobs.iter().filter(|b| like(seed, b, LIKE)).count();
    let mut seeds: Vec<(usize, &Blob)> = blobs.iter().map(|seed| (members(seed), seed)).collect();
    seeds.sort_by_key(|&(members, _)| std::cmp::Reverse(members));
    let mut tried: Vec<&Blob> = Vec::new();
    let mut found = Vec::new();
    for (members, seed) in seeds {
        if members < 4 || tried.len() == MOST_SIZES {
            break;
        }
        if tried.iter().any(|other| like(seed, other, 1.15)) {
            continue;
        }
        tried.push(seed);
        let group = blobs.iter().filter(|b| like(seed, b, LIKE)).take(MOST_BLOBS).copied();
        found.extend(lattice(&apart(group.collect())));
    }
    found
}

/// Of areas around the same centre the largest.
fn apart(mut group: Vec<Blob>) -> Vec<Blob> {
    group.sort_by(|a, b| (b.width * b.height).total_cmp(&(a.width * a.height)));
    let mut kept: Vec<Blob> = Vec::new();
    for blob in group {
        let within = |k: &Blob| {
            let d = blob.centre.from(k.centre);
            d.x.abs() < 0.4 * k.width && d.y.abs() < 0.4 * k.height
        };
        if !kept.iter().any(within) {
            kept.push(blob);
        }
    }
    kept
}

/// The step to the right (or down): the usual one from an area to the next in that direction.
fn step(group: &[Blob], down: bool) -> Option<Point> {
    let mut steps: Vec<Point> = Vec::new();
    for a in group {
        let towards = |b: &Blob| {
            let d = b.centre.from(a.centre);
            let (along, across) = if down { (d.y, d.x) } else { (d.x, d.y) };
            (along > 0.5 * a.width.min(a.height) && across.abs() < 0.5 * along).then_some(d)
        };
        let nearest =
            group.iter().filter_map(towards).min_by(|a, b| a.length().total_cmp(&b.length()));
        steps.extend(nearest);
    }
    // Where an area is missing the next is twice as far: the usual step is among the shorter, and
    // no longer than needed for areas of this size.
    steps.sort_by(|a, b| a.length().total_cmp(&b.length()));
    let step = steps.get(steps.len() / 3)?;
    let sizes: f64 = group.iter().map(|b| if down { b.height } else { b.width }).sum();
    let cells = (step.length() / (0.95 * sizes / group.len() as f64)).floor().max(1.0);
    Some(step.times(1.0 / cells))
}

fn lattice(group: &[Blob]) -> Option<Lattice> {
    let (right, down) = (step(group, false)?, step(group, true)?);
    let mut best: HashMap<(i32, i32), usize> = HashMap::new();
    let mut seen = vec![false; group.len()];
    for seed in 0..group.len() {
        if !seen[seed] {
            let cells = walk(group, seed, right, down, &mut seen);
            if cells.len() > best.len() {
                best = cells;
            }
        }
    }
    fitted(group, &best)
}

/// Goes from an area to its neighbours, to theirs and so on, and numbers them.
fn walk(
    group: &[Blob],
    seed: usize,
    right: Point,
    down: Point,
    seen: &mut [bool],
) -> HashMap<(i32, i32), usize> {
    let mut cells = HashMap::from([((0, 0), seed)]);
    seen[seed] = true;
    // Each with the steps that led there, which change slowly over a board seen at an angle.
    let mut open = vec![((0, 0), seed, right, down)];
    while let Some(((col, row), at, right, down)) = open.pop() {
        for (dc, dr) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            let vector = if dc != 0 { right } else { down };
            // The next area, or the one after a gap.
            let found = (1..=REACH).find_map(|steps| {
                let cell = (col + dc * steps, row + dr * steps);
                let sign = f64::from((dc + dr) * steps);
                let expected = group[at].centre.plus(vector.times(sign));
                let off = |i: &usize| group[*i].centre.from(expected).length();
                let free = (0..group.len()).filter(|&i| !seen[i]);
                let nearest = free.min_by(|a, b| off(a).total_cmp(&off(b)))?;
                let fits = off(&nearest) < NEAR * vector.length() && !cells.contains_key(&cell);
                fits.then_some((cell, nearest, sign))
            });
            let Some((cell, next, sign)) = found else { continue };
            seen[next] = true;
            cells.insert(cell, next);
            let taken = group[next].centre.from(group[at].centre).times(1.0 / sign);
            let learned = vector.times(0.5).plus(taken.times(0.5));
            let (right, down) = if dc != 0 { (learned, down) } else { (right, learned) };
            open.push((cell, next, right, down));
        }
    }
    cells
}

/// The map that fits the numbered areas, without those that do not fit.
fn fitted(group: &[Blob], cells: &HashMap<(i32, i32), usize>) -> Option<Lattice> {
    let mut pairs: Vec<(Point, Point)> = cells
        .iter()
        .map(|(&(col, row), &i)| {
            (Point::new(f64::from(col) + 0.5, f64::from(row) + 0.5), group[i].centre)
        })
        .collect();
    // The order of a hash map must not decide a result.
    pairs.sort_by(|a, b| a.0.y.total_cmp(&b.0.y).then(a.0.x.total_cmp(&b.0.x)));
    let mut map = Homography::fit(&pairs)?;
    for _ in 0..2 {
        let pitch = |p: Point| {
            map.apply(p.plus(Point::new(0.5, 0.0)))
                .from(map.apply(p.plus(Point::new(-0.5, 0.0))))
                .length()
        };
        let kept: Vec<_> = pairs
            .iter()
            .filter(|(from, to)| map.apply(*from).from(*to).length() < 0.2 * pitch(*from))
            .copied()
            .collect();
        map = Homography::fit(&kept)?;
        pairs = kept;
    }
    let range = |value: fn(&Point) -> f64| {
        let numbers = pairs.iter().map(|(p, _)| value(p).floor() as i32);
        Some((numbers.clone().min()?, numbers.max()?))
    };
    Some(Lattice { map, cols: range(|p| p.x)?, rows: range(|p| p.y)? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find::segment::Segments;
    use crate::picture::Picture;

    #[test]
    fn squares_in_rows_are_numbered_though_some_are_missing() {
        let (width, height) = (220, 180);
        let pixel = |i: usize| {
            let (x, y) = (i % width, i / width);
            let (col, row) = ((x.max(10) - 10) / 25, (y.max(10) - 10) / 25);
            let inside = x >= 10 && y >= 10 && (x - 10) % 25 < 20 && (y - 10) % 25 < 20;
            let there = col < 8 && row < 6 && (col * 3 + row * 5) % 7 != 0;
            if inside && there { [200, 40, 40] } else { [240; 3] }
        };
        let picture = Picture::new(width, height, (0..width * height).map(pixel).collect());
        let found = lattices(&Segments::of(&picture).blobs);
        let lattice = &found[0];
        assert_eq!((lattice.cols.1 - lattice.cols.0, lattice.rows.1 - lattice.rows.0), (7, 5));
        let first = Point::new(f64::from(lattice.cols.0), f64::from(lattice.rows.0));
        assert!(lattice.map.apply(first).from(Point::new(7.5, 7.5)).length() < 0.5);
    }
}
