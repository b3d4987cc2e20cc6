//! The board made square: every cell of a picture as pixels of its own.

use crate::colour::{Colour, median};
use crate::geometry::{Corners, Homography, Point};
use crate::picture::Picture;

/// A part of a cell: left, top, right and bottom as shares of its sides.
pub(crate) type Part = [f32; 4];

/// The middle of a cell, which every piece covers.
pub(crate) const CORE: Part = [0.3, 0.3, 0.7, 0.7];

/// A board seen from straight above, with the picture it comes from.
pub(crate) struct Board<'a> {
    /// Rows of cells.
    pub(crate) rows: usize,
    /// Columns of cells.
    pub(crate) cols: usize,
    /// Pixels of a cell's side.
    pub(crate) side: usize,
    pixels: Vec<Colour>,
    picture: &'a Picture,
    map: Homography,
}

impl<'a> Board<'a> {
    /// The board with these corners, or `None` where they make none.
    pub(crate) fn of(
        picture: &'a Picture,
        (rows, cols): (usize, usize),
        side: usize,
        corners: &Corners,
    ) -> Option<Self> {
        let map = Homography::of_board(rows, cols, corners)?;
        // Pixels of the picture that one pixel here stands for, across.
        let width = corners[1].from(corners[0]).length().max(corners[2].from(corners[3]).length());
        let samples = (width / (cols * side) as f64).ceil().clamp(1.0, 4.0) as usize;
        let mut pixels = Vec::with_capacity(rows * cols * side * side);
        let step = 1.0 / (side * samples) as f64;
        for y in 0..rows * side {
            for x in 0..cols * side {
                let mut sum = [0.0; 3];
                for i in 0..samples * samples {
                    let at = |pixel: usize, sample: usize| {
                        ((pixel * samples + sample) as f64 + 0.5) * step
                    };
                    let point = Point::new(at(x, i % samples), at(y, i / samples));
                    let found = picture.between(map.apply(point));
                    for (s, v) in sum.iter_mut().zip(found) {
                        *s += v;
                    }
                }
                pixels.push(sum.map(|s| s / (samples * samples) as f32));
            }
        }
        Some(Board { rows, cols, side, pixels, picture, map })
    }

    /// The number of cells.
    pub(crate) fn cells(&self) -> usize {
        self.rows * self.cols
    }

    /// A pixel of a cell, which is numbered row by row.
    pub(crate) fn pixel(&self, cell: usize, x: usize, y: usize) -> Colour {
        let (row, col) = (cell / self.cols, cell % self.cols);
        self.pixels[(row * self.side + y) * self.cols * self.side + col * self.side + x]
    }

    /// The median colour of a part of a cell.
    pub(crate) fn median(&self, cell: usize, [left, top, right, bottom]: Part) -> Colour {
        let at =
            |share: f32| ((share * self.side as f32).round().max(0.0) as usize).min(self.side - 1);
        let range = |from: f32, to: f32| at(from)..at(to).max(at(from) + 1);
        let places = range(top, bottom).flat_map(|y| range(left, right).map(move |x| (x, y)));
        median(places.map(|(x, y)| self.pixel(cell, x, y)))
    }

    /// The one pixel of the picture at a point of the board, in cells from its top left; it may
    /// lie beside the board.
    pub(crate) fn single(&self, x: f64, y: f64) -> Colour {
        let p = self.map.apply(Point::new(x, y));
        self.picture.at(p.x.floor() as isize, p.y.floor() as isize).map(f32::from)
    }
}
