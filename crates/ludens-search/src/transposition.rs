//! A table of what searches have found, of a fixed size.

use ludens_core::memory::table;

/// Entries of a bucket: one cache line.
const WAYS: usize = 4;

/// What a value says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Bound {
    /// It is the true one.
    #[default]
    Exact,
    /// The true one is not smaller.
    Least,
    /// The true one is not larger.
    Most,
}

#[derive(Clone, Copy, Default)]
struct Entry {
    key: u64,
    value: f32,
    bound: Bound,
    /// Moves searched below; 0 marks an empty entry.
    moves: u8,
    /// The search that wrote it.
    age: u8,
}

/// Values by the 64-bit key of a position and the moves searched below it. A full bucket
/// loses the entry of the oldest search, among those the one of the fewest moves.
pub(crate) struct Transpositions {
    buckets: Vec<[Entry; WAYS]>,
    age: u8,
}

impl Transpositions {
    /// A table of at most so many bytes; none if that is less than a bucket.
    pub(crate) fn new(memory: usize) -> Self {
        let buckets = memory / size_of::<[Entry; WAYS]>();
        // A power of two, so that a mask finds the bucket.
        let buckets = if buckets == 0 { 0 } else { 1 << buckets.ilog2() };
        Transpositions { buckets: table(buckets, 0, || [Entry::default(); WAYS]), age: 0 }
    }

    /// Tells that a new search begins: what it writes is worth more than what is there.
    pub(crate) fn begin(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        key as usize & self.buckets.len().wrapping_sub(1)
    }

    /// What is known of a position searched exactly so many moves deep, at least 1.
    #[inline]
    pub(crate) fn get(&self, key: u64, moves: u32) -> Option<(f32, Bound)> {
        let bucket = self.buckets.get(self.place(key))?;
        let found = |entry: &&Entry| entry.key == key && u32::from(entry.moves) == moves;
        bucket.iter().find(found).map(|entry| (entry.value, entry.bound))
    }

    /// Keeps a value.
    #[inline]
    pub(crate) fn put(&mut self, key: u64, moves: u32, value: f32, bound: Bound) {
        let (place, age) = (self.place(key), self.age);
        let Some(bucket) = self.buckets.get_mut(place) else { return };
        let moves = moves.min(255) as u8;
        let same = bucket.iter().position(|entry| entry.key == key && entry.moves == moves);
        let weakest = || {
            let worth = |entry: &Entry| (entry.moves > 0, entry.age == age, entry.moves);
            (0..WAYS).min_by_key(|&way| worth(&bucket[way])).expect("a bucket has entries")
        };
        bucket[same.unwrap_or_else(weakest)] = Entry { key, value, bound, moves, age };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_and_shallow_entries_give_way() {
        let mut table = Transpositions::new(64);
        assert_eq!(table.buckets.len(), 1);
        for key in 0..4 {
            table.put(key, 4 - key as u32, key as f32, Bound::Exact);
        }
        table.put(9, 2, 9.0, Bound::Least);
        assert_eq!(table.get(3, 1), None, "the shallowest gave way");
        assert_eq!(table.get(9, 2), Some((9.0, Bound::Least)));
        assert_eq!(table.get(9, 3), None, "of another depth");
        table.begin();
        table.put(10, 1, 10.0, Bound::Exact);
        table.put(11, 1, 11.0, Bound::Exact);
        assert!(table.get(10, 1).is_some() && table.get(11, 1).is_some(), "old ones gave way");
        assert_eq!(table.get(0, 4), Some((0.0, Bound::Exact)));
        let mut none = Transpositions::new(10);
        none.put(1, 1, 1.0, Bound::Exact);
        assert_eq!(none.get(1, 1), None);
    }
}
