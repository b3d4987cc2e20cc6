//! The one error of every parser: what was found, where, and what would be right.

/// Why a text was refused, as one line for a person.
///
/// ```
/// use ludens_core::ParseError;
/// let e = ParseError::new("row 2", "'x'", "a digit 0-4 or '.'");
/// assert_eq!(e.to_string(), "row 2: found 'x', expected a digit 0-4 or '.'");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{location}: found {found}, expected {expected}")]
pub struct ParseError {
    location: String,
    found: String,
    expected: String,
}

impl ParseError {
    /// An error at `location` (such as `row 2, column 3`). `found` is shown as it
    /// is: pass foreign text through [`quote`].
    pub fn new(
        location: impl Into<String>,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> Self {
        ParseError { location: location.into(), found: found.into(), expected: expected.into() }
    }

    /// The same error inside a larger text: `line 3, row 2: ...`.
    #[must_use]
    pub fn within(mut self, outer: &str) -> Self {
        self.location = format!("{outer}, {}", self.location);
        self
    }

    /// Where the text is wrong.
    pub fn location(&self) -> &str {
        &self.location
    }
}

/// Foreign text in quotes for a message: control characters escaped, cut to 40
/// characters, so that the message stays one line whatever was typed.
///
/// ```
/// assert_eq!(ludens_core::error::quote("a\nb"), r"'a\nb'");
/// assert!(ludens_core::error::quote(&"9".repeat(1000)).contains("(1000 characters)"));
/// ```
pub fn quote(text: &str) -> String {
    const SHOWN: usize = 40;
    let count = text.chars().count();
    let head: String = text.chars().take(SHOWN).flat_map(char::escape_debug).collect();
    if count <= SHOWN { format!("'{head}'") } else { format!("'{head}...' ({count} characters)") }
}
