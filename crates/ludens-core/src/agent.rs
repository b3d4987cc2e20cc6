//! Players.

use crate::{Game, Rng};

/// Something that chooses moves in a game.
pub trait Agent<G: Game>: Send {
    /// Chooses a legal action in a position that is not over.
    fn choose(&mut self, position: &G, rng: &mut Rng) -> G::Action;
}

/// Chooses uniformly among the legal actions.
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomAgent;

impl<G: Game> Agent<G> for RandomAgent {
    fn choose(&mut self, position: &G, rng: &mut Rng) -> G::Action {
        position.step(rng).expect("an agent is asked only while the game goes on").0
    }
}
