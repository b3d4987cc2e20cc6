//! Boards as text: rows joined by `/`, tile values by `,`, 0 for no tile.

use ludens_core::ParseError;
use ludens_core::error::quote;

use super::{Grid, Size};

/// The text of a board whose tiles `value` knows by square.
///
/// ```
/// use ludens_games::tiles::{Size, text};
/// let size = Size::new(2, 3).unwrap();
/// assert_eq!(text::write(size, |square| square as u32), "0,1,2/4,5,6");
/// ```
pub fn write(size: Size, value: impl Fn(usize) -> u32) -> String {
    let mut out = String::new();
    for cell in 0..size.cells() {
        if cell > 0 {
            out.push(if cell.is_multiple_of(size.cols()) { '/' } else { ',' });
        }
        out.push_str(&value(size.square(cell)).to_string());
    }
    out
}

/// Reads a board. `index` knows the tiles: it gives what the grid shall hold for
/// a value, or `None` for a number that is no tile; `tiles` describes them in
/// a message, such as `0 or a power of 2 up to 131072`. Squares off the board are 0.
///
/// Besides what [`write()`] gives it takes what people paste: lines for rows, blanks or tabs
/// between numbers, brackets around rows, `.` or `_` for no tile, or all numbers in one row.
///
/// # Errors
/// When the text has another shape, or something that is no tile.
pub fn parse(
    size: Size,
    text: &str,
    tiles: &str,
    index: impl Fn(u32) -> Option<u8>,
) -> Result<Grid<u8>, ParseError> {
    let count =
        |n: usize, what: &str| if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") };
    let (rows, cols) = (size.rows(), size.cols());
    let pasted = pasted(text);
    let mut found: Vec<Vec<&str>> = pasted.split('/').map(numbers).collect();
    if let [one] = &found[..]
        && rows > 1
        && one.len() == rows * cols
    {
        found = one.chunks(cols).map(<[&str]>::to_vec).collect();
    }
    if found.len() != rows {
        let expected = format!("{} of {} joined by '/'", count(rows, "row"), count(cols, "tile"));
        return Err(ParseError::new("board", count(found.len(), "row"), expected));
    }
    let mut grid = [0; 16];
    for (r, row) in found.iter().enumerate() {
        if row.len() != cols {
            let expected = format!("{} joined by ','", count(cols, "tile"));
            let found = count(row.len(), "tile");
            return Err(ParseError::new(format!("row {}", r + 1), found, expected));
        }
        for (c, tile) in row.iter().enumerate() {
            let digits = !tile.is_empty() && tile.bytes().all(|b| b.is_ascii_digit());
            let value = match *tile {
                "." | "_" => Some(0),
                _ if digits => tile.parse().ok(),
                _ => None,
            };
            grid[r * 4 + c] = value.and_then(&index).ok_or_else(|| {
                let location = format!("row {}, column {}", r + 1, c + 1);
                ParseError::new(location, quote(tile), tiles)
            })?;
        }
    }
    Ok(grid)
}

/// The text with one `/` between rows, whatever stood there, and no brackets.
fn pasted(text: &str) -> String {
    let text = text.trim();
    let bracketed = text.starts_with('[');
    let mut rows: Vec<String> = Vec::new();
    for line in text.split(['/', '\n']) {
        match bracketed {
            // `[0,2],[4,8]` and `[[0,2],` alike.
            true => rows.extend(
                line.split(']')
                    .map(|row| {
                        row.trim_matches(|c: char| c == '[' || c == ',' || c.is_whitespace())
                    })
                    .filter(|row| !row.is_empty())
                    .map(str::to_owned),
            ),
            false => rows.push(line.trim().to_owned()),
        }
    }
    rows.join("/")
}

/// The numbers of a row: between commas, or between blanks where there is none.
fn numbers(row: &str) -> Vec<&str> {
    match row.contains(',') {
        true => row.split(',').map(str::trim).collect(),
        false if row.trim().is_empty() => vec![""],
        false => row.split_whitespace().collect(),
    }
}

/// The text of a board that waits for a new tile: the board and ` *`.
pub fn write_after(board: &str) -> String {
    format!("{board} *")
}

/// The board of a text by [`write_after`].
///
/// # Errors
/// When there is no `*` at its end.
pub fn board_of_after(text: &str) -> Result<&str, ParseError> {
    let text = text.trim();
    text.strip_suffix('*').ok_or_else(|| {
        ParseError::new("afterstate", quote(text), "a board and '*' for the tile to come")
    })
}

/// A new tile as text: `TILE@CELL`, with its value and the number of its cell
/// row by row from the top left, from 0.
pub fn write_spawn(size: Size, value: u32, square: u8) -> String {
    format!("{value}@{}", size.cell(usize::from(square)))
}

/// Refuses a board without an empty square for a new tile.
///
/// # Errors
/// When there is none.
pub fn has_room(empty: u16) -> Result<(), ParseError> {
    if empty == 0 {
        return Err(ParseError::new("afterstate", "a full board", "an empty cell for a new tile"));
    }
    Ok(())
}
