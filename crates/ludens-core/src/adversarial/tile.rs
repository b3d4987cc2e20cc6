//! The second player names the whole outcome.

use std::ops::ControlFlow;

use super::turn::{Turn, by_turn, canonical_after};
use super::{Plies, Ply, first_outcome};
use crate::bits::mix;
use crate::game::listed_step;
use crate::{
    AfterNotation, Deterministic, Game, Position, Reward, Rng, Starts, Sym, Symmetric, ZeroSum,
    deterministic,
};

/// A game with chance in which a second player chooses among all outcomes of
/// positive probability. What an outcome pays is paid by the move that chose it.
///
/// Where nature has no choice the second player has no turn either.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Adversarial<G: Game> {
    /// The first player is to move, or the game is over.
    One(G),
    /// The second player is to choose what nature would have drawn.
    Two(G::After),
}

impl<G: Game> Adversarial<G> {
    #[inline]
    pub(super) fn turn(&self) -> Turn<'_, G> {
        match self {
            Adversarial::One(position) => Turn::One(position),
            Adversarial::Two(after) => Turn::Two(after),
        }
    }

    /// What follows the first player's move.
    #[inline]
    fn follow(after: G::After, reward: Reward) -> (Self, Reward) {
        if G::is_chance(&after) {
            (Adversarial::Two(after), reward)
        } else {
            let (next, bonus) = G::apply_outcome(&after, first_outcome::<G>(&after));
            (Adversarial::One(next), reward + bonus)
        }
    }

    /// What follows the second player's choice.
    #[inline]
    fn place(after: &G::After, chance: G::Chance) -> (Self, Reward) {
        let (next, bonus) = G::apply_outcome(after, chance);
        (Adversarial::One(next), bonus)
    }
}

impl<G: Game> Position for Adversarial<G> {
    #[inline]
    fn key(&self) -> u64 {
        match self {
            Adversarial::One(position) => position.key(),
            // Mixed once more: an afterstate may have the key of a position.
            Adversarial::Two(after) => mix(after.key()),
        }
    }
}

impl<G: AfterNotation> Game for Adversarial<G> {
    deterministic!(players: 2, variant: G::Variant, action: Ply<G::Action, G::Chance>, actions: Plies<G>);

    by_turn!(Game);

    #[inline]
    fn actions(&self) -> Plies<G> {
        match self {
            Adversarial::One(position) => Plies::One(position.actions()),
            Adversarial::Two(after) => Plies::outcomes(after, |_| true),
        }
    }

    fn is_legal(&self, action: Self::Action) -> bool {
        self.turn().is_legal(action)
    }

    #[inline]
    fn apply(&self, action: Self::Action) -> (Self, Reward) {
        match (self, action) {
            (Adversarial::One(position), Ply::One(action)) => {
                let (after, reward) = position.apply(action);
                Self::follow(after, reward)
            }
            (Adversarial::Two(after), Ply::Two(chance)) => Self::place(after, chance),
            (_, action) => self.turn().wrong_player(action),
        }
    }

    /// Outcomes go straight to `f`, without a buffer.
    #[inline]
    fn children(&self, mut f: impl FnMut(Self::Action, Self, Reward)) {
        match self {
            Adversarial::One(position) => position.children(|action, after, reward| {
                let (next, reward) = Self::follow(after, reward);
                f(Ply::One(action), next, reward);
            }),
            Adversarial::Two(after) => {
                let _ = G::outcomes(after, |chance, _| {
                    let (next, reward) = Self::place(after, chance);
                    f(Ply::Two(chance), next, reward);
                    ControlFlow::Continue(())
                });
            }
        }
    }

    #[inline]
    fn step(&self, rng: &mut Rng) -> Option<(Self::Action, Self, Reward)> {
        match self {
            Adversarial::One(position) => position.step(rng).map(|(action, after, reward)| {
                let (next, reward) = Self::follow(after, reward);
                (Ply::One(action), next, reward)
            }),
            Adversarial::Two(_) => listed_step(self, rng),
        }
    }
}

impl<G: AfterNotation> Deterministic for Adversarial<G> {}
impl<G: AfterNotation> ZeroSum for Adversarial<G> {}

impl<G: AfterNotation + Starts> Starts for Adversarial<G> {
    by_turn!(Starts);
}

impl<G: AfterNotation + Symmetric> Symmetric for Adversarial<G>
where
    G::After: Ord,
{
    by_turn!(Symmetric);

    fn map(&self, sym: Sym) -> Self {
        match self {
            Adversarial::One(position) => Adversarial::One(position.map(sym)),
            Adversarial::Two(after) => Adversarial::Two(G::map_after(after, sym)),
        }
    }

    fn map_after(after: &Self, sym: Sym) -> Self {
        after.map(sym)
    }

    fn map_chance(_: &Self, (): (), _: Sym) {}

    fn canonical(&self) -> Self {
        match self {
            Adversarial::One(position) => Adversarial::One(position.canonical()),
            Adversarial::Two(after) => Adversarial::Two(canonical_after::<G>(after)),
        }
    }
}
