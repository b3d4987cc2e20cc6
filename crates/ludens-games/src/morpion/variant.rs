//! The two rules of how lines of one direction may meet.

use ludens_core::params::{differing, name_of};
use ludens_core::{Param, Parameter, Params, ParseError, Variant, parameters};

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

const VARIANT: Param<MorpionVariant> = Param::choice("variant", &NAMES, "5D")
    .help("5D: lines of one direction share no point, 5T: they may share an end");

impl Variant for MorpionVariant {
    const PARAMETERS: &'static [Parameter] = parameters![VARIANT];

    fn read(params: &mut Params) -> Result<Self, ParseError> {
        params.get(&VARIANT)
    }

    fn write(&self) -> Vec<(&'static str, String)> {
        let default = name_of(&NAMES, MorpionVariant::default());
        differing(&[(VARIANT.name(), &name_of(&NAMES, *self), &default)])
    }
}
