//! Former as text: the shapes of all cells in reading order, top row first
//! (`.` is an empty cell), in one piece or with a line break or `/` after each
//! row; a move is `column,row` of any cell of the group, rows from the bottom.

use ludens_core::error::quote;
use ludens_core::{Cell, Control, Fact, Game, Ink, Notation, ParseError, View};

use super::{Former, FormerVariant, Group};

/// How each shape is drawn: told apart by form, then by colour.
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

/// The characters of all cells in reading order.
fn characters(variant: &FormerVariant, text: &str) -> Result<Vec<char>, ParseError> {
    let (rows, cols) = (usize::from(variant.rows()), usize::from(variant.cols()));
    let text = text.trim();
    let row_ends = ['/', '\n'];
    if !text.contains(row_ends) {
        let count = text.chars().count();
        if count != rows * cols {
            let found = format!("{} ({count} cells)", quote(text));
            let expected = format!("{rows} rows of {cols} cells: {} characters", rows * cols);
            return Err(ParseError::new("board", found, expected));
        }
        return Ok(text.chars().collect());
    }
    let count = text.split(row_ends).count();
    if count != rows {
        return Err(ParseError::new("board", format!("{count} rows"), format!("{rows} rows")));
    }
    let mut cells = Vec::with_capacity(rows * cols);
    for (r, row) in text.split(row_ends).map(str::trim).enumerate() {
        if row.chars().count() != cols {
            let place = format!("row {} from the top", r + 1);
            return Err(ParseError::new(place, quote(row), format!("{cols} characters")));
        }
        cells.extend(row.chars());
    }
    Ok(cells)
}

fn shape_of(character: char, variant: &FormerVariant) -> Option<Option<u8>> {
    match character {
        '.' => Some(None),
        _ => {
            let shape = character.to_digit(8)? as u8;
            (shape < variant.shapes()).then_some(Some(shape))
        }
    }
}

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
        let characters = characters(variant, text)?;
        let mut shapes = [None; 64];
        for (i, &character) in characters.iter().enumerate() {
            shapes[i] = shape_of(character, variant).ok_or_else(|| {
                let place = format!("row {} from the top, column {}", i / cols + 1, i % cols + 1);
                let expected = match variant.shapes() {
                    1 => "0 or '.'".to_owned(),
                    shapes => format!("a digit 0-{} or '.'", shapes - 1),
                };
                ParseError::new(place, quote(&character.to_string()), expected)
            })?;
        }
        let floats = |i: usize| shapes[i].is_some() && shapes[i + cols].is_none();
        if let Some(i) = (0..rows * cols - cols).find(|&i| floats(i)) {
            let place = format!("row {} from the top, column {}", i / cols + 1, i % cols + 1);
            let expected = "every shape at the bottom or on another";
            return Err(ParseError::new(place, "a floating shape", expected));
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
}
