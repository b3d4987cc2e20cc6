//! 2584 as text: rows joined by `/`, tile values by `,`, such as `0,2/5,0`; an
//! afterstate ends with ` *`. A new tile is `TILE@CELL`.

use ludens_core::{AfterNotation, Game, Movement, Notation, ParseError, Spawns, View};

use super::{After2584, Game2584, LARGEST, VALUES, Variant2584};
use crate::tiles::line::Rule;
use crate::tiles::{Slide, Spawn, motion, text, view};

/// The value of the tile of an index.
fn value(index: u8) -> u32 {
    VALUES[usize::from(index)]
}

/// The index of the tile of a value.
fn index(value: u32) -> Option<u8> {
    VALUES[..=LARGEST].iter().position(|&v| v == value).map(|index| index as u8)
}

impl Notation for Game2584 {
    const NAME: &'static str = "2584";

    fn parse(variant: &Variant2584, text: &str) -> Result<Self, ParseError> {
        let size = variant.setup.size;
        let tiles = "0 or a Fibonacci number from 1 to 5702887";
        let grid = text::parse(size, text.trim(), tiles, index)?;
        variant.spawn.growth().check(size, &grid, value)?;
        Ok(Game2584::from_grid(&grid, *variant))
    }

    fn text(&self) -> String {
        let grid = self.grid();
        text::write(self.size(), |square| value(grid[square]))
    }

    fn parse_action(&self, text: &str) -> Result<Slide, ParseError> {
        Slide::parse_legal(text, self.actions())
    }

    fn action_text(&self, slide: Slide) -> String {
        slide.name().to_owned()
    }

    fn chance_text(after: &After2584, spawn: Spawn) -> String {
        text::write_spawn(after.0.size(), value(spawn.index), spawn.square)
    }

    fn view(&self) -> View {
        view::board(self.size(), &self.grid(), value, Vec::new())
    }

    fn action_cells(&self, slide: Slide) -> Vec<usize> {
        view::changed(self.size(), &self.grid(), &self.slid(slide).0.grid())
    }

    fn motion(&self, slide: Slide) -> Vec<Movement> {
        motion::far(self.size(), &self.grid(), slide, |a, b| Rule::Neighbours.merge(a, b))
    }

    fn chance_motion(after: &After2584, spawn: Spawn) -> Vec<Movement> {
        Self::chance_cells(after, spawn).into_iter().map(|cell| Movement::appear(cell, 0)).collect()
    }
}

impl AfterNotation for Game2584 {
    fn after_variant(after: &After2584) -> Variant2584 {
        after.0.variant
    }

    fn parse_after(variant: &Variant2584, text: &str) -> Result<After2584, ParseError> {
        let after = Game2584::parse(variant, text::board_of_after(text)?)?;
        text::has_room(after.empty_squares())?;
        Ok(After2584(after))
    }

    fn after_text(after: &After2584) -> String {
        text::write_after(&after.0.text())
    }

    fn after_view(after: &After2584) -> View {
        after.0.view()
    }

    fn chance_cells(after: &After2584, spawn: Spawn) -> Vec<usize> {
        vec![after.0.size().cell(usize::from(spawn.square))]
    }
}

impl Spawns for Game2584 {
    type Tile = u8;

    fn tile_of(_: &After2584, spawn: Spawn) -> u8 {
        spawn.index
    }

    fn tile_text(index: u8) -> String {
        value(index).to_string()
    }
}
