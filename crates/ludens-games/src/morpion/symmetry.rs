//! The eight symmetries of the cross.

use ludens_core::bits::mix;
use ludens_core::{Sym, Symmetric};

use super::grid::{LENGTH, Line, Plane, Point, SIDE, bits, lines_of};
use super::{Direction, Morpion, key_of};

/// Bit 0 exchanges columns and rows, then bit 1 left and right, then bit 2 top and bottom.
fn image(Point { x, y }: Point, sym: Sym) -> Point {
    let (x, y) = if sym.0 & 1 != 0 { (y, x) } else { (x, y) };
    let flip = |at: u8, flipped: bool| if flipped { SIDE - 1 - at } else { at };
    Point { x: flip(x, sym.0 & 2 != 0), y: flip(y, sym.0 & 4 != 0) }
}

/// The image of a line with its new point.
fn line_image(line: Line, sym: Sym) -> Line {
    let points = line.points().map(|point| image(point, sym));
    let (one, last) = (points[0], points[usize::from(LENGTH) - 1]);
    // Lines run to the right, vertical ones upwards.
    let turned = (last.x, last.y) < (one.x, one.y);
    let (first, second) = if turned { (last, points[3]) } else { (one, points[1]) };
    let direction = match (second.x > first.x, second.y.cmp(&first.y)) {
        (false, _) => Direction::Vertical,
        (true, std::cmp::Ordering::Equal) => Direction::Horizontal,
        (true, std::cmp::Ordering::Greater) => Direction::Up,
        (true, std::cmp::Ordering::Less) => Direction::Down,
    };
    let (word, bit) = direction.locate(first);
    let new = if turned { LENGTH - 1 - line.new_index() } else { line.new_index() };
    Line::new(direction, word, bit, new)
}

/// The images of lines, by their first points.
fn planes_image(planes: &[Plane; 4], sym: Sym) -> [Plane; 4] {
    let mut out = [[0; SIDE as usize]; 4];
    for line in lines_of(planes).map(|line| line_image(line, sym)) {
        out[line.direction() as usize][usize::from(line.word())] |= 1 << line.first();
    }
    out
}

impl Symmetric for Morpion {
    fn symmetries(_: &Self::Variant) -> u32 {
        8
    }

    fn map(&self, sym: Sym) -> Self {
        if sym == Sym::IDENTITY {
            return *self;
        }
        let mut points = [[0; SIDE as usize]; 4];
        for (y, &row) in (0..).zip(&self.points[Direction::Horizontal as usize]) {
            for point in bits(row).map(|x| image(Point { x, y }, sym)) {
                for direction in Direction::ALL {
                    let (word, bit) = direction.locate(point);
                    points[direction as usize][usize::from(word)] |= 1 << bit;
                }
            }
        }
        let (lines, open) = (planes_image(&self.lines, sym), planes_image(&self.open, sym));
        let key = lines_of(&lines).fold(mix(self.variant as u64), |key, line| key ^ key_of(line));
        let words = |plane: Plane| {
            (0..).zip(plane).fold(0, |words, (word, bits)| words | u32::from(bits != 0) << word)
        };
        Morpion { key, lines, points, open, open_words: open.map(words), ..*self }
    }

    fn map_action(&self, line: Line, sym: Sym) -> Line {
        line_image(line, sym)
    }

    fn map_after(after: &Self, sym: Sym) -> Self {
        after.map(sym)
    }

    fn map_chance(_: &Self, (): (), _: Sym) {}
}
