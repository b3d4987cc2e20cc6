//! Positions of both forms as text: the game's own text on the first player's
//! turn, that of the afterstate on the second one's, which differs from every
//! position's. Where a tile has been drawn it follows, as in `.. place 2`.

use super::cell::tiles;
use super::{Adversarial, CellAdversary, CellAfter, Ply};
use crate::error::quote;
use crate::{AfterNotation, Control, Movement, Notation, ParseError, Spawns, View};

/// What stands between an afterstate and its tile in text.
const MARK: &str = " place ";

impl<G: AfterNotation> Notation for Adversarial<G> {
    const NAME: &'static str = G::NAME;

    fn parse(variant: &G::Variant, text: &str) -> Result<Self, ParseError> {
        let as_position = match G::parse(variant, text) {
            Ok(position) => return Ok(Adversarial::One(position)),
            Err(error) => error,
        };
        let as_after = match G::parse_after(variant, text) {
            Ok(after) if G::is_chance(&after) => return Ok(Adversarial::Two(after)),
            Ok(_) => "there is nothing to choose after it".to_owned(),
            Err(error) => error.to_string(),
        };
        let expected = format!("a position ({as_position}) or what a move leads to ({as_after})");
        Err(ParseError::new("position", quote(text), expected))
    }

    fn text(&self) -> String {
        match self {
            Adversarial::One(position) => position.text(),
            Adversarial::Two(after) => G::after_text(after),
        }
    }

    fn parse_action(&self, text: &str) -> Result<Self::Action, ParseError> {
        match self {
            Adversarial::One(position) => position.parse_action(text).map(Ply::One),
            Adversarial::Two(after) => G::parse_chance(after, text).map(Ply::Two),
        }
    }

    fn action_text(&self, action: Self::Action) -> String {
        self.turn().action_text(action)
    }

    fn action_pair(&self, action: Self::Action) -> Option<[u8; 2]> {
        self.turn().action_pair(action)
    }

    fn view(&self) -> View {
        match self {
            Adversarial::One(_) => self.turn().view("player: move".into()),
            // Outcomes that differ in more than their cell cannot be pointed at.
            Adversarial::Two(_) => View {
                control: Control::Name,
                ..self.turn().view("adversary: choose what comes".into())
            },
        }
    }

    fn action_cells(&self, action: Self::Action) -> Vec<usize> {
        self.turn().action_cells(action)
    }

    fn motion(&self, action: Self::Action) -> Vec<Movement> {
        self.turn().motion(action)
    }
}

impl<G: Spawns> Notation for CellAdversary<G> {
    const NAME: &'static str = G::NAME;

    fn parse(variant: &G::Variant, text: &str) -> Result<Self, ParseError> {
        let Some((after_text, tile_text)) = text.trim_end().rsplit_once(MARK) else {
            return G::parse(variant, text).map(CellAdversary::One);
        };
        let after = G::parse_after(variant, after_text)?;
        if !G::is_chance(&after) {
            return Err(ParseError::new("tile", quote(tile_text), "no tile: none is due"));
        }
        let tiles = tiles::<G>(&after);
        match tiles.iter().find(|(tile, _)| G::tile_text(*tile) == tile_text) {
            Some((tile, _)) => Ok(CellAdversary::Two(after, *tile)),
            None => {
                let known: Vec<String> = tiles.iter().map(|(t, _)| G::tile_text(*t)).collect();
                Err(ParseError::new("tile", quote(tile_text), known.join(" or ")))
            }
        }
    }

    fn text(&self) -> String {
        match self {
            CellAdversary::One(position) => position.text(),
            CellAdversary::Two(after, tile) => {
                format!("{}{MARK}{}", G::after_text(after), G::tile_text(*tile))
            }
        }
    }

    fn parse_action(&self, text: &str) -> Result<Self::Action, ParseError> {
        match self {
            CellAdversary::One(position) => position.parse_action(text).map(Ply::One),
            CellAdversary::Two(after, tile) => {
                let chance = G::parse_chance(after, text)?;
                if G::tile_of(after, chance) == *tile {
                    Ok(Ply::Two(chance))
                } else {
                    let expected = format!("a cell for a {}", G::tile_text(*tile));
                    Err(ParseError::new("move", quote(text), expected))
                }
            }
        }
    }

    fn action_text(&self, action: Self::Action) -> String {
        self.turn().action_text(action)
    }

    fn action_pair(&self, action: Self::Action) -> Option<[u8; 2]> {
        self.turn().action_pair(action)
    }

    fn chance_text(_: &CellAfter<G>, tile: Option<G::Tile>) -> String {
        tile.map_or(String::new(), G::tile_text)
    }

    fn view(&self) -> View {
        match self {
            CellAdversary::One(_) => self.turn().view("player: move".into()),
            CellAdversary::Two(_, tile) => {
                let task = format!("adversary: place a {}", G::tile_text(*tile));
                View { control: Control::Point, ..self.turn().view(task) }
            }
        }
    }

    fn action_cells(&self, action: Self::Action) -> Vec<usize> {
        self.turn().action_cells(action)
    }

    fn motion(&self, action: Self::Action) -> Vec<Movement> {
        self.turn().motion(action)
    }
}
