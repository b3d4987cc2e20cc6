//! The quadrilateral that an outline is nearest to.

use crate::geometry::{Corners, Point, in_order, is_convex};

/// The part of each side, around its middle, that its line is fitted to: corners may be round.
const MIDDLE: f64 = 0.6;

/// The convex hull, clockwise in a picture.
fn hull(mut points: Vec<Point>) -> Vec<Point> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    points.dedup();
    let half = |points: &mut dyn Iterator<Item = Point>| {
        let mut chain: Vec<Point> = Vec::new();
        for p in points {
            while let [.., a, b] = chain[..]
                && b.from(a).cross(p.from(b)) <= 0.0
            {
                chain.pop();
            }
            chain.push(p);
        }
        chain.pop();
        chain
    };
    let mut around = half(&mut points.iter().copied());
    around.extend(half(&mut points.iter().rev().copied()));
    around
}

/// The four points of a polygon that are left when those that change it least are taken away.
fn four(polygon: &[Point]) -> Option<Corners> {
    let mut left = polygon.to_vec();
    while left.len() > 4 {
        let n = left.len();
        let cut = |i: usize| {
            let (a, b, c) = (left[(i + n - 1) % n], left[i], left[(i + 1) % n]);
            b.from(a).cross(c.from(b)).abs()
        };
        let least = (0..n).min_by(|&a, &b| cut(a).total_cmp(&cut(b)))?;
        left.remove(least);
    }
    left.try_into().ok()
}

/// A line by a point on it and its direction.
type Line = (Point, Point);

/// The line nearest to points, by the distances at right angles to it.
fn line(points: &[Point]) -> Option<Line> {
    let count = points.len() as f64;
    if points.len() < 2 {
        return None;
    }
    let middle = points.iter().fold(Point::default(), |sum, &p| sum.plus(p)).times(1.0 / count);
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for p in points {
        let d = p.from(middle);
        xx += d.x * d.x;
        xy += d.x * d.y;
        yy += d.y * d.y;
    }
    let angle = 0.5 * (2.0 * xy).atan2(xx - yy);
    Some((middle, Point::new(angle.cos(), angle.sin())))
}

fn crossing((p, d): Line, (q, e): Line) -> Option<Point> {
    let denominator = d.cross(e);
    let along = q.from(p).cross(e) / denominator;
    (denominator.abs() > 1e-6).then(|| p.plus(d.times(along)))
}

/// The quadrilateral whose sides are nearest to the hull of an outline, with corners where the
/// sides would meet if they were not round.
pub(crate) fn quadrilateral(outline: Vec<Point>) -> Option<Corners> {
    let around = hull(outline);
    let rough = four(&around)?;
    let mut sides = [None; 4];
    for (i, side) in sides.iter_mut().enumerate() {
        let (from, to) = (rough[i], rough[(i + 1) % 4]);
        *side = line(&along(&around, from, to));
    }
    let mut corners = rough;
    for (i, corner) in corners.iter_mut().enumerate() {
        *corner = crossing(sides[(i + 3) % 4]?, sides[i]?)?;
    }
    let corners = in_order(corners);
    is_convex(&corners).then_some(corners)
}

/// Points of the hull, a pixel apart, beside the middle of one side.
fn along(around: &[Point], from: Point, to: Point) -> Vec<Point> {
    let side = to.from(from);
    let length = side.length().max(1e-9);
    let unit = side.times(1.0 / length);
    let mut points = Vec::new();
    for (i, &a) in around.iter().enumerate() {
        let edge = around[(i + 1) % around.len()].from(a);
        let steps = edge.length().ceil().max(1.0);
        for step in 0..steps as usize {
            let p = a.plus(edge.times(step as f64 / steps));
            let d = p.from(from);
            let (at, off) = ((d.x * unit.x + d.y * unit.y) / length, unit.cross(d).abs());
            if (at - 0.5).abs() < MIDDLE / 2.0 && off < 0.15 * length {
                points.push(p);
            }
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_corners_are_made_sharp() {
        // A square of 200 with corners of radius 30, turned a little.
        let mut outline = Vec::new();
        for i in 0..4000 {
            let t = f64::from(i) / 4000.0 * std::f64::consts::TAU;
            let clip = |v: f64| v.clamp(-70.0, 70.0);
            let (x, y) =
                (clip(200.0 * t.cos()) + 30.0 * t.cos(), clip(200.0 * t.sin()) + 30.0 * t.sin());
            let (sin, cos) = 0.1f64.sin_cos();
            outline.push(Point::new(300.0 + x * cos - y * sin, 300.0 + x * sin + y * cos));
        }
        let corners = quadrilateral(outline).unwrap();
        let (sin, cos) = 0.1f64.sin_cos();
        for (corner, (x, y)) in
            corners.into_iter().zip([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
        {
            let ideal = Point::new(
                300.0 + 100.0 * (x * cos - y * sin),
                300.0 + 100.0 * (x * sin + y * cos),
            );
            assert!(corner.from(ideal).length() < 6.0, "{corner:?} is not {ideal:?}");
        }
    }

    #[test]
    fn what_has_no_area_is_none() {
        assert_eq!(quadrilateral(Vec::new()), None);
        assert_eq!(quadrilateral(vec![Point::new(1.0, 1.0); 9]), None);
        assert_eq!(quadrilateral((0..9).map(|i| Point::new(f64::from(i), 2.0)).collect()), None);
    }
}
