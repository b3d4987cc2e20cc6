//! The fields of a JSON object, taken one by one; what is left is refused.

use std::ops::RangeInclusive;

use ludens_core::ParseError;
use ludens_core::error::quote;
use serde_json::{Map, Value};

/// The fields of an object that have not been read yet. A field that is `null`
/// counts as missing.
///
/// ```
/// use ludens_engine::analysis::Fields;
/// let mut fields = Fields::of(serde_json::json!({"time_ms": 100})).unwrap();
/// assert_eq!(fields.whole("time_ms", 1..=1000).unwrap(), Some(100));
/// fields.finish(&["time_ms"]).unwrap();
/// ```
#[derive(Clone, Debug, Default)]
pub struct Fields(Map<String, Value>);

impl Fields {
    /// The fields of a JSON document.
    ///
    /// # Errors
    /// When it is no object.
    pub fn of(value: Value) -> Result<Self, ParseError> {
        match value {
            Value::Object(map) => Ok(Fields(map)),
            other => Err(ParseError::new("request", shown(&other), "a JSON object")),
        }
    }

    /// The fields of a JSON text.
    ///
    /// # Errors
    /// When it is no JSON, or no object.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let value = serde_json::from_str(text)
            .map_err(|e| ParseError::new("request", e.to_string(), "a JSON object"))?;
        Fields::of(value)
    }

    /// Removes a field.
    pub fn take(&mut self, name: &str) -> Option<Value> {
        self.0.shift_remove(name).filter(|value| !value.is_null())
    }

    /// A text of at most `longest` bytes.
    ///
    /// # Errors
    /// When it is no text, or longer.
    pub fn text(&mut self, name: &str, longest: usize) -> Result<Option<String>, ParseError> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) if text.len() <= longest => Ok(Some(text)),
            Some(Value::String(text)) => {
                let found = format!("{} bytes", text.len());
                Err(ParseError::new(name, found, format!("at most {longest} bytes")))
            }
            Some(other) => Err(ParseError::new(name, shown(&other), "a text")),
        }
    }

    /// A whole number within `range`.
    ///
    /// # Errors
    /// When it is no number or outside the range.
    pub fn whole(
        &mut self,
        name: &str,
        range: RangeInclusive<u64>,
    ) -> Result<Option<u64>, ParseError> {
        let Some(value) = self.take(name) else { return Ok(None) };
        match value.as_u64() {
            Some(number) if range.contains(&number) => Ok(Some(number)),
            _ => {
                let expected = format!("a whole number from {} to {}", range.start(), range.end());
                Err(ParseError::new(name, shown(&value), expected))
            }
        }
    }

    /// `true`, `false`, or `false` when it is missing.
    ///
    /// # Errors
    /// When it is something else.
    pub fn flag(&mut self, name: &str) -> Result<bool, ParseError> {
        match self.take(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(flag),
            Some(other) => Err(ParseError::new(name, shown(&other), "true or false")),
        }
    }

    /// A list of at most `most` values; empty when it is missing.
    ///
    /// # Errors
    /// When it is no list, or longer.
    pub fn list(&mut self, name: &str, most: usize) -> Result<Vec<Value>, ParseError> {
        match self.take(name) {
            None => Ok(Vec::new()),
            Some(Value::Array(list)) if list.len() <= most => Ok(list),
            Some(Value::Array(list)) => {
                let found = format!("{} of them", list.len());
                Err(ParseError::new(name, found, format!("at most {most}")))
            }
            Some(other) => Err(ParseError::new(name, shown(&other), "a list")),
        }
    }

    /// Refuses what nobody read.
    ///
    /// # Errors
    /// When a field is left.
    pub fn finish(self, known: &[&str]) -> Result<(), ParseError> {
        match self.0.keys().next() {
            None => Ok(()),
            Some(name) => {
                Err(ParseError::new("field", quote(name), format!("one of: {}", known.join(", "))))
            }
        }
    }
}

/// A value for a message: its beginning.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => quote(text),
        other => quote(&other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn wrong_fields_are_named() {
        let fields = || Fields::of(json!({"a": 7, "b": "x", "c": [1, 2, 3], "d": null})).unwrap();
        let message = |e: ParseError| e.to_string();
        assert_eq!(
            message(fields().whole("a", 0..=5).unwrap_err()),
            "a: found '7', expected a whole number from 0 to 5"
        );
        assert_eq!(message(fields().text("a", 5).unwrap_err()), "a: found '7', expected a text");
        assert_eq!(
            message(fields().text("b", 0).unwrap_err()),
            "b: found 1 bytes, expected at most 0 bytes"
        );
        assert_eq!(
            message(fields().flag("b").unwrap_err()),
            "b: found 'x', expected true or false"
        );
        assert_eq!(
            message(fields().list("c", 2).unwrap_err()),
            "c: found 3 of them, expected at most 2"
        );
        assert_eq!(fields().text("d", 5).unwrap(), None);
        assert_eq!(
            message(fields().finish(&["x"]).unwrap_err()),
            "field: found 'a', expected one of: x"
        );
        assert!(Fields::parse("{").is_err() && Fields::parse("[]").is_err());
    }
}
