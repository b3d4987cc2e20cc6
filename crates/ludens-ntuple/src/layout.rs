//! Which cells the tables of a network look at.

use std::fmt;

use ludens_core::error::quote;
use ludens_core::{CellShape, ParseError};

/// The most cells of a tuple; two are the fewest.
const LONGEST: usize = 8;

/// Layouts of 4x4 boards by name. A `!` keeps a tuple from its reflections.
const NAMED: &[(&str, &str)] = &[
    ("4x6", "012345 456789 012456 45689a"),
    ("5x6", "012345 456789 89abcd 012456 45689a"),
    ("6x6", "012456 456789 012345 234569 01259a 345678"),
    ("7x6", "012456 456789 012345 234569 01259a 345678 134567"),
    ("8x6", "012456 456789 012345 234569 01259a 345678 134567 01489a"),
    ("2x7", "0123456 456789a"),
    ("2x8", "01234567 456789ab"),
    ("9x4", "0145! 1256! 2367! 4589! 569a! 67ab! 89cd! 9ade! abef!"),
    ("boxes", "0145! 1256! 2367! 4589! 569a! 67ab! 89cd! 9ade! abef!"),
    ("lines", "0123! 4567! 89ab! cdef! 048c! 159d! 26ae! 37bf!"),
    ("axes", "012345 456789"),
    ("rects", "012456 45689a"),
    ("re", "0123 4567 0145 1256 569a"),
];

/// The cells of one table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tuple {
    /// The cells; the first counts least in the index of an entry.
    pub cells: Vec<u8>,
    /// Whether all reflections and rotations share the table.
    pub symmetric: bool,
}

/// The tuples of a network.
///
/// A layout is written as tuples with blanks, commas or `+` between them. A tuple
/// is its cells as hexadecimal digits (`012456`), or as numbers with dots between
/// them (`0.1.2.8.9`); a `!` after it says that its reflections and rotations are
/// not looked at. A name stands for the tuples of a known layout.
///
/// ```
/// use ludens_ntuple::Layout;
/// let layout: Layout = "rects+0123".parse()?;
/// assert_eq!(layout.to_string(), "012456 45689a 0123");
/// # Ok::<(), ludens_core::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    tuples: Vec<Tuple>,
}

impl Layout {
    /// The tuples.
    pub fn tuples(&self) -> &[Tuple] {
        &self.tuples
    }

    /// The names of known layouts.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMED.iter().map(|(name, _)| *name)
    }

    /// Refuses a layout that looks off the board or leaves a cell of it out.
    ///
    /// # Errors
    /// When it does not fit the cells.
    pub fn check(&self, shape: &CellShape) -> Result<(), ParseError> {
        let mut seen = 0u64;
        for tuple in &self.tuples {
            for &cell in &tuple.cells {
                if usize::from(cell) >= shape.cells || shape.board >> cell & 1 == 0 {
                    return Err(error(format!("cell {cell} in {tuple}"), "cells of the board"));
                }
            }
            let maps = if tuple.symmetric { &shape.symmetries[..] } else { &shape.symmetries[..1] };
            for map in maps {
                seen |=
                    tuple.cells.iter().fold(0, |bits, &cell| bits | 1 << map[usize::from(cell)]);
            }
        }
        let missing = shape.board & !seen;
        if missing != 0 {
            let found = format!("no tuple with cell {}", missing.trailing_zeros());
            return Err(error(found, "every cell in at least one"));
        }
        Ok(())
    }
}

fn error(found: impl Into<String>, expected: impl Into<String>) -> ParseError {
    ParseError::new("layout", found, expected)
}

impl std::str::FromStr for Layout {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut tuples: Vec<Tuple> = Vec::new();
        let between = |c: char| c.is_whitespace() || c == ',' || c == '+';
        for piece in text.split(between).filter(|piece| !piece.is_empty()) {
            match NAMED.iter().find(|(name, _)| *name == piece) {
                Some((_, known)) => {
                    for piece in known.split(' ') {
                        tuples.push(tuple(piece)?);
                    }
                }
                None => tuples.push(tuple(piece)?),
            }
        }
        for (i, tuple) in tuples.iter().enumerate() {
            if tuples[..i].contains(tuple) {
                return Err(error(format!("{tuple} twice"), "each tuple once"));
            }
        }
        if tuples.is_empty() {
            return Err(error(quote(text), expected()));
        }
        Ok(Layout { tuples })
    }
}

fn expected() -> String {
    let names: Vec<&str> = Layout::names().collect();
    format!("{}, or tuples of 2 to {LONGEST} cells such as 012456", names.join(", "))
}

fn tuple(text: &str) -> Result<Tuple, ParseError> {
    let (digits, symmetric) = match text.strip_suffix('!') {
        Some(digits) => (digits, false),
        None => (text, true),
    };
    let cells: Option<Vec<u8>> = if digits.contains('.') {
        digits.split('.').map(|cell| cell.parse().ok().filter(|&cell| cell < 64)).collect()
    } else {
        digits.chars().map(|c| c.to_digit(16).map(|cell| cell as u8)).collect()
    };
    let cells = cells.filter(|cells| (2..=LONGEST).contains(&cells.len()));
    let cells = cells.ok_or_else(|| error(quote(text), expected()))?;
    if (1..cells.len()).any(|i| cells[..i].contains(&cells[i])) {
        return Err(error(quote(text), "each cell once in a tuple"));
    }
    Ok(Tuple { cells, symmetric })
}

impl fmt::Display for Tuple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers = self.cells.iter().any(|&cell| cell > 15);
        for (i, cell) in self.cells.iter().enumerate() {
            match (numbers, i) {
                (false, _) => write!(f, "{cell:x}")?,
                (true, 0) => write!(f, "{cell}")?,
                (true, _) => write!(f, ".{cell}")?,
            }
        }
        f.write_str(if self.symmetric { "" } else { "!" })
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<String> = self.tuples.iter().map(Tuple::to_string).collect();
        f.write_str(&texts.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_core::cells::rectangle;

    fn shape() -> CellShape {
        let symmetries = rectangle(4, 4, 4);
        CellShape { cells: 16, board: 0xFFFF, values: 16, extras: 1, symmetries, turns: Vec::new() }
    }

    #[test]
    fn names_read_cover_the_board_and_are_written_back() {
        for name in Layout::names() {
            let layout: Layout = name.parse().unwrap();
            layout.check(&shape()).unwrap();
            assert_eq!(layout.to_string().parse::<Layout>().unwrap(), layout, "{name}");
        }
        let long: Layout = "0.17.33! 5a".parse().unwrap();
        assert_eq!(long.to_string(), "0.17.33! 5a");
    }

    #[test]
    fn wrong_layouts_are_refused() {
        for (text, expected) in [
            ("", "found '', expected"),
            ("4x9", "found '4x9', expected"),
            ("01234556", "each cell once in a tuple"),
            ("0123456789", "found '0123456789'"),
            ("0123 0123", "found 0123 twice"),
            ("1.99", "found '1.99'"),
        ] {
            let message = text.parse::<Layout>().unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        }
        let off: Layout = "0.17".parse().unwrap();
        assert_eq!(
            off.check(&shape()).unwrap_err().to_string(),
            "layout: found cell 17 in 0.17, expected cells of the board"
        );
        let hole: Layout = "0123".parse().unwrap();
        let message = hole.check(&shape()).unwrap_err().to_string();
        assert_eq!(
            message,
            "layout: found no tuple with cell 5, expected every cell in at least one"
        );
    }
}
