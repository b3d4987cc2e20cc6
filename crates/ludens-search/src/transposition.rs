//! The transposition table: what searches have found of positions, in a table of a fixed size.

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
    Lower,
    /// The true one is not larger.
    Upper,
}

/// What a search of some depth has found of a position.
pub(crate) trait Found: Copy + Default {
    /// Whether a position may have one entry of every depth, and not only the newest.
    const BY_DEPTH: bool = false;

    /// Moves searched below.
    fn depth(&self) -> u8;
}

/// The value of a position searched to one depth, which no other depth may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct DepthValue {
    /// As bytes, so that an entry of the table fits into 16.
    value: [u8; 4],
    pub(crate) bound: Bound,
    depth: u8,
}

impl DepthValue {
    pub(crate) fn new(value: f32, bound: Bound, depth: u32) -> Self {
        DepthValue { value: value.to_ne_bytes(), bound, depth: depth.min(255) as u8 }
    }

    pub(crate) fn value(&self) -> f32 {
        f32::from_ne_bytes(self.value)
    }
}

impl Found for DepthValue {
    const BY_DEPTH: bool = true;

    fn depth(&self) -> u8 {
        self.depth
    }
}

#[derive(Clone, Copy, Default)]
struct Entry<F> {
    key: u64,
    found: F,
    /// The search that wrote it; 0 marks an empty entry.
    age: u8,
}

/// Entries by the 64-bit key of a position. A full bucket loses the entry of an older
/// search, among equals the one of the smallest depth.
pub(crate) struct TranspositionTable<F> {
    buckets: Vec<[Entry<F>; WAYS]>,
    age: u8,
}

impl<F: Found> TranspositionTable<F> {
    /// A table of at most `bytes`; none if that is less than a bucket.
    pub(crate) fn new(bytes: usize) -> Self {
        let buckets = bytes / size_of::<[Entry<F>; WAYS]>();
        // A power of two, so that a mask finds the bucket.
        let buckets = if buckets == 0 { 0 } else { 1 << buckets.ilog2() };
        let buckets = table(buckets, 0, || [Entry::default(); WAYS]);
        TranspositionTable { buckets, age: 1 }
    }

    /// Starts a new search, whose entries take precedence over those that are there.
    pub(crate) fn start(&mut self) {
        self.age = if self.age == u8::MAX { 1 } else { self.age + 1 };
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.buckets.fill([Entry::default(); WAYS]);
    }

    #[inline]
    fn index(&self, key: u64) -> usize {
        key as usize & self.buckets.len().wrapping_sub(1)
    }

    /// What is known of a position.
    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<F> {
        self.find(key, |_| true)
    }

    /// What is known of a position searched exactly this deep.
    #[inline]
    pub(crate) fn get_at(&self, key: u64, depth: u32) -> Option<F> {
        self.find(key, |found| u32::from(found.depth()) == depth)
    }

    #[inline]
    fn find(&self, key: u64, is: impl Fn(&F) -> bool) -> Option<F> {
        let bucket = self.buckets.get(self.index(key))?;
        let entry = bucket.iter().find(|e| e.key == key && e.age != 0 && is(&e.found));
        entry.map(|entry| entry.found)
    }

    /// Keeps what was found.
    #[inline]
    pub(crate) fn put(&mut self, key: u64, found: F) {
        let (index, age) = (self.index(key), self.age);
        let Some(bucket) = self.buckets.get_mut(index) else { return };
        let other = |entry: &Entry<F>| F::BY_DEPTH && entry.found.depth() != found.depth();
        let same = bucket.iter().position(|e| e.key == key && e.age != 0 && !other(e));
        let weakest = || {
            let rank = |entry: &Entry<F>| (entry.age != 0, entry.age == age, entry.found.depth());
            (0..WAYS).min_by_key(|&way| rank(&bucket[way])).expect("a bucket has entries")
        };
        bucket[same.unwrap_or_else(weakest)] = Entry { key, found, age };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One entry per position.
    #[derive(Clone, Copy, PartialEq, Debug, Default)]
    struct Newest(u8);

    impl Found for Newest {
        fn depth(&self) -> u8 {
            self.0
        }
    }

    #[test]
    fn old_and_shallow_entries_give_way() {
        let mut table = TranspositionTable::new(64);
        assert_eq!((table.buckets.len(), size_of::<Entry<DepthValue>>()), (1, 16));
        let found = |value: u64, depth: u32| DepthValue::new(value as f32, Bound::Lower, depth);
        (0..4).for_each(|key| table.put(key, found(key, 4 - key as u32)));
        table.put(9, found(9, 2));
        assert_eq!(table.get_at(3, 1), None, "the shallowest gave way");
        assert_eq!(table.get_at(9, 2), Some(found(9, 2)));
        assert_eq!(table.get_at(9, 3), None, "of another depth");
        table.start();
        table.put(10, found(10, 1));
        table.put(11, found(11, 1));
        assert!(table.get_at(10, 1).is_some() && table.get_at(11, 1).is_some(), "old ones went");
        assert_eq!(table.get_at(0, 4).map(|found| found.value()), Some(0.0));
        table.clear();
        assert_eq!(table.get(0), None);
        let mut none = TranspositionTable::new(10);
        none.put(1, found(1, 1));
        assert_eq!(none.get(1), None);
    }

    #[test]
    fn positions_have_one_entry_or_one_of_each_depth() {
        let mut newest = TranspositionTable::new(64);
        newest.put(9, Newest(2));
        newest.put(9, Newest(1));
        assert_eq!(newest.get(9), Some(Newest(1)));
        let mut each = TranspositionTable::new(64);
        (1..=2).for_each(|depth| each.put(9, DepthValue::new(0.5, Bound::Exact, depth)));
        assert!(each.get_at(9, 1).is_some() && each.get_at(9, 2).is_some());
    }
}
