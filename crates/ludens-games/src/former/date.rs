//! A day of the calendar.

use std::fmt;
use std::str::FromStr;

use ludens_core::ParseError;
use ludens_core::error::quote;

/// A day of the Gregorian calendar in the years 1 to 9999.
///
/// ```
/// use ludens_games::former::Date;
/// let date: Date = "2025-05-18".parse().unwrap();
/// assert_eq!((date.year(), date.month(), date.day()), (2025, 5, 18));
/// assert_eq!(date.to_string(), "2025-05-18");
/// assert!("2025-02-29".parse::<Date>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Date {
    pub(super) year: u16,
    pub(super) month: u8,
    pub(super) day: u8,
}

fn days_of_month(year: u16, month: u8) -> u8 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

impl Date {
    /// The day of these numbers, counted from 1.
    ///
    /// # Errors
    /// When the calendar has no such day.
    pub fn new(year: u16, month: u8, day: u8) -> Result<Self, ParseError> {
        let date = Date { year, month, day };
        let exists = (1..=9999).contains(&year)
            && (1..=12).contains(&month)
            && (1..=days_of_month(year, month)).contains(&day);
        if exists {
            Ok(date)
        } else {
            Err(ParseError::new("date", date.to_string(), "a day of the calendar"))
        }
    }

    /// The day after; `None` after the last day of the year 9999.
    pub fn next_day(self) -> Option<Self> {
        let Date { year, month, day } = self;
        let candidates = [(year, month, day + 1), (year, month + 1, 1), (year + 1, 1, 1)];
        candidates.into_iter().find_map(|(year, month, day)| Date::new(year, month, day).ok())
    }

    /// The year.
    pub fn year(&self) -> u16 {
        self.year
    }

    /// The month, 1 to 12.
    pub fn month(&self) -> u8 {
        self.month
    }

    /// The day of the month, from 1.
    pub fn day(&self) -> u8 {
        self.day
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl FromStr for Date {
    type Err = ParseError;

    /// Reads `YYYY-MM-DD`, exactly so.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let malformed = || ParseError::new("date", quote(text), "YYYY-MM-DD");
        let bytes: [u8; 10] = text.as_bytes().try_into().map_err(|_| malformed())?;
        let number = |digits: &[u8]| {
            digits.iter().try_fold(0u16, |number, digit| {
                let value = u16::from(digit.wrapping_sub(b'0'));
                if value <= 9 { Ok(number * 10 + value) } else { Err(malformed()) }
            })
        };
        if bytes[4] != b'-' || bytes[7] != b'-' {
            return Err(malformed());
        }
        let (month, day) = (number(&bytes[5..7])?, number(&bytes[8..])?);
        Date::new(number(&bytes[..4])?, month as u8, day as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_read_back() {
        for text in ["2024-02-29", "2000-02-29", "2025-12-31", "0001-01-01", "9999-12-31"] {
            assert_eq!(text.parse::<Date>().unwrap().to_string(), text);
        }
        let (early, late) = (Date::new(2024, 12, 31).unwrap(), Date::new(2025, 1, 1).unwrap());
        assert!(early < late);
    }

    #[test]
    fn days_follow_each_other() {
        let next = |text: &str| text.parse::<Date>().unwrap().next_day().map(|d| d.to_string());
        assert_eq!(next("2024-02-28").as_deref(), Some("2024-02-29"));
        assert_eq!(next("2025-02-28").as_deref(), Some("2025-03-01"));
        assert_eq!(next("2024-12-31").as_deref(), Some("2025-01-01"));
        assert_eq!(next("9999-12-31"), None);
    }

    #[test]
    fn days_that_do_not_exist_are_refused() {
        let refused = |text: &str| text.parse::<Date>().unwrap_err().to_string();
        for text in ["2025-02-29", "1900-02-29", "2025-04-31", "2025-13-01", "2025-00-10"] {
            assert_eq!(
                refused(text),
                format!("date: found {text}, expected a day of the calendar")
            );
        }
        assert!(refused("2025-01-00").contains("a day of the calendar"));
        assert!(refused("0000-01-01").contains("a day of the calendar"));
        for text in ["", "2025-1-1", "2025/01/01", "20250101", "+025-01-01", "2025-01-0١", "é"] {
            assert_eq!(refused(text), format!("date: found {}, expected YYYY-MM-DD", quote(text)));
        }
    }
}
