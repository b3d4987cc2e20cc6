//! The board that NRK, the Norwegian broadcaster, shows on a day.

use md5::{Digest, Md5};

use ludens_core::ParseError;

use super::alea::Alea;
use super::{Date, Former, FormerVariant};

/// The first day whose board follows this rule.
const FIRST: Date = Date { year: 2024, month: 11, day: 23 };

/// The shapes in the order of the quarters of `[0, 1)`.
const QUARTERS: [u8; 4] = [3, 0, 2, 1];

/// The daily board of a date: nine rows, seven columns, four shapes.
///
/// The numbers of day, month (from 0) and year are written after one another
/// without padding; the MD5 of that text in hexadecimal seeds the Alea generator,
/// whose draws fill the board in reading order. Some dates share a board.
///
/// ```
/// use ludens_games::former::daily;
/// assert_eq!(daily(2025, 5, 18).unwrap().groups(), 23);
/// assert_eq!(daily(2025, 1, 11), daily(2025, 11, 1));
/// ```
///
/// # Errors
/// When there is no such day, or it is before 2024-11-23: earlier boards were
/// made in another way.
pub fn daily(year: u16, month: u8, day: u8) -> Result<Former, ParseError> {
    let date = Date::new(year, month, day)?;
    if date < FIRST {
        let expected = format!("{FIRST} or later, from when the daily boards can be computed");
        return Err(ParseError::new("date", date.to_string(), expected));
    }
    let hash = Md5::digest(format!("{day}{}{year}", month - 1));
    let seed: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    let mut alea = Alea::new(&seed);
    let variant = FormerVariant::default();
    Ok(Former::from_reading_order(variant, || Some(QUARTERS[(4.0 * alea.next()) as usize])))
}
