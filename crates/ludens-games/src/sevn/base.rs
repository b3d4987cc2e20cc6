//! The one parameter of the game, and the step from its value to constants.

use ludens_core::error::quote;
use ludens_core::params::differing;
use ludens_core::{Parameter, Params, ParseError, Variant};

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

impl Default for Base {
    fn default() -> Self {
        Base(7)
    }
}

impl Variant for Base {
    const PARAMETERS: &'static [Parameter] = &[Parameter {
        name: "base",
        values: "3 | 5 | 7 | 9 | 11",
        default: "7",
        about: "rows, columns, colours, tiles of each colour",
    }];

    fn read(params: &mut Params) -> Result<Self, ParseError> {
        let Some(text) = params.take("base") else { return Ok(Base::default()) };
        text.parse()
            .ok()
            .and_then(Base::new)
            .ok_or_else(|| ParseError::new("parameter base", quote(&text), "3 | 5 | 7 | 9 | 11"))
    }

    fn write(&self) -> Vec<(&'static str, String)> {
        differing(&[("base", &self.0, &Base::default().0)])
    }
}
