//! 2584 in the records of the 2048-Framework.

use ludens_core::Reward;

use super::{After2584, Game2584, Variant2584};
use crate::framework::{Form, FrameworkGame, Placement, Refused, board_of, opening_of};
use crate::tiles::Spawn;

impl FrameworkGame for Game2584 {
    const FORM: Form = Form::Tile;

    fn placement(after: &After2584, spawn: Spawn) -> Placement {
        Placement::of(after.0.size(), spawn)
    }

    fn value(_: u8) -> Reward {
        0
    }

    fn opening(&self) -> Option<Vec<Placement>> {
        opening_of(self.variant.setup, self.variant.spawn.odds(), &self.grid())
    }

    fn begin(variant: &Variant2584, opening: &[Placement]) -> Result<Self, Refused> {
        let grid = board_of(variant.setup, variant.spawn.odds(), opening)?;
        Ok(Game2584::from_grid(&grid, *variant))
    }
}
