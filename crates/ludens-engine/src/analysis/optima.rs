//! What has been proven of the fewest moves from positions, for whoever asks next.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// Between which numbers the fewest moves to the end lie, by proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Optimum {
    /// No line is shorter.
    pub(crate) low: u32,
    /// There is a line of this many moves.
    pub(crate) high: u32,
}

impl Optimum {
    /// Nothing is known.
    pub(crate) const UNKNOWN: Optimum = Optimum { low: 0, high: u32::MAX };

    /// Whether the number is known.
    pub(crate) fn is_proven(self) -> bool {
        self.low == self.high
    }

    /// What both say together.
    pub(crate) fn and(self, other: Optimum) -> Optimum {
        Optimum { low: self.low.max(other.low), high: self.high.min(other.high) }
    }
}

/// What was proven, by position. Of a full half the older one is forgotten.
///
/// Requests of one game ask about positions that follow on each other: what was proven of one is
/// most of what the next one needs.
pub(crate) struct Optima {
    halves: Mutex<[HashMap<String, Optimum>; 2]>,
    /// Positions of each half at most.
    capacity: usize,
}

impl Optima {
    /// An empty memory of at most `most` positions.
    pub(crate) fn new(capacity: usize) -> Self {
        Optima { halves: Mutex::default(), capacity: (capacity / 2).max(1) }
    }

    /// The memory of this process: some 10 MB when it is full.
    pub(crate) fn shared() -> &'static Optima {
        const CAPACITY: usize = 1 << 16;
        static SHARED: OnceLock<Optima> = OnceLock::new();
        SHARED.get_or_init(|| Optima::new(CAPACITY))
    }

    /// What is known of a position, by its game and text.
    pub(crate) fn get(&self, position: &str) -> Optimum {
        let halves = self.lock();
        let found = halves.iter().filter_map(|half| half.get(position));
        found.fold(Optimum::UNKNOWN, |all, &one| all.and(one))
    }

    /// Adds what was proven of a position.
    pub(crate) fn note(&self, position: String, found: Optimum) {
        let mut halves = self.lock();
        if halves[0].len() >= self.capacity {
            halves.swap(0, 1);
            halves[0].clear();
        }
        let known = halves[0].entry(position).or_insert(Optimum::UNKNOWN);
        *known = known.and(found);
    }

    fn lock(&self) -> MutexGuard<'_, [HashMap<String, Optimum>; 2]> {
        // What others left behind is whole: entries only get better.
        self.halves.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_adds_up_and_the_oldest_is_forgotten() {
        let optima = Optima::new(4);
        optima.note("a".to_owned(), Optimum { low: 3, high: 9 });
        optima.note("a".to_owned(), Optimum { low: 2, high: 5 });
        assert_eq!(optima.get("a"), Optimum { low: 3, high: 5 });
        assert_eq!(optima.get("b"), Optimum::UNKNOWN);
        for name in ["b", "c", "d"] {
            optima.note(name.to_owned(), Optimum { low: 1, high: 1 });
        }
        assert!(optima.get("a").low == 3 && optima.get("d").is_proven());
        optima.note("e".to_owned(), Optimum::UNKNOWN);
        assert_eq!(optima.get("a"), Optimum::UNKNOWN);
    }
}
