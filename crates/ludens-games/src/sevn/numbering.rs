//! Moves by number, for networks and environments with a fixed set of actions.

use ludens_core::FixedActions;
use ludens_core::bits::{pdep, pext};

use super::moves::of_colour;
use super::{Base, Sevn, Tiles};

/// `colour * 2^base + mask`: bit `k` of the mask stands for the `k`-th tile of the colour that is
/// still on the board, row by row. A number that names tiles which are gone is the empty set,
/// which is never legal.
///
/// ```
/// use ludens_core::{FixedActions, Game, Notation};
/// use ludens_games::sevn::{Base, Sevn};
/// let position = Sevn::parse(&Base::new(3).unwrap(), "1/aaa/aab.cba.cbc").unwrap();
/// let numbers: Vec<usize> = position.actions().map(|a| position.action_index(a)).collect();
/// assert_eq!(numbers, [1, 9, 18, 20, 22]);
/// ```
impl FixedActions for Sevn {
    fn action_space(base: &Base) -> usize {
        base.get() << base.get()
    }

    #[inline]
    fn action_index(&self, Tiles(tiles): Tiles) -> usize {
        let colour = self.code(tiles.trailing_zeros() as usize).saturating_sub(1);
        let left = of_colour(&self.planes, self.tiles(), colour);
        let (low, high) = (left as u64, (left >> 64) as u64);
        let mask = pext(tiles as u64, low) | pext((tiles >> 64) as u64, high) << low.count_ones();
        colour << self.base.get() | mask as usize
    }

    #[inline]
    fn action_of_index(&self, index: usize) -> Option<Tiles> {
        let base = self.base.get();
        if index >= Self::action_space(&self.base) {
            return None;
        }
        let (colour, mask) = (index >> base, (index & ((1 << base) - 1)) as u64);
        let left = of_colour(&self.planes, self.tiles(), colour);
        if mask >> left.count_ones() != 0 {
            return Some(Tiles(0));
        }
        let (low, high) = (left as u64, (left >> 64) as u64);
        let rest = mask >> low.count_ones();
        Some(Tiles(u128::from(pdep(mask, low)) | u128::from(pdep(rest, high)) << 64))
    }
}
