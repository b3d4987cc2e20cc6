//! `name:key=value,..` texts, and the variants of games read from them.

use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use crate::error::quote;
use crate::{ParseError, units};

/// The parameters after the colon of `sevn:base=5` or `uct:samples=100,c=0.5`.
///
/// Readers take what they know; [`finish`](Params::finish) refuses what is left.
/// A piece without `=` belongs to the value before it (`spawn=1,3`).
///
/// ```
/// use ludens_core::Params;
/// let (name, mut params) = Params::split("2584:spawn=1,3,board=2x3").unwrap();
/// assert_eq!(name, "2584");
/// assert_eq!(params.take("spawn").as_deref(), Some("1,3"));
/// assert_eq!(params.take("board").as_deref(), Some("2x3"));
/// params.finish(&["spawn", "board"]).unwrap();
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Params {
    pairs: Vec<(String, String)>,
    /// What was read because of them, see [`note_weights`](Params::note_weights).
    weights: Vec<String>,
}

impl Params {
    /// Splits `name:params` and reads the parameters.
    ///
    /// # Errors
    /// When a parameter has no name or comes twice.
    pub fn split(text: &str) -> Result<(&str, Params), ParseError> {
        match text.split_once(':') {
            None => Ok((text, Params::default())),
            Some((name, rest)) => Ok((name, Params::parse(rest)?)),
        }
    }

    /// Reads `key=value,key=value`.
    ///
    /// # Errors
    /// When a parameter has no name or comes twice.
    pub fn parse(text: &str) -> Result<Params, ParseError> {
        let mut pairs: Vec<(String, String)> = Vec::new();
        if text.is_empty() {
            return Ok(Params::default());
        }
        for piece in text.split(',') {
            match (piece.split_once('='), pairs.last_mut()) {
                (Some((key, value)), _) if !key.is_empty() => {
                    if pairs.iter().any(|(k, _)| k == key) {
                        let place = format!("parameter {}", quote(key));
                        return Err(ParseError::new(place, "it twice", "each parameter once"));
                    }
                    pairs.push((key.to_owned(), value.to_owned()));
                }
                (None, Some((_, value))) => {
                    value.push(',');
                    value.push_str(piece);
                }
                _ => return Err(ParseError::new("parameters", quote(piece), "key=value")),
            }
        }
        Ok(Params { pairs, weights: Vec::new() })
    }

    /// One parameter, for readers of single settings.
    pub fn single(key: &str, value: &str) -> Params {
        Params { pairs: vec![(key.to_owned(), value.to_owned())], weights: Vec::new() }
    }

    /// Adds a parameter, in place of one of the same name.
    pub fn put(&mut self, key: &str, value: String) {
        self.take(key);
        self.pairs.push((key.to_owned(), value));
    }

    /// Removes a parameter and gives its value.
    pub fn take(&mut self, key: &str) -> Option<String> {
        let at = self.pairs.iter().position(|(k, _)| k == key)?;
        Some(self.pairs.remove(at).1)
    }

    /// Notes the checksum of learned weights or of a table that a reader of these parameters
    /// has loaded, named or by default: what comes of them depends on it.
    pub fn note_weights(&mut self, checksum: impl Into<String>) {
        self.weights.push(checksum.into());
    }

    /// The checksums that were noted, in their order.
    pub fn weights(&self) -> &[String] {
        &self.weights
    }

    /// A number within `range`, or `default` when it is not given.
    ///
    /// # Errors
    /// When the value is no number or outside the range.
    pub fn number<T>(
        &mut self,
        key: &str,
        default: T,
        range: RangeInclusive<T>,
    ) -> Result<T, ParseError>
    where
        T: FromStr + PartialOrd + Debug,
    {
        let Some(text) = self.take(key) else { return Ok(default) };
        match text.parse() {
            Ok(value) if range.contains(&value) => Ok(value),
            _ => Err(ParseError::new(
                format!("parameter {key}"),
                quote(&text),
                format!("a number from {:?} to {:?}", range.start(), range.end()),
            )),
        }
    }

