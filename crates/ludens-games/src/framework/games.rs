//! What the format asks of a game.

use ludens_core::{Reward, Spawns};

use super::{Form, Placement};
use crate::tiles::{Grid, Odds, Setup, Size, Slide, Spawn};

/// A game of sliding tiles whose games can be kept as [`Episode`](super::Episode)s.
///
/// Nature places a tile after every slide, and nothing ever costs anything.
pub trait FrameworkGame: Spawns<Action = Slide> {
    /// How its placements are written.
    const FORM: Form;

    /// An outcome as a placement.
    fn placement(after: &Self::After, chance: Self::Chance) -> Placement;

    /// What placing a tile on an empty board pays.
    fn value(tile: u8) -> Reward;

    /// The placements on an empty board that lead here, by cell as far as the
    /// rules leave the choice; `None` if this is no start position.
    fn opening(&self) -> Option<Vec<Placement>>;

    /// The start position these placements lead to.
    ///
    /// # Errors
    /// When the rules do not allow them.
    fn begin(variant: &Self::Variant, opening: &[Placement]) -> Result<Self, Refused>;
}

/// Why an opening was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    /// The index of the placement that is wrong; the number of placements when
    /// one is missing.
    pub at: usize,
    /// What would be right there.
    pub expected: String,
}

impl Refused {
    pub(crate) fn new(at: usize, expected: impl Into<String>) -> Self {
        Refused { at, expected: expected.into() }
    }

    /// Refuses an opening with another number of tiles, or two on one cell.
    pub(crate) fn unless_on_empty_cells(
        opening: &[Placement],
        tiles: u8,
        cells: usize,
    ) -> Result<(), Refused> {
        let mut taken = 0u16;
        for (at, placement) in opening.iter().enumerate() {
            let cell = usize::from(placement.cell);
            if at >= usize::from(tiles) {
                return Err(Refused::new(at, format!("a slide after {tiles} start tiles")));
            }
            if cell >= cells || taken >> cell & 1 != 0 {
                return Err(Refused::new(at, format!("an empty cell of a board of {cells}")));
            }
            taken |= 1 << cell;
        }
        if opening.len() < usize::from(tiles) {
            return Err(Refused::new(opening.len(), format!("{tiles} start tiles")));
        }
        Ok(())
    }
}

impl Placement {
    /// A new tile as a placement.
    pub(crate) fn of(size: Size, spawn: Spawn) -> Self {
        Placement { cell: size.cell(spawn.square.into()) as u8, tile: spawn.index, hint: None }
    }
}

/// The opening of a game whose start tiles are those of its odds.
pub(crate) fn opening_of(setup: Setup, odds: Odds, grid: &Grid<u8>) -> Option<Vec<Placement>> {
    let opening: Vec<Placement> = (0..setup.size.cells())
        .map(|cell| (cell as u8, grid[setup.size.square(cell)]))
        .filter(|&(_, tile)| tile != 0)
        .map(|(cell, tile)| Placement { cell, tile, hint: None })
        .collect();
    let is_start = opening.len() == usize::from(setup.start)
        && opening.iter().all(|p| p.tile == odds.common || p.tile == odds.rare);
    is_start.then_some(opening)
}

/// The board of such an opening.
pub(crate) fn board_of(
    setup: Setup,
    odds: Odds,
    opening: &[Placement],
) -> Result<Grid<u8>, Refused> {
    Refused::unless_on_empty_cells(opening, setup.start, setup.size.cells())?;
    let mut grid = [0; 16];
    for (at, &Placement { cell, tile, .. }) in opening.iter().enumerate() {
        if tile != odds.common && tile != odds.rare {
            let expected = format!("a tile of index {} or {}", odds.common, odds.rare);
            return Err(Refused::new(at, expected));
        }
        grid[setup.size.square(cell.into())] = tile;
    }
    Ok(grid)
}
