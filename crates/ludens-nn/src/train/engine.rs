//! Engines: what calculates gradients.

use std::str::FromStr;

use ludens_core::error::quote;
use ludens_core::params::name_of;
use ludens_core::{Param, Params, ParseError, parameters};

#[cfg(feature = "burn")]
use super::burn;

/// What a [`Trainer`](crate::Trainer) runs networks forward and backward with. Weights, steps of
/// Adam and checkpoints are the same with all of them, so a run may resume with another one;
/// numbers differ in their last digits.
///
/// ```
/// use ludens_nn::Engine;
/// assert_eq!("native".parse(), Ok(Engine::Native));
/// assert!(Engine::Native.check().is_ok());
/// assert!("abacus".parse::<Engine>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Engine {
    /// This crate's code for the processor.
    #[default]
    Native,
    /// Burn on one thread of the processor; in programs built with the feature `burn`.
    Burn,
    /// Burn on a graphics card by wgpu; in programs built with the feature `burn-wgpu`.
    Wgpu,
    /// Burn on a graphics card by CUDA; in programs built with the feature `burn-cuda`.
    Cuda,
}

/// An engine that is there.
pub(super) enum Ready {
    Native,
    #[cfg(feature = "burn")]
    Burn(burn::Device),
}

impl Engine {
    /// All of them by name.
    pub const NAMES: [(&'static str, Engine); 4] = [
        ("native", Engine::Native),
        ("burn", Engine::Burn),
        ("wgpu", Engine::Wgpu),
        ("cuda", Engine::Cuda),
    ];

    /// The setting of recipes that chooses one.
    pub const PARAM: Param<Engine> =
        Param::choice("engine", &Engine::NAMES, "native").value_alias("own", "native");

    /// Refuses engines that this program or this machine does not have.
    ///
    /// # Errors
    /// When the program was built without it, or there is no graphics card for it.
    pub fn check(self) -> Result<(), ParseError> {
        self.open().map(drop)
    }

    pub(super) fn open(self) -> Result<Ready, ParseError> {
        match self {
            Engine::Native => Ok(Ready::Native),
            #[cfg(feature = "burn")]
            Engine::Burn => Ok(Ready::Burn(burn::processor())),
            #[cfg(feature = "burn-wgpu")]
            Engine::Wgpu => burn::wgpu().map(Ready::Burn).ok_or_else(|| self.no_card()),
            #[cfg(feature = "burn-cuda")]
            Engine::Cuda => burn::cuda().map(Ready::Burn).ok_or_else(|| self.no_card()),
            #[cfg(not(all(feature = "burn-wgpu", feature = "burn-cuda")))]
            _ => {
                let (what, feature) = match self {
                    Engine::Native | Engine::Burn => ("Burn", "burn"),
                    Engine::Wgpu => ("Burn's wgpu", "burn-wgpu"),
                    Engine::Cuda => ("Burn's CUDA", "burn-cuda"),
                };
                let expected = format!(
                    "native: this program was built without {what}; build with --features {feature}"
                );
                Err(self.refused(expected))
            }
        }
    }

    #[cfg(any(feature = "burn-wgpu", feature = "burn-cuda"))]
    fn no_card(self) -> ParseError {
        self.refused("native: there is no graphics card for it".to_owned())
    }

    fn refused(self, expected: String) -> ParseError {
        ParseError::new("engine", quote(name_of(&Engine::NAMES, self)), expected)
    }
}

impl FromStr for Engine {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Engine, ParseError> {
        Params::single("engine", text).declared(parameters![Engine::PARAM])?.get(&Engine::PARAM)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read() {
        for (name, engine) in Engine::NAMES {
            assert_eq!(name.parse(), Ok(engine));
        }
        assert_eq!("own".parse(), Ok(Engine::Native));
    }

    #[test]
    #[cfg(not(feature = "burn"))]
    fn what_was_not_built_is_refused() {
        let message = |engine: Engine| engine.check().unwrap_err().to_string();
        assert_eq!(
            message(Engine::Burn),
            "engine: found 'burn', expected native: this program was built without Burn; build with --features burn"
        );
        assert!(
            message(Engine::Wgpu).ends_with("without Burn's wgpu; build with --features burn-wgpu")
        );
        assert!(
            message(Engine::Cuda).ends_with("without Burn's CUDA; build with --features burn-cuda")
        );
    }
}
