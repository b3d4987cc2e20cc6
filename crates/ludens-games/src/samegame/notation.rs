//! SameGame as text: the cells row by row from the top, a digit per colour and
//! `.` for an empty cell, in one piece or with `/` or line breaks between rows.

use ludens_core::error::quote;
use ludens_core::{Cell, Control, Fact, Game, Ink, Movement, Notation, ParseError, View};

use super::plane::{contains, count, lowest};
use super::{Group, SameGame, SameGameVariant, board};
use crate::cells;

/// Shapes that distinguish the colours without colour.
const SHAPES: [&str; 7] = ["●", "■", "▲", "◆", "★", "✚", "♥"];

/// The cell numbers in the order of the text.
fn in_text_order(variant: SameGameVariant) -> impl Iterator<Item = u8> {
    let (rows, cols) = (variant.rows(), variant.cols());
    (0..rows).rev().flat_map(move |row| (0..cols).map(move |column| 16 * column + row))
}

/// A number of at most three digits.
fn number(text: &str) -> Option<u8> {
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    if digits && text.len() <= 3 { text.parse().ok() } else { None }
}

impl SameGame {
    /// Refuses blocks over holes and columns to the right of an empty one.
    fn check_settled(&self) -> Result<(), ParseError> {
        let blocks = self.occupied();
        for column in 0..self.variant.cols() {
            for row in 0..self.variant.rows() {
                let cell = 16 * column + row;
                if !contains(&blocks, cell) {
                    continue;
                }
                let from_top = self.variant.rows() - 1 - row;
                let location = || cells::location(from_top.into(), column.into());
                if row > 0 && !contains(&blocks, cell - 1) {
                    return Err(ParseError::new(
                        location(),
                        "a floating block",
                        "a block below it",
                    ));
                }
                if column > 0 && !contains(&blocks, cell - row - 16) {
                    let found = "a block to the right of an empty column";
                    return Err(ParseError::new(
                        location(),
                        found,
                        "empty columns at the right only",
                    ));
                }
            }
        }
        Ok(())
    }
}

impl Notation for SameGame {
    const NAME: &'static str = "samegame";

    fn parse(variant: &SameGameVariant, text: &str) -> Result<Self, ParseError> {
        let mut game = SameGame::empty(*variant);
        let colours = cells::read((variant.rows(), variant.cols()), variant.colours(), text)?;
        for (cell, colour) in in_text_order(*variant).zip(colours) {
            if let Some(colour) = colour {
                game.put(cell, colour + 1);
            }
        }
        game.check_settled()?;
        Ok(game.emptied())
    }

    fn text(&self) -> String {
        in_text_order(self.variant)
            .map(|cell| match self.code(cell) {
                0 => '.',
                code => char::from(b'0' + code - 1),
            })
            .collect()
    }

    fn parse_action(&self, text: &str) -> Result<Group, ParseError> {
        let refuse = |expected: String| ParseError::new("move", quote(text), expected);
        let pair = text
            .split_once(',')
            .and_then(|(column, row)| Some((number(column.trim())?, number(row.trim())?)));
        let Some((column, row)) = pair else {
            return Err(refuse("a column and a row such as '3,0'".to_owned()));
        };
        let (cols, rows) = (self.variant.cols(), self.variant.rows());
        if column >= cols || row >= rows {
            return Err(refuse(format!("a column 0-{} and a row 0-{}", cols - 1, rows - 1)));
        }
        let blocks = board::group_at(self, 16 * column + row);
        match lowest(&blocks) {
            Some(cell) if count(&blocks) >= 2 => Ok(Group(cell)),
            _ if self.is_over() => Err(refuse("no move: the game is over".to_owned())),
            Some(_) => Err(refuse("a group of at least two blocks".to_owned())),
            None => Err(refuse("a cell with a block".to_owned())),
        }
    }

    fn action_text(&self, group: Group) -> String {
        format!("{},{}", group.column(), group.row())
    }

    fn action_pair(&self, group: Group) -> Option<[u8; 2]> {
        Some([group.column(), group.row()])
    }

    fn view(&self) -> View {
        let cells = in_text_order(self.variant)
            .map(|cell| match usize::from(self.code(cell)) {
                0 => Cell::empty(),
                code => Cell::new(SHAPES[code - 1], Ink::PIECES[code - 1]),
            })
            .collect();
        let (rows, cols) = (self.variant.rows(), self.variant.cols());
        View {
            rows: usize::from(rows),
            cols: usize::from(cols),
            cells,
            row_labels: (0..rows).rev().map(|row| row.to_string()).collect(),
            col_labels: (0..cols).map(|column| column.to_string()).collect(),
            facts: vec![
                Fact::Number("groups", self.actions().len() as i64),
                Fact::Number("blocks", i64::from(self.blocks())),
            ],
            control: Control::Point,
        }
    }

    fn action_cells(&self, group: Group) -> Vec<usize> {
        let blocks = board::group_at(self, group.0);
        (0..)
            .zip(in_text_order(self.variant))
            .filter(|&(_, cell)| contains(&blocks, cell))
            .map(|(i, _)| i)
            .collect()
    }

    fn motion(&self, group: Group) -> Vec<Movement> {
        let size @ (rows, cols) = (self.variant.rows(), self.variant.cols());
        let occupied = |i: usize| {
            let (row, column) = (i / usize::from(cols), i % usize::from(cols));
            self.colour_at(column as u8, rows - 1 - row as u8).is_some()
        };
        cells::settling(size, &self.action_cells(group), occupied, true)
    }
}
