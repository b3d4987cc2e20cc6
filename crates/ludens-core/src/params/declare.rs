//! Parameters, each declared once: its name, what may be given, its default and its help.
//!
//! A [`Param`] is the typed declaration that [`Params::get`](super::Params::get) reads by. The
//! [`Parameter`] inside is what lists, JSON and completion are made of, so that what is printed
//! is what is read.

use std::fmt;
use std::ops::RangeInclusive;
use std::time::Duration;

use super::number::{Number, within};
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

/// The declaration of a parameter whose values are `T`; `Option<..>` where it has no default.
///
/// ```
/// use ludens_core::{Param, Params};
/// const SAMPLES: Param<u64> = Param::int("samples", 1..=100_000, 1000).help("games per move");
/// const ALPHA: Param<Option<f64>> = Param::opt_float("alpha", 0.0..=10.0).word("auto");
/// let mut params = Params::parse("samples=5").unwrap();
/// assert_eq!((params.get(&SAMPLES), params.get(&ALPHA)), (Ok(5), Ok(None)));
/// assert_eq!((SAMPLES.default(), ALPHA.parameter.values().as_str()), (1000, "auto | 0..10"));
/// ```
#[derive(Clone, Copy)]
pub struct Param<T: 'static> {
    /// As lists show it.
    pub parameter: Parameter,
    table: &'static [(&'static str, T)],
    pub(super) read: fn(&Param<T>, &str) -> Option<T>,
    missing: fn(&Param<T>) -> T,
}

impl<T> Param<T> {
    const fn new(
        name: &'static str,
        kind: Kind,
        default: DefaultValue,
        read: fn(&Param<T>, &str) -> Option<T>,
        missing: fn(&Param<T>) -> T,
    ) -> Self {
        let parameter =
            Parameter { name, kind, word: None, default, help: "", alias: None, value_alias: None };
        Param { parameter, table: &[], read, missing }
    }

    /// A text that `read` understands; `default` is one of them.
    pub const fn custom(
        name: &'static str,
        syntax: &'static str,
        alphabet: &'static str,
        default: &'static str,
        read: fn(&Param<T>, &str) -> Option<T>,
    ) -> Self {
        let kind = Kind::Text { syntax, alphabet };
        Param::new(name, kind, DefaultValue::Text(default), read, |param| {
            (param.read)(param, default_name(param)).expect("the default can be read")
        })
    }

    /// The key in `name:key=value`.
    pub const fn name(&self) -> &'static str {
        self.parameter.name
    }

    /// The value where it is not given.
    pub fn default(&self) -> T {
        (self.missing)(self)
    }

    /// What it changes, in a few words.
    #[must_use]
    pub const fn help(mut self, help: &'static str) -> Self {
        self.parameter.help = help;
        self
    }

    /// A name that it had before.
    #[must_use]
    pub const fn alias(self, name: &'static str) -> Self {
        self.alias_in(name, "")
    }

    /// A name that it had before, when values had no unit.
    #[must_use]
    pub const fn alias_in(mut self, name: &'static str, unit: &'static str) -> Self {
        self.parameter.alias = Some(Alias { name, unit });
        self
    }

    /// A name that one of its values had before.
    #[must_use]
    pub const fn value_alias(mut self, old: &'static str, new: &'static str) -> Self {
        self.parameter.value_alias = Some((old, new));
        self
    }
}

impl<T> Param<Option<T>> {
    /// A word that may be given for no value, and stands for the default.
    #[must_use]
    pub const fn word(mut self, word: &'static str) -> Self {
        self.parameter.word = Some(word);
        self.parameter.default = DefaultValue::Text(word);
        self
    }

    /// What is done where it is not given, for people.
    #[must_use]
    pub const fn rule(mut self, rule: &'static str) -> Self {
        self.parameter.default = DefaultValue::Rule(rule);
        self
    }
}

impl<T: Number> Param<T> {
    /// A whole number.
    pub const fn int(name: &'static str, range: RangeInclusive<u64>, default: u64) -> Self {
        let kind = int_kind::<T>(&range);
        assert!(*range.start() <= default && default <= *range.end(), "the default is in range");
        Param::new(name, kind, DefaultValue::Int(default), read_number, default_number)
    }

    /// A whole number whose default depends on the machine; `rule` says how, for people.
    pub const fn int_by(
        name: &'static str,
        range: RangeInclusive<u64>,
        rule: &'static str,
        default: fn(&Param<T>) -> T,
    ) -> Self {
        Param::new(name, int_kind::<T>(&range), DefaultValue::Rule(rule), read_number, default)
    }

    /// A number.
    pub const fn float(name: &'static str, range: RangeInclusive<f64>, default: f64) -> Self {
        let kind = Kind::Float { min: *range.start(), max: *range.end() };
        assert!(*range.start() <= default && default <= *range.end(), "the default is in range");
        Param::new(name, kind, DefaultValue::Float(default), read_number, default_number)
    }
}

/// Parameters without a default.
impl<T: Number> Param<Option<T>> {
    /// A whole number.
    pub const fn opt_int(name: &'static str, range: RangeInclusive<u64>) -> Self {
        Param::new(name, int_kind::<T>(&range), NONE, read_option, |_| None)
    }

