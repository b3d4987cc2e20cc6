//! Settings of recipes: numbers with names, ranges and defaults, declared once.

use ludens_core::error::quote;
use ludens_core::{Parameter, ParseError};

/// What to learn and how, by name.
pub trait Settings: Default + Copy + Send + Sync {
    /// The recipe's name.
    const RECIPE: &'static str;
    /// What may be set.
    const PARAMETERS: &'static [Parameter];
    /// What may be set when a run is resumed: how long and how fast it goes on, not what has
    /// shaped it so far.
    const CHANGEABLE: &'static [&'static str];

    /// Changes a setting.
    ///
    /// # Errors
    /// When there is none of this name, or the value is out of range.
    fn set(&mut self, key: &str, value: &str) -> Result<(), ParseError>;

    /// All settings with their values, as [`set`](Settings::set) reads them.
    fn texts(&self) -> Vec<(&'static str, String)>;

    /// Changes a setting of a run under way.
    ///
    /// # Errors
    /// When it is not one of those that may be changed, or out of range.
    fn change(&mut self, key: &str, value: &str) -> Result<(), ParseError> {
        if !Self::CHANGEABLE.contains(&key) {
            let expected = format!("one of {} in a resumed run", Self::CHANGEABLE.join(", "));
            return Err(ParseError::new("setting", quote(key), expected));
        }
        self.set(key, value)
    }
}

/// The error for a name that is no setting.
pub(crate) fn unknown(key: &str, parameters: &[Parameter]) -> ParseError {
    let known: Vec<&str> = parameters.iter().map(|p| p.name).collect();
    ParseError::new("setting", quote(key), format!("one of: {}", known.join(", ")))
}

/// Declares a struct of numbers with [`Settings`].
macro_rules! settings {
    (
        $(#[$about:meta])*
        $name:ident, $recipe:literal, [$($free:literal),*] {
            $($field:ident: $type:ty = $default:literal, $low:literal ..= $high:literal, $told:literal;)*
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Debug)]
        pub struct $name {
            $(#[doc = concat!($told, ".")] pub $field: $type,)*
        }

        impl Default for $name {
            fn default() -> Self {
                $name { $($field: $default,)* }
            }
        }

        impl $crate::Settings for $name {
            const RECIPE: &'static str = $recipe;
            const PARAMETERS: &'static [ludens_core::Parameter] = &[$(ludens_core::Parameter {
                name: stringify!($field),
                values: concat!(stringify!($low), "..", stringify!($high)),
                default: stringify!($default),
                about: $told,
            },)*];
            const CHANGEABLE: &'static [&'static str] = &[$($free),*];

            fn set(&mut self, key: &str, value: &str) -> Result<(), ludens_core::ParseError> {
                let mut one = ludens_core::Params::single(key, value);
                match key {
                    $(stringify!($field) => self.$field = one.number(key, self.$field, $low..=$high)?,)*
                    _ => return Err($crate::settings::unknown(key, Self::PARAMETERS)),
                }
                Ok(())
            }

            fn texts(&self) -> Vec<(&'static str, String)> {
                vec![$((stringify!($field), self.$field.to_string()),)*]
            }
        }
    };
}

pub(crate) use settings;
