//! Points, quadrilaterals, and homographies: maps of the plane that keep lines straight.

/// A place in a picture, or on a board.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Point {
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
}

impl Point {
    /// A point.
    pub const fn new(x: f64, y: f64) -> Self {
        Point { x, y }
    }

    /// The vector from another point to this one.
    pub(crate) fn from(self, other: Point) -> Point {
        Point::new(self.x - other.x, self.y - other.y)
    }

    /// The point moved by a vector.
    pub(crate) fn plus(self, other: Point) -> Point {
        Point::new(self.x + other.x, self.y + other.y)
    }

    /// The vector made longer.
    pub(crate) fn times(self, by: f64) -> Point {
        Point::new(self.x * by, self.y * by)
    }

    /// The distance from the origin.
    pub(crate) fn length(self) -> f64 {
        self.x.hypot(self.y)
    }

    /// The cross product: positive where `other` lies clockwise, as pictures have y downwards.
    pub(crate) fn cross(self, other: Point) -> f64 {
        self.x * other.y - self.y * other.x
    }
}

/// The corners of a board: top left, top right, bottom right, bottom left.
pub type Corners = [Point; 4];

/// Whether the corners go around a convex quadrilateral clockwise, none of them flat.
pub(crate) fn is_convex(corners: &Corners) -> bool {
    (0..4).all(|i| {
        let (a, b, c) = (corners[i], corners[(i + 1) % 4], corners[(i + 2) % 4]);
        let (one, two) = (b.from(a), c.from(b));
        one.cross(two) > 1e-3 * one.length() * two.length() && one.length() > 1.0
    })
}

/// The corners in order, however they were: clockwise from the one nearest to the top left.
pub(crate) fn in_order(corners: Corners) -> Corners {
    let middle = corners.iter().fold(Point::default(), |sum, &c| sum.plus(c.times(0.25)));
    let mut sorted = corners;
    let angle = |p: &Point| {
        let d = p.from(middle);
        d.y.atan2(d.x)
    };
    sorted.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
    let first = (0..4).min_by(|&a, &b| {
        let sum = |i: usize| sorted[i].x + sorted[i].y;
        sum(a).total_cmp(&sum(b))
    });
    sorted.rotate_left(first.unwrap_or(0));
    sorted
}

/// A homography as nine numbers, the last of them one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Homography([f64; 9]);

impl Homography {
    /// The map that takes a board of `rows * cols` unit cells to its corners in a picture.
    pub(crate) fn of_board(rows: usize, cols: usize, corners: &Corners) -> Option<Self> {
        let (w, h) = (cols as f64, rows as f64);
        let board = [(0.0, 0.0), (w, 0.0), (w, h), (0.0, h)].map(|(x, y)| Point::new(x, y));
        let pairs: Vec<_> = board.into_iter().zip(*corners).collect();
        Homography::fit(&pairs)
    }

    /// The map that takes the first point of each pair nearest to the second, by least squares;
    /// `None` for fewer than four pairs, or where they do not determine one.
    pub(crate) fn fit(pairs: &[(Point, Point)]) -> Option<Self> {
        if pairs.len() < 4 {
            return None;
        }
        // Normal equations are well conditioned only for numbers near one.
        let (from, to) =
            (Scale::of(pairs.iter().map(|p| p.0)), Scale::of(pairs.iter().map(|p| p.1)));
        let mut system = [[0.0; 9]; 8];
        for &(a, b) in pairs {
            let (a, b) = (from.apply(a), to.apply(b));
            let rows = [
                [a.x, a.y, 1.0, 0.0, 0.0, 0.0, -a.x * b.x, -a.y * b.x, b.x],
                [0.0, 0.0, 0.0, a.x, a.y, 1.0, -a.x * b.y, -a.y * b.y, b.y],
            ];
            for row in rows {
                for i in 0..8 {
                    for j in 0..9 {
                        system[i][j] += row[i] * row[j];
                    }
                }
            }
        }
        let [a, b, c, d, e, f, g, h] = solve(system)?;
        let scaled = Homography([a, b, c, d, e, f, g, h, 1.0]);
        let fitted = to.inverse().after(&scaled).after(&from.matrix());
        fitted.normal()
    }

    /// Where a point goes.
    pub(crate) fn apply(&self, p: Point) -> Point {
        let [a, b, c, d, e, f, g, h, i] = self.0;
        let w = g * p.x + h * p.y + i;
        Point::new((a * p.x + b * p.y + c) / w, (d * p.x + e * p.y + f) / w)
    }

