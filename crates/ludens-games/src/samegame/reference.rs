//! The rules once more, cell by cell and as plainly as possible, to compare with.

use super::{Penalty, SameGame, SameGameVariant, Scoring};

/// Columns of colours from the bottom, without empty columns.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Plain {
    columns: Vec<Vec<u8>>,
    scoring: Scoring,
}

impl Plain {
    pub(super) fn of(game: &SameGame, variant: &SameGameVariant) -> Self {
        let columns = (0..variant.cols())
            .map(|c| (0..variant.rows()).map_while(|r| game.colour_at(c, r)).collect())
            .filter(|column: &Vec<u8>| !column.is_empty())
            .collect();
        Plain { columns, scoring: variant.scoring() }
    }

    fn at(&self, (c, r): (usize, usize)) -> Option<u8> {
        self.columns.get(c)?.get(r).copied()
    }

    pub(super) fn blocks(&self) -> usize {
        self.columns.iter().map(Vec::len).sum()
    }

    /// The cells connected with a cell, in order.
    fn group(&self, start: (usize, usize)) -> Vec<(usize, usize)> {
        let colour = self.at(start);
        let mut seen = vec![start];
        let mut next = 0;
        while next < seen.len() {
            let (c, r) = seen[next];
            next += 1;
            let around = [(c + 1, r), (c.wrapping_sub(1), r), (c, r + 1), (c, r.wrapping_sub(1))];
            for cell in around {
                if self.at(cell) == colour && !seen.contains(&cell) {
                    seen.push(cell);
                }
            }
        }
        seen.sort_unstable();
        seen
    }

    /// All groups of at least two, by lowest cell.
    pub(super) fn groups(&self) -> Vec<Vec<(usize, usize)>> {
        let mut groups = Vec::new();
        for c in 0..self.columns.len() {
            for r in 0..self.columns[c].len() {
                let group = self.group((c, r));
                if group.len() >= 2 && group[0] == (c, r) {
                    groups.push(group);
                }
            }
        }
        groups
    }

    /// Whether no two neighbours are equal.
    fn is_over(&self) -> bool {
        (0..self.columns.len()).all(|c| {
            (0..self.columns[c].len()).all(|r| {
                let here = self.at((c, r));
                here != self.at((c + 1, r)) && here != self.at((c, r + 1))
            })
        })
    }

    pub(super) fn remove(&self, group: &[(usize, usize)]) -> (Plain, i32) {
        let mut columns = Vec::new();
        for (c, column) in self.columns.iter().enumerate() {
            let rest: Vec<u8> = (0..column.len())
                .filter(|&r| !group.contains(&(c, r)))
                .map(|r| column[r])
                .collect();
            if !rest.is_empty() {
                columns.push(rest);
            }
        }
        let next = Plain { columns, scoring: self.scoring };
        let n = group.len() as i32;
        let mut reward = match self.scoring {
            Scoring::SameGame(_) => (n - 2).pow(2),
            Scoring::Bubble => n * (n - 1),
            Scoring::Clickomania => 0,
        };
        if next.is_over() {
            reward += next.end();
        }
        (next, reward)
    }

    fn end(&self) -> i32 {
        let left = self.blocks() as i32;
        match self.scoring {
            Scoring::Bubble => 0,
            Scoring::Clickomania => -left,
            Scoring::SameGame(_) if left == 0 => 1000,
            Scoring::SameGame(Penalty::None) => 0,
            Scoring::SameGame(Penalty::All) => -(left - 2).pow(2),
            Scoring::SameGame(Penalty::Colour) => {
                let mut sum = 0;
                for colour in 0..7 {
                    let m = self.columns.iter().flatten().filter(|&&c| c == colour).count() as i32;
                    if m > 0 {
                        sum -= (m - 2).pow(2);
                    }
                }
                sum
            }
        }
    }
}
