//! 2048 in the records of the 2048-Framework.

use ludens_core::Reward;

use super::{After2048, Game2048, ODDS, Variant2048};
use crate::framework::{Form, FrameworkGame, Placement, Refused, board_of, opening_of};
use crate::tiles::Spawn;

impl FrameworkGame for Game2048 {
    const FORM: Form = Form::Tile;

    fn placement(after: &After2048, spawn: Spawn) -> Placement {
        Placement::of(after.0.setup().size, spawn)
    }

    fn value(_: u8) -> Reward {
        0
    }

    fn opening(&self) -> Option<Vec<Placement>> {
        opening_of(self.setup(), ODDS, &self.grid())
    }

    fn begin(variant: &Variant2048, opening: &[Placement]) -> Result<Self, Refused> {
        let grid = board_of(variant.setup, ODDS, opening)?;
        Ok(Game2048::from_grid(&grid, variant.setup))
    }
}
