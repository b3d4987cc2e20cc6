//! Connect Four as networks see it.

use ludens_core::{FixedActions, Game, NoVariant};
use ludens_games::ConnectFour;

use crate::encoder::{Encoder, NOBODY};

const ROWS: usize = 6;
const COLUMNS: usize = 7;

/// A plane for the stones of the player to move and one for the opponent's, 6x7 from the top. A
/// policy has an output per column; a value is that of the player to move.
///
/// ```
/// use ludens_core::{NoVariant, Notation};
/// use ludens_games::ConnectFour;
/// use ludens_nn::{ConnectFourCells, Encoder};
/// let mut planes = [0.0; 84];
/// ConnectFourCells.encode(&ConnectFour::parse(&NoVariant, "12").unwrap(), &mut planes);
/// assert_eq!(planes[5 * 14..][..4], [1.0, 0.0, 0.0, 1.0]);
/// assert_eq!(planes.iter().sum::<f32>(), 2.0);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ConnectFourCells;

impl Encoder<ConnectFour> for ConnectFourCells {
    const NAME: &'static str = "connect-four-cells 1";

    fn shape(_: &NoVariant) -> [usize; 3] {
        [ROWS, COLUMNS, 2]
    }

    fn actions(_: &NoVariant) -> usize {
        COLUMNS
    }

    fn encode(self, position: &ConnectFour, out: &mut [f32]) {
        for (plane, mut stones) in position.sides().into_iter().enumerate() {
            while stones != 0 {
                let bit = stones.trailing_zeros() as usize;
                stones &= stones - 1;
                // Seven bits a column, from the bottom.
                let (column, row) = (bit / (ROWS + 1), bit % (ROWS + 1));
                out[((ROWS - 1 - row) * COLUMNS + column) * 2 + plane] = 1.0;
            }
        }
    }

    fn owners(self, position: &ConnectFour, out: &mut [u16]) {
        out.fill(NOBODY);
        self.parts(position, |action, output| out[output] = action as u16);
    }

    fn parts(self, position: &ConnectFour, mut f: impl FnMut(usize, usize)) {
        let outputs = position.actions().map(|action| position.action_index(action));
        outputs.enumerate().for_each(|(action, output)| f(action, output));
    }
}
