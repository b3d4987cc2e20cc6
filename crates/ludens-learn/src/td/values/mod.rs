//! What a run learns the value of, and how it plays by it.
//!
//! An episode asks its [`ValueFunction`] for the values of moves, and the updater where the value of a
//! turn is kept and what targets take for it.

mod actions;
mod afterstates;
mod positions;
mod searched;

use ludens_core::{Game, Rng};
use ludens_ntuple::Probe;

use super::episode::{Child, Step};

pub(super) use actions::Actions;
pub(super) use afterstates::Afterstates;
pub(super) use positions::Positions;
pub(super) use searched::Searched;

/// How a kind of value is used and learned. One per thread.
pub(super) trait ValueFunction<G: Game> {
    /// What is known of a move besides where it leads.
    type Note: Copy;
    /// What a turn keeps for learning besides its afterstate.
    type Item: Copy;

    /// Whether what has the value comes before the move of its turn: then the reward of the
    /// move is part of the value.
    const BEFORE: bool;

    /// What is to be kept of a move.
    fn note(position: &G, action: G::Action) -> Self::Note;

    /// Asks for what [`weigh`](ValueFunction::weigh) will need.
    fn prepare(&mut self, children: &mut [Child<G, Self::Note>]);

    /// Sets the value of every move, its reward included; there is at least one. The
    /// number of the one to make.
    fn weigh(
        &mut self,
        position: &G,
        children: &mut [Child<G, Self::Note>],
        rng: &mut Rng,
    ) -> usize;

    /// What is kept of the turn in which a move is made; `bonus` is what nature paid before.
    fn item(position: &G, child: &Child<G, Self::Note>, bonus: f32) -> Self::Item;

    /// The entries of a turn's value.
    fn probe(&self, step: &Step<G, Self::Item>, probe: &mut Probe);

    /// What targets take for a turn.
    fn value(&mut self, step: &Step<G, Self::Item>) -> f32;

    /// The same right after the turn's value became `learned`.
    fn learned(&mut self, step: &Step<G, Self::Item>, learned: f32) -> f32;
}

/// The first of the moves of the largest value.
#[inline(always)]
fn best<G: Game, N>(children: &[Child<G, N>]) -> usize {
    let mut best = 0;
    for (i, child) in children.iter().enumerate().skip(1) {
        if child.value > children[best].value {
            best = i;
        }
    }
    best
}