    /// The map back, if there is one.
    pub(crate) fn inverse(&self) -> Option<Self> {
        let [a, b, c, d, e, f, g, h, i] = self.0;
        let adjugate = [
            e * i - f * h,
            c * h - b * i,
            b * f - c * e,
            f * g - d * i,
            a * i - c * g,
            c * d - a * f,
            d * h - e * g,
            b * g - a * h,
            a * e - b * d,
        ];
        Homography(adjugate).normal()
    }

    /// This map after another.
    fn after(&self, first: &Homography) -> Homography {
        let mut product = [0.0; 9];
        for (i, out) in product.iter_mut().enumerate() {
            *out = (0..3).map(|k| self.0[i / 3 * 3 + k] * first.0[k * 3 + i % 3]).sum();
        }
        Homography(product)
    }

    /// The same map with one as its last number.
    fn normal(self) -> Option<Self> {
        let last = self.0[8];
        let numbers = self.0.map(|v| v / last);
        numbers.iter().all(|v| v.is_finite()).then_some(Homography(numbers))
    }
}

/// A shift and a factor that bring points near the origin.
struct Scale {
    middle: Point,
    factor: f64,
}

impl Scale {
    fn of(points: impl Iterator<Item = Point> + Clone) -> Self {
        let count = points.clone().count() as f64;
        let middle = points.clone().fold(Point::default(), |sum, p| sum.plus(p)).times(1.0 / count);
        let spread = points.map(|p| p.from(middle).length()).sum::<f64>() / count;
        Scale { middle, factor: if spread > 1e-9 { 1.0 / spread } else { 1.0 } }
    }

    fn apply(&self, p: Point) -> Point {
        p.from(self.middle).times(self.factor)
    }

    fn matrix(&self) -> Homography {
        let (f, m) = (self.factor, self.middle);
        Homography([f, 0.0, -f * m.x, 0.0, f, -f * m.y, 0.0, 0.0, 1.0])
    }

    fn inverse(&self) -> Homography {
        let f = 1.0 / self.factor;
        Homography([f, 0.0, self.middle.x, 0.0, f, self.middle.y, 0.0, 0.0, 1.0])
    }
}

/// Solves eight equations whose right sides are the last column.
fn solve(mut rows: [[f64; 9]; 8]) -> Option<[f64; 8]> {
    for i in 0..8 {
        let pivot = (i..8).max_by(|&a, &b| rows[a][i].abs().total_cmp(&rows[b][i].abs()))?;
        rows.swap(i, pivot);
        let pivot = rows[i];
        if pivot[i].abs() < 1e-9 {
            return None;
        }
        for row in rows.iter_mut().skip(i + 1) {
            let factor = row[i] / pivot[i];
            for (v, p) in row.iter_mut().zip(pivot) {
                *v -= factor * p;
            }
        }
    }
    let mut found = [0.0; 8];
    for i in (0..8).rev() {
        let known: f64 = (i + 1..8).map(|j| rows[i][j] * found[j]).sum();
        found[i] = (rows[i][8] - known) / rows[i][i];
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TILTED: Corners = [
        Point::new(110.0, 95.0),
        Point::new(480.0, 120.0),
        Point::new(450.0, 400.0),
        Point::new(90.0, 420.0),
    ];

    #[test]
    fn corners_map_to_corners_and_back() {
        let map = Homography::of_board(6, 7, &TILTED).unwrap();
        let back = map.inverse().unwrap();
        let board = [(0.0, 0.0), (7.0, 0.0), (7.0, 6.0), (0.0, 6.0)];
        for ((x, y), corner) in board.into_iter().zip(TILTED) {
            assert!(map.apply(Point::new(x, y)).from(corner).length() < 1e-6);
            assert!(back.apply(corner).from(Point::new(x, y)).length() < 1e-6);
        }
    }

    #[test]
    fn points_on_a_line_give_no_map() {
        let line: Vec<_> = (0..9)
            .map(|i| (Point::new(f64::from(i), 0.0), Point::new(f64::from(i), 5.0)))
            .collect();
        assert_eq!(Homography::fit(&line), None);
    }

    #[test]
    fn corners_are_put_in_order() {
        let [a, b, c, d] = TILTED;
        for mixed in [[c, a, d, b], [d, c, b, a], [b, a, c, d]] {
            assert_eq!(in_order(mixed), TILTED);
        }
        assert!(is_convex(&TILTED) && !is_convex(&[a, c, b, d]) && !is_convex(&[a; 4]));
    }
}
