//! Games as environments see them: numbered actions, masks, observations.
//!
//! An [`Environment`] is static, for the loops of [`crate::vector`]. A [`State`] is one position
//! of any game behind a trait object, nature's turns included.
//!
//! | game | number of an action |
//! |---|---|
//! | Former | the lowest cell of the group: `rows * column + row`, rows from the bottom |
//! | SameGame | the same |
//! | Morpion Solitaire | `(((new * 4) + direction) * 32 + word) * 32 + first`, see `morpion::Line` |
//! | 2048, 2584, Threes! | up 0, right 1, down 2, left 3 |
//! | Sevn | `colour * 2^base + mask` over the tiles of the colour still on the board, row by row |
//! | Connect Four | the column from the left |
//! | Othello | `8 * row + column` from the top left; 64 passes |
//! | Togyzkumalak | the pit of the player to move, from the left |
//! | `adversary=cell` | player one as alone; player two 4 + the cell, row by row |
//! | `adversary=tile` | player one as alone; player two 4 + the outcome's number, see [`Tiles`] |

/// Implements the numbers of a game with [`FixedActions`].
macro_rules! fixed_numbers {
    () => {
        #[inline]
        fn action_count(variant: &Self::Variant) -> usize {
            <Self as FixedActions>::action_space(variant)
        }

        #[inline]
        fn number(&self, action: Self::Action) -> usize {
            self.action_index(action)
        }

        #[inline]
        fn numbered(&self, number: usize) -> Option<Self::Action> {
            fixed(self, number)
        }
    };
}

mod planes;
mod state;
mod tiles;

use ludens_core::{FixedActions, Game, Notation, Reward, Symmetric};
use ludens_games::{ConnectFour, Former, Morpion, Othello, SameGame, Sevn, Togyzkumalak};
use ludens_nn::{
    ConnectFourCells, Encoder, FormerCells, OthelloCells, SevnCells, TogyzkumalakPits,
};

pub use state::{Node, State};
pub use tiles::Tiles;

/// A game with numbered actions and observations.
///
/// Numbers and observations of a variant never change within a major version of Ludens.
pub trait Environment: Notation + Symmetric {
    /// How many numbers of actions a variant has.
    fn action_count(variant: &Self::Variant) -> usize;

    /// The number of a legal action.
    fn number(&self, action: Self::Action) -> usize;

    /// The legal action of a number; `None` where it is not legal here.
    fn numbered(&self, number: usize) -> Option<Self::Action>;

    /// Rows, columns and planes of an observation.
    fn shape(variant: &Self::Variant) -> [usize; 3];

    /// Writes what the player to move sees: the planes of a cell together, row after row from
    /// the top. Every number is from 0 to 1. `out` is all 0 before.
    fn observe(&self, out: &mut [f32]);

    /// What the player to move gets for an illegal action where that loses: no more than any
    /// way to play on would have paid.
    fn forfeit(&self) -> Reward {
        -1
    }

    /// Marks the legal actions with 1. `out` is all 0 before.
    #[inline]
    fn mask(&self, out: &mut [i8]) {
        for action in self.actions() {
            out[self.number(action)] = 1;
        }
    }
}

/// The legal action of a number, in a game whose actions are numbered once and for all.
#[inline]
fn fixed<G: FixedActions>(position: &G, number: usize) -> Option<G::Action> {
    position.action_of_index(number).filter(|action| position.is_legal(*action))
}

/// An [`Environment`] that shows what networks see.
macro_rules! encoded {
    ($game:ty, $encoder:ident $(, $more:item)?) => {
        impl Environment for $game {
            fixed_numbers!();

            fn shape(variant: &Self::Variant) -> [usize; 3] {
                <$encoder as Encoder<$game>>::shape(variant)
            }

            #[inline]
            fn observe(&self, out: &mut [f32]) {
                $encoder.encode(self, out);
            }

            $($more)?
        }
    };
}

encoded!(ConnectFour, ConnectFourCells);
encoded!(Othello, OthelloCells);
encoded!(Togyzkumalak, TogyzkumalakPits);
encoded!(Sevn, SevnCells);
encoded!(
    Former,
    FormerCells,
    /// A move for every cell that is left, and one more.
    fn forfeit(&self) -> Reward {
        let cells = self.variant().cells() as Reward;
        -1 - cells
    }
);

impl Environment for SameGame {
    fixed_numbers!();

    fn shape(variant: &Self::Variant) -> [usize; 3] {
        planes::same_game_shape(variant)
    }

    fn observe(&self, out: &mut [f32]) {
        planes::same_game(self, out);
    }

    /// More than the largest penalty for the blocks that are left.
    fn forfeit(&self) -> Reward {
        let blocks = self.blocks() as Reward;
        -1 - blocks * blocks
    }
}

impl Environment for Morpion {
    fixed_numbers!();

    fn shape(_: &Self::Variant) -> [usize; 3] {
        planes::MORPION
    }

    fn observe(&self, out: &mut [f32]) {
        planes::morpion(self, out);
    }
}

#[cfg(test)]
mod tests {
    use ludens_core::{Params, Rng};

    use crate::{Form, Registered, Visitor, visit_all};

    struct Check;

    impl Visitor for Check {
        fn visit<G: Registered>(&mut self, form: Form<G>) {
            for sample in form.info().samples {
                let variant = form.variant(Params::parse(sample).unwrap()).unwrap();
                let name = form.spec_of(&variant);
                let (count, [rows, cols, planes]) = (G::action_count(&variant), G::shape(&variant));
                let mut rng = Rng::new(5);
                let mut position = G::start(&variant, &mut rng);
                while let Some((_, after, _)) = position.step(&mut rng) {
                    let mut mask = vec![0; count + 1];
                    position.mask(&mut mask);
                    assert_eq!(
                        mask.iter().map(|&legal| legal as usize).sum::<usize>(),
                        position.actions().len(),
                        "{name}: numbers are distinct"
                    );
                    for (number, &legal) in mask.iter().enumerate().step_by(1 + count / 500) {
                        let found = position.numbered(number);
                        assert_eq!(found.is_some(), legal == 1, "{name}: {number}");
                        if let Some(action) = found {
                            assert_eq!(position.number(action), number, "{name}");
                        }
                    }
                    let mut seen = vec![0.0; rows * cols * planes];
                    position.observe(&mut seen);
                    assert!(seen.iter().all(|x| (0.0..=1.0).contains(x)), "{name}: {seen:?}");
                    assert!(position.forfeit() < 0);
                    let chance = G::sample(&after, &mut rng);
                    position = G::apply_outcome(&after, chance).0;
                }
            }
        }
    }

    #[test]
    fn numbers_are_those_of_the_legal_actions_and_observations_are_bounded() {
        visit_all(&mut Check);
    }
}
