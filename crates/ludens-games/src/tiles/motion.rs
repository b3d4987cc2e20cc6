//! How tiles move in a slide.

use ludens_core::{Movement, MovementKind};

use super::line::lines;
use super::{Grid, Size, Slide};

/// Where a tile of a line comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Arrival {
    /// The step from the wall it was on.
    from: usize,
    /// The step from the wall it comes to.
    to: usize,
}

/// The movements of a slide in which tiles go as far as they can: 2048 and 2584. `merge` says what two
/// tiles become, 0 where they do not merge.
pub fn far(
    size: Size,
    grid: &Grid<u8>,
    slide: Slide,
    merge: impl Fn(u8, u8) -> u8,
) -> Vec<Movement> {
    in_lines(size, grid, slide, |line| {
        let mut arrivals: Vec<Arrival> = Vec::new();
        // `last` is the tile nearest to the wall that the next one may merge with, 0 for none.
        let (mut filled, mut last) = (0, 0);
        for (from, &tile) in line.iter().enumerate().filter(|&(_, &tile)| tile != 0) {
            if merge(last, tile) != 0 {
                last = 0;
            } else {
                filled += 1;
                last = tile;
            }
            arrivals.push(Arrival { from, to: filled - 1 });
        }
        arrivals
    })
}

/// The movements of a slide by one cell: Threes!. The first cell from the wall that is empty, or
/// merges with the one behind it, takes that in; all others behind it follow.
pub fn by_one(
    size: Size,
    grid: &Grid<u8>,
    slide: Slide,
    merges: impl Fn(u8, u8) -> bool,
) -> Vec<Movement> {
    in_lines(size, grid, slide, |line| {
        let takes = |step: &usize| match line.get(*step + 1) {
            _ if line[*step] == 0 => true,
            Some(&behind) => merges(line[*step], behind),
            None => false,
        };
        let taker = (0..line.len()).find(takes).unwrap_or(line.len());
        (0..line.len())
            .filter(|&from| line[from] != 0)
            .map(|from| Arrival { from, to: if from > taker { from - 1 } else { from } })
            .collect()
    })
}

/// The movements of all lines, each slid by `arrivals` from its tiles, the one at the wall first.
fn in_lines(
    size: Size,
    grid: &Grid<u8>,
    slide: Slide,
    arrivals: impl Fn(&[u8]) -> Vec<Arrival>,
) -> Vec<Movement> {
    let mut motion = Vec::new();
    for squares in lines(size, slide) {
        let squares: Vec<usize> = squares.collect();
        let line: Vec<u8> = squares.iter().map(|&square| grid[square]).collect();
        let arrivals = arrivals(&line);
        for &Arrival { from, to } in &arrivals {
            let merges = arrivals.iter().filter(|other| other.to == to).count() > 1;
            let kind = if merges { MovementKind::Merge } else { MovementKind::Slide };
            if merges || from != to {
                let [from, to] = [from, to].map(|step| size.cell(squares[step]));
                motion.push(Movement::between(from, to, 0, kind));
            }
        }
    }
    motion
}