    /// A number.
    pub const fn opt_float(name: &'static str, range: RangeInclusive<f64>) -> Self {
        let kind = Kind::Float { min: *range.start(), max: *range.end() };
        Param::new(name, kind, NONE, read_option, |_| None)
    }
}

impl<T: Copy + Sync> Param<T> {
    /// One of some named values; `default` is one of the names.
    pub const fn choice<const N: usize>(
        name: &'static str,
        table: &'static [(&'static str, T); N],
        default: &'static str,
    ) -> Self {
        let mut known = false;
        let mut i = 0;
        while i < N {
            known |= same(table[i].0, default);
            i += 1;
        }
        assert!(known, "the default is one of the names");
        let default = DefaultValue::Text(default);
        let param = Param::new(name, Kind::Choice(table), default, named, |param| {
            named(param, default_name(param)).expect("the default is one of the names")
        });
        Param { table, ..param }
    }
}

impl<T: Copy + Sync> Param<Option<T>> {
    /// One of some named values, without a default.
    pub const fn opt_choice<const N: usize>(
        name: &'static str,
        table: &'static [(&'static str, Option<T>); N],
    ) -> Self {
        Param { table, ..Param::new(name, Kind::Choice(table), NONE, named, |_| None) }
    }
}

impl Param<bool> {
    /// `on` or `off`.
    pub const fn switch(name: &'static str, default: bool) -> Self {
        Param::choice(name, &SWITCH, if default { "on" } else { "off" })
    }
}

impl Param<Option<Duration>> {
    /// A time.
    pub const fn duration(name: &'static str) -> Self {
        let read = |_: &Param<_>, text: &str| units::duration(text).ok().map(Some);
        Param::new(name, Kind::Duration, NONE, read, |_| None)
    }
}

impl Param<Option<String>> {
    /// The name of a file or folder; without one, what `default` says.
    pub const fn path(name: &'static str, default: &'static str) -> Self {
        let read = |_: &Param<_>, text: &str| Some(Some(text.to_owned()));
        Param::new(name, Kind::Path, DefaultValue::Rule(default), read, |_| None)
    }

    /// A path, or a word that the reader is given as it is.
    #[must_use]
    pub const fn or(mut self, word: &'static str) -> Self {
        self.parameter.word = Some(word);
        self
    }

    /// A text without a default, made of some characters.
    pub const fn opt_text(
        name: &'static str,
        syntax: &'static str,
        alphabet: &'static str,
    ) -> Self {
        let read = |param: &Param<_>, text: &str| {
            param.parameter.accepts(text).then(|| Some(text.to_owned()))
        };
        Param::new(name, Kind::Text { syntax, alphabet }, NONE, read, |_| None)
    }
}

impl Param<String> {
    /// A text.
    pub const fn text(name: &'static str, syntax: &'static str, default: &'static str) -> Self {
        Param::custom(name, syntax, "", default, |_, text| Some(text.to_owned()))
    }
}

/// The values of `on` and `off`.
pub const SWITCH: [(&str, bool); 2] = [("on", true), ("off", false)];

const NONE: DefaultValue = DefaultValue::Rule("none");

const fn int_kind<T>(range: &RangeInclusive<u64>) -> Kind {
    let most = u64::MAX >> (64 - 8 * size_of::<T>());
    assert!(*range.end() <= most, "the type has all numbers of the range");
    Kind::Int { min: *range.start(), max: *range.end() }
}

fn read_number<T: Number>(param: &Param<T>, text: &str) -> Option<T> {
    T::read(param.parameter.kind, text)
}

fn read_option<T: Number>(param: &Param<Option<T>>, text: &str) -> Option<Option<T>> {
    match param.parameter.word == Some(text) {
        true => Some(None),
        false => T::read(param.parameter.kind, text).map(Some),
    }
}

fn default_number<T: Number>(param: &Param<T>) -> T {
    match param.parameter.default {
        DefaultValue::Float(number) => T::of_float(number),
        DefaultValue::Int(number) => T::of_int(number).expect("the default is in range"),
        DefaultValue::Text(_) | DefaultValue::Rule(_) => unreachable!("numbers have defaults"),
    }
}

fn named<T: Copy>(param: &Param<T>, name: &str) -> Option<T> {
    param.table.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
}

fn default_name<T>(param: &Param<T>) -> &'static str {
    match param.parameter.default {
        DefaultValue::Text(name) => name,
        _ => unreachable!("the default is a text"),
    }
}

/// Whether texts are the same, at compile time.
const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

/// A number without rows of zeros.
fn plain(number: f64) -> String {
    let size = number.abs();
    match number != 0.0 && !(1e-6..1e9).contains(&size) {
        true => format!("{number:e}"),
        false => number.to_string(),
    }
}

/// The declarations of a list of parameters.
///
/// ```
/// use ludens_core::{Param, Parameter, parameters};
/// const STEPS: Param<u32> = Param::int("steps", 1..=20, 2);
/// const C: Param<f32> = Param::float("c", 0.0..=100.0, 1.5);
/// const BOTH: &[Parameter] = parameters![STEPS, C];
/// assert_eq!(BOTH[1].values(), "0..100");
/// ```
#[macro_export]
macro_rules! parameters {
    ($($param:expr),* $(,)?) => {
        const { &[$($param.parameter),*] as &'static [$crate::Parameter] }
    };
}
