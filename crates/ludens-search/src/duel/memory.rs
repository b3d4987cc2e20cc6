//! What a search of a duel has found, in a table of a fixed size.

use ludens_core::memory::table;

/// Entries of a bucket: one cache line.
const WAYS: usize = 4;

/// What a value says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Bound {
    /// It is the true one.
    #[default]
    Exact,
    /// The true one is not smaller.
    Least,
    /// The true one is not larger.
    Most,
}

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Found {
    /// Its value to the player to move, ends of the game counted from there.
    pub(super) value: i16,
    /// The number of the best move in the game's order.
    pub(super) best: u16,
    /// Moves searched below, or [`COMPLETE`].
    pub(super) depth: u8,
    /// What the value says.
    pub(super) bound: Bound,
}

/// The depth of what no rule of thumb had a say in: it holds for any depth.
pub(super) const COMPLETE: u8 = u8::MAX;

/// Something found by a search of some depth.
pub(super) trait Kept: Copy + Default {
    /// Moves searched below.
    fn depth(&self) -> u8;
}

impl Kept for Found {
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
/// search, among equals the one of the fewest moves.
pub(super) struct Memory<F> {
    buckets: Vec<[Entry<F>; WAYS]>,
    age: u8,
}

impl<F: Kept> Memory<F> {
    /// A table of at most so many bytes; none if that is less than a bucket.
    pub(super) fn new(bytes: usize) -> Self {
        let buckets = bytes / size_of::<[Entry<F>; WAYS]>();
        // A power of two, so that a mask finds the bucket.
        let buckets = if buckets == 0 { 0 } else { 1 << buckets.ilog2() };
        Memory { buckets: table(buckets, 0, || [Entry::default(); WAYS]), age: 1 }
    }

    /// Tells that a new search begins: what it writes is worth more than what is there.
    pub(super) fn begin(&mut self) {
        self.age = if self.age == u8::MAX { 1 } else { self.age + 1 };
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.buckets.fill([Entry::default(); WAYS]);
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        key as usize & self.buckets.len().wrapping_sub(1)
    }

    /// What is known of a position.
    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<F> {
        let bucket = self.buckets.get(self.place(key))?;
        bucket.iter().find(|e| e.key == key && e.age != 0).map(|entry| entry.found)
    }

    /// Keeps what was found.
    #[inline]
    pub(super) fn put(&mut self, key: u64, found: F) {
        let (place, age) = (self.place(key), self.age);
        let Some(bucket) = self.buckets.get_mut(place) else { return };
        let same = bucket.iter().position(|entry| entry.key == key && entry.age != 0);
        let weakest = || {
            let worth = |entry: &Entry<F>| (entry.age != 0, entry.age == age, entry.found.depth());
            (0..WAYS).min_by_key(|&way| worth(&bucket[way])).expect("a bucket has entries")
        };
        bucket[same.unwrap_or_else(weakest)] = Entry { key, found, age };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_and_shallow_entries_give_way() {
        let mut memory = Memory::new(64);
        let found = |depth: u8| Found { depth, ..Found::default() };
        (0..4).for_each(|key| memory.put(key, found(4 - key as u8)));
        memory.put(9, found(2));
        assert_eq!((memory.get(3), memory.get(9)), (None, Some(found(2))), "the shallowest went");
        memory.put(9, found(1));
        assert_eq!(memory.get(9), Some(found(1)), "the newest of a position stays");
        memory.begin();
        memory.put(10, found(1));
        memory.put(11, found(1));
        assert!(memory.get(10).is_some() && memory.get(11).is_some() && memory.get(0).is_some());
        memory.clear();
        assert_eq!(memory.get(0), None);
        let mut none = Memory::<Found>::new(10);
        none.put(1, found(1));
        assert_eq!(none.get(1), None);
    }
}
