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

impl Encoder<Othello> for OthelloCells {
    const NAME: &'static str = "othello-cells 1";

    fn shape(_: &NoVariant) -> [usize; 3] {
        [SIZE, SIZE, PLANES]
    }

    fn actions(variant: &NoVariant) -> usize {
        Othello::action_space(variant)
    }

    fn encode(self, position: &Othello, out: &mut [f32]) {
        let sets = position.sides().into_iter().chain(position.openings());
        for (plane, mut cells) in sets.enumerate() {
            while cells != 0 {
                out[cells.trailing_zeros() as usize * PLANES + plane] = 1.0;
                cells &= cells - 1;
            }
        }
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
