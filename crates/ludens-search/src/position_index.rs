//! A hash index: from positions to where they are in a list kept elsewhere.

use std::collections::TryReserveError;

/// Indices by key, open addressing. The list says which index holds what, so
/// the table itself is one small number per slot.
#[derive(Debug, Default)]
pub(crate) struct PositionIndex {
    /// Index plus one; 0 is free. The length is a power of two.
    slots: Vec<u32>,
}

impl PositionIndex {
    /// The bytes per entry of a table with as many as fit.
    pub(crate) const BYTES: usize = 16;

    /// Forgets everything and gets ready for `count` entries at no more than half full.
    ///
    /// # Errors
    /// Where memory is short; then nothing fits.
    pub(crate) fn resize(&mut self, count: usize) -> Result<(), TryReserveError> {
        self.slots.clear();
        let slots = (2 * count).next_power_of_two();
        self.slots.try_reserve_exact(slots)?;
        self.slots.resize(slots, 0);
        Ok(())
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.slots.fill(0);
    }

    /// How many entries fit.
    pub(crate) fn capacity(&self) -> usize {
        self.slots.len() / 2
    }

    /// The first index of this key for which `is` holds, or the slot it would get.
    #[inline]
    pub(crate) fn find(&self, key: u64, is: impl Fn(usize) -> bool) -> Result<usize, usize> {
        let mask = self.slots.len() - 1;
        let mut slot = key as usize & mask;
        loop {
            match self.slots[slot] {
                0 => return Err(slot),
                index if is(index as usize - 1) => return Ok(index as usize - 1),
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    /// Puts an index into a free slot that [`find`](PositionIndex::find) gave.
    #[inline]
    pub(crate) fn put(&mut self, slot: usize, index: usize) {
        self.slots[slot] = index as u32 + 1;
    }

    /// Puts the indices 0, 1, .. of these keys, all different, into an empty table.
    pub(crate) fn fill(&mut self, keys: &[u64]) {
        for (index, &key) in keys.iter().enumerate() {
            if let Err(slot) = self.find(key, |_| false) {
                self.put(slot, index);
            }
        }
    }
}
