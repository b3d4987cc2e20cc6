//! Pixels.

use crate::geometry::Point;

/// Red, green and blue of a pixel.
pub(crate) type Rgb = [u8; 3];

/// A picture in memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Picture {
    width: usize,
    height: usize,
    pixels: Vec<Rgb>,
}

impl Picture {
    /// A picture of `width * height` pixels, row by row.
    pub(crate) fn new(width: usize, height: usize, pixels: Vec<Rgb>) -> Self {
        debug_assert_eq!(pixels.len(), width * height);
        Picture { width, height, pixels }
    }

    /// Pixels of a row.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Pixels of a column.
    pub(crate) fn height(&self) -> usize {
        self.height
    }

    /// The pixels, row by row.
    pub(crate) fn pixels(&self) -> &[Rgb] {
        &self.pixels
    }

    /// The pixel at a place; that of the nearest edge outside.
    pub(crate) fn at(&self, x: isize, y: isize) -> Rgb {
        let x = x.clamp(0, self.width as isize - 1) as usize;
        let y = y.clamp(0, self.height as isize - 1) as usize;
        self.pixels[y * self.width + x]
    }

    /// The colour at a point between pixels, whose centres lie at halves.
    pub(crate) fn between(&self, point: Point) -> [f32; 3] {
        // Casts of floats saturate, so that points far outside are those of the edge.
        let (x, y) = (point.x - 0.5, point.y - 0.5);
        let (left, top) = (x.floor(), y.floor());
        let (fx, fy) = ((x - left) as f32, (y - top) as f32);
        let (left, top) = ((left as isize).clamp(-2, 1 << 20), (top as isize).clamp(-2, 1 << 20));
        let corner = |dx, dy| self.at(left + dx, top + dy).map(f32::from);
        let (a, b, c, d) = (corner(0, 0), corner(1, 0), corner(0, 1), corner(1, 1));
        std::array::from_fn(|i| {
            let upper = a[i] + (b[i] - a[i]) * fx;
            let lower = c[i] + (d[i] - c[i]) * fx;
            upper + (lower - upper) * fy
        })
    }

    /// By how much the sides must be divided to be no longer than `longest`.
    pub(crate) fn divisor(&self, longest: usize) -> usize {
        self.width.max(self.height).div_ceil(longest).max(1)
    }

    /// The picture with sides divided by a whole number; each pixel is the mean of those it
    /// stands for.
    pub(crate) fn shrunk(&self, by: usize) -> Picture {
        if by <= 1 {
            return self.clone();
        }
        let (width, height) = ((self.width / by).max(1), (self.height / by).max(1));
        let mut pixels = Vec::with_capacity(width * height);
        for y in 0..height {
            for x in 0..width {
                let mut sums = [0u32; 3];
                let mut count = 0;
                for row in y * by..((y + 1) * by).min(self.height) {
                    let row = &self.pixels[row * self.width..][..self.width];
                    for pixel in &row[x * by..((x + 1) * by).min(self.width)] {
                        for (sum, &v) in sums.iter_mut().zip(pixel) {
                            *sum += u32::from(v);
                        }
                        count += 1;
                    }
                }
                pixels.push(sums.map(|sum| ((sum + count / 2) / count.max(1)) as u8));
            }
        }
        Picture::new(width, height, pixels)
    }

    /// The picture blurred by the kernel 1-2-1 both ways.
    pub(crate) fn blurred(&self) -> Picture {
        let mix = |a: Rgb, b: Rgb, c: Rgb| -> Rgb {
            std::array::from_fn(|i| {
                ((u16::from(a[i]) + 2 * u16::from(b[i]) + u16::from(c[i]) + 2) / 4) as u8
            })
        };
        let (w, h) = (self.width as isize, self.height as isize);
        let across = (0..h)
            .flat_map(|y| (0..w).map(move |x| (x, y)))
            .map(|(x, y)| mix(self.at(x - 1, y), self.at(x, y), self.at(x + 1, y)))
            .collect();
        let across = Picture::new(self.width, self.height, across);
        let pixels = (0..h)
            .flat_map(|y| (0..w).map(move |x| (x, y)))
            .map(|(x, y)| mix(across.at(x, y - 1), across.at(x, y), across.at(x, y + 1)))
            .collect();
        Picture::new(self.width, self.height, pixels)
    }

    /// The picture with the median of nine pixels in place of each: edges stay sharp, thin lines
    /// vanish.
    pub(crate) fn medians(&self) -> Picture {
        let (w, h) = (self.width as isize, self.height as isize);
        let middle = |x: isize, y: isize| -> Rgb {
            let near: [Rgb; 9] =
                std::array::from_fn(|i| self.at(x + i as isize % 3 - 1, y + i as isize / 3 - 1));
            std::array::from_fn(|channel| {
                let mut values = near.map(|pixel| pixel[channel]);
                *values.select_nth_unstable(4).1
            })
        };
        let pixels =
            (0..h).flat_map(|y| (0..w).map(move |x| (x, y))).map(|(x, y)| middle(x, y)).collect();
        Picture::new(self.width, self.height, pixels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shrinking_takes_means() {
        let picture = Picture::new(4, 2, (0..8).map(|v| [v * 10; 3]).collect());
        let small = picture.shrunk(2);
        assert_eq!((small.width(), small.height()), (2, 1));
        assert_eq!(small.pixels(), &[[25; 3], [45; 3]]);
        assert_eq!(picture.divisor(4), 1);
        assert_eq!(picture.divisor(3), 2);
    }

    #[test]
    fn points_between_pixels_are_mixed() {
        let picture = Picture::new(2, 1, vec![[0; 3], [100; 3]]);
        assert_eq!(picture.between(Point::new(0.5, 0.5)), [0.0; 3]);
        assert_eq!(picture.between(Point::new(1.0, 0.5)), [50.0; 3]);
        assert_eq!(picture.between(Point::new(1e9, -1e9)), [100.0; 3]);
        picture.between(Point::new(f64::INFINITY, f64::NAN));
    }
}
