//! Rules of thumb for games with winners.

use crate::Duel;

/// The largest appraisal: whatever a rule of thumb says, a position is not known to be won.
pub const MOST_APPRAISED: i32 = 10_000;

/// Judges positions of a game without looking ahead.
pub trait Appraisal<G: Duel>: Send {
    /// How good a position that is not over looks to the player to move: 0 is even, and
    /// about 500 is nearly won; never beyond [`MOST_APPRAISED`] either way.
    fn appraise(&self, position: &G) -> i32;

    /// How promising a move looks before anything was searched. Only the order matters.
    fn hint(&self, _position: &G, _action: G::Action) -> i32 {
        0
    }
}

/// Nothing is known: only ends of the game count.
impl<G: Duel> Appraisal<G> for () {
    fn appraise(&self, _: &G) -> i32 {
        0
    }
}

/// A game with a rule of thumb of its own.
pub trait Appraised: Duel {
    /// See [`Appraisal::appraise`].
    fn appraise(&self) -> i32;

    /// See [`Appraisal::hint`].
    fn hint(&self, _action: Self::Action) -> i32 {
        0
    }
}

/// The game's own rule of thumb.
#[derive(Clone, Copy, Debug, Default)]
pub struct OwnAppraisal;

impl<G: Appraised> Appraisal<G> for OwnAppraisal {
    #[inline]
    fn appraise(&self, position: &G) -> i32 {
        position.appraise().clamp(-MOST_APPRAISED, MOST_APPRAISED)
    }

    #[inline]
    fn hint(&self, position: &G, action: G::Action) -> i32 {
        position.hint(action)
    }
}
