//! Settings of recipes: names with ranges or choices and defaults, declared once.

use ludens_core::error::quote;
use ludens_core::{Parameter, Params, ParseError};

/// What to learn and how, by name.
pub trait Settings: Default + Clone + Send + Sync {
    /// The recipe's name.
    const RECIPE: &'static str;
    /// What may be set, each declared once.
    const PARAMETERS: &'static [Parameter];
    /// What may be set when a run is resumed: how long and how fast it goes on, not what has
    /// shaped it so far.
    const CHANGEABLE: &'static [&'static str];
    /// What came later, and what stood for it before: in runs whose file lacks it.
    const ADDED: &'static [(&'static str, &'static str)] = &[];

    /// Changes a setting.
    ///
    /// # Errors
    /// When there is none of this name, or the value is out of range.
    fn set(&mut self, key: &str, value: &str) -> Result<(), ParseError>;

    /// All settings with their values, as [`set`](Settings::set) reads them.
    fn texts(&self) -> Vec<(&'static str, String)>;

    /// Refuses settings that ask for what this program or this machine does not have.
    ///
    /// # Errors
    /// When one of them does.
    fn usable(&self) -> Result<(), ParseError>;

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

/// The value of a setting under its declared name, whatever name and value it was given by.
///
/// # Errors
/// When there is no such setting.
pub(crate) fn declared(
    key: &str,
    value: &str,
    parameters: &'static [Parameter],
) -> Result<Params, ParseError> {
    let known = || parameters.iter().map(|p| p.name).collect::<Vec<_>>().join(", ");
    let unknown = |_| ParseError::new("setting", quote(key), format!("one of: {}", known()));
    Params::single(key, value).declared(parameters).map_err(unknown)
}

/// As many threads as there are cores.
pub(crate) fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from).min(1024)
}

