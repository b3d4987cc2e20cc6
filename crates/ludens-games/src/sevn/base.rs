//! The one parameter of the game, and the step from its value to constants.

use ludens_core::params::differing;
use ludens_core::{Param, Parameter, Params, ParseError, Variant, parameters};

use super::grid::{Word, takeable};

/// Calls a function with the word and the base as constants.
macro_rules! sized {
    ($base:expr, $($function:ident)::+, $($argument:expr),*) => {
        match $base.get() {
            3 => $($function)::+::<u64, 3>($($argument),*),
            5 => $($function)::+::<u64, 5>($($argument),*),
            7 => $($function)::+::<u64, 7>($($argument),*),
            9 => $($function)::+::<u128, 9>($($argument),*),
            _ => $($function)::+::<u128, 11>($($argument),*),
        }
    };
}

pub(super) use sized;

/// The number of rows, of columns, of colours, and of tiles of each colour:
/// odd, from 3 to 11.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Base(u8);

impl Base {
    /// The base of this number, if it is odd and from 3 to 11.
    ///
    /// ```
    /// use ludens_games::sevn::Base;
    /// assert_eq!(Base::new(7), Some(Base::default()));
    /// assert_eq!(Base::new(6), None);
    /// ```
    pub const fn new(base: usize) -> Option<Self> {
        match base {
            3 | 5 | 7 | 9 | 11 => Some(Base(base as u8)),
            _ => None,
        }
    }

    /// The number itself.
    #[inline]
    pub const fn get(self) -> usize {
        self.0 as usize
    }

    /// All cells.
    pub(super) const fn board(self) -> u128 {
        (1 << (self.get() * self.get())) - 1
    }

    /// Those `tiles` that may be taken where these are all there are.
    #[inline]
    pub(super) fn takeable(self, tiles: u128) -> u128 {
        #[inline(always)]
        fn within<W: Word, const N: usize>(tiles: u128) -> u128 {
            takeable::<W, N>(W::narrow(tiles)).widen()
        }
        sized!(self, within, tiles)
    }
}

const BASES: [(&str, Base); 5] =
    [("3", Base(3)), ("5", Base(5)), ("7", Base(7)), ("9", Base(9)), ("11", Base(11))];
const BASE: Param<Base> =
    Param::choice("base", &BASES, "7").help("rows, columns, colours, tiles of each colour");

impl Default for Base {
    fn default() -> Self {
        BASE.default()
    }
}

impl Variant for Base {
    const PARAMETERS: &'static [Parameter] = parameters![BASE];

    fn read(params: &mut Params) -> Result<Self, ParseError> {
        params.get(&BASE)
    }

    fn write(&self) -> Vec<(&'static str, String)> {
        differing(&[(BASE.name(), &self.0, &BASE.default().0)])
    }
}
