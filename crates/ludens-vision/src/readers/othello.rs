//! Othello: what is lighter or darker than the ground beside it is a disc.

use ludens_core::{Game, NoVariant, Notation, ParseError};
use ludens_games::Othello;
use ludens_games::othello::Square;

use super::{Readable, Seen};
use crate::board::{Board, CORE, Part};
use crate::colour::{brightness, distance, median};
use crate::find::{Layout, Settles};

const SIZE: usize = 8;

/// Inside a cell's corners, where discs leave the ground free and lines do not reach.
const GROUND: [Part; 4] = [
    [0.05, 0.05, 0.14, 0.14],
    [0.86, 0.05, 0.95, 0.14],
    [0.05, 0.86, 0.14, 0.95],
    [0.86, 0.86, 0.95, 0.95],
];

/// How much a disc differs from the ground at least, of 255.
const DISC: f32 = 26.0;

impl Readable for Othello {
    const METHODS: &'static [&'static str] = &["discs"];
    const SIDE: usize = 32;

    fn layout(_: &Self::Variant) -> Layout {
        Layout { rows: SIZE, cols: SIZE, settles: Settles::No }
    }

    fn see(variant: &Self::Variant, board: &Board, _: &str) -> Seen {
        let cells: Vec<(String, f64)> = (0..board.cells()).map(|cell| disc(board, cell)).collect();
        let text: String =
            cells.iter().map(|(text, _)| if text.is_empty() { "." } else { text }).collect();
        let discs = text.chars().filter(|&c| c != '.').count();
        // Without passes the first player moves when the number of discs is even.
        let (side, other) = if discs % 2 == 0 { ('X', 'O') } else { ('O', 'X') };
        let with = |side| with_side(variant, &text, side);
        let (position, note) = match (with(side), with(other)) {
            (Ok((_, false)), Ok((position, true))) => {
                (Ok(position), format!("{other} is to move: {side} cannot"))
            }
            (found, _) => (
                found.map(|(position, _)| position),
                format!("{side} is taken to move, by the number of discs: a pass would change it"),
            ),
        };
        Seen { cells, position, notes: vec![note] }
    }
}

/// What lies in a cell.
fn disc(board: &Board, cell: usize) -> (String, f64) {
    let core = board.median(cell, CORE);
    let ground = median(GROUND.into_iter().map(|part| board.median(cell, part)));
    let contrast = distance(core, ground);
    let lighter = brightness(core) - brightness(ground);
    // From 0 at the bound to 1 far from it.
    let far = |value: f32, bound: f32| f64::from((((value - bound) / bound).abs()).min(1.0));
    if contrast < DISC {
        return (String::new(), far(contrast, DISC));
    }
    let text = if lighter > 0.0 { "O" } else { "X" };
    (text.to_owned(), far(contrast, DISC).min(f64::from((lighter.abs() / 16.0).min(1.0))))
}

/// The position with a side to move, and whether that side has a move that is no pass.
fn with_side(variant: &NoVariant, cells: &str, side: char) -> Result<(String, bool), ParseError> {
    let position = Othello::parse(variant, &format!("{cells} {side}"))?;
    let moves = position.actions().any(|action| action != Square::PASS);
    Ok((position.text(), moves))
}
