//! Togyzkumalak as networks see it.

use ludens_core::{FixedActions, Game, NoVariant};
use ludens_games::Togyzkumalak;

use crate::encoder::{Encoder, NOBODY};

const PITS: usize = 9;
/// Numbers of balls that differ: 0 to 82, more counting as 82.
const COUNTS: usize = 83;
/// A plane per number of balls, one for a tuzdyk, one for the store.
const PLANES: usize = COUNTS + 2;

/// The PROBS paper's 18x84 and 2x9 numbers, laid out as the board is: the pits of the player to
/// move from left to right below, those of the opponent from right to left above.
///
/// A pit has 84 planes: which number of balls it holds, and whether it is a tuzdyk. One more
/// plane holds the stores, each filling the nine cells of its owner's row in turn, nine balls
/// a cell. A policy has an output per pit; a value is that of the player to move.
///
/// ```
/// use ludens_games::Togyzkumalak;
/// use ludens_nn::{Encoder, TogyzkumalakPits};
/// let mut planes = [0.0; 18 * 84 + 2 * 9];
/// TogyzkumalakPits.encode(&Togyzkumalak::default(), &mut planes);
/// assert!(planes.chunks(85).all(|pit| pit[9] == 1.0 && pit.iter().sum::<f32>() == 1.0));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct TogyzkumalakPits;

/// The cell of a pit, of the player to move or of the opponent.
fn cell(opponent: bool, pit: usize) -> usize {
    if opponent { PITS - 1 - pit } else { PITS + pit }
}

impl Encoder<Togyzkumalak> for TogyzkumalakPits {
    const NAME: &'static str = "togyzkumalak-pits 1";

    fn shape(_: &NoVariant) -> [usize; 3] {
        [2, PITS, PLANES]
    }

    fn actions(_: &NoVariant) -> usize {
        PITS
    }

    fn encode(self, position: &Togyzkumalak, out: &mut [f32]) {
        let (pits, stores) = (position.pits(), position.collected_balls());
        for opponent in [false, true] {
            let side = usize::from(opponent);
            for (pit, &balls) in pits[side].iter().enumerate() {
                let planes = &mut out[cell(opponent, pit) * PLANES..][..PLANES];
                planes[usize::from(balls).min(COUNTS - 1)] = 1.0;
                let nines = stores[side] as f32 / 9.0 - pit as f32;
                planes[PLANES - 1] = nines.clamp(0.0, 1.0);
            }
        }
        for (owner, pit) in position.tuzdyk_pits().into_iter().enumerate() {
            // A tuzdyk lies in the other player's row.
            if let Some(pit) = pit {
                out[cell(owner == 0, pit) * PLANES + COUNTS] = 1.0;
            }
        }
    }

    fn owners(self, position: &Togyzkumalak, out: &mut [u16]) {
        out.fill(NOBODY);
        self.parts(position, |action, output| out[output] = action as u16);
    }

    fn parts(self, position: &Togyzkumalak, mut f: impl FnMut(usize, usize)) {
        let outputs = position.actions().map(|action| position.action_index(action));
        outputs.enumerate().for_each(|(action, output)| f(action, output));
    }
}
