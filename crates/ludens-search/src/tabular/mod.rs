//! Small games with chance solved completely: the value of every reachable position and
//! afterstate.
//!
//! [`retrograde`] walks the whole game depth first and values a position once all that
//! follows it is valued; it needs only the table itself. [`Model`] writes the transitions
//! down, for value iteration and policy iteration. All three give an [`ExactTable`]. The game
//! must end: no position may come back.
//!
//! Images of a position under the game's symmetries share an entry. An entry is known by
//! the position's 64-bit key alone; among a hundred million entries the chance that any
//! two meet is below one in a thousand.
//!
//! - R. Bellman, Dynamic programming, 1957.
//! - R. Howard, Dynamic programming and Markov processes, 1960.
//! - H. Guei, On reinforcement learning for the game of 2048, dissertation, 2023, ch. 5.4.3.

mod endgame;
#[cfg(feature = "files")]
mod file;
mod model;
mod retrograde;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use ludens_core::{Position as _, Sym, Symmetric};

pub use endgame::Endgame;
#[cfg(feature = "files")]
pub use file::FileError;
pub use model::{Model, Solved};
pub use retrograde::{memory_of, retrograde};

/// What is still to come for a player who maximises the expectation.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ExactValue {
    /// On average.
    pub expected: f64,
    /// With the best luck.
    pub best: i32,
    /// With the worst.
    pub worst: i32,
}

impl ExactValue {
    /// The value before a reward that comes first.
    fn after(self, reward: i32) -> ExactValue {
        ExactValue {
            expected: self.expected + f64::from(reward),
            best: self.best + reward,
            worst: self.worst + reward,
        }
    }

    /// Whether a move of this value is to be preferred; moves whose difference is within
    /// rounding are equals.
    fn beats(self, other: ExactValue) -> bool {
        self.expected > other.expected + 1e-9 * other.expected.abs().max(1.0)
    }
}

/// Why a game was not solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unsolved {
    /// It has more positions than the memory holds.
    TooLarge {
        /// Positions and afterstates that were found until then.
        found: u64,
        /// The bytes that were allowed.
        memory: usize,
        /// The bytes that the next step would have taken: the whole game takes at least these.
        needed: usize,
    },
    /// It was stopped from outside.
    Stopped,
}

impl std::fmt::Display for Unsolved {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unsolved::TooLarge { found, memory, needed } => write!(
                f,
                "the game has more positions than {} MiB hold: {found} were found, and at least \
                 {} MiB are needed; allow more with --memory, or take a smaller board",
                memory >> 20,
                needed.div_ceil(1 << 20)
            ),
            Unsolved::Stopped => f.write_str("stopped before the game was solved"),
        }
    }
}

impl std::error::Error for Unsolved {}

/// Keys are mixed already.
#[derive(Clone, Default)]
struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("only keys are hashed");
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// Something by key.
type ByKey<T> = HashMap<u64, T, BuildHasherDefault<Mixed>>;

/// The values of a whole game.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ExactTable {
    states: ByKey<ExactValue>,
    afters: ByKey<ExactValue>,
    /// With all images counted.
    positions: u64,
    afterstates: u64,
    start: f64,
}

impl ExactTable {
    /// The value of a position; `None` when no play from a start leads to it.
    pub fn state<G: Symmetric>(&self, position: &G) -> Option<ExactValue> {
        self.states.get(&state_key(position).key).copied()
    }

    /// The value of an afterstate; `None` when no play from a start leads to it.
    pub fn after<G: Symmetric>(
        &self,
        variant: &G::Variant,
        after: &G::After,
    ) -> Option<ExactValue> {
        self.afters.get(&after_key::<G>(G::symmetries(variant), after).key).copied()
    }

    /// The number of reachable positions, finished ones included.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// The number of reachable afterstates.
    pub fn afterstates(&self) -> u64 {
        self.afterstates
    }

    /// The expected score of a game from its random start, with what the start
    /// itself counts.
    pub fn start(&self) -> f64 {
        self.start
    }
}

/// The key that all images of something share.
#[derive(Clone, Copy)]
struct Shared {
    key: u64,
    /// How many different images there are.
    images: u32,
}

impl Shared {
    fn of(count: u32, image: impl Fn(Sym) -> u64) -> Shared {
        let key = image(Sym::IDENTITY);
        let (mut least, mut same) = (key, 1);
        for sym in 1..count {
            let other = image(Sym(sym));
            least = least.min(other);
            same += u32::from(other == key);
        }
        // Every image is met equally often.
        Shared { key: least, images: count / same }
    }
}

fn state_key<G: Symmetric>(position: &G) -> Shared {
    Shared::of(G::symmetries(&position.variant()), |sym| match sym {
        Sym::IDENTITY => position.key(),
        _ => position.map(sym).key(),
    })
}

fn after_key<G: Symmetric>(symmetries: u32, after: &G::After) -> Shared {
    Shared::of(symmetries, |sym| match sym {
        Sym::IDENTITY => after.key(),
        _ => G::map_after(after, sym).key(),
    })
}

/// The start positions, each image once, with their probabilities; `None` when there are
/// more than `most`.
fn starts<G: Symmetric + ludens_core::Starts>(
    variant: &G::Variant,
    most: usize,
) -> Option<Vec<(G, f64)>> {
    let mut indices: ByKey<usize> = ByKey::default();
    let (mut found, mut fits) = (Vec::<(G, f64)>::new(), true);
    G::starts(variant, |position, p| {
        if !fits {
            return;
        }
        let index = *indices.entry(state_key(&position).key).or_insert(found.len());
        match found.get_mut(index) {
            Some(known) => known.1 += p,
            None => found.push((position, p)),
        }
        fits = found.len() <= most;
    });
    fits.then_some(found)
}
