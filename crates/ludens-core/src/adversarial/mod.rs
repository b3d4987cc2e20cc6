//! Two-player forms of games with chance: a second player, who wants the first
//! one's rewards to be small, takes nature's part.
//!
//! [`Adversarial`] leaves nothing to chance: the second player names the whole
//! outcome (minimax). [`CellAdversary`] is for games where nature places tiles:
//! the kind of tile is still drawn and shown, then the second player chooses
//! where it goes (expectiminimax).
//!
//! In both forms the start position is set up as in the game itself, the first
//! player's rewards are the game's, and the game is over when the first player
//! cannot move.

mod cell;
mod notation;
#[cfg(test)]
mod tests;
mod tile;
mod turn;
mod value;

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

pub use cell::{CellAdversary, CellAfter};
pub use tile::Adversarial;
pub use value::ForTwo;

use crate::Game;
use crate::game::find_outcome;

/// The most outcomes one afterstate may have in a two-player form; more than
/// these panic.
///
/// The largest known number is that of Threes!: a bonus tile of 8 kinds (6 to
/// 768) on 4 cells with 4 next hints makes 128. In 2048 and 2584 it is two kinds
/// of tile on at most 15 cells.
pub const MAX_OUTCOMES: usize = 160;

/// An action of a two-player form.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ply<A, C> {
    /// The first player's: an action of the game.
    One(A),
    /// The second player's: an outcome that would have been nature's.
    Two(C),
}

/// The legal actions of a two-player form: those of the game, or the outcomes
/// in a buffer on the stack.
#[derive(Clone, Debug)]
pub enum Plies<G: Game> {
    /// The first player's.
    One(G::Actions),
    /// The second player's.
    Two(arrayvec::IntoIter<G::Chance, MAX_OUTCOMES>),
}

impl<G: Game> Plies<G> {
    /// The outcomes of an afterstate that `keep` accepts.
    #[inline]
    fn outcomes(after: &G::After, keep: impl Fn(G::Chance) -> bool) -> Self {
        let mut kept = ArrayVec::<G::Chance, MAX_OUTCOMES>::new();
        let _ = G::outcomes(after, |chance, _| {
            if keep(chance) {
                kept.push(chance);
            }
            ControlFlow::Continue(())
        });
        Plies::Two(kept.into_iter())
    }
}

impl<G: Game> Iterator for Plies<G> {
    type Item = Ply<G::Action, G::Chance>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Plies::One(actions) => actions.next().map(Ply::One),
            Plies::Two(outcomes) => outcomes.next().map(Ply::Two),
        }
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        match self {
            Plies::One(actions) => actions.nth(n).map(Ply::One),
            Plies::Two(outcomes) => outcomes.nth(n).map(Ply::Two),
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Plies::One(actions) => (actions.len(), Some(actions.len())),
            Plies::Two(outcomes) => (outcomes.len(), Some(outcomes.len())),
        }
    }
}

impl<G: Game> ExactSizeIterator for Plies<G> {}

/// The first outcome; the only one where nature has no choice.
#[inline]
fn first_outcome<G: Game>(after: &G::After) -> G::Chance {
    find_outcome::<G>(after, |_| true).expect("every afterstate has an outcome")
}
