//! `name:key=value,..` texts, and the parameters and variants of games read from them.

mod declare;
mod number;
mod param;
mod variant;

use std::fmt::{Debug, Display};
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::ParseError;
use crate::error::quote;

pub use declare::{DefaultValue, Kind, Names, Parameter};
pub use number::Number;
pub use param::{Param, SWITCH};
pub use variant::{NoVariant, Variant};

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
    /// What may be read, see [`declared`](Params::declared).
    declared: Option<&'static [Parameter]>,
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
                        return Err(twice(key));
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
        Ok(Params { pairs, ..Params::default() })
    }

    /// One parameter, for readers of single settings.
    pub fn single(key: &str, value: &str) -> Params {
        Params { pairs: vec![(key.to_owned(), value.to_owned())], ..Params::default() }
    }

    /// All names with their values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pairs.iter().map(|(key, value)| (key.as_str(), value.as_str()))
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

    /// The same parameters with nothing but what is declared, under the names of today.
    ///
    /// ```
    /// use ludens_core::{Param, Params, parameters};
    /// use std::time::Duration;
    /// const TIME: Param<Option<Duration>> = Param::duration("time").alias_in("millis", "ms");
    /// let mut params = Params::parse("millis=250").unwrap().declared(parameters![TIME]).unwrap();
    /// assert_eq!(params.spec("ntuple"), "ntuple:time=250ms");
    /// assert_eq!(params.get(&TIME), Ok(Some(Duration::from_millis(250))));
    /// ```
    ///
    /// # Errors
    /// When one is not declared, or comes under two names.
    pub fn declared(mut self, parameters: &'static [Parameter]) -> Result<Params, ParseError> {
        for i in 0..self.pairs.len() {
            let (key, value) = &self.pairs[i];
            let Some(parameter) = parameters.iter().find(|p| p.is_called(key)) else {
                let known: Vec<&str> = parameters.iter().map(|p| p.name).collect();
                return Err(unknown(key, &known));
            };
            if self.pairs[..i].iter().any(|(key, _)| key == parameter.name) {
                return Err(twice(parameter.name));
            }
            self.pairs[i] = (parameter.name.to_owned(), parameter.today(key, value));
        }
        self.declared = Some(parameters);
        Ok(self)
    }

    /// A value by its declaration: what is given, or the default.
    ///
    /// # Errors
    /// When what is given is not what the declaration allows.
    pub fn get<T>(&mut self, param: &Param<T>) -> Result<T, ParseError> {
        Ok(self.given(param)?.unwrap_or_else(|| param.default()))
    }

    /// A value by its declaration, if one is given.
    ///
    /// # Errors
    /// When what is given is not what the declaration allows.
    pub fn given<T>(&mut self, param: &Param<T>) -> Result<Option<T>, ParseError> {
        let name = param.name();
        // Whether there is a bundled file may differ between those who share a path.
        let same = |p: &Parameter| p.name == name && (p.is_path() || *p == param.parameter);
        let known = |all: &[Parameter]| all.iter().any(same);
        debug_assert!(self.declared.is_none_or(known), "{name} is read but not declared");
        let Some(text) = self.take(name) else { return Ok(None) };
        let value = (param.read)(param, &text);
        value.map(Some).ok_or_else(|| param.parameter.refusal(&text))
    }

    /// The text of a name with these parameters.
    pub fn spec(&self, name: &str) -> String {
        spec(name, &self.pairs)
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
        self.pairs.first().map_or(Ok(()), |(key, _)| Err(unknown(key, known)))
    }

    /// Refuses [declared](Params::declared) parameters that nobody took.
    ///
    /// # Errors
    /// When one is left: it does not go with the others.
    pub fn all_read(self) -> Result<(), ParseError> {
        let unread = |(key, value): &(String, String)| {
            let expected = "nothing: it has no effect beside the others";
            Err(ParseError::new(format!("parameter {key}"), quote(value), expected))
        };
        self.pairs.first().map_or(Ok(()), unread)
    }
}

fn unknown(key: &str, known: &[&str]) -> ParseError {
    let expected = match known.is_empty() {
        true => "no parameters".to_owned(),
        false => format!("one of: {}", known.join(", ")),
    };
    ParseError::new("parameters", quote(key), expected)
}

fn twice(key: &str) -> ParseError {
    ParseError::new(format!("parameter {}", quote(key)), "it twice", "each parameter once")
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
/// assert_eq!(spec::<&str>("sevn", &[]), "sevn");
/// ```
pub fn spec<K: Display>(name: &str, params: &[(K, String)]) -> String {
    let mut out = name.to_owned();
    for (i, (key, value)) in params.iter().enumerate() {
        let before = if i == 0 { ':' } else { ',' };
        out.push_str(&format!("{before}{key}={value}"));
    }
    out
}

#[cfg(test)]
mod tests;
