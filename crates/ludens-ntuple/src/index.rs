//! From the cells of a position to the indices of its entries.
//!
//! A network has one table per tuple, and all tables lie in one array: table after
//! table, and that once per *plane*, a stage of the game with a value of what is known
//! besides the cells. A position has one *look-up* per tuple and symmetry, in that
//! order. The index of a look-up is the sum of where the plane and the table begin
//! and an index made of the numbers of its cells: in general the first one counts least.
//!
//! Boards of sixteen nibbles with sixteen values per cell take a path of their own,
//! where all look-ups are made at once and the bits of the index are ordered for the
//! cache (see `simd`).

use ludens_core::{CellShape, ParseError};

use crate::simd::{GROUP, Lookup, Shuffles};
use crate::{Error, Layout};

/// Entries are numbered by 32 bits.
const MOST: u64 = 1 << 32;

/// The indices of a position's entries. Made once and used again.
///
/// Only an [`Indexer`] writes indices, and all of them are below the bound: a network that has
/// as many entries need not check each index.
#[derive(Clone, Debug, Default)]
pub struct Probe {
    /// Padded to a multiple of [`GROUP`] indices.
    indices: Vec<u32>,
    /// How many of them are valid; none while they are being written.
    lookups: usize,
    /// All valid indices are below this.
    bound: u64,
    /// Scratch for boards that are no words.
    pub(crate) cells: Vec<u8>,
}

impl Probe {
    /// The indices, table by table.
    #[inline(always)]
    pub fn indices(&self) -> &[u32] {
        &self.indices[..self.lookups]
    }

    /// All indices are below this.
    #[inline(always)]
    pub(crate) fn bound(&self) -> u64 {
        self.bound
    }
}

/// Finds the indices of positions.
pub struct Indexer {
    lookups: usize,
    /// The look-ups of every table.
    per_table: Vec<usize>,
    /// Entries of a plane.
    plane: u64,
    planes: usize,
    values: usize,
    cells: usize,
    shuffles: Option<Shuffles>,
    general: Vec<Lookup>,
    /// For every action, how far from an index with plane 0 of a position the plane
    /// of the action is, by look-up: an action turns with the board.
    turned: Vec<Vec<u32>>,
}

impl Indexer {
    /// The indexer of a layout with this many values per cell and planes.
    /// Larger numbers in cells count as the largest value.
    ///
    /// # Errors
    /// When the layout does not fit the cells or has too many entries.
    pub fn new(
        layout: &Layout,
        shape: &CellShape,
        values: usize,
        planes: usize,
    ) -> Result<Self, Error> {
        layout.check(shape)?;
        if values == 0 {
            return Err(ParseError::new("values of a cell", "0", "at least 1").into());
        }
        let (mut entries, mut general, mut per_table) = (0u128, Vec::new(), Vec::new());
        let mut maps_of_lookups = Vec::new();
        for (table, tuple) in layout.tuples().iter().enumerate() {
            let maps = if tuple.symmetric { &shape.symmetries[..] } else { &shape.symmetries[..1] };
            for map in maps {
                let cells = tuple.cells.iter().map(|&cell| map[usize::from(cell)]).collect();
                // Checked below: tables beyond the limit are never used.
                general.push(Lookup { begin: entries as u32, table: table as u32, cells });
            }
            per_table.push(maps.len());
            maps_of_lookups.extend(0..maps.len());
            entries += (values as u128).pow(tuple.cells.len() as u32);
        }
        let all = entries * planes as u128;
        if all > u128::from(MOST) {
            return Err(Error::TooLarge { entries: all, most: MOST });
        }
        let words = values == 16 && shape.cells <= 16;
        let shuffles = words.then(|| Shuffles::new(&general));
        let (lookups, plane) = (general.len(), entries as u64);
        let actions = shape.turns.first().map_or(0, Vec::len);
        let far = |map: usize, action: usize| u64::from(shape.turns[map][action]) * plane;
        let turned = (0..actions)
            .map(|action| maps_of_lookups.iter().map(|&map| far(map, action) as u32).collect())
            .collect();
        Ok(Indexer {
            lookups,
            per_table,
            plane,
            planes,
            values,
            cells: shape.cells,
            shuffles,
            general,
            turned,
        })
    }

    /// The number of look-ups of a position.
    pub fn lookups(&self) -> usize {
        self.lookups
    }

    /// The look-ups of every table, in order.
    pub fn per_table(&self) -> &[usize] {
        &self.per_table
    }

    /// The number of entries.
    pub fn entries(&self) -> usize {
        (self.plane * self.planes as u64) as usize
    }

    /// Entries of a plane.
    pub fn plane(&self) -> usize {
        self.plane as usize
    }

    /// Whether [`probe_word`](Indexer::probe_word) may be used.
    #[inline(always)]
    pub fn takes_words(&self) -> bool {
        self.shuffles.is_some()
    }

    /// Where a plane begins.
    #[inline(always)]
    fn begin(&self, plane: usize) -> u32 {
        assert!(plane < self.planes, "plane {plane} of {}", self.planes);
        (plane as u64 * self.plane) as u32
    }

    /// Resizes the indices. None is valid until [`finish`](Indexer::finish), whatever
    /// happens in between.
    #[inline(always)]
    fn prepare(&self, probe: &mut Probe) {
        let padded = self.lookups.next_multiple_of(GROUP);
        if probe.indices.len() != padded {
            probe.indices.resize(padded, 0);
        }
        probe.lookups = 0;
    }

