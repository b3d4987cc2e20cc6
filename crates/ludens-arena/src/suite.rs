//! Named lists of boards.
//!
//! A board is a text in its game's notation; the readers are given a function
//! that checks a text and returns it in the game's own form, so that the same
//! board is the same text whatever file it came from.

mod json;
mod text;

use std::collections::BTreeSet;
use std::path::Path;

use ludens_core::error::quote;
use ludens_core::{ParseError, Rng, file};

use crate::Error;

/// Checks the text of a position and returns it in the game's own form.
pub type Check<'a> = &'a dyn Fn(&str) -> Result<String, ParseError>;

/// A larger file is no suite; reading stops there.
const MOST_BYTES: u64 = 256 << 20;

/// One board of a suite.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// What it is called, unlike any other of its suite: a number, a date.
    pub id: String,
    /// The position, in the game's notation.
    pub position: String,
    /// The best value known, in the game's [`Measure`](crate::Measure).
    pub best_known: Option<i64>,
}

/// A named list of boards with different identifiers, never empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suite {
    name: String,
    cases: Vec<Case>,
}

impl Suite {
    /// A suite of these cases.
    ///
    /// # Errors
    /// [`Error::Suite`] when there are none or two have the same identifier.
    pub fn new(name: impl Into<String>, cases: Vec<Case>) -> Result<Self, Error> {
        let name = name.into();
        let mut seen = BTreeSet::new();
        let source = if cases.is_empty() {
            ParseError::new("cases", "none", "at least one")
        } else if let Some(case) = cases.iter().find(|case| !seen.insert(case.id.as_str())) {
            ParseError::new("cases", format!("{} twice", quote(&case.id)), "different identifiers")
        } else {
            return Ok(Suite { name, cases });
        };
        Err(Error::Suite { name, source })
    }

    /// Reads a file: JSON when its first character is `[` or `{`, boards in
    /// plain text otherwise. It is named after the file, without the ending.
    ///
    /// JSON is a list of objects with `id` (a number or text) or `date`
    /// (`YYYY-MM-DD`); `rows` (a list of texts) or `position`; and, if wanted,
    /// `best_known`, `title`, `source`. Text holds a board per line or boards of
    /// several lines with blank lines between them, numbered from 1.
    ///
    /// # Errors
    /// When the file cannot be read, or holds anything else; the error names the
    /// file, the entry, and what was expected.
    pub fn read(path: &Path, check: Check<'_>) -> Result<Self, Error> {
        let text = read_text(path)?;
        let cases = match text.trim_start().chars().next() {
            Some('[' | '{') => json::cases(&text, check),
            _ => text::cases(&text, check),
        };
        let cases = cases.map_err(|source| Error::entry(path, source))?;
        let name = path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
        Suite::new(name, cases).map_err(|error| match error {
            Error::Suite { source, .. } => Error::entry(path, source),
            other => other,
        })
    }

    /// `count` boards made from a seed. Board `i` gets the `i`-th stream of the
    /// seed, so that a larger set begins with the smaller one.
    ///
    /// # Errors
    /// [`Error::Suite`] when `count` is 0.
    pub fn random(
        seed: u64,
        count: usize,
        mut make: impl FnMut(&mut Rng) -> String,
    ) -> Result<Self, Error> {
        let cases = (0..count)
            .map(|i| Case {
                id: (i + 1).to_string(),
                position: make(&mut Rng::stream(seed, i as u64)),
                best_known: None,
            })
            .collect();
        Suite::new(format!("random:seed={seed},count={count}"), cases)
    }

    /// The cases that `keep` likes, as a suite of another name.
    ///
    /// # Errors
    /// [`Error::Suite`] when there are none.
    pub fn select(&self, name: &str, keep: impl FnMut(&Case) -> bool) -> Result<Self, Error> {
        let mut keep = keep;
        let cases = self.cases.iter().filter(|case| keep(case)).cloned().collect();
        Suite::new(name, cases)
    }

    /// The first `count` boards, at least one, under the same name: the hash tells them apart.
    #[must_use]
    pub fn first(mut self, count: usize) -> Self {
        self.cases.truncate(count.max(1));
        self
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The boards, in order.
    pub fn cases(&self) -> &[Case] {
        &self.cases
    }

    /// A hash over identifiers and positions, 32 hexadecimal digits. Names and
    /// best known values do not count: they change nothing about a run.
    pub fn hash(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for text in self.cases.iter().flat_map(|case| [&case.id, &case.position]) {
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        }
        hasher.finalize().to_hex()[..32].to_owned()
    }
}

/// What a date looks like.
const DATE: &str = "a date YYYY-MM-DD";

/// Whether a text has the form of a date; whether the day exists does not matter
/// for naming and ordering cases.
fn is_date(text: &str) -> bool {
    let number = |part: &str, range: std::ops::RangeInclusive<u32>| {
        part.bytes().all(|b| b.is_ascii_digit()) && part.parse().is_ok_and(|n| range.contains(&n))
    };
    let mut parts = text.split('-');
    let (year, month, day) = (parts.next(), parts.next(), parts.next());
    parts.next().is_none()
        && year.is_some_and(|y| y.len() == 4 && number(y, 0..=9999))
        && month.is_some_and(|m| m.len() == 2 && number(m, 1..=12))
        && day.is_some_and(|d| d.len() == 2 && number(d, 1..=31))
}

/// The text of a file without byte order mark.
fn read_text(path: &Path) -> Result<String, Error> {
    let bytes = file::read(path, MOST_BYTES).map_err(|source| Error::file("read", path, source))?;
    let text = String::from_utf8(bytes).map_err(|error| Error::Format {
        path: path.to_owned(),
        found: format!("bytes that are no text at offset {}", error.utf8_error().valid_up_to()),
        expected: "a text in UTF-8".to_owned(),
    })?;
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}

#[cfg(test)]
mod tests;
