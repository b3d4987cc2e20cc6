//! The forms of one game.

use std::fmt::Debug;
use std::hash::Hash;

use super::{Parameter, Params};
use crate::ParseError;

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

    /// Whether `spec` is a game's name with this variant, perhaps by names that parameters had before.
    fn is_spec(&self, name: &str, spec: &str) -> bool {
        let read = |(found, params): (&str, Params)| {
            let variant = params.declared(Self::PARAMETERS).and_then(|mut p| Self::read(&mut p));
            found == name && variant.ok() == Some(*self)
        };
        Params::split(spec).is_ok_and(read)
    }
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
