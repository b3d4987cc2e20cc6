//! Typed declarations of parameters.

use std::ops::RangeInclusive;
use std::time::Duration;

use super::declare::{Alias, DefaultValue, Kind, Parameter};
use super::number::Number;
use crate::units;

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
