//! What the variants of 2048 and 2584 have in common.

use ludens_core::params::differing;
use ludens_core::{Param, Params, ParseError};

use super::{Grid, Size};

/// The size of the board and the number of tiles at the start.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Setup {
    /// The size of the board.
    pub size: Size,
    /// The number of tiles at the start: from 1 to the number of cells.
    pub start: u8,
}

impl Setup {
    /// The parameter that sets the number of tiles at the start.
    pub const START: Param<u8> =
        Param::int("start", 1..=16, 2).help("number of tiles at the start, at most one per cell");

    /// Takes the parameters `board` and `start`.
    ///
    /// # Errors
    /// When one is malformed, or there are more tiles than cells.
    pub fn read(params: &mut Params) -> Result<Setup, ParseError> {
        let (size, start) = (params.get(&Size::BOARD)?, params.get(&Self::START)?);
        size.check_start(start)?;
        Ok(Setup { size, start })
    }

    /// The parameters that differ from the default.
    pub fn write(&self) -> Vec<(&'static str, String)> {
        differing(&[
            (Size::BOARD.name(), &self.size, &Size::BOARD.default()),
            (Self::START.name(), &self.start, &Self::START.default()),
        ])
    }

    /// The variant as bits, for keys.
    #[inline]
    pub(crate) const fn bits(&self) -> u64 {
        (self.size.code() as u64) << 8 | self.start as u64
    }

    /// The variant of [`bits`](Setup::bits).
    #[inline]
    pub(crate) const fn from_bits(bits: u16) -> Self {
        Setup { size: Size::from_code((bits >> 8) as u8), start: bits as u8 }
    }
}

impl Default for Setup {
    fn default() -> Self {
        Setup { size: Size::FULL, start: Self::START.default() }
    }
}

/// How large tiles can get: on one cell the largest new tile, `last`, and for
/// every further cell `step` indices more.
///
/// A tile is made while the larger ones occupy their cells, so the `i`-th
/// largest of a board has to make do with what the larger ones leave. Moves and new
/// tiles keep to this.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Growth {
    /// The index of the largest new tile.
    pub last: u8,
    /// Indices per further cell.
    pub step: u8,
}

impl Growth {
    /// The largest index of a tile when `cells` are left for it.
    pub const fn limit(self, cells: usize) -> u8 {
        self.last + self.step * (cells as u8 - 1)
    }

    /// Refuses a board with larger tiles than there can be; `value` gives the
    /// value of an index.
    ///
    /// # Errors
    /// When a tile is too large.
    pub fn check(
        self,
        size: Size,
        grid: &Grid<u8>,
        value: impl Fn(u8) -> u32,
    ) -> Result<(), ParseError> {
        let mut tiles: Vec<u8> = size.squares().map(|square| grid[square]).collect();
        tiles.sort_unstable_by(|a, b| b.cmp(a));
        for (i, &tile) in tiles.iter().enumerate() {
            let limit = self.limit(size.cells() - i);
            if tile > limit {
                let found = format!("{} as tile {} by size", value(tile), i + 1);
                let expected = format!("at most {} there", value(limit));
                return Err(ParseError::new("board", found, expected));
            }
        }
        Ok(())
    }
}
