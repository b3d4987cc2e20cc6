//! Guesses of what is still to come.

use crate::Game;

/// What an afterstate (a position, where there is no chance) is worth: the sum of the
/// rewards that are expected to follow. A learned network, or a rule of thumb.
pub trait AfterValue<G: Game> {
    /// The value of an afterstate. Never NaN.
    fn value(&mut self, after: &G::After) -> f32;
}

/// Nothing is known: only rewards within sight count.
impl<G: Game> AfterValue<G> for () {
    fn value(&mut self, _: &G::After) -> f32 {
        0.0
    }
}
