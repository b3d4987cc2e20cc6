//! Connect Four as text: the columns played (`4453`, 1 at the left), or the six
//! rows from the top (`......./.../...XO..`, X moved first).

use ludens_core::error::quote;
use ludens_core::{
    Cell, Control, Fact, Game, Ink, Movement, MovementKind, NoVariant, Notation, ParseError, Place,
    View,
};

use super::{COLUMNS, Column, ConnectFour, ROWS, STRIDE, fours, has_four};

fn cell_bit(row_from_top: usize, column: usize) -> u64 {
    1 << (column as u32 * STRIDE + ROWS - 1 - row_from_top as u32)
}

fn parse_moves(text: &str) -> Result<ConnectFour, ParseError> {
    let mut position = ConnectFour::default();
    for (i, c) in text.chars().enumerate() {
        let location = || format!("move {}", i + 1);
        if position.is_over() {
            return Err(ParseError::new(
                location(),
                quote(&c.to_string()),
                "nothing: the game is over",
            ));
        }
        let action =
            position.parse_action(c.encode_utf8(&mut [0; 4])).map_err(|e| e.within(&location()))?;
        position = position.apply(action).0;
    }
    Ok(position)
}

fn parse_board(text: &str) -> Result<ConnectFour, ParseError> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != ROWS as usize {
        let found = format!("{} rows", rows.len());
        return Err(ParseError::new("board", found, "6 rows separated by '/', or columns played"));
    }
    let mut stones = [0u64; 2];
    for (r, row) in rows.iter().enumerate() {
        if row.chars().count() != COLUMNS as usize {
            return Err(ParseError::new(format!("row {}", r + 1), quote(row), "7 characters"));
        }
        for (c, char) in row.chars().enumerate() {
            match char {
                '.' => {}
                'X' => stones[0] |= cell_bit(r, c),
                'O' => stones[1] |= cell_bit(r, c),
                other => {
                    let location = format!("row {}, column {}", r + 1, c + 1);
                    return Err(ParseError::new(
                        location,
                        quote(&other.to_string()),
                        "'X', 'O' or '.'",
                    ));
                }
            }
        }
    }
    consistent(stones)
}

/// The position with these stones, if a game can lead to something like it.
fn consistent(stones: [u64; 2]) -> Result<ConnectFour, ParseError> {
    let [x, o] = stones;
    let all = x | o;
    let board_error =
        |found: String, expected: &str| Err(ParseError::new("board", found, expected));
    let floating = all & !(all << 1) & !super::BOTTOM;
    if floating != 0 {
        let column = floating.trailing_zeros() / STRIDE + 1;
        return board_error(
            format!("a floating stone in column {column}"),
            "every stone on another",
        );
    }
    let (nx, no) = (x.count_ones(), o.count_ones());
    let own = match nx.checked_sub(no) {
        Some(0) => x,
        Some(1) => o,
        _ => {
            return board_error(format!("{nx} X and {no} O"), "as many X as O, or one more");
        }
    };
    let position = ConnectFour { own, all };
    if has_four(own) {
        return board_error(
            "four in a line for the player to move".into(),
            "the game to stop at the first four",
        );
    }
    let last = position.other();
    // The last stone lies on top of its column; without it there was no four.
    let tops = last & !(all >> 1);
    if has_four(last) && !bits_of(tops).any(|stone| !has_four(last & !stone)) {
        return board_error(
            "fours that no single last stone can have made".into(),
            "the game to stop at the first four",
        );
    }
    Ok(position)
}

fn bits_of(mut set: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let lowest = set & set.wrapping_neg();
        set ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}

impl ConnectFour {
    /// The row from the top of the lowest free cell of a column that is not full.
    fn landing_row(&self, column: usize) -> usize {
        let free = |&row: &usize| self.all & cell_bit(row, column) == 0;
        (0..ROWS as usize).rev().find(free).unwrap_or(0)
    }
}

impl Notation for ConnectFour {
    const NAME: &'static str = "connect-four";

    fn parse(_: &NoVariant, text: &str) -> Result<Self, ParseError> {
        let text = text.trim();
        if text.contains(['/', '.', 'X', 'O']) { parse_board(text) } else { parse_moves(text) }
    }

    fn text(&self) -> String {
        let [x, o] = self.stones();
        let mut out = String::with_capacity(48);
        for row in 0..ROWS as usize {
            if row > 0 {
                out.push('/');
            }
            for column in 0..COLUMNS as usize {
                let bit = cell_bit(row, column);
                out.push(if x & bit != 0 {
                    'X'
                } else if o & bit != 0 {
                    'O'
                } else {
                    '.'
                });
            }
        }
        out
    }

    fn parse_action(&self, text: &str) -> Result<Column, ParseError> {
        let column = match text.as_bytes() {
            [c @ b'1'..=b'7'] => Column(c - b'1'),
            _ => return Err(ParseError::new("move", quote(text), "a column 1-7")),
        };
        if self.is_legal(column) {
            Ok(column)
        } else {
            let expected = if self.is_over() {
                "no move: the game is over"
            } else {
                "a column that is not full"
            };
            Err(ParseError::new("move", quote(text), expected))
        }
    }

    fn action_text(&self, action: Column) -> String {
        (action.0 + 1).to_string()
    }

    fn view(&self) -> View {
        let [x, o] = self.stones();
        let cells = (0..ROWS as usize)
            .flat_map(|row| (0..COLUMNS as usize).map(move |column| cell_bit(row, column)))
            .map(|bit| match (x & bit != 0, o & bit != 0) {
                (true, _) => Cell::new("X", Ink::Red),
                (_, true) => Cell::new("O", Ink::Yellow),
                _ => Cell::empty(),
            })
            .collect();
        View {
            rows: ROWS as usize,
            cols: COLUMNS as usize,
            cells,
            row_labels: vec![String::new(); ROWS as usize],
            col_labels: (1..=COLUMNS).map(|c| c.to_string()).collect(),
            facts: vec![Fact::Number("stones", i64::from(self.all.count_ones()))],
            control: Control::Point,
        }
    }

    fn action_cells(&self, action: Column) -> Vec<usize> {
        // The whole column, the cell where the stone lands first: pointing anywhere in it
        // drops there.
        let column = usize::from(action.0);
        let landing = self.landing_row(column);
        let others = (0..ROWS as usize).filter(|&row| row != landing);
        let rows = std::iter::once(landing).chain(others);
        rows.map(|row| row * COLUMNS as usize + column).collect()
    }

    fn winning_cells(&self) -> Vec<usize> {
        let four = fours(self.other());
        let cells = 0..(ROWS * COLUMNS) as usize;
        let bit = |cell: usize| cell_bit(cell / COLUMNS as usize, cell % COLUMNS as usize);
        cells.filter(|&cell| four & bit(cell) != 0).collect()
    }

    fn motion(&self, action: Column) -> Vec<Movement> {
        let column = usize::from(action.0);
        let cell = self.landing_row(column) * COLUMNS as usize + column;
        let (from, to) = (Place::Off, Place::Cell(cell));
        vec![Movement { from, to, order: 0, kind: MovementKind::Fall }]
    }
}
