//! Parameters, each declared once: its name, what may be given, its default and its help.
//!
//! A [`Param`](super::Param) is the typed declaration that [`Params::get`](super::Params::get) reads by. The
//! [`Parameter`] inside is what lists, JSON and completion are made of, so that what is printed
//! is what is read.

use std::fmt;

use super::number::within;
use crate::error::quote;
use crate::{ParseError, units};

/// What may be given for a parameter.
#[derive(Clone, Copy)]
pub enum Kind {
    /// A whole number from `min` to `max`.
    Int {
        /// The least.
        min: u64,
        /// The most.
        max: u64,
    },
    /// A number from `min` to `max`.
    Float {
        /// The least.
        min: f64,
        /// The most.
        max: f64,
    },
    /// One of some names.
    Choice(&'static (dyn Names + Sync)),
    /// A time such as `100ms`.
    Duration,
    /// A text.
    Text {
        /// What it looks like, for people.
        syntax: &'static str,
        /// The characters that it is made of; any if there are none.
        alphabet: &'static str,
    },
    /// The name of a file or folder.
    Path,
}

/// The names of a table of choices.
pub trait Names {
    /// All names in their order.
    fn names(&self) -> Vec<&'static str>;
}

impl<T, const N: usize> Names for [(&'static str, T); N] {
    fn names(&self) -> Vec<&'static str> {
        self.iter().map(|(name, _)| *name).collect()
    }
}

/// What holds where a parameter is not given.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum DefaultValue {
    /// A whole number.
    Int(u64),
    /// A number.
    Float(f64),
    /// A name or text that may be given as well.
    Text(&'static str),
    /// No value: what is done instead, for people.
    Rule(&'static str),
}

impl fmt::Display for DefaultValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DefaultValue::Int(number) => number.fmt(f),
            DefaultValue::Float(number) => plain(*number).fmt(f),
            DefaultValue::Text(text) | DefaultValue::Rule(text) => f.write_str(text),
        }
    }
}

/// Another name of a parameter, kept for those who know it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Alias {
    pub(super) name: &'static str,
    /// What a value under this name lacks, such as the `ms` of `millis=100`.
    pub(super) unit: &'static str,
}

/// A parameter as lists show it.
#[derive(Clone, Copy)]
pub struct Parameter {
    /// The key in `name:key=value`.
    pub name: &'static str,
    /// What may be given.
    pub kind: Kind,
    /// A word that may be given in place of what the kind allows, such as `auto`.
    pub word: Option<&'static str>,
    /// What holds where it is not given.
    pub default: DefaultValue,
    /// What it changes, in a few words.
    pub help: &'static str,
    pub(super) alias: Option<Alias>,
    pub(super) value_alias: Option<(&'static str, &'static str)>,
}

impl Parameter {
    /// Whether a value may name a file or folder.
    ///
    /// ```
    /// use ludens_core::Param;
    /// const MODEL: Param<Option<String>> = Param::path("model", "none");
    /// assert!(MODEL.parameter.is_path() && MODEL.parameter.values() == "DIR | FILE");
    /// ```
    pub fn is_path(&self) -> bool {
        matches!(self.kind, Kind::Path)
    }

    /// The names to choose from, the word included; empty where there are none.
    pub fn choices(&self) -> Vec<&'static str> {
        let mut all = Vec::from_iter(self.word);
        if let Kind::Choice(names) = self.kind {
            all.extend(names.names());
        }
        all
    }

    /// The least and the most of numbers; no most where any number will do.
    pub fn range(&self) -> Option<(DefaultValue, Option<DefaultValue>)> {
        match self.kind {
            Kind::Int { min, max } => {
                let open = max == u64::MAX || max == u64::from(u32::MAX);
                Some((DefaultValue::Int(min), (!open).then_some(DefaultValue::Int(max))))
            }
            Kind::Float { min, max } => {
                Some((DefaultValue::Float(min), Some(DefaultValue::Float(max))))
            }
            _ => None,
        }
    }

    /// What may stand there, such as `1..8`, `none | all | colour` or `auto | 0..10`.
    pub fn values(&self) -> String {
        let mut all: Vec<String> = self.choices().into_iter().map(str::to_owned).collect();
        match self.kind {
            Kind::Int { .. } | Kind::Float { .. } => all.extend(self.range().map(|(min, max)| {
                let max = max.map_or_else(String::new, |max| max.to_string());
                format!("{min}..{max}")
            })),
            Kind::Choice(_) => {}
            Kind::Duration => all.push("100ms | 1s | ..".to_owned()),
            Kind::Text { syntax, .. } => all.push(syntax.to_owned()),
            Kind::Path => all.push("DIR | FILE".to_owned()),
        }
        all.join(" | ")
    }

    /// The default for people.
    pub fn default_text(&self) -> String {
        self.default.to_string()
    }

    /// Whether a value is what the declaration allows. Nothing is opened to find out: a path may
    /// be any text.
    pub fn accepts(&self, text: &str) -> bool {
        self.word == Some(text)
            || match self.kind {
                Kind::Int { min, max } => text.parse().is_ok_and(|n: u64| min <= n && n <= max),
                Kind::Float { min, max } => within(text, min, max),
                Kind::Choice(names) => names.names().contains(&text),
                Kind::Duration => units::duration(text).is_ok(),
                Kind::Text { alphabet, .. } => {
                    !text.is_empty()
                        && (alphabet.is_empty() || text.chars().all(|c| alphabet.contains(c)))
                }
                Kind::Path => true,
            }
    }

    /// The error for a value that is none of those allowed.
    pub fn refusal(&self, text: &str) -> ParseError {
        let expected = match self.kind {
            Kind::Int { .. } | Kind::Float { .. } => {
                let word = self.word.map_or_else(String::new, |word| format!("{word}, or "));
                match self.range() {
                    Some((min, Some(max))) => format!("{word}a number from {min} to {max}"),
                    Some((min, None)) => format!("{word}a number of at least {min}"),
                    None => word,
                }
            }
            Kind::Duration => "a time such as 100ms, 5s, 2m or 1h".to_owned(),
            _ => self.values(),
        };
        ParseError::new(format!("parameter {}", self.name), quote(text), expected)
    }

    /// Whether this is the parameter's name, or another one that it is known by.
    pub(super) fn is_called(&self, key: &str) -> bool {
        self.name == key || self.alias.is_some_and(|alias| alias.name == key)
    }

    /// The name that it had before, if it had another.
    pub fn old_name(&self) -> Option<&'static str> {
        self.alias.map(|alias| alias.name)
    }

    /// A value given under a name as it is declared today.
    pub(super) fn today(&self, key: &str, value: &str) -> String {
        match (self.alias, self.value_alias) {
            (Some(alias), _) if alias.name == key => format!("{value}{}", alias.unit),
            (_, Some((old, new))) if old == value => new.to_owned(),
            _ => value.to_owned(),
        }
    }
}

impl fmt::Debug for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={} [{}]", self.name, self.values(), self.default)
    }
}

/// Declarations are the same when they read the same.
impl PartialEq for Parameter {
    fn eq(&self, other: &Self) -> bool {
        let key = |p: &Self| (p.name, p.values(), p.default_text(), p.help);
        key(self) == key(other)
    }
}

impl Eq for Parameter {}

/// A number without rows of zeros.
fn plain(number: f64) -> String {
    let size = number.abs();
    match number != 0.0 && !(1e-6..1e9).contains(&size) {
        true => format!("{number:e}"),
        false => number.to_string(),
    }
}
