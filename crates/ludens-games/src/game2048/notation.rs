//! 2048 as text: rows joined by `/`, tile values by `,`, such as `0,2/4,0`; an
//! afterstate ends with ` *`. A new tile is `TILE@CELL`.

use ludens_core::{AfterNotation, Movement, Notation, ParseError, Spawns, View};

use super::{After2048, GROWTH, Game2048, Variant2048};
use crate::tiles::line::Rule;
use crate::tiles::{Slide, Spawn, motion, text, view};

/// The value of the tile of an index.
fn value(index: u8) -> u32 {
    if index == 0 { 0 } else { 1 << index }
}

/// The index of the tile of a value.
fn index(value: u32) -> Option<u8> {
    match value {
        0 => Some(0),
        _ if value.is_power_of_two() && (2..=1 << 17).contains(&value) => {
            Some(value.trailing_zeros() as u8)
        }
        _ => None,
    }
}

impl Notation for Game2048 {
    const NAME: &'static str = "2048";

    fn parse(variant: &Variant2048, text: &str) -> Result<Self, ParseError> {
        let size = variant.setup.size;
        let tiles = "0 or a power of two from 2 to 131072";
        let grid = text::parse(size, text.trim(), tiles, index)?;
        GROWTH.check(size, &grid, value)?;
        Ok(Game2048::from_grid(&grid, variant.setup))
    }

    fn text(&self) -> String {
        let grid = self.grid();
        text::write(self.setup().size, |square| value(grid[square]))
    }

    fn parse_action(&self, text: &str) -> Result<Slide, ParseError> {
        Slide::parse_legal(text, self.legal())
    }

    fn action_text(&self, slide: Slide) -> String {
        slide.name().to_owned()
    }

    fn chance_text(after: &After2048, spawn: Spawn) -> String {
        text::write_spawn(after.0.setup().size, value(spawn.index), spawn.square)
    }

    fn view(&self) -> View {
        view::board(self.setup().size, &self.grid(), value, Vec::new())
    }

    fn action_cells(&self, slide: Slide) -> Vec<usize> {
        view::changed(self.setup().size, &self.grid(), &self.slid(slide).0.grid())
    }

    fn motion(&self, slide: Slide) -> Vec<Movement> {
        motion::far(self.setup().size, &self.grid(), slide, |a, b| Rule::Equal.merge(a, b))
    }

    fn chance_motion(after: &After2048, spawn: Spawn) -> Vec<Movement> {
        Self::chance_cells(after, spawn).into_iter().map(|cell| Movement::appear(cell, 0)).collect()
    }
}

impl AfterNotation for Game2048 {
    fn after_variant(after: &After2048) -> Variant2048 {
        Variant2048 { setup: after.0.setup() }
    }

    fn parse_after(variant: &Variant2048, text: &str) -> Result<After2048, ParseError> {
        let after = Game2048::parse(variant, text::board_of_after(text)?)?;
        text::has_room(after.empty_squares())?;
        Ok(After2048(after))
    }

    fn after_text(after: &After2048) -> String {
        text::write_after(&after.0.text())
    }

    fn after_view(after: &After2048) -> View {
        after.0.view()
    }

    fn chance_cells(after: &After2048, spawn: Spawn) -> Vec<usize> {
        vec![after.0.setup().size.cell(usize::from(spawn.square))]
    }
}

impl Spawns for Game2048 {
    type Tile = u8;

    fn tile_of(_: &After2048, spawn: Spawn) -> u8 {
        spawn.index
    }

    fn tile_text(index: u8) -> String {
        value(index).to_string()
    }
}
