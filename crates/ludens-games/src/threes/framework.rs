//! Threes! in the records of the 2048-Framework.

use ludens_core::Reward;

use super::slide::POINTS;
use super::supply::{Bag, Hint, Supply};
use super::{Spawn, Threes, ThreesAfter, ThreesVariant};
use crate::framework::{Form, FrameworkGame, Placement, Refused};

/// The hint with a number in the format.
fn hint_of(number: u8) -> Option<Hint> {
    Hint::ALL.into_iter().find(|&hint| hint as u8 == number)
}

/// What is left once a tile is drawn, if it is there.
fn take(bag: Bag, kind: Option<Hint>, variant: ThreesVariant) -> Option<Bag> {
    let kind = kind.filter(|&kind| kind != Hint::Bonus && bag.count(kind) > 0)?;
    Some(bag.without(kind, variant.of_each()))
}

impl FrameworkGame for Threes {
    const FORM: Form = Form::TileAndHint;

    fn placement(after: &ThreesAfter, Spawn { square, draw }: Spawn) -> Placement {
        let cell = after.supply.variant().size().cell(square.into()) as u8;
        Placement { cell, tile: draw.tile, hint: Some(draw.next as u8) }
    }

    fn value(tile: u8) -> Reward {
        POINTS.get(usize::from(tile)).copied().unwrap_or(0)
    }

    /// A cell whose tile is not in the bag any more waits until the bag is
    /// filled again.
    fn opening(&self) -> Option<Vec<Placement>> {
        let variant = self.supply.variant();
        let mut waiting: Vec<(u8, u8)> = (0..variant.size().cells())
            .map(|cell| (cell as u8, (self.board >> (4 * variant.size().square(cell)) & 15) as u8))
            .filter(|&(_, tile)| tile != 0)
            .collect();
        if waiting.len() != usize::from(variant.start()) {
            return None;
        }
        let mut bag = Bag::full(variant.of_each());
        let mut placed: Vec<Placement> = Vec::with_capacity(waiting.len());
        while !waiting.is_empty() {
            let (at, left) = waiting
                .iter()
                .enumerate()
                .find_map(|(at, &(_, tile))| Some((at, take(bag, hint_of(tile), variant)?)))?;
            let (cell, tile) = waiting.remove(at);
            bag = left;
            if let Some(last) = placed.last_mut() {
                last.hint = Some(tile);
            }
            placed.push(Placement { cell, tile, hint: Some(self.supply.hint() as u8) });
        }
        let left = take(bag, Some(self.supply.hint()), variant)?;
        (self.supply == Supply::begin(variant, left, self.supply.hint())).then_some(placed)
    }

    fn begin(variant: &ThreesVariant, opening: &[Placement]) -> Result<Self, Refused> {
        Refused::unless_on_empty_cells(opening, variant.start(), variant.size().cells())?;
        let mut board = 0;
        let mut bag = Bag::full(variant.of_each());
        let mut hint: Option<Hint> = None;
        for (at, placement) in opening.iter().enumerate() {
            let tile = hint_of(placement.tile);
            match hint {
                // The first tile is drawn without a hint.
                None => {
                    bag = take(bag, tile, *variant)
                        .ok_or_else(|| Refused::new(at, "a tile from the bag: 1, 2 or 3"))?;
                }
                Some(hint) if tile == Some(hint) => {}
                Some(hint) => {
                    return Err(Refused::new(at, format!("the hinted tile, {}", hint.text())));
                }
            }
            hint = placement.hint.and_then(hint_of);
            bag = take(bag, hint, *variant)
                .ok_or_else(|| Refused::new(at, "a hint of a tile that is left in the bag"))?;
            board |=
                u64::from(placement.tile) << (4 * variant.size().square(placement.cell.into()));
        }
        let hint = hint.ok_or_else(|| Refused::new(0, "a start tile"))?;
        Ok(Threes { board, supply: Supply::begin(*variant, bag, hint) })
    }
}
