//! Where the entries of one table lie, and which are next to each other.

use crate::simd::salt;
use crate::{Form, Network};

/// The entries of a table in the order in which they are coded. Two entries are neighbours where
/// one cell differs by one.
pub(super) struct Grid {
    cells: usize,
    values: usize,
    /// For boards that are words, which keep the bits of cells interleaved: what is exclusive-ored
    /// into indices.
    salt: Option<usize>,
    /// Where the table begins in a plane.
    begin: usize,
    /// Entries of a plane of all tables.
    plane: usize,
    planes: usize,
}

impl Grid {
    /// The grids of a network's tables.
    pub(super) fn of(network: &Network) -> Vec<Grid> {
        let Form { layout, values, .. } = network.form();
        let (plane, interleaved) = (network.plane_entries(), network.indexer().takes_words());
        let planes = network.entries() / plane;
        let mut begin = 0;
        let grid = |(table, tuple): (usize, &crate::Tuple)| {
            let (cells, values) = (tuple.cells.len(), *values);
            let salt = interleaved.then(|| salt(table as u32, cells as u32) as usize);
            let grid = Grid { cells, values, salt, begin, plane, planes };
            begin += grid.entries();
            grid
        };
        layout.tuples().iter().enumerate().map(grid).collect()
    }

    /// The entries of a plane of this table.
    pub(super) fn entries(&self) -> usize {
        self.values.pow(self.cells as u32)
    }

    pub(super) fn planes(&self) -> usize {
        self.planes
    }

    pub(super) fn cells(&self) -> usize {
        self.cells
    }

    pub(super) fn values(&self) -> usize {
        self.values
    }

    /// The index of an entry in the network.
    #[inline]
    pub(super) fn index(&self, plane: usize, entry: usize) -> usize {
        plane * self.plane + self.begin + (entry ^ self.salt.unwrap_or(0))
    }

    /// The number in a cell of an entry.
    #[inline]
    pub(super) fn cell(&self, entry: usize, cell: usize) -> usize {
        match self.salt {
            Some(_) => (0..4).map(|bit| (entry >> (cell + bit * self.cells) & 1) << bit).sum(),
            None => entry / self.values.pow(cell as u32) % self.values,
        }
    }

    /// The neighbour with one less in a cell, unless the cell is empty. It is coded earlier.
    #[inline]
    pub(super) fn lower(&self, entry: usize, cell: usize) -> Option<usize> {
        if self.salt.is_some() {
            // One less within the bits of the cell: the borrow runs through the others.
            let bits =
                (1 | 1 << self.cells | 1 << (2 * self.cells) | 1 << (3 * self.cells)) << cell;
            let number = entry & bits;
            return (number != 0).then(|| entry & !bits | (number - 1) & bits);
        }
        (self.cell(entry, cell) > 0).then(|| entry - self.values.pow(cell as u32))
    }
}

#[cfg(test)]
mod tests {
    use ludens_games::{Game2048, Game2584};

    use super::*;
    use crate::Spec;

    /// Every entry is some index, once, and neighbours differ by one in one cell.
    fn check(network: &Network) {
        let mut seen = vec![false; network.entries()];
        for grid in Grid::of(network) {
            for plane in 0..grid.planes() {
                for entry in 0..grid.entries() {
                    let index = grid.index(plane, entry);
                    assert!(!std::mem::replace(&mut seen[index], true), "index {index} twice");
                }
            }
            for entry in 0..grid.entries() {
                for cell in 0..grid.cells() {
                    let Some(lower) = grid.lower(entry, cell) else {
                        assert_eq!(grid.cell(entry, cell), 0);
                        continue;
                    };
                    assert!(lower < entry);
                    for other in 0..grid.cells() {
                        let less = usize::from(other == cell);
                        assert_eq!(grid.cell(lower, other) + less, grid.cell(entry, other));
                    }
                }
            }
        }
        assert!(seen.into_iter().all(|seen| seen));
    }

    #[test]
    fn entries_and_neighbours() {
        let spec = Spec { huge_pages: false, ..Spec::new("0123 456") };
        check(&Network::new::<Game2048>(&Default::default(), &spec).unwrap());
        let spec = Spec { values: Some(18), huge_pages: false, ..Spec::new("0123 45") };
        check(&Network::new::<Game2584>(&Default::default(), &spec).unwrap());
    }
}
