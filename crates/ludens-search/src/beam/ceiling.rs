//! How much can still be had at most.

use ludens_core::{Bounded, Game};

/// What a beam knows about how much can still be had.
pub trait Ceiling<G: Game>: Clone + Send + Sync {
    /// Whether more than `missing` may still be had from a position.
    fn allows(&self, position: &G, missing: i64) -> bool;

    /// No line from a position has a larger value, if that is known.
    fn bound(&self, position: &G) -> Option<i64>;
}

/// Nothing is known: every position is kept.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unbounded;

impl<G: Game> Ceiling<G> for Unbounded {
    #[inline]
    fn allows(&self, _: &G, _: i64) -> bool {
        true
    }

    fn bound(&self, _: &G) -> Option<i64> {
        None
    }
}

/// The game's own upper bound.
#[derive(Clone, Copy, Debug, Default)]
pub struct ByBound;

impl<G: Bounded> Ceiling<G> for ByBound {
    #[inline]
    fn allows(&self, position: &G, missing: i64) -> bool {
        position.upper_bound() > missing
    }

    fn bound(&self, position: &G) -> Option<i64> {
        Some(position.upper_bound())
    }
}

/// Only that every move of the game pays -1: a line is given up once it is as long as the best one.
#[derive(Clone, Copy, Debug, Default)]
pub struct ByLength;

impl<G: Game> Ceiling<G> for ByLength {
    #[inline]
    fn allows(&self, _: &G, missing: i64) -> bool {
        missing < -1
    }

    fn bound(&self, _: &G) -> Option<i64> {
        None
    }
}
