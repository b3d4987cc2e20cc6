//! Positions and moves as text, and what they look like.

use crate::error::quote;
use crate::game::find_outcome;
use crate::{Game, Movement, ParseError, View};

/// Text for positions, actions and outcomes, and a drawing.
///
/// Every text written here reads back as the same value; readers accept
/// anything a user may paste and answer with a [`ParseError`], never a panic.
pub trait Notation: Game {
    /// The name in commands and files, such as `connect-four`.
    const NAME: &'static str;

    /// Reads a position. What cannot occur on a board of this variant is refused.
    /// Where the text determines the variant, the default one may stand for any.
    ///
    /// # Errors
    /// When the text is malformed or inconsistent.
    fn parse(variant: &Self::Variant, text: &str) -> Result<Self, ParseError>;

    /// The position as one line.
    fn text(&self) -> String;

    /// Reads a move and checks that it is legal here.
    ///
    /// # Errors
    /// When the text is malformed or the move is illegal.
    fn parse_action(&self, text: &str) -> Result<Self::Action, ParseError>;

    /// A legal move as text without blanks.
    fn action_text(&self, action: Self::Action) -> String;

    /// Column from the left and row from the bottom of a move that is a cell,
    /// for games whose JSON moves are `[c,r]`.
    fn action_pair(&self, _action: Self::Action) -> Option<[u8; 2]> {
        None
    }

    /// One of nature's outcomes as text without blanks; empty where nature has
    /// no choice.
    fn chance_text(_after: &Self::After, _chance: Self::Chance) -> String {
        String::new()
    }

    /// Reads an outcome that is possible after this move.
    ///
    /// # Errors
    /// When the text names no possible outcome.
    fn parse_chance(after: &Self::After, text: &str) -> Result<Self::Chance, ParseError> {
        let found = find_outcome::<Self>(after, |c| Self::chance_text(after, c) == text);
        found.ok_or_else(|| ParseError::new("outcome", quote(text), "one that is possible here"))
    }

    /// What the position looks like.
    fn view(&self) -> View;

    /// The cells of [`view`](Notation::view) a move touches, for pointing and highlighting. Where
    /// the move brings a piece to the board, its cell is the first.
    fn action_cells(&self, action: Self::Action) -> Vec<usize>;

    /// The cells that decided a game that is over, such as a winning four.
    fn winning_cells(&self) -> Vec<usize> {
        Vec::new()
    }

    /// How the pieces move when a legal action is played, up to the afterstate. Empty where
    /// the game does not tell.
    fn motion(&self, _action: Self::Action) -> Vec<Movement> {
        Vec::new()
    }

    /// How the pieces move when nature's outcome follows.
    fn chance_motion(_after: &Self::After, _chance: Self::Chance) -> Vec<Movement> {
        Vec::new()
    }
}

/// Text and drawing for afterstates: for games whose nature may become a player.
pub trait AfterNotation: Notation {
    /// The variant an afterstate belongs to.
    fn after_variant(after: &Self::After) -> Self::Variant;

    /// Reads an afterstate.
    ///
    /// # Errors
    /// When the text is malformed or inconsistent.
    fn parse_after(variant: &Self::Variant, text: &str) -> Result<Self::After, ParseError>;

    /// The afterstate as one line that differs from every position's.
    fn after_text(after: &Self::After) -> String;

    /// What the afterstate looks like.
    fn after_view(after: &Self::After) -> View;

    /// The cells of [`after_view`](AfterNotation::after_view) an outcome touches.
    fn chance_cells(after: &Self::After, chance: Self::Chance) -> Vec<usize>;
}

/// A game whose nature places a tile: each outcome is a kind of tile and a
/// square for it, drawn independently of each other.
pub trait Spawns: AfterNotation {
    /// A kind of tile.
    type Tile: Copy + Eq + Ord + std::hash::Hash + std::fmt::Debug + Send + Sync + 'static;

    /// The kind of tile an outcome places.
    fn tile_of(after: &Self::After, chance: Self::Chance) -> Self::Tile;

    /// A kind of tile as text, such as its value.
    fn tile_text(tile: Self::Tile) -> String;
}
