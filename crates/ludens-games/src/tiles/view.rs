//! Tile boards drawn.

use ludens_core::{Cell, Control, Fact, Ink, View};

use super::{Grid, Size};

/// The colour of the `rank`-th smallest tile: from pale to strong, then again.
pub fn ink(rank: usize) -> Ink {
    const BY_RANK: [Ink; 12] = [
        Ink::Grey,
        Ink::Plain,
        Ink::Brown,
        Ink::Orange,
        Ink::Red,
        Ink::Pink,
        Ink::Yellow,
        Ink::Green,
        Ink::Cyan,
        Ink::Blue,
        Ink::Purple,
        Ink::Strong,
    ];
    BY_RANK[rank % BY_RANK.len()]
}

/// The drawing of a board of indices: 0 for no tile, 1 for the smallest one;
/// `value` gives the value of an index. The facts are the `largest` tile, the number of
/// `empty` cells, the `sum` of all tiles, and then `more`.
pub fn board(size: Size, grid: &Grid<u8>, value: impl Fn(u8) -> u32, more: Vec<Fact>) -> View {
    let tile = |square: usize| match grid[square] {
        0 => None,
        index => Some((value(index), usize::from(index) - 1)),
    };
    let tiles: Vec<Option<(u32, usize)>> = size.squares().map(tile).collect();
    let values = || tiles.iter().flatten().map(|&(value, _)| i64::from(value));
    let mut facts = vec![
        Fact::Number("largest", values().max().unwrap_or(0)),
        Fact::Number("empty", (size.cells() - values().count()) as i64),
        Fact::Number("sum", values().sum()),
    ];
    facts.extend(more);
    View {
        rows: size.rows(),
        cols: size.cols(),
        cells: tiles
            .iter()
            .map(|tile| match *tile {
                Some((value, rank)) => Cell::new(value.to_string(), ink(rank)),
                None => Cell::empty(),
            })
            .collect(),
        row_labels: vec![String::new(); size.rows()],
        col_labels: vec![String::new(); size.cols()],
        facts,
        control: Control::Slide,
    }
}

/// The cells that differ between two boards, for highlighting what a move did.
pub fn changed(size: Size, before: &Grid<u8>, after: &Grid<u8>) -> Vec<usize> {
    (0..size.cells())
        .filter(|&cell| before[size.square(cell)] != after[size.square(cell)])
        .collect()
}