    /// A time such as `100ms`, if it is given.
    ///
    /// # Errors
    /// When the value is no time.
    pub fn duration(&mut self, key: &str) -> Result<Option<Duration>, ParseError> {
        let Some(text) = self.take(key) else { return Ok(None) };
        let wrong = |_| {
            let expected = "a time such as 100ms, 5s, 2m or 1h";
            ParseError::new(format!("parameter {key}"), quote(&text), expected)
        };
        units::duration(&text).map(Some).map_err(wrong)
    }

    /// One of some named values, or `default` when it is not given.
    ///
    /// # Errors
    /// When the value is not among the names.
    pub fn choice<T: Copy>(
        &mut self,
        key: &str,
        default: T,
        names: &[(&str, T)],
    ) -> Result<T, ParseError> {
        let Some(text) = self.take(key) else { return Ok(default) };
        match names.iter().find(|(name, _)| *name == text) {
            Some((_, value)) => Ok(*value),
            None => {
                let known: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
                Err(ParseError::new(format!("parameter {key}"), quote(&text), known.join(" | ")))
            }
        }
    }

    /// Refuses parameters nobody took.
    ///
    /// # Errors
    /// When one is left; the message lists the `known` ones.
    pub fn finish(self, known: &[&str]) -> Result<(), ParseError> {
        match self.pairs.first() {
            None => Ok(()),
            Some((key, _)) => {
                let expected = if known.is_empty() {
                    "no parameters".to_owned()
                } else {
                    format!("one of: {}", known.join(", "))
                };
                Err(ParseError::new("parameters", quote(key), expected))
            }
        }
    }
}

