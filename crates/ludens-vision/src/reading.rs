//! What is asked of a picture, and what it shows.

use ludens_core::ParseError;
use ludens_core::error::quote;
use serde_json::{Value, json};

use crate::decode::{Limits, decode};
use crate::error::VisionError;
use crate::geometry::{Corners, Point, is_convex};
use crate::readers;

/// Cells that are read with less confidence are doubtful.
pub const DOUBT: f64 = 0.35;
/// The longest side of the picture that cells are read from.
const READ: usize = 2400;

/// What is asked of a picture.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Request<'a> {
    /// The game with its variant, such as `sevn:base=5`.
    pub game: &'a str,
    /// How to read; the game's usual method if none is named.
    pub method: Option<&'a str>,
    /// The corners of the board's cells in pixels: top left, top right, bottom right, bottom left.
    /// They are searched for if none are given.
    pub corners: Option<Corners>,
    /// What the picture may cost.
    pub limits: Limits,
}

impl<'a> Request<'a> {
    /// A request that leaves everything to the reader of a game.
    pub fn of(game: &'a str) -> Self {
        Request { game, method: None, corners: None, limits: Limits::default() }
    }
}

/// What a cell was taken for.
#[derive(Clone, PartialEq, Debug)]
pub struct CellReading {
    /// From the top, from 0.
    pub row: usize,
    /// From the left, from 0.
    pub col: usize,
    /// In the game's notation; nothing for an empty cell.
    pub text: String,
    /// From 0, a guess, to 1.
    pub confidence: f64,
}

/// What a picture shows.
#[derive(Clone, PartialEq, Debug)]
pub struct Reading {
    /// The game with its variant.
    pub game: String,
    /// The position in the game's notation; or why the cells make none.
    pub position: Result<String, ParseError>,
    /// The method it was read by.
    pub method: &'static str,
    /// The corners of the board's cells in pixels.
    pub corners: Corners,
    /// All cells, row by row from the top.
    pub cells: Vec<CellReading>,
    /// What the picture does not show, and what was taken for it.
    pub notes: Vec<String>,
}

impl Reading {
    /// Row and column of the cells below [`DOUBT`].
    pub fn doubtful(&self) -> impl Iterator<Item = (usize, usize)> {
        self.cells.iter().filter(|cell| cell.confidence < DOUBT).map(|cell| (cell.row, cell.col))
    }

    /// The reading as the command line and the server give it: `game`, `position` (null with a
    /// `fault` where the cells make none), `method`, `corners`, `cells`, `doubtful`, `notes`.
    pub fn json(&self) -> Value {
        let hundredths = |v: f64| (v * 100.0).round() / 100.0;
        let cells: Vec<Value> = self
            .cells
            .iter()
            .map(|cell| {
                json!({
                    "row": cell.row,
                    "col": cell.col,
                    "text": cell.text,
                    "confidence": hundredths(cell.confidence),
                })
            })
            .collect();
        let corners = self.corners.map(|p| [hundredths(p.x), hundredths(p.y)]);
        let doubtful: Vec<[usize; 2]> = self.doubtful().map(|(row, col)| [row, col]).collect();
        let mut value = json!({
            "game": self.game,
            "position": self.position.as_ref().ok(),
            "method": self.method,
            "corners": corners,
            "cells": cells,
            "doubtful": doubtful,
            "notes": self.notes,
        });
        if let Err(fault) = &self.position {
            value["fault"] = json!(fault.to_string());
        }
        value
    }
}

/// Reads the position in the bytes of a PNG, JPEG or WebP file.
///
/// # Errors
/// When the request is wrong, the file is no picture within the limits, or no board is found.
pub fn read(request: &Request, bytes: &[u8]) -> Result<Reading, VisionError> {
    let reader = readers::Reader::of(request.game, request.method)?;
    let picture = decode(bytes, &request.limits)?;
    let by = picture.divisor(READ);
    let corners = match request.corners {
        Some(corners) => {
            let (width, height) = (picture.width() as f64, picture.height() as f64);
            let near = |p: &Point| {
                (-width..2.0 * width).contains(&p.x) && (-height..2.0 * height).contains(&p.y)
            };
            if !corners.iter().all(near) || !is_convex(&corners) {
                let expected =
                    "top left, top right, bottom right, bottom left of a board in the picture";
                return Err(ParseError::new("corners", "no such quadrilateral", expected).into());
            }
            Some(corners)
        }
        None => None,
    };
    let picture = if by > 1 { picture.shrunk(by) } else { picture };
    let scaled = |corners: Corners, by: f64| corners.map(|corner| corner.times(by));
    let mut reading = reader.read(&picture, corners.map(|c| scaled(c, 1.0 / by as f64)))?;
    reading.corners = corners.unwrap_or(scaled(reading.corners, by as f64));
    Ok(reading)
}

/// Reads corners: eight numbers with commas between them, as x and y of the top left, top right,
/// bottom right and bottom left.
///
/// ```
/// let corners = ludens_vision::parse_corners("10,10,200,12,198.5,180,8,182").unwrap();
/// assert_eq!(corners[2].x, 198.5);
/// assert!(ludens_vision::parse_corners("10,10").is_err());
/// ```
///
/// # Errors
/// When there are not eight numbers.
pub fn parse_corners(text: &str) -> Result<Corners, ParseError> {
    let numbers: Option<Vec<f64>> = text
        .split(',')
        .map(|part| part.trim().parse().ok().filter(|v: &f64| v.is_finite()))
        .collect();
    match numbers.as_deref() {
        Some(&[a, b, c, d, e, f, g, h]) => {
            Ok([Point::new(a, b), Point::new(c, d), Point::new(e, f), Point::new(g, h)])
        }
        _ => Err(ParseError::new("corners", quote(text), "eight numbers x,y,x,y,x,y,x,y")),
    }
}
