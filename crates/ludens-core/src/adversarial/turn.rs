//! What both two-player forms do alike: the player to move decides.

use super::{Ply, first_outcome};
use crate::game::find_outcome;
use crate::{AfterNotation, Fact, Game, Movement, Player, Sym, Symmetric, View};

/// Whose turn it is in a two-player form, with the game's own value.
#[derive(Debug)]
pub(super) enum Turn<'a, G: Game> {
    /// The first player moves in this position.
    One(&'a G),
    /// The second player chooses what follows this afterstate.
    Two(&'a G::After),
}

impl<G: AfterNotation> Turn<'_, G> {
    pub(super) fn variant(&self) -> G::Variant {
        match self {
            Turn::One(position) => position.variant(),
            Turn::Two(after) => G::after_variant(after),
        }
    }

    #[inline]
    pub(super) fn player(&self) -> Player {
        match self {
            Turn::One(_) => Player::One,
            Turn::Two(_) => Player::Two,
        }
    }

    #[inline]
    pub(super) fn is_over(&self) -> bool {
        matches!(self, Turn::One(position) if position.is_over())
    }

    pub(super) fn is_legal(&self, action: Ply<G::Action, G::Chance>) -> bool {
        match (self, action) {
            (Turn::One(position), Ply::One(action)) => position.is_legal(action),
            (Turn::Two(after), Ply::Two(chance)) => {
                find_outcome::<G>(after, |c| c == chance).is_some()
            }
            _ => false,
        }
    }

    /// An afterstate shows the score of any position after it without what that
    /// outcome paid.
    pub(super) fn score(&self) -> Option<i64> {
        match self {
            Turn::One(position) => position.score(),
            Turn::Two(after) => {
                let (next, bonus) = G::apply_outcome(after, first_outcome::<G>(after));
                next.score().map(|score| score - i64::from(bonus))
            }
        }
    }

    pub(super) fn action_text(&self, action: Ply<G::Action, G::Chance>) -> String {
        match (self, action) {
            (Turn::One(position), Ply::One(action)) => position.action_text(action),
            (Turn::Two(after), Ply::Two(chance)) => G::chance_text(after, chance),
            _ => self.wrong_player(action),
        }
    }

    pub(super) fn action_pair(&self, action: Ply<G::Action, G::Chance>) -> Option<[u8; 2]> {
        match (self, action) {
            (Turn::One(position), Ply::One(action)) => position.action_pair(action),
            _ => None,
        }
    }

    pub(super) fn action_cells(&self, action: Ply<G::Action, G::Chance>) -> Vec<usize> {
        match (self, action) {
            (Turn::One(position), Ply::One(action)) => position.action_cells(action),
            (Turn::Two(after), Ply::Two(chance)) => G::chance_cells(after, chance),
            _ => self.wrong_player(action),
        }
    }

    pub(super) fn motion(&self, action: Ply<G::Action, G::Chance>) -> Vec<Movement> {
        match (self, action) {
            (Turn::One(position), Ply::One(action)) => position.motion(action),
            (Turn::Two(after), Ply::Two(chance)) => G::chance_motion(after, chance),
            _ => self.wrong_player(action),
        }
    }

    /// The game's own view with a fact that says what is to be done.
    pub(super) fn view(&self, task: String) -> View {
        let mut view = match self {
            Turn::One(position) => position.view(),
            Turn::Two(after) => G::after_view(after),
        };
        view.facts.push(Fact::Text("to do", task));
        view
    }

    pub(super) fn map_action(
        &self,
        action: Ply<G::Action, G::Chance>,
        sym: Sym,
    ) -> Ply<G::Action, G::Chance>
    where
        G: Symmetric,
    {
        match (self, action) {
            (Turn::One(position), Ply::One(action)) => Ply::One(position.map_action(action, sym)),
            (Turn::Two(after), Ply::Two(chance)) => Ply::Two(G::map_chance(after, chance, sym)),
            _ => self.wrong_player(action),
        }
    }

    /// For actions that break the contract of [`Game`].
    #[cold]
    pub(super) fn wrong_player(&self, action: Ply<G::Action, G::Chance>) -> ! {
        panic!("{action:?} belongs to the other player: {self:?}")
    }
}

/// The smallest image of an afterstate.
pub(super) fn canonical_after<G>(after: &G::After) -> G::After
where
    G: AfterNotation + Symmetric,
    G::After: Ord,
{
    (1..G::symmetries(&G::after_variant(after)))
        .map(|sym| G::map_after(after, Sym(sym)))
        .fold(*after, |best, image| best.min(image))
}

/// Writes those methods of a trait that both forms leave to [`Turn`] or to the game; for the
/// inside of the trait's `impl`.
macro_rules! by_turn {
    (Game) => {
        fn variant(&self) -> G::Variant {
            self.turn().variant()
        }

        fn start(variant: &G::Variant, rng: &mut $crate::Rng) -> Self {
            Self::One(G::start(variant, rng))
        }

        #[inline]
        fn to_move(&self) -> $crate::Player {
            self.turn().player()
        }

        #[inline]
        fn is_over(&self) -> bool {
            self.turn().is_over()
        }

        fn score(&self) -> Option<i64> {
            self.turn().score()
        }
    };
    (Starts) => {
        fn starts(variant: &G::Variant, mut f: impl FnMut(Self, f64)) {
            G::starts(variant, |position, p| f(Self::One(position), p));
        }
    };
    (Symmetric) => {
        fn symmetries(variant: &G::Variant) -> u32 {
            G::symmetries(variant)
        }

        fn map_action(&self, action: Self::Action, sym: Sym) -> Self::Action {
            self.turn().map_action(action, sym)
        }
    };
}
pub(super) use by_turn;