/// The name of a value among those that [`Params::choice`] reads.
///
/// # Panics
/// When it is not among them.
pub fn name_of<T: PartialEq>(names: &[(&'static str, T)], value: T) -> &'static str {
    names.iter().find(|(_, v)| *v == value).expect("every value has a name").0
}

/// What [`Variant::write`] gives for parameters with these names, values and
/// defaults: those that differ.
///
/// ```
/// use ludens_core::params::differing;
/// assert_eq!(differing(&[("rows", &9, &9), ("cols", &5, &7)]), [("cols", "5".to_owned())]);
/// ```
pub fn differing(
    params: &[(&'static str, &dyn Display, &dyn Display)],
) -> Vec<(&'static str, String)> {
    params
        .iter()
        .map(|(key, value, default)| (*key, value.to_string(), default.to_string()))
        .filter(|(_, value, default)| value != default)
        .map(|(key, value, _)| (key, value))
        .collect()
}

/// `name` or `name:key=value,..`, as [`Params::split`] reads it.
///
/// ```
/// use ludens_core::params::spec;
/// assert_eq!(spec("sevn", &[("base", "5".to_owned())]), "sevn:base=5");
/// assert_eq!(spec("sevn", &[]), "sevn");
/// ```
pub fn spec(name: &str, params: &[(&str, String)]) -> String {
    let mut out = name.to_owned();
    for (i, (key, value)) in params.iter().enumerate() {
        let before = if i == 0 { ':' } else { ',' };
        out.push_str(&format!("{before}{key}={value}"));
    }
    out
}

/// A parameter as `ludens games` lists it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// The key in `game:key=value`.
    pub name: &'static str,
    /// What may stand there, such as `1..8` or `none | all | colour`.
    pub values: &'static str,
    /// The value when it is not given.
    pub default: &'static str,
    /// What it changes, in a few words.
    pub about: &'static str,
}

impl Parameter {
    /// Whether a value is one of the words that [`values`](Parameter::values) lists, or a number
    /// or time where it lists some. What stands there in capitals, such as `FILE`, is no word:
    /// nothing that is plain names a file.
    ///
    /// ```
    /// use ludens_core::Parameter;
    /// let values = "own | FILE";
    /// let eval = Parameter { name: "eval", values, default: "none", about: "a network" };
    /// assert!(eval.is_plain("own") && !eval.is_plain("FILE") && !eval.is_plain("7"));
    /// ```
    pub fn is_plain(&self, value: &str) -> bool {
        let number = |c: char| c.is_ascii_digit() || matches!(c, '.' | '+' | '-');
        self.plain_forms().any(|form| match form.split_once("..") {
            None => form == value,
            Some((from, _)) => {
                // A word may come before the range, as in `look-ahead-1..4`.
                let word = from.trim_end_matches(number);
                let unit = |c: char| c.is_ascii_lowercase();
                value.strip_prefix(word).is_some_and(|rest| {
                    rest.starts_with(number) && rest.chars().all(|c| number(c) || unit(c))
                })
            }
        })
    }

    /// The words and ranges among its values.
    pub fn plain_forms(&self) -> impl Iterator<Item = &'static str> {
        let placeholder = |form: &&str| form.contains(|c: char| c.is_ascii_uppercase());
        self.values.split(" | ").filter(move |form| !placeholder(form))
    }
}

/// Sizes, scoring and other rules that differ between forms of one game.
pub trait Variant: Copy + Eq + Hash + Debug + Default + Send + Sync + 'static {
    /// What can be set.
    const PARAMETERS: &'static [Parameter];

    /// Takes its parameters out of `params`; those not given have their defaults.
    ///
    /// # Errors
    /// When a value is malformed, out of range, or does not go with another.
    fn read(params: &mut Params) -> Result<Self, ParseError>;

    /// The parameters that differ from the default, in the order of
    /// [`PARAMETERS`](Variant::PARAMETERS). Reading them back gives the same variant.
    fn write(&self) -> Vec<(&'static str, String)>;
}

/// The variant of a game that has only one form.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct NoVariant;

impl Variant for NoVariant {
    const PARAMETERS: &'static [Parameter] = &[];

    fn read(_: &mut Params) -> Result<Self, ParseError> {
        Ok(NoVariant)
    }

    fn write(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_parameters_are_named() {
        let message = |text: &str| Params::parse(text).unwrap_err().to_string();
        assert_eq!(message("5"), "parameters: found '5', expected key=value");
        assert_eq!(message("=5"), "parameters: found '=5', expected key=value");
        assert_eq!(
            message("a=1,a=2"),
            "parameter 'a': found it twice, expected each parameter once"
        );
        let left = Params::parse("rows=5").unwrap().finish(&["base"]).unwrap_err();
        assert_eq!(left.to_string(), "parameters: found 'rows', expected one of: base");
    }

    #[test]
    fn plain_values_are_words_and_numbers() {
        let plain = |values, value: &str| {
            Parameter { name: "", values, default: "", about: "" }.is_plain(value)
        };
        for (values, value) in [
            ("1..20", "7"),
            ("-100..100", "-0.5"),
            ("0.001..1000", "1e-2"),
            ("100ms | 1s | ..", "250ms"),
            ("32768 | 32768+8192 | ..", "16384+4096"),
            ("random | look-ahead-1..4", "look-ahead-3"),
            ("dynamic | 0..", "dynamic"),
            ("DIR | FILE | none", "none"),
        ] {
            assert!(plain(values, value), "{values}: {value}");
        }
        for (values, value) in [
            ("DIR | FILE | none", "x"),
            ("own | DIR | FILE", "7"),
            ("FILE", "FILE"),
            ("PATH..", "x"),
            ("1..20", "x7"),
            ("1..20", "7/x"),
            ("1..20", ""),
            ("random | look-ahead-1..4", "look-ahead/1"),
        ] {
            assert!(!plain(values, value), "{values}: {value}");
        }
    }

    #[test]
    fn numbers_and_choices_are_checked() {
        let mut params = Params::parse("rows=70,form=odd").unwrap();
        let rows = params.clone().number("rows", 9u8, 1..=64).unwrap_err();
        assert_eq!(rows.to_string(), "parameter rows: found '70', expected a number from 1 to 64");
        let form = params.choice("form", 0, &[("plain", 0), ("course", 1)]).unwrap_err();
        assert_eq!(form.to_string(), "parameter form: found 'odd', expected plain | course");
    }
}
