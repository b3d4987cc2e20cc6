//! Othello as networks see it.

use ludens_core::{FixedActions, Game, NoVariant};
use ludens_games::Othello;

use crate::encoder::{Encoder, NOBODY};

const SIZE: usize = 8;
const PLANES: usize = 4;

/// The PROBS paper's 4x8x8: discs of the player to move, the opponent's, cells that the one and the
/// other could place a disc on. A policy has 65 outputs, the last one for the pass; a value is that
/// of the player to move.
///
/// ```
/// use ludens_games::Othello;
/// use ludens_nn::{Encoder, OthelloCells};
/// let mut planes = [0.0; 256];
/// OthelloCells.encode(&Othello::default(), &mut planes);
/// let sum = |plane: usize| planes.chunks(4).map(|cell| cell[plane]).sum::<f32>();
/// assert_eq!([0, 1, 2, 3].map(sum), [2.0, 2.0, 4.0, 4.0]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct OthelloCells;

/// The planes of the program of Pastukhov (2024): discs of the player to move, the opponent's, empty
/// cells, and those that the player to move may place a disc on; none of these means a pass. Outputs
/// as [`OthelloCells`] has them.
///
/// ```
/// use ludens_games::Othello;
/// use ludens_nn::{Encoder, OthelloProbs};
/// let mut planes = [0.0; 256];
/// OthelloProbs.encode(&Othello::default(), &mut planes);
/// let sum = |plane: usize| planes.chunks(4).map(|cell| cell[plane]).sum::<f32>();
/// assert_eq!([0, 1, 2, 3].map(sum), [2.0, 2.0, 60.0, 4.0]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct OthelloProbs;

/// Writes sets of cells, one per plane.
fn write(sets: [u64; PLANES], out: &mut [f32]) {
    for (plane, mut cells) in sets.into_iter().enumerate() {
        while cells != 0 {
            out[cells.trailing_zeros() as usize * PLANES + plane] = 1.0;
            cells &= cells - 1;
        }
    }
}

/// Implements [`Encoder`] for planes of a position's sets of cells.
macro_rules! planes {
    ($encoder:ident, $name:literal, $sets:expr) => {
        impl Encoder<Othello> for $encoder {
            const NAME: &'static str = $name;

            fn shape(_: &NoVariant) -> [usize; 3] {
                [SIZE, SIZE, PLANES]
            }

            fn actions(variant: &NoVariant) -> usize {
                Othello::action_space(variant)
            }

            fn encode(self, position: &Othello, out: &mut [f32]) {
                let sets: fn(&Othello) -> [u64; PLANES] = $sets;
                write(sets(position), out);
            }

            fn owners(self, position: &Othello, out: &mut [u16]) {
                out.fill(NOBODY);
                self.parts(position, |action, output| out[output] = action as u16);
            }

            fn parts(self, position: &Othello, mut f: impl FnMut(usize, usize)) {
                let outputs = position.actions().map(|action| position.action_index(action));
                outputs.enumerate().for_each(|(action, output)| f(action, output));
            }
        }
    };
}

planes!(OthelloCells, "othello-cells 1", |position| {
    let ([own, other], [open, theirs]) = (position.sides(), position.openings());
    [own, other, open, theirs]
});

planes!(OthelloProbs, "othello-probs 1", |position| {
    let ([own, other], [open, _]) = (position.sides(), position.openings());
    [own, other, !(own | other), open]
});
