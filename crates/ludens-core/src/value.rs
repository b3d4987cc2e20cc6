//! Guesses of what is still to come.

use crate::Game;

/// What an afterstate (a position, where there is no chance) is worth: the sum of the
/// rewards that are expected to follow. A learned network, or a rule of thumb.
pub trait AfterValue<G: Game> {
    /// The value of an afterstate. Never NaN.
    fn value(&mut self, after: &G::After) -> f32;

    /// Appends the values of many afterstates to `out`, in their order. Overridden where
    /// they can be looked up together.
    #[inline]
    fn values(&mut self, afters: &[G::After], out: &mut Vec<f32>) {
        out.extend(afters.iter().map(|after| self.value(after)));
    }

    /// The value of an afterstate if it is exact, so that nobody need search further.
    #[inline]
    fn known(&mut self, _after: &G::After) -> Option<f32> {
        None
    }
}

/// Nothing is known: only rewards within sight count.
impl<G: Game> AfterValue<G> for () {
    fn value(&mut self, _: &G::After) -> f32 {
        0.0
    }
}

/// Without an evaluation only rewards within sight count.
impl<G: Game, V: AfterValue<G>> AfterValue<G> for Option<V> {
    #[inline]
    fn value(&mut self, after: &G::After) -> f32 {
        self.as_mut().map_or(0.0, |value| value.value(after))
    }

    #[inline]
    fn values(&mut self, afters: &[G::After], out: &mut Vec<f32>) {
        match self {
            Some(value) => value.values(afters, out),
            None => out.resize(out.len() + afters.len(), 0.0),
        }
    }

    #[inline]
    fn known(&mut self, after: &G::After) -> Option<f32> {
        self.as_mut().and_then(|value| value.known(after))
    }
}
