//! 2048 as networks see it.

use ludens_core::{FixedActions, Game};
use ludens_games::Game2048;
use ludens_games::game2048::Variant2048;

use crate::encoder::{Encoder, NOBODY};

/// Planes: one for empty squares, one for every tile up to 131072.
const PLANES: usize = 18;
/// Points that one unit of a value stands for.
const UNIT: f32 = 1000.0;

/// One plane per tile and one for empty squares, on a grid of 4x4 whatever the board. A policy
/// has one output per slide. A value is in thousands of points.
///
/// ```
/// use ludens_core::{Game, Rng};
/// use ludens_games::Game2048;
/// use ludens_nn::{Encoder, TileCells};
/// let board = Game2048::start(&Default::default(), &mut Rng::new(1));
/// let mut planes = [0.0; 288];
/// TileCells.encode(&board, &mut planes);
/// assert_eq!(planes.iter().sum::<f32>(), 16.0);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct TileCells;

impl Encoder<Game2048> for TileCells {
    const NAME: &'static str = "2048-cells 1";

    fn shape(_: &Variant2048) -> [usize; 3] {
        [4, 4, PLANES]
    }

    fn actions(variant: &Variant2048) -> usize {
        Game2048::action_space(variant)
    }

    fn encode(self, position: &Game2048, out: &mut [f32]) {
        for (index, out) in position.grid().iter().zip(out.chunks_exact_mut(PLANES)) {
            out[usize::from(*index).min(PLANES - 1)] = 1.0;
        }
    }

    fn owners(self, position: &Game2048, out: &mut [u16]) {
        out.fill(NOBODY);
        for (index, action) in position.actions().enumerate() {
            out[position.action_index(action)] = index as u16;
        }
    }

    fn value(self, _: &Game2048, output: f32) -> f32 {
        UNIT * output
    }

    fn target(self, _: &Game2048, rewards: f32) -> f32 {
        rewards / UNIT
    }
}
