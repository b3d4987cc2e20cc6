//! The rules once more, cell by cell, to compare the fast ones with.

use ludens_core::Notation;

use super::Former;

/// Columns from the left, each from the bottom, holding only what is there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Slow {
    rows: usize,
    columns: Vec<Vec<u8>>,
}

impl Slow {
    pub(super) fn of(position: &Former) -> Self {
        let (rows, cols) = (position.variant.rows() as usize, position.variant.cols() as usize);
        let text: Vec<u8> = position.text().into_bytes();
        let mut columns = vec![Vec::new(); cols];
        for row in (0..rows).rev() {
            for (column, cells) in columns.iter_mut().enumerate() {
                match text[row * cols + column] {
                    b'.' => {}
                    digit => cells.push(digit - b'0'),
                }
            }
        }
        Slow { rows, columns }
    }

    fn get(&self, column: usize, row: usize) -> Option<u8> {
        self.columns.get(column)?.get(row).copied()
    }

    /// The cells connected with one that is not empty.
    fn group(&self, column: usize, row: usize) -> Vec<(usize, usize)> {
        let shape = self.get(column, row);
        assert!(shape.is_some());
        let (mut cells, mut next) = (vec![(column, row)], 0);
        while let Some(&(c, r)) = cells.get(next) {
            next += 1;
            let (left, below) = (c.wrapping_sub(1), r.wrapping_sub(1));
            for (c, r) in [(left, r), (c + 1, r), (c, below), (c, r + 1)] {
                if self.get(c, r) == shape && !cells.contains(&(c, r)) {
                    cells.push((c, r));
                }
            }
        }
        cells.sort_unstable();
        cells
    }

    /// All groups, by their first cells from the top, left to right.
    pub(super) fn groups(&self) -> Vec<Vec<(usize, usize)>> {
        let mut groups: Vec<Vec<(usize, usize)>> = Vec::new();
        for row in (0..self.rows).rev() {
            for column in 0..self.columns.len() {
                let known = groups.iter().any(|group| group.contains(&(column, row)));
                if self.get(column, row).is_some() && !known {
                    groups.push(self.group(column, row));
                }
            }
        }
        groups
    }

    pub(super) fn without(&self, group: &[(usize, usize)]) -> Self {
        let mut columns = vec![Vec::new(); self.columns.len()];
        for (c, column) in self.columns.iter().enumerate() {
            for (r, &shape) in column.iter().enumerate() {
                if !group.contains(&(c, r)) {
                    columns[c].push(shape);
                }
            }
        }
        Slow { rows: self.rows, columns }
    }

    /// Parts of the plane around the board that a group encloses; cells that
    /// meet at a corner belong to one part.
    pub(super) fn holes(&self) -> usize {
        self.groups().iter().map(|group| self.holes_of(group)).sum()
    }

    fn holes_of(&self, group: &[(usize, usize)]) -> usize {
        // A frame of outside cells all around.
        let (width, height) = (self.columns.len() + 2, self.rows + 2);
        let mut seen = vec![false; width * height];
        for &(c, r) in group {
            seen[(c + 1) * height + r + 1] = true;
        }
        let mut parts = 0;
        while let Some(start) = seen.iter().position(|&s| !s) {
            parts += 1;
            seen[start] = true;
            let mut open = vec![start];
            while let Some(cell) = open.pop() {
                let (c, r) = (cell / height, cell % height);
                for c in c.saturating_sub(1)..=(c + 1).min(width - 1) {
                    for r in r.saturating_sub(1)..=(r + 1).min(height - 1) {
                        if !std::mem::replace(&mut seen[c * height + r], true) {
                            open.push(c * height + r);
                        }
                    }
                }
            }
        }
        parts - 1
    }

    /// For each shape the number of runs of adjacent columns with it.
    pub(super) fn column_runs(&self) -> usize {
        (0..8)
            .map(|shape| {
                let has = |c: usize| self.columns[c].contains(&shape);
                (0..self.columns.len()).filter(|&c| has(c) && (c == 0 || !has(c - 1))).count()
            })
            .sum()
    }
}
