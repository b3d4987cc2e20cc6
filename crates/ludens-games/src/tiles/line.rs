//! The slide of one line, cell by cell.

use super::{Grid, Size, Slide};

/// Which two tiles merge. Tiles are known by their index from 1, smallest
/// first; 0 is no tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// Equal tiles, into the next one: 2048.
    Equal,
    /// Neighbours in the series, into the one after the larger, and two of the
    /// smallest: 2584.
    Neighbours,
}

impl Rule {
    /// The tile two tiles merge into, or 0 when they do not.
    #[inline]
    pub const fn merge(self, a: u8, b: u8) -> u8 {
        let merges = match self {
            Rule::Equal => a == b,
            Rule::Neighbours => a.abs_diff(b) == 1 || (a == 1 && b == 1),
        };
        match (merges && a != 0 && b != 0, a > b) {
            (false, _) => 0,
            (true, true) => a + 1,
            (true, false) => b + 1,
        }
    }
}

/// A line after its slide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slid {
    /// The tiles.
    pub line: [u8; 4],
    /// Those of them that were just made, 0 for none.
    pub merged: [u8; 2],
}

/// Slides a line towards its first cell. Tiles move as far as they can; two
/// that meet merge if the rule says so, each tile at most once, those nearest
/// to the wall first. A shorter line ends with zeros.
///
/// ```
/// use ludens_games::tiles::line::{Rule, slide};
/// assert_eq!(slide([1, 1, 2, 0], Rule::Equal).line, [2, 2, 0, 0]);
/// ```
pub const fn slide(line: [u8; 4], rule: Rule) -> Slid {
    let mut out = Slid { line: [0; 4], merged: [0; 2] };
    // `out.line[..filled]` is done; `last` is its last tile unless it was just made.
    let (mut filled, mut last, mut merges) = (0, 0, 0);
    let mut from = 0;
    while from < 4 {
        let tile = line[from];
        from += 1;
        if tile == 0 {
            continue;
        }
        let sum = rule.merge(last, tile);
        if sum != 0 {
            out.line[filled - 1] = sum;
            out.merged[merges] = sum;
            merges += 1;
            last = 0;
        } else {
            out.line[filled] = tile;
            filled += 1;
            last = tile;
        }
    }
    out
}

/// The squares of the lines of a slide, each from the wall the tiles slide to.
pub fn lines(
    size: Size,
    slide: Slide,
) -> impl Iterator<Item = impl ExactSizeIterator<Item = usize> + Clone> {
    let (count, length) =
        if slide.is_vertical() { (size.cols(), size.rows()) } else { (size.rows(), size.cols()) };
    (0..count).map(move |line| {
        (0..length).map(move |step| {
            let step = if slide.is_forward() { length - 1 - step } else { step };
            if slide.is_vertical() { step * 4 + line } else { line * 4 + step }
        })
    })
}

/// A whole board slid line by line. Calls `merged` with every tile just made.
pub fn slide_grid(
    size: Size,
    grid: &Grid<u8>,
    direction: Slide,
    rule: Rule,
    mut merged: impl FnMut(u8),
) -> Grid<u8> {
    let mut out = *grid;
    for squares in lines(size, direction) {
        let mut line = [0; 4];
        line.iter_mut().zip(squares.clone()).for_each(|(tile, square)| *tile = grid[square]);
        let slid = slide(line, rule);
        slid.line.iter().zip(squares).for_each(|(tile, square)| out[square] = *tile);
        slid.merged.into_iter().filter(|&tile| tile != 0).for_each(&mut merged);
    }
    out
}
