//! Rules of thumb for games with winners.

use crate::Duel;

/// The largest static evaluation: whatever it says, a position is not known to be won.
pub const MAX_STATIC_EVAL: i32 = 10_000;

/// Judges positions of a game without looking ahead.
pub trait StaticEvaluator<G: Duel>: Send {
    /// How good a position that is not over looks to the player to move: 0 is even, and
    /// about 500 is nearly won; never beyond [`MAX_STATIC_EVAL`] either way.
    fn static_eval(&self, position: &G) -> i32;

    /// How promising a move looks before anything was searched. Only the order matters.
    fn hint(&self, _position: &G, _action: G::Action) -> i32 {
        0
    }
}

/// Nothing is known: only ends of the game count.
impl<G: Duel> StaticEvaluator<G> for () {
    fn static_eval(&self, _: &G) -> i32 {
        0
    }
}

/// A game with a static evaluation of its own.
pub trait StaticEval: Duel {
    /// See [`StaticEvaluator::static_eval`].
    fn static_eval(&self) -> i32;

    /// See [`StaticEvaluator::hint`].
    fn hint(&self, _action: Self::Action) -> i32 {
        0
    }
}

/// The game's own static evaluation.
#[derive(Clone, Copy, Debug, Default)]
pub struct GameStaticEval;

impl<G: StaticEval> StaticEvaluator<G> for GameStaticEval {
    #[inline]
    fn static_eval(&self, position: &G) -> i32 {
        position.static_eval().clamp(-MAX_STATIC_EVAL, MAX_STATIC_EVAL)
    }

    #[inline]
    fn hint(&self, position: &G, action: G::Action) -> i32 {
        position.hint(action)
    }
}
