//! Boards of one character per cell, for Former and SameGame: rows from the
//! top, in one piece or with `/` or a line break between them; a digit for
//! what lies in a cell and `.` for an empty one.

use ludens_core::error::quote;
use ludens_core::{Movement, MovementKind, ParseError};

/// What lies in each cell, in reading order: a number below `kinds`, or `None`.
pub(crate) fn read(
    (rows, cols): (u8, u8),
    kinds: u8,
    text: &str,
) -> Result<Vec<Option<u8>>, ParseError> {
    let cols = usize::from(cols);
    let content = |(i, character): (usize, char)| match character.to_digit(10) {
        Some(kind) if kind < u32::from(kinds) => Ok(Some(kind as u8)),
        None if character == '.' => Ok(None),
        _ => {
            let expected = match kinds {
                1 => "0 or '.'".to_owned(),
                _ => format!("a digit 0-{} or '.'", kinds - 1),
            };
            let found = quote(&character.to_string());
            Err(ParseError::new(location(i / cols, i % cols), found, expected))
        }
    };
    characters(usize::from(rows), cols, text)?.into_iter().enumerate().map(content).collect()
}

/// The characters of all cells, checked for number only.
fn characters(rows: usize, cols: usize, text: &str) -> Result<Vec<char>, ParseError> {
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
            let location = format!("row {} from the top", r + 1);
            return Err(ParseError::new(location, quote(row), format!("{cols} characters")));
        }
        cells.extend(row.chars());
    }
    Ok(cells)
}

/// Where a cell is, in words that count from 1: the text begins at the top,
/// though moves count rows from the bottom.
pub(crate) fn location(row_from_top: usize, column: usize) -> String {
    format!("row {} from the top, column {}", row_from_top + 1, column + 1)
}

/// How a board settles when cells, in reading order, are removed: they go, what is above them falls,
/// and with `closes` the columns close up to the left.
pub(crate) fn settling(
    (rows, cols): (u8, u8),
    removed: &[usize],
    occupied: impl Fn(usize) -> bool,
    closes: bool,
) -> Vec<Movement> {
    let (rows, cols) = (usize::from(rows), usize::from(cols));
    let mut motion: Vec<Movement> = removed.iter().map(|&cell| Movement::vanish(cell, 0)).collect();
    let mut filled_columns = 0;
    for column in 0..cols {
        let from_below = (0..rows).rev().map(|row| row * cols + column);
        let left = from_below.filter(|&cell| occupied(cell) && !removed.contains(&cell));
        let mut height = 0;
        for from in left {
            let fallen = (rows - 1 - height) * cols + column;
            height += 1;
            if fallen != from {
                motion.push(Movement::between(from, fallen, 1, MovementKind::Fall));
            }
            let closed = fallen - column + filled_columns;
            if closes && closed != fallen {
                motion.push(Movement::between(fallen, closed, 2, MovementKind::Slide));
            }
        }
        filled_columns += usize::from(height > 0);
    }
    motion
}

/// Writes the cells of a board of two players: 1 for `own` stones, 2 for those of the other.
pub(crate) fn write_stones(own: u64, other: u64, out: &mut [u8]) {
    for (cell, number) in out.iter_mut().enumerate() {
        *number = (own >> cell & 1 | (other >> cell & 1) << 1) as u8;
    }
}