/// Declares a struct with [`Settings`]: numbers of a range in `(..)`, names with what they stand for
/// in `[..]`, texts that the type reads in `{..}` with their syntax, `engines` for an
/// [`Engine`](ludens_nn::Engine), `declared` for a type with a `PARAM` of the setting's name. An `Option`
/// is a number, or `None` for the word that is its default. The default `all_cores` depends on the
/// machine. `alias "old"` after the help is a name that a setting had before, `was "old" => "new"` one
/// that a value had. `check` names a method that refuses settings which do not go together.
macro_rules! settings {
    (@param $field:ident, $type:ident, all_cores, ($low:literal ..= $high:literal)) => {
        ludens_core::Param::<$type>::int_by(
            stringify!($field), $low..=$high, "all cores", |_| $crate::settings::all_cores(),
        )
    };
    (@param $field:ident, Option<f64>, $default:literal, ($low:literal ..= $high:literal)) => {
        ludens_core::Param::<Option<f64>>::opt_float(stringify!($field), $low..=$high).word($default)
    };
    (@param $field:ident, Option<$type:ident>, $default:literal, ($low:literal ..= $high:literal)) => {
        ludens_core::Param::<Option<$type>>::opt_int(stringify!($field), $low..=$high).word($default)
    };
    (@param $field:ident, f32, $default:literal, ($low:literal ..= $high:literal)) => {
        ludens_core::Param::<f32>::float(stringify!($field), $low..=$high, $default)
    };
    (@param $field:ident, f64, $default:literal, ($low:literal ..= $high:literal)) => {
        ludens_core::Param::<f64>::float(stringify!($field), $low..=$high, $default)
    };
    (@param $field:ident, $type:ident, $default:literal, ($low:literal ..= $high:expr)) => {
        ludens_core::Param::<$type>::int(stringify!($field), $low..=$high, $default)
    };
    (@param $field:ident, $type:ident, $default:literal, [$($name:literal => $value:expr),*]) => {
        ludens_core::Param::<$type>::choice(
            stringify!($field), &[$(($name, $value)),*], $default,
        )
    };
    (@param $field:ident, $type:ident, $default:literal, {$syntax:literal}) => {
        ludens_core::Param::<$type>::custom(
            stringify!($field), $syntax, "", $default, |_, text| text.parse().ok(),
        )
    };
    (@param $field:ident, $type:ident, $default:literal, engines) => { ludens_nn::Engine::PARAM };
    (@param $field:ident, $type:ident, $default:literal, declared) => { $type::PARAM };
    (@write Option<$type:ident>, $default:literal, $domain:tt, $now:expr) => {
        $now.map_or_else(|| $default.to_owned(), |number| number.to_string())
    };
    (@write $type:ident, $default:tt, [$($name:literal => $value:expr),*], $now:expr) => {
        ludens_core::params::name_of(&[$(($name, $value)),*], $now).to_owned()
    };
    (@write $type:ident, $default:tt, engines, $now:expr) => {
        ludens_core::params::name_of(&ludens_nn::Engine::NAMES, $now).to_owned()
    };
    (@write $type:ident, $default:tt, $domain:tt, $now:expr) => { $now.to_string() };
    (@usable engines, $now:expr) => { $now.check()? };
    (@usable $domain:tt, $now:expr) => {};
    (
        $(#[$about:meta])*
        $name:ident, $recipe:literal, [$($free:literal),*] $(, added [$($added:literal = $before:literal),*])? $(, check $check:ident)? {
            $($field:ident: $type:ident $(<$inner:ident>)? = $default:tt, $domain:tt, $help:literal $(, alias $old:literal)? $(, was $was:literal => $is:literal)?;)*
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, PartialEq, Debug)]
        pub struct $name {
            $(#[doc = concat!($help, ".")] pub $field: $type $(<$inner>)?,)*
        }

        /// The declaration of every setting.
        struct Declared { $($field: ludens_core::Param<$type $(<$inner>)?>,)* }

        const DECLARED: Declared = Declared {
            $($field: $crate::settings::settings!(@param $field, $type $(<$inner>)?, $default, $domain)
                .help($help)
                $(.alias($old))?
                $(.value_alias($was, $is))?,)*
        };

        impl Default for $name {
            fn default() -> Self {
                $name { $($field: DECLARED.$field.default(),)* }
            }
        }

        impl $crate::Settings for $name {
            const RECIPE: &'static str = $recipe;
            const PARAMETERS: &'static [ludens_core::Parameter] =
                &[$(DECLARED.$field.parameter),*];
            const CHANGEABLE: &'static [&'static str] = &[$($free),*];
            $(const ADDED: &'static [(&'static str, &'static str)] = &[$(($added, $before)),*];)?

            fn set(&mut self, key: &str, value: &str) -> Result<(), ludens_core::ParseError> {
                let mut one = $crate::settings::declared(key, value, Self::PARAMETERS)?;
                $(if let Some(value) = one.given(&DECLARED.$field)? {
                    self.$field = value;
                })*
                Ok(())
            }

            fn usable(&self) -> Result<(), ludens_core::ParseError> {
                $($crate::settings::settings!(@usable $domain, self.$field);)*
                $(self.$check()?;)?
                Ok(())
            }

            fn texts(&self) -> Vec<(&'static str, String)> {
                vec![$((
                    stringify!($field),
                    $crate::settings::settings!(@write $type $(<$inner>)?, $default, $domain, self.$field),
                ),)*]
            }
        }
    };
}

pub(crate) use settings;

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use ludens_core::params::DefaultValue;
    use ludens_nn::Engine;

    use super::*;
    use crate::alphazero::AlphaZeroConfig;
    use crate::ppo::PpoConfig;
    use crate::probs::ProbsConfig;
    use crate::supervised::SupervisedConfig;

    /// All settings are listed, and what is written is read again, from whatever was set before.
    fn round_trip<S: Settings + PartialEq + Debug>(mut config: S) {
        let default = S::default();
        let names: Vec<&str> = S::PARAMETERS.iter().map(|parameter| parameter.name).collect();
        assert_eq!(default.texts().iter().map(|(key, _)| *key).collect::<Vec<_>>(), names);
        for (key, value) in default.texts() {
            config.set(key, &value).unwrap();
        }
        assert_eq!(config, default);
        // Cores are not the same everywhere.
        let fixed = |p: &&Parameter| !matches!(p.default, DefaultValue::Rule(_));
        for parameter in S::PARAMETERS.iter().filter(fixed) {
            config.set(parameter.name, &parameter.default_text()).unwrap();
        }
        assert_eq!(config, default);
        assert!(config.set("speed", "1").is_err() && config.set("batch", "1").is_err());
    }

    #[test]
    fn settings_round_trip_and_are_checked() {
        round_trip(AlphaZeroConfig { opening: 16, ..AlphaZeroConfig::default() });
        round_trip(ProbsConfig { hidden: 100, ..ProbsConfig::default() });
        let mut ppo = PpoConfig::default();
        ppo.set("entropy", "0.5").unwrap();
        round_trip(ppo);
        let mut supervised = SupervisedConfig::default();
        for (key, value) in
            [("kind", "both"), ("augmentation", "off"), ("expert", "own"), ("engine", "burn")]
        {
            supervised.set(key, value).unwrap();
        }
        assert_eq!(supervised.texts()[0], ("kind", "both".to_owned()));
        round_trip(supervised);
    }

    #[test]
    fn choices_and_ranges_are_told() {
        let values = |name| {
            let found = SupervisedConfig::PARAMETERS.iter().find(|p| p.name == name);
            found.map(|parameter| format!("{parameter:?}")).unwrap()
        };
        assert_eq!(values("kind"), "kind=policy | value | both [value]");
        assert_eq!(values("rate"), "rate=0..1 [0.001]");
        assert_eq!(values("threads"), "threads=1..1024 [all cores]");
        assert_eq!(values("engine"), "engine=native | burn | wgpu | cuda [native]");
        let error = SupervisedConfig::default().set("kind", "odd").unwrap_err();
        assert_eq!(
            error.to_string(),
            "parameter kind: found 'odd', expected policy | value | both"
        );
    }

    #[test]
    fn engines_are_checked() {
        let mut config = PpoConfig::default();
        assert!(config.usable().is_ok());
        // Settings of a run are read whatever program started it.
        for (name, engine) in Engine::NAMES {
            config.set("engine", name).unwrap();
            assert_eq!(config.usable(), engine.check());
        }
    }

    #[test]
    fn few_settings_may_be_changed_later() {
        let mut config = AlphaZeroConfig::default();
        assert!(config.change("minutes", "5").is_ok() && config.change("channels", "5").is_err());
    }
}
