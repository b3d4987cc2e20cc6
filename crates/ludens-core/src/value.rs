//! Values: whose they are, and guesses of what is still to come.

use std::ops::Neg;

use crate::{Game, Player};

/// A value as player one sees it, as rewards are.
///
/// ```
/// use ludens_core::{Abs, Player, Pov};
/// assert_eq!(Abs(0.5).pov(Player::One), Pov(0.5));
/// assert_eq!(Abs(0.5).pov(Player::Two), Pov(-0.5));
/// assert_eq!(Pov(-0.5).abs(Player::Two), Abs(0.5));
/// ```
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug, Default)]
pub struct Abs<T = f32>(pub T);

/// A value as one of the players sees it: the player to move unless it is said whose.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug, Default)]
pub struct Pov<T = f32>(pub T);

impl<T: Neg<Output = T>> Abs<T> {
    /// The same value as a player sees it.
    #[inline]
    pub fn pov(self, player: Player) -> Pov<T> {
        match player {
            Player::One => Pov(self.0),
            Player::Two => Pov(-self.0),
        }
    }
}

impl<T: Neg<Output = T>> Pov<T> {
    /// The same value as player one sees it, where this is a player's.
    #[inline]
    pub fn abs(self, player: Player) -> Abs<T> {
        match player {
            Player::One => Abs(self.0),
            Player::Two => Abs(-self.0),
        }
    }

    /// The value of one player as another one sees it, who may be the same.
    ///
    /// ```
    /// use ludens_core::{Player, Pov};
    /// assert_eq!(Pov(1).seen_by(Player::One, Player::Two), Pov(-1));
    /// assert_eq!(Pov(1).seen_by(Player::Two, Player::Two), Pov(1));
    /// ```
    #[inline]
    #[must_use]
    pub fn seen_by(self, player: Player, other: Player) -> Pov<T> {
        if player == other { self } else { Pov(-self.0) }
    }
}

/// The value of an afterstate (a position, where there is no chance): the sum of the
/// rewards that are expected to follow. A learned network, or a static evaluation.
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
