//! A playout policy: a weight per move code, kept with its exponential.
//!
//! Codes that were never adapted have the weight 0 and are not stored, so the
//! table holds only what was learned and is cheap to copy from level to level.

/// A move that was there to choose.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub(super) code: u64,
    pub(super) prior: f32,
}

/// A simulation with all that its adaption needs: nothing is played again.
#[derive(Clone, Debug)]
pub(super) struct Sequence<A> {
    pub(super) value: i64,
    pub(super) line: Vec<A>,
    /// Where the choices of each move end, and which one was taken.
    pub(super) steps: Vec<(u32, u32)>,
    pub(super) choices: Vec<Choice>,
}

impl<A> Default for Sequence<A> {
    fn default() -> Self {
        Sequence { value: i64::MIN, line: Vec::new(), steps: Vec::new(), choices: Vec::new() }
    }
}

impl<A> Sequence<A> {
    pub(super) fn clear(&mut self) {
        self.value = i64::MIN;
        self.line.clear();
        self.steps.clear();
        self.choices.clear();
    }
}

/// A slot of the table. `exp` is 0 in free slots, above 0 otherwise; while a
/// sequence is adapted, a negative sign says that the weight has changed and
/// `-exp` still belongs to the old one.
#[derive(Clone, Copy, Debug)]
struct Slot {
    code: u64,
    weight: f32,
    exp: f32,
}

const FREE: Slot = Slot { code: 0, weight: 0.0, exp: 0.0 };

/// Weights by code: open addressing, at most half full.
#[derive(Debug)]
pub(super) struct Policy {
    slots: Vec<Slot>,
    used: usize,
    changed: Vec<u32>,
    /// The slots of the choices of one move.
    found: Vec<u32>,
}

impl Clone for Policy {
    fn clone(&self) -> Self {
        Policy { slots: self.slots.clone(), used: self.used, changed: vec![], found: vec![] }
    }

    /// Without allocating where the table is large enough.
    fn clone_from(&mut self, other: &Self) {
        self.slots.clone_from(&other.slots);
        self.used = other.used;
    }
}

impl Default for Policy {
    fn default() -> Self {
        Policy { slots: vec![FREE; 1 << 10], used: 0, changed: Vec::new(), found: Vec::new() }
    }
}

impl Policy {
    /// The slot of a code, or the free one where it belongs.
    #[inline]
    fn find(&self, code: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = code as usize & mask;
        loop {
            let slot = &self.slots[at];
            if slot.code == code || slot.exp == 0.0 {
                return at;
            }
            at = (at + 1) & mask;
        }
    }

    /// The exponential of a code's weight.
    #[inline]
    pub(super) fn exp(&self, code: u64) -> f32 {
        let slot = &self.slots[self.find(code)];
        if slot.exp == 0.0 { 1.0 } else { slot.exp }
    }

    /// Gets ready for more codes.
    fn reserve(&mut self, more: usize) {
        if 2 * (self.used + more) <= self.slots.len() {
            return;
        }
        let size = (2 * (self.used + more)).next_power_of_two();
        let old = std::mem::replace(&mut self.slots, vec![FREE; size]);
        for slot in old.into_iter().filter(|slot| slot.exp != 0.0) {
            let at = self.find(slot.code);
            self.slots[at] = slot;
        }
        // Changed slots have moved in the midst of an adaption.
        let slots = (0u32..).zip(&self.slots);
        self.changed.clear();
        self.changed.extend(slots.filter(|(_, slot)| slot.exp < 0.0).map(|(at, _)| at));
    }

    /// Moves the policy towards a sequence: `alpha` more for each move taken,
    /// less for each choice in proportion to its probability. Probabilities are
    /// those before any change.
    pub(super) fn adapt<A>(&mut self, sequence: &Sequence<A>, alpha: f32) {
        let mut begin = 0;
        for &(end, taken) in &sequence.steps {
            let choices = &sequence.choices[begin..end as usize];
            begin = end as usize;
            // 1. The slots of the choices and the sum of their exponentials.
            self.reserve(choices.len());
            self.found.clear();
            let mut sum = 0.0;
            for choice in choices {
                let at = self.find(choice.code);
                if self.slots[at].exp == 0.0 {
                    self.slots[at] = Slot { code: choice.code, weight: 0.0, exp: 1.0 };
                    self.used += 1;
                }
                sum += choice.prior * self.slots[at].exp.abs();
                self.found.push(at as u32);
            }
            // 2. The step along the gradient.
            let scale = alpha / sum;
            for ((index, choice), &at) in choices.iter().enumerate().zip(&self.found) {
                let slot = &mut self.slots[at as usize];
                slot.weight -= scale * choice.prior * slot.exp.abs();
                if index == taken as usize {
                    slot.weight += alpha;
                }
                if slot.exp > 0.0 {
                    slot.exp = -slot.exp;
                    self.changed.push(at);
                }
            }
        }
        // 3. One exponential per weight that changed, bounded so that sums stay finite.
        for at in self.changed.drain(..) {
            let slot = &mut self.slots[at as usize];
            slot.weight = slot.weight.clamp(-60.0, 60.0);
            slot.exp = slot.weight.exp();
        }
    }
}
