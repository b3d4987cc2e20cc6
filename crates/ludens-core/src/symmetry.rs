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
