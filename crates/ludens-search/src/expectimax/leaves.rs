//! The last ply of a search: the values of all moves after all outcomes at once.
//!
//! Different outcomes often lead to the same afterstate, and so do searches of
//! neighbouring positions. A small direct-mapped cache that stays in the processor's own finds
//! them again; what is left goes to the evaluation together, so that it can fetch ahead.

use ludens_core::{AfterValue, Game, Position as _, Reward};

/// Entries of the cache, 16 bytes each.
const CACHE: usize = 1 << 14;
/// The bits of a value that waits for the evaluation: not a number, with its index.
const WAITING: u32 = 0x7FC0_0000;
const INDEX: u32 = 0x003F_FFFF;

#[derive(Clone, Copy)]
struct Cached {
    key: u64,
    value: f32,
}

/// The moves after the outcomes of one afterstate.
pub(super) struct Leaves<G: Game> {
    cache: Vec<Cached>,
    /// Outcomes: probability, what nature pays, and where their moves end.
    outcomes: Vec<(f64, Reward, u32)>,
    /// Moves: what they pay, and the value of the afterstate or its index in `missing`.
    moves: Vec<(f32, f32)>,
    /// Afterstates that the cache does not have, with their keys.
    missing: Vec<G::After>,
    keys: Vec<u64>,
    values: Vec<f32>,
}

impl<G: Game> Leaves<G> {
    pub(super) fn new() -> Self {
        Leaves {
            cache: Vec::new(),
            outcomes: Vec::new(),
            moves: Vec::new(),
            missing: Vec::new(),
            keys: Vec::new(),
            values: Vec::new(),
        }
    }

    /// Gets ready for the outcomes of another afterstate.
    #[inline]
    pub(super) fn clear(&mut self) {
        if self.cache.is_empty() {
            // No key is where it would have to be, so that nothing is found at first.
            self.cache = vec![Cached { key: u64::MAX, value: 0.0 }; CACHE];
            self.cache[u64::MAX as usize & (CACHE - 1)].key = 0;
        }
        self.outcomes.clear();
        self.moves.clear();
        self.missing.clear();
        self.keys.clear();
    }

    /// Adds an outcome with all moves after it.
    #[inline]
    pub(super) fn outcome(&mut self, p: f64, bonus: Reward, position: &G) {
        position.children(|_, after, reward| {
            let key = after.key();
            let cached = &mut self.cache[key as usize & (CACHE - 1)];
            if cached.key != key {
                let index = self.missing.len() as u32;
                debug_assert!(index <= INDEX);
                *cached = Cached { key, value: f32::from_bits(WAITING | index) };
                self.missing.push(after);
                self.keys.push(key);
            }
            self.moves.push((reward as f32, cached.value));
        });
        self.outcomes.push((p, bonus, self.moves.len() as u32));
    }

    /// Moves and outcomes, for counting.
    pub(super) fn nodes(&self) -> u64 {
        (self.outcomes.len() + self.moves.len()) as u64
    }

    /// The mean over the outcomes of the value of the best move after them, which is
    /// nothing where there is none. Values are at least `least`; a move pays `step` besides.
    #[inline]
    pub(super) fn mean<V: AfterValue<G>>(&mut self, value: &mut V, least: f32, step: f32) -> f32 {
        self.values.clear();
        value.values(&self.missing, &mut self.values);
        for (&key, &value) in self.keys.iter().zip(&self.values) {
            let cached = &mut self.cache[key as usize & (CACHE - 1)];
            // Another afterstate may have taken the entry meanwhile.
            if cached.key == key {
                cached.value = value;
            }
        }
        let (mut mean, mut begin) = (0.0, 0);
        for &(p, bonus, end) in &self.outcomes {
            let moves = &self.moves[begin..end as usize];
            begin = end as usize;
            let mut best = f32::NEG_INFINITY;
            for &(reward, value) in moves {
                let value = match value.is_nan() {
                    true => self.values[(value.to_bits() & INDEX) as usize],
                    false => value,
                };
                best = best.max(reward + step + value.max(least));
            }
            let best = if moves.is_empty() { 0.0 } else { best };
            mean += p * f64::from(bonus as f32 + best);
        }
        mean as f32
    }
}
