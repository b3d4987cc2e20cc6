//! A hash table from positions to their places in a list kept elsewhere.

/// Places by key, open addressing. The list tells which place holds what, so
/// the table itself is one small number per slot.
#[derive(Debug, Default)]
pub(crate) struct Places {
    /// Place plus one; 0 is free. The length is a power of two.
    slots: Vec<u32>,
}

impl Places {
    /// The bytes per place of a table with room for as many as are in it.
    pub(crate) const BYTES: usize = 16;

    /// Forgets everything and makes room for `count` places at no more than half full.
    pub(crate) fn resize(&mut self, count: usize) {
        self.slots.clear();
        self.slots.resize((2 * count).next_power_of_two(), 0);
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.slots.fill(0);
    }

    /// How many places fit.
    pub(crate) fn scratch(&self) -> usize {
        self.slots.len() / 2
    }

    /// The first place of this key for which `is` holds, or the slot it would get.
    #[inline]
    pub(crate) fn find(&self, key: u64, is: impl Fn(usize) -> bool) -> Result<usize, usize> {
        let mask = self.slots.len() - 1;
        let mut slot = key as usize & mask;
        loop {
            match self.slots[slot] {
                0 => return Err(slot),
                place if is(place as usize - 1) => return Ok(place as usize - 1),
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    /// Puts a place into a free slot that [`find`](Places::find) gave.
    #[inline]
    pub(crate) fn put(&mut self, slot: usize, place: usize) {
        self.slots[slot] = place as u32 + 1;
    }

    /// Puts the places 0, 1, .. of these keys, all different, into an empty table.
    pub(crate) fn fill(&mut self, keys: &[u64]) {
        for (place, &key) in keys.iter().enumerate() {
            if let Err(slot) = self.find(key, |_| false) {
                self.put(slot, place);
            }
        }
    }
}
