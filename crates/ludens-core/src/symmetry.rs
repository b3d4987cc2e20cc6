//! Maps of a game onto itself.

use crate::Game;

/// An element of a game's symmetry group, by number; 0 is the identity.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Sym(pub u32);

impl Sym {
    /// The symmetry that changes nothing.
    pub const IDENTITY: Sym = Sym(0);
}

/// A game with symmetries: maps of positions, actions, afterstates and
/// outcomes that commute with the rules and leave rewards, probabilities and
/// the player to move alone.
///
/// A game without any has a group of one.
pub trait Symmetric: Game + Ord {
    /// The size of the symmetry group of a variant, at least 1.
    fn symmetries(variant: &Self::Variant) -> u32;

    /// The image of a position.
    #[must_use]
    fn map(&self, sym: Sym) -> Self;

    /// What `action` in `self` is in `self.map(sym)`.
    fn map_action(&self, action: Self::Action, sym: Sym) -> Self::Action;

    /// The image of an afterstate.
    fn map_after(after: &Self::After, sym: Sym) -> Self::After;

    /// What `chance` after `after` is after `map_after(after, sym)`.
    fn map_chance(after: &Self::After, chance: Self::Chance, sym: Sym) -> Self::Chance;

    /// The same position for all images of a position: the smallest one, unless
    /// the game has a cheaper rule.
    #[must_use]
    fn canonical(&self) -> Self {
        (1..Self::symmetries(&self.variant()))
            .map(|s| self.map(Sym(s)))
            .fold(*self, |best, image| best.min(image))
    }
}

/// The number of orders of `n` things, for games whose colours or shapes may
/// be renamed; `n` is at most 12.
pub fn permutations(n: usize) -> u32 {
    (1..=n as u32).product()
}

/// The `index`-th order of the numbers below `n`, of [`permutations`]`(n)`; those
/// from `n` on stay in place. Index 0 is the identity.
///
/// ```
/// use ludens_core::symmetry::permutation;
/// assert_eq!(permutation::<4>(0, 3), [0, 1, 2, 3]);
/// assert_eq!(permutation::<4>(1, 3), [1, 0, 2, 3]);
/// ```
pub fn permutation<const N: usize>(mut index: u32, n: usize) -> [u8; N] {
    let mut order = std::array::from_fn(|i| i as u8);
    for last in 1..n {
        // Counted from the end, so that index 0 swaps nothing.
        let choices = last as u32 + 1;
        order.swap(last, last - (index % choices) as usize);
        index /= choices;
    }
    order
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn permutations_are_all_orders() {
        for n in 0..=6 {
            let all: HashSet<[u8; 6]> = (0..permutations(n)).map(|i| permutation(i, n)).collect();
            assert_eq!(all.len(), (1..=n).product::<usize>());
            for mut order in all {
                assert!(order[n..].iter().zip(n..).all(|(&item, i)| usize::from(item) == i));
                order.sort_unstable();
                assert_eq!(order, [0, 1, 2, 3, 4, 5]);
            }
            assert_eq!(permutation(0, n), [0, 1, 2, 3, 4, 5]);
        }
    }
}