    /// All indices are written.
    #[inline(always)]
    fn finish(&self, probe: &mut Probe) {
        probe.lookups = self.lookups;
        probe.bound = self.plane * self.planes as u64;
    }

    /// Moves the indices of a position in the first of the planes of its actions to those
    /// of an action. There must be a plane for every action.
    ///
    /// # Panics
    /// When the cells have no such action, or the probe is of another network.
    pub(crate) fn turn(&self, action: usize, probe: &mut Probe) {
        assert_eq!(probe.lookups, self.lookups, "a probe of another network");
        let mut last = 0;
        for (index, far) in probe.indices.iter_mut().zip(&self.turned[action]) {
            *index = index.wrapping_add(*far);
            last = last.max(*index);
        }
        // Beyond the entries where there is no such plane: then no network takes the probe.
        probe.bound = probe.bound.max(u64::from(last) + 1);
    }

    /// The indices of sixteen cells as nibbles.
    ///
    /// # Panics
    /// When the network has no such boards, or the plane is none of it.
    #[inline(always)]
    pub fn probe_word(&self, word: u64, plane: usize, probe: &mut Probe) {
        let begin = self.begin(plane);
        self.prepare(probe);
        let shuffles = self.shuffles.as_ref().expect("the network is one of words");
        shuffles.indices(word, begin, &mut probe.indices);
        self.finish(probe);
    }

    /// The indices of any cells.
    ///
    /// # Panics
    /// When there are fewer cells than the network looks at, or the plane is none of it.
    pub fn probe_cells(&self, cells: &[u8], plane: usize, probe: &mut Probe) {
        assert!(cells.len() >= self.cells, "{} cells of {}", cells.len(), self.cells);
        if self.takes_words() {
            let nibble = |word, &cell: &u8| word << 4 | u64::from(cell.min(15));
            let word = cells[..self.cells].iter().rev().fold(0, nibble);
            return self.probe_word(word, plane, probe);
        }
        let begin = self.begin(plane);
        self.prepare(probe);
        let largest = (self.values - 1) as u8;
        for (lookup, out) in self.general.iter().zip(&mut probe.indices) {
            let index = lookup.cells.iter().rev().fold(0, |index, &cell| {
                index * self.values + usize::from(cells[usize::from(cell)].min(largest))
            });
            *out = begin + lookup.begin + index as u32;
        }
        self.finish(probe);
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use ludens_core::Rng;
    use ludens_core::cells::rectangle;

    use super::*;

    fn indexer(values: usize, planes: usize, turns: Vec<Vec<u8>>) -> Indexer {
        let (cells, board, extras) = (16, 0xFFFF, 1);
        let symmetries = rectangle(4, 4, 4);
        let shape = CellShape { cells, board, values, extras, symmetries, turns };
        Indexer::new(&"4x6+re".parse().unwrap(), &shape, values, planes).unwrap()
    }

    #[test]
    fn words_and_cells_have_the_same_places() {
        let indexer = indexer(16, 3, Vec::new());
        let mut rng = Rng::new(6);
        let (mut by_word, mut by_cells) = (Probe::default(), Probe::default());
        for _ in 0..500 {
            let (word, plane) = (rng.next_u64(), rng.below(3) as usize);
            let cells: [u8; 16] = std::array::from_fn(|i| (word >> (4 * i) & 0xF) as u8);
            indexer.probe_word(word, plane, &mut by_word);
            indexer.probe_cells(&cells, plane, &mut by_cells);
            assert_eq!(by_word.indices(), by_cells.indices());
            assert!(by_word.indices().iter().all(|&index| (index as usize) < indexer.entries()));
        }
    }

    /// Places of a large network never stay under the bound of a small one.
    #[test]
    fn a_probe_that_was_not_finished_has_no_places() {
        let (large, small) = (indexer(16, 3, Vec::new()), indexer(3, 1, Vec::new()));
        let mut probe = Probe::default();
        large.probe_word(u64::MAX, 2, &mut probe);
        assert_eq!(probe.indices().len(), small.lookups());
        let word = catch_unwind(AssertUnwindSafe(|| small.probe_word(0, 0, &mut probe)));
        assert!(word.is_err() && probe.indices().is_empty());
        large.probe_word(u64::MAX, 2, &mut probe);
        let plane = catch_unwind(AssertUnwindSafe(|| small.probe_cells(&[0; 16], 1, &mut probe)));
        let all_below =
            |probe: &Probe| probe.indices().iter().all(|&index| u64::from(index) < probe.bound());
        assert!(plane.is_err() && all_below(&probe));
    }

    /// Turned to an action without a plane, a probe is one that no network takes.
    #[test]
    fn actions_without_a_plane_raise_the_bound() {
        let turns = vec![vec![0, 1, 2, 3]; 8];
        let (four, one) = (indexer(16, 4, turns.clone()), indexer(16, 1, turns));
        let mut probe = Probe::default();
        four.probe_word(7, 0, &mut probe);
        four.turn(3, &mut probe);
        assert_eq!(probe.bound(), four.entries() as u64);
        one.probe_word(7, 0, &mut probe);
        one.turn(3, &mut probe);
        assert!(probe.bound() > 3 * one.entries() as u64);
    }
}
