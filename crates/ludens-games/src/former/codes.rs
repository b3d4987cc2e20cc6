//! Codes of moves for learned playout policies.

use ludens_core::MoveCode;
use ludens_core::bits::mix;

use super::grid::Grid;
use super::{Former, Group};

impl Former {
    /// The code of removing these cells: the same for the same cells and shape.
    #[inline]
    fn code_of(&self, cells: u64) -> u64 {
        let shape = (0..).zip(self.planes).map(|(bit, plane)| u64::from(plane & cells != 0) << bit);
        // Cells are a set of up to 64, so the shape is mixed in afterwards.
        mix(mix(cells) ^ shape.sum::<u64>())
    }
}

/// Groups of the same cells and shape share a code.
impl MoveCode for Former {
    fn code(&self, group: Group) -> u64 {
        self.code_of(self.group_of(group.0))
    }

    #[inline]
    fn coded(&self, mut f: impl FnMut(Group, u64)) {
        with_grid!(self, |grid| {
            self.each_group(grid, |cells| f(Group::of(cells), self.code_of(cells)));
        });
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use ludens_core::{Game, Rng};

    use super::*;
    use crate::former::FormerVariant;

    #[test]
    fn codes_stand_for_cells_and_shape() {
        let mut rng = Rng::new(5);
        let mut known = HashMap::new();
        for _ in 0..100 {
            let mut position = Former::start(&FormerVariant::default(), &mut rng);
            while let Some((_, next, _)) = position.step(&mut rng) {
                let mut coded = Vec::new();
                position.coded(|group, code| coded.push((group, code)));
                let listed: Vec<_> = position.actions().map(|a| (a, position.code(a))).collect();
                assert_eq!(coded, listed);
                for (group, code) in coded {
                    let cells = position.group_of(group.0);
                    let what = (cells, position.planes.map(|plane| plane & cells != 0));
                    assert_eq!(*known.entry(code).or_insert(what), what);
                }
                position = next;
            }
        }
        assert!(known.len() > 1_000, "{}", known.len());
    }
}
