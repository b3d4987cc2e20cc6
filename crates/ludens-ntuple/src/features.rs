//! What single entries stand for, and which are extreme.

use crate::{Network, Probe};

/// An entry of a table with the numbers that choose it.
#[derive(Clone, PartialEq, Debug)]
pub struct Feature {
    /// The table, by number.
    pub table: usize,
    /// The number in each cell of its tuple, in the tuple's order.
    pub numbers: Vec<u8>,
    /// The entry.
    pub weight: f32,
}

impl Network {
    /// The smallest and the largest entries, `count` of each, the most extreme first.
    ///
    /// # Panics
    /// When the network is a compact one.
    pub fn extremes(&self, count: usize) -> (Vec<Feature>, Vec<Feature>) {
        let by_weight = |sign: f32| {
            // The kept ones in rising order of how extreme they are.
            let mut kept: Vec<(f32, usize)> = Vec::with_capacity(count + 1);
            for index in 0..self.entries() {
                let extreme = sign * self.entry_value(index);
                if extreme <= 0.0 || kept.len() == count && kept[0].0 >= extreme {
                    continue;
                }
                let at = kept.partition_point(|(other, _)| *other < extreme);
                kept.insert(at, (extreme, index));
                if kept.len() > count {
                    kept.remove(0);
                }
            }
            kept.iter().rev().map(|&(_, index)| self.feature(index)).collect()
        };
        (by_weight(-1.0), by_weight(1.0))
    }

    /// What an entry stands for.
    fn feature(&self, index: usize) -> Feature {
        let within = index % self.plane_entries();
        let tuples = self.form().layout.tuples();
        let (mut table, mut begin) = (0, 0);
        let size = |table: usize| self.form().values.pow(tuples[table].cells.len() as u32);
        while within >= begin + size(table) {
            begin += size(table);
            table += 1;
        }
        let numbers = self.numbers(table, within);
        Feature { table, numbers, weight: self.entry_value(index) }
    }

    /// The numbers of a tuple's cells that lead to an index of the first plane. A number adds
    /// to the index by itself, as digits or as bits, so each cell is tried alone.
    fn numbers(&self, table: usize, index: usize) -> Vec<u8> {
        let tuple = &self.form().layout.tuples()[table];
        // The look-up of the tuple as it is written comes first of its table.
        let lookup: usize = self.indexer().per_table()[..table].iter().sum();
        let mut cells = vec![0u8; self.form().shape.cells];
        let mut probe = Probe::default();
        let mut index_of = |cells: &[u8]| {
            self.indexer().probe_cells(cells, 0, &mut probe);
            probe.indices()[lookup] as usize
        };
        let mut left: Vec<u8> = vec![0; tuple.cells.len()];
        if self.indexer().takes_words() {
            let none = index_of(&cells);
            for (number, &cell) in left.iter_mut().zip(&tuple.cells) {
                for bit in [1u8, 2, 4, 8] {
                    cells[usize::from(cell)] = bit;
                    // Exactly one bit of the index changes with this one of the cell.
                    let own = index_of(&cells) ^ none;
                    if (index ^ none) & own != 0 {
                        *number |= bit;
                    }
                }
                cells[usize::from(cell)] = 0;
            }
            return left;
        }
        let mut rest = index - index_of(&cells);
        for number in &mut left {
            *number = (rest % self.form().values) as u8;
            rest /= self.form().values;
        }
        left
    }
}

#[cfg(test)]
mod tests {
    use ludens_core::{Cells, Rng};
    use ludens_games::{Game2048, Game2584};

    use super::*;
    use crate::Spec;

    /// Adds to the entries of a random board, and finds the numbers of its cells again.
    fn found_again<G: Cells>(variant: &G::Variant, spec: &Spec) {
        let network = Network::new::<G>(variant, spec).unwrap();
        let mut rng = Rng::new(5);
        let mut position = G::start(variant, &mut rng);
        let mut last = None;
        for _ in 0..60 {
            let Some((_, after, _)) = position.step(&mut rng) else { break };
            position = G::apply_outcome(&after, G::sample(&after, &mut rng)).0;
            last = Some(after);
        }
        let after = last.expect("a game has moves");
        let mut probe = Probe::default();
        network.probe::<G>(&after, &mut probe);
        network.add(&probe, 2.0);
        let (low, high) = network.extremes(100);
        assert!(low.is_empty() && !high.is_empty());
        assert!(high.is_sorted_by(|a, b| a.weight >= b.weight));
        let mut cells = vec![0; network.form().shape.cells];
        G::write_cells(&after, &mut cells);
        // Every look-up of the board is an entry that was found, and no other is.
        let form = network.form();
        let mut expected: Vec<(usize, Vec<u8>)> = Vec::new();
        for (table, tuple) in form.layout.tuples().iter().enumerate() {
            for map in &form.shape.symmetries {
                let at = |&cell: &u8| cells[usize::from(map[usize::from(cell)])];
                expected.push((table, tuple.cells.iter().map(at).collect()));
            }
        }
        expected.sort();
        expected.dedup();
        let mut found: Vec<_> = high.into_iter().map(|f| (f.table, f.numbers)).collect();
        found.sort();
        assert_eq!(found, expected);
    }

    #[test]
    fn entries_are_found_again() {
        found_again::<Game2048>(&Default::default(), &Spec::new("4x6"));
        let spec = Spec { values: Some(18), ..Spec::new("0145 1256 0123") };
        found_again::<Game2584>(&Default::default(), &spec);
    }
}
