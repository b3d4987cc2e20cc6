//! Which moves have cut off searches elsewhere: killers and history.

use std::hash::{Hash, Hasher};

use ludens_core::Player;

/// Slots of the history table, a power of two.
const SLOTS: usize = 4096;

/// What is remembered of moves that made all others needless.
pub(super) struct MoveOrder<A> {
    /// The last two by ply.
    killers: Vec<[Option<A>; 2]>,
    /// The sum of squared depths by player and action.
    history: Vec<i32>,
}

impl<A: Copy + Eq + Hash> MoveOrder<A> {
    /// Nothing remembered, for searches up to a depth.
    pub(super) fn new(deepest: u32) -> Self {
        let killers = vec![[None; 2]; deepest as usize + 1];
        MoveOrder { killers, history: vec![0; SLOTS] }
    }

    /// Starts another search: what the one before found counts less.
    pub(super) fn start(&mut self) {
        self.killers.fill([None; 2]);
        self.history.iter_mut().for_each(|slot| *slot /= 8);
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.killers.fill([None; 2]);
        self.history.fill(0);
    }

    /// How often and how deep an action has cut off.
    #[inline]
    pub(super) fn history(&self, player: Player, action: A) -> i32 {
        self.history[slot(player, &action)]
    }

    /// Whether an action has cut off at the same ply.
    #[inline]
    pub(super) fn is_killer(&self, action: A, ply: u32) -> bool {
        self.killers[ply as usize].contains(&Some(action))
    }

    /// Remembers an action that cut off.
    pub(super) fn cut_off(&mut self, player: Player, action: A, depth: u32, ply: u32) {
        let [first, second] = &mut self.killers[ply as usize];
        if *first != Some(action) {
            *second = first.replace(action);
        }
        let slot = &mut self.history[slot(player, &action)];
        *slot = (*slot + (depth * depth) as i32).min(1 << 18);
    }
}

/// The index of a player's action in the history table.
#[inline]
fn slot<A: Hash>(player: Player, action: &A) -> usize {
    /// A hasher for a few words, quick and the same everywhere.
    struct Quick(u64);
    impl Hasher for Quick {
        fn finish(&self) -> u64 {
            self.0
        }
        fn write(&mut self, bytes: &[u8]) {
            for chunk in bytes.chunks(8) {
                let mut word = [0; 8];
                word[..chunk.len()].copy_from_slice(chunk);
                self.0 = (self.0 ^ u64::from_le_bytes(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            }
        }
    }
    let mut hasher = Quick(player.index() as u64 + 1);
    action.hash(&mut hasher);
    (hasher.finish() >> 52) as usize & (SLOTS - 1)
}
