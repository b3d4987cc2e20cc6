//! The symmetries of the board.

use ludens_core::{Sym, Symmetric};

use crate::tiles::{Slide, nibbles, symmetry};

use super::{Spawn, SpawnRule, Threes, ThreesAfter, ThreesVariant, changed_lines};

impl Symmetric for Threes {
    fn symmetries(variant: &ThreesVariant) -> u32 {
        symmetry::count(variant.size())
    }

    #[inline]
    fn map(&self, sym: Sym) -> Self {
        let board = nibbles::map(self.supply.variant().size(), self.board, sym);
        Threes { board, supply: self.supply }
    }

    fn map_action(&self, slide: Slide, sym: Sym) -> Slide {
        symmetry::map_slide(slide, sym)
    }

    fn map_after(after: &ThreesAfter, sym: Sym) -> ThreesAfter {
        let variant = after.supply.variant();
        let slide = symmetry::map_slide(after.slide, sym);
        let lines = match variant.spawn_rule() {
            SpawnRule::Side => 0,
            // The open squares, one per changed line, move like tiles.
            SpawnRule::Changed => {
                changed_lines(nibbles::map(variant.size(), after.open(), sym), slide)
            }
        };
        let board = nibbles::map(variant.size(), after.board, sym);
        ThreesAfter { board, supply: after.supply, slide, lines }
    }

    fn map_chance(after: &ThreesAfter, spawn: Spawn, sym: Sym) -> Spawn {
        let size = after.supply.variant().size();
        let square = symmetry::map_square(size, usize::from(spawn.square), sym);
        Spawn { square: square as u8, ..spawn }
    }
}
