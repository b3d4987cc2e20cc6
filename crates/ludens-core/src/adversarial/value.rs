//! The value of a two-player form by the values of its game.

use super::{Adversarial, CellAdversary, CellAfter};
use crate::{AfterNotation, AfterValue, Game, Spawns};

/// Values a two-player form by an evaluation of the game itself: as if what follows
/// were left to chance.
#[derive(Clone, Copy, Debug)]
pub struct ForTwo<V>(pub V);

impl<V> ForTwo<V> {
    /// The value of the best move of a position; 0 at the end.
    fn best<G: Game>(&mut self, position: &G) -> f32
    where
        V: AfterValue<G>,
    {
        let mut best = None::<f32>;
        position.children(|_, after, reward| {
            let value = reward as f32 + self.0.value(&after);
            best = Some(best.map_or(value, |most| most.max(value)));
        });
        best.unwrap_or(0.0)
    }
}

impl<G: AfterNotation, V: AfterValue<G>> AfterValue<Adversarial<G>> for ForTwo<V> {
    fn value(&mut self, after: &Adversarial<G>) -> f32 {
        match after {
            Adversarial::One(position) => self.best(position),
            Adversarial::Two(after) => self.0.value(after),
        }
    }
}

impl<G: Spawns, V: AfterValue<G>> AfterValue<CellAdversary<G>> for ForTwo<V> {
    fn value(&mut self, after: &CellAfter<G>) -> f32 {
        match after {
            CellAfter::Resolved(position) => self.best(position),
            CellAfter::Draw(after) => self.0.value(after),
        }
    }
}
