//! Former as text: the shapes of all cells in reading order, top row first
//! (`.` is an empty cell), in one piece or with a line break or `/` after each
//! row; a move is `column,row` of any cell of the group, rows from the bottom.

use ludens_core::error::quote;
use ludens_core::{Cell, Control, Fact, Game, Ink, Movement, Notation, ParseError, View};

use super::{Former, FormerVariant, Group};
use crate::cells;

/// How each shape is drawn: distinguished by form, then by colour.
const SHAPES: [(&str, Ink); 8] = [
    ("●", Ink::Pink),
    ("■", Ink::Blue),
    ("▲", Ink::Green),
    ("◆", Ink::Orange),
    ("★", Ink::Purple),
    ("▼", Ink::Cyan),
    ("✚", Ink::Yellow),
    ("○", Ink::Red),
];

/// Reads `column,row` in plain digits.
fn pair(text: &str) -> Option<(u8, u8)> {
    let number = |part: &str| {
        let plain = (1..=2).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
        if plain { part.parse().ok() } else { None }
    };
    let (column, row) = text.split_once(',')?;
    Some((number(column)?, number(row)?))
}

impl Former {
    fn column_and_row(&self, action: Group) -> [u8; 2] {
        [action.0 / self.variant.rows(), action.0 % self.variant.rows()]
    }
}

impl Notation for Former {
    const NAME: &'static str = "former";

    fn parse(variant: &FormerVariant, text: &str) -> Result<Self, ParseError> {
        let (rows, cols) = (usize::from(variant.rows()), usize::from(variant.cols()));
        let shapes = cells::read((variant.rows(), variant.cols()), variant.shapes(), text)?;
        let floats = |i: usize| shapes[i].is_some() && shapes[i + cols].is_none();
        if let Some(i) = (0..rows * cols - cols).find(|&i| floats(i)) {
            let location = cells::location(i / cols, i % cols);
            let expected = "every shape at the bottom or on another";
            return Err(ParseError::new(location, "a floating shape", expected));
        }
        let mut shapes = shapes.into_iter();
        Ok(Former::from_reading_order(*variant, || shapes.next().flatten()))
    }

    fn text(&self) -> String {
        self.variant
            .reading_order()
            .map(|(column, row)| match self.shape_at(column, row) {
                Some(shape) => char::from(b'0' + shape),
                None => '.',
            })
            .collect()
    }

    fn parse_action(&self, text: &str) -> Result<Group, ParseError> {
        let refuse = |expected: String| Err(ParseError::new("move", quote(text), expected));
        if self.is_over() {
            return refuse("no move: the board is empty".to_owned());
        }
        let (rows, cols) = (self.variant.rows(), self.variant.cols());
        let Some((column, row)) = pair(text).filter(|&(c, r)| c < cols && r < rows) else {
            let (right, top) = (cols - 1, rows - 1);
            return refuse(format!(
                "column,row with a column 0-{right} from the left and a row 0-{top} from the bottom"
            ));
        };
        match self.group_of(column * rows + row) {
            0 => refuse("a cell that is not empty".to_owned()),
            group => Ok(Group::of(group)),
        }
    }

    fn action_text(&self, action: Group) -> String {
        let [column, row] = self.column_and_row(action);
        format!("{column},{row}")
    }

    fn action_pair(&self, action: Group) -> Option<[u8; 2]> {
        Some(self.column_and_row(action))
    }

    fn view(&self) -> View {
        let cells = self
            .variant
            .reading_order()
            .map(|(column, row)| match self.shape_at(column, row) {
                Some(shape) => {
                    let (text, ink) = SHAPES[usize::from(shape)];
                    Cell::new(text, ink)
                }
                None => Cell::empty(),
            })
            .collect();
        View {
            rows: usize::from(self.variant.rows()),
            cols: usize::from(self.variant.cols()),
            cells,
            row_labels: (0..self.variant.rows()).rev().map(|row| row.to_string()).collect(),
            col_labels: (0..self.variant.cols()).map(|column| column.to_string()).collect(),
            facts: vec![
                Fact::Number("groups", i64::from(self.groups())),
                Fact::Number("cells", i64::from(self.occupied.count_ones())),
                Fact::Number("bound", i64::from(self.column_run_bound())),
            ],
            control: Control::Point,
        }
    }

    fn action_cells(&self, action: Group) -> Vec<usize> {
        let group = self.group_of(action.0);
        let rows = usize::from(self.variant.rows());
        self.variant
            .reading_order()
            .enumerate()
            .filter(|&(_, (column, row))| group >> (column * rows + row) & 1 != 0)
            .map(|(i, _)| i)
            .collect()
    }

    fn motion(&self, action: Group) -> Vec<Movement> {
        let size @ (rows, cols) = (self.variant.rows(), self.variant.cols());
        let (rows, cols) = (usize::from(rows), usize::from(cols));
        let occupied = |i: usize| self.shape_at(i % cols, rows - 1 - i / cols).is_some();
        cells::settling(size, &self.action_cells(action), occupied, false)
    }
}
