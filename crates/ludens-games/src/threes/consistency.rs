//! Whether a board, a hint and a bag can belong together.
//!
//! Slides keep the sum of all tiles, and a merge of a 1 and a 2 keeps the
//! number of ones less the number of twos. So a board says a good deal about
//! the tiles drawn since the bag was last full. With a bag of three and no
//! bonus tiles, board and hint give the bag.

use super::slide::{has_48, largest, value};
use super::supply::{BONUS_ONE_IN, Bag, Hint, Supply, may_add_bonus};
use super::variant::{Bonus, ThreesVariant};

/// Whether the tiles ever placed, as far as the board shows them, can have come
/// out of this supply.
pub(super) fn fits(board: u64, supply: Supply) -> bool {
    let (variant, hint, bag) = (supply.variant(), supply.hint(), supply.bag());
    let bonus_seen = variant.bonus() != Bonus::Off && has_48(board);
    let of_each = i32::from(variant.of_each());
    // What was placed since the bag was last full: all that left it but the
    // hinted tile.
    let mut placed = bag.counts().map(|left| of_each - i32::from(left));
    if hint == Hint::Bonus {
        if !bonus_seen || variant.bonus() == Bonus::Capped && !may_add_bonus(supply.spare()) {
            return false;
        }
    } else {
        let kind = &mut placed[hint as usize - 1];
        *kind -= 1;
        // A full bag with a hint has just been filled: the hint was its last
        // tile. Otherwise the hint left this bag.
        if *kind < 0 && bag != Bag::full(variant.of_each()) {
            return false;
        }
    }
    let tiles = || (0..16).map(|square| (board >> (4 * square) & 15) as u8);
    let count = |index: u8| tiles().filter(|&tile| tile == index).count() as i32;
    let [ones, twos, threes] = placed;
    if count(1) - count(2) != ones - twos {
        return false;
    }
    // The rest are whole bags, and bonus tiles, which are multiples of 6.
    let sum: i32 = tiles().map(|tile| value(tile) as i32).sum();
    let rest = sum - (ones + 2 * twos + 3 * threes);
    let whole = 6 * of_each;
    if rest < 0 || rest % 6 != 0 {
        return false;
    }
    // So many bags before this one hold the ones, and so the twos, on the board.
    let enough = |bags: i32| count(1) <= ones + of_each * bags;
    if variant.bonus() != Bonus::Capped {
        return (rest % whole == 0 || bonus_seen) && enough(rest / whole);
    }
    let most = if bonus_seen { value(largest(board)) as i32 / 8 } else { 0 };
    (0..=rest / whole).any(|bags| {
        let extra = rest - bags * whole;
        let plain = 3 * of_each * bags + ones + twos + threes;
        // Each bonus tile adds itself and takes 21.
        let taken = plain - i32::from(supply.spare());
        let bonuses = taken / (BONUS_ONE_IN as i32 - 1);
        enough(bags)
            && taken >= 0
            && taken % (BONUS_ONE_IN as i32 - 1) == 0
            && (6 * bonuses..=most * bonuses).contains(&extra)
    })
}

/// The bags that fit a board, a hint and an account of bonus tiles.
pub(super) fn bags(
    variant: ThreesVariant,
    board: u64,
    hint: Hint,
    spare: u16,
) -> impl Iterator<Item = Bag> {
    let range = 0..=variant.of_each();
    let (twos, threes) = (range.clone(), range.clone());
    range
        .flat_map(move |a| twos.clone().map(move |b| (a, b)))
        .flat_map(move |(a, b)| threes.clone().map(move |c| Bag::new([a, b, c])))
        .filter(move |&bag| !bag.is_empty() && fits(board, Supply::new(variant, bag, hint, spare)))
}
