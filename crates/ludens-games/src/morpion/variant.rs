//! The two rules of how lines of one direction may meet.

use ludens_core::error::quote;
use ludens_core::params::{differing, name_of};
use ludens_core::{Parameter, Params, ParseError, Variant};

/// What two lines of the same direction may share.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum MorpionVariant {
    /// 5D, disjoint: nothing.
    #[default]
    Disjoint,
    /// 5T, touching: an end.
    Touching,
}

const NAMES: [(&str, MorpionVariant); 2] =
    [("5D", MorpionVariant::Disjoint), ("5T", MorpionVariant::Touching)];

impl Variant for MorpionVariant {
    const PARAMETERS: &'static [Parameter] = &[Parameter {
        name: "variant",
        values: "5D | 5T",
        default: "5D",
        about: "5D: lines of one direction share no point, 5T: they may share an end",
    }];

    /// Small letters will do.
    fn read(params: &mut Params) -> Result<Self, ParseError> {
        let Some(text) = params.take("variant") else { return Ok(MorpionVariant::default()) };
        let named = NAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(&text));
        named
            .map(|&(_, variant)| variant)
            .ok_or_else(|| ParseError::new("parameter variant", quote(&text), "5D | 5T"))
    }

    fn write(&self) -> Vec<(&'static str, String)> {
        let default = name_of(&NAMES, MorpionVariant::default());
        differing(&[("variant", &name_of(&NAMES, *self), &default)])
    }
}
