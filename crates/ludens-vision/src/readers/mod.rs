//! The games that can be read, each with its methods. Adding one is one line in [`READERS`].

mod connect_four;
mod othello;
mod pieces;
mod sevn;
mod sevn_2021;
mod shapes;
mod tiles;

use ludens_core::error::quote;
use ludens_core::params::spec;
use ludens_core::{Notation, Params, ParseError, Variant};
use ludens_games::{ConnectFour, Former, Game2048, Game2584, Othello, SameGame, Sevn, Threes};

use crate::board::Board;
use crate::error::VisionError;
use crate::find::{self, Layout};
use crate::geometry::Corners;
use crate::picture::Picture;
use crate::reading::{CellReading, Reading};

/// All readers, in the order they are listed.
const READERS: &[Entry] = &[
    Entry::of::<Former>(),
    Entry::of::<SameGame>(),
    Entry::of::<Game2048>(),
    Entry::of::<Game2584>(),
    Entry::of::<Threes>(),
    Entry::of::<Sevn>(),
    Entry::of::<ConnectFour>(),
    Entry::of::<Othello>(),
];

/// What the cells of a board show.
pub(crate) struct Seen {
    /// The notation of each cell, row by row, with its confidence.
    pub(crate) cells: Vec<(String, f64)>,
    /// The position they make.
    pub(crate) position: Result<String, ParseError>,
    /// What cannot be seen, and what was taken for it.
    pub(crate) notes: Vec<String>,
}

/// A game that can be read from pictures.
pub(crate) trait Readable: Notation {
    /// The ways to read it; the first is the usual one.
    const METHODS: &'static [&'static str];
    /// Pixels of a cell's side that its pieces can be told apart with.
    const SIDE: usize;

    /// The rows and columns of a variant.
    fn layout(variant: &Self::Variant) -> Layout;

    /// What a board shows. `method` is one of [`METHODS`](Readable::METHODS).
    fn see(variant: &Self::Variant, board: &Board, method: &str) -> Seen;

    /// The position of a text as it is written, if it is one.
    fn checked(variant: &Self::Variant, text: &str) -> Result<String, ParseError> {
        Self::parse(variant, text).map(|position| position.text())
    }
}

/// A reader without the type of its game.
struct Entry {
    name: &'static str,
    methods: &'static [&'static str],
    open: fn(Params, &'static str) -> Result<Reader, ParseError>,
}

impl Entry {
    const fn of<G: Readable>() -> Self {
        Entry { name: G::NAME, methods: G::METHODS, open: open::<G> }
    }
}

/// The names of the games that can be read.
pub fn games() -> impl Iterator<Item = &'static str> {
    READERS.iter().map(|entry| entry.name)
}

/// The methods by which a game, named without its variant, can be read: the usual one first, none
/// for a game that cannot.
pub fn methods(game: &str) -> &'static [&'static str] {
    READERS.iter().find(|entry| entry.name == game).map_or(&[], |entry| entry.methods)
}

/// What a picture is handed to.
type ReadPicture = Box<dyn Fn(&Picture, Option<Corners>) -> Result<Reading, VisionError>>;

/// A game, its variant and a method.
pub(crate) struct Reader(ReadPicture);

impl Reader {
    /// The reader of a game such as `sevn:base=5`.
    ///
    /// # Errors
    /// When the game cannot be read, or has no such variant or method.
    pub(crate) fn of(game: &str, method: Option<&str>) -> Result<Reader, ParseError> {
        let (name, params) = Params::split(game)?;
        let Some(entry) = READERS.iter().find(|entry| entry.name == name) else {
            let names: Vec<&str> = games().collect();
            let expected = format!("one that can be read from a picture: {}", names.join(", "));
            return Err(ParseError::new("game", quote(name), expected));
        };
        let method = match method {
            None => entry.methods[0],
            Some(text) => entry.methods.iter().find(|&&m| m == text).copied().ok_or_else(|| {
                ParseError::new("method", quote(text), entry.methods.join(" or "))
            })?,
        };
        (entry.open)(params, method)
    }

    /// Reads a picture; the corners are in its pixels.
    pub(crate) fn read(
        &self,
        picture: &Picture,
        corners: Option<Corners>,
    ) -> Result<Reading, VisionError> {
        (self.0)(picture, corners)
    }
}

fn open<G: Readable>(mut params: Params, method: &'static str) -> Result<Reader, ParseError> {
    let variant = G::Variant::read(&mut params)?;
    let known: Vec<&str> = G::Variant::PARAMETERS.iter().map(|p| p.name).collect();
    params.finish(&known)?;
    Ok(Reader(Box::new(move |picture, corners| read_as::<G>(&variant, method, picture, corners))))
}

fn read_as<G: Readable>(
    variant: &G::Variant,
    method: &'static str,
    picture: &Picture,
    corners: Option<Corners>,
) -> Result<Reading, VisionError> {
    let layout = G::layout(variant);
    let Layout { rows, cols, .. } = layout;
    let none = VisionError::NoBoard { rows, cols };
    let corners = corners.or_else(|| find::corners(picture, layout)).ok_or(none.clone())?;
    let board = Board::of(picture, (rows, cols), G::SIDE, &corners).ok_or(none)?;
    let seen = G::see(variant, &board, method);
    let cells = seen.cells.into_iter().enumerate();
    let cell = |(i, (text, confidence)): (usize, (String, f64))| CellReading {
        row: i / cols,
        col: i % cols,
        text,
        confidence,
    };
    Ok(Reading {
        game: spec(G::NAME, &variant.write()),
        position: seen.position,
        method,
        corners,
        cells: cells.map(cell).collect(),
        notes: seen.notes,
    })
}
