//! Left and right may be exchanged, and the shapes renamed.

use ludens_core::symmetry::{permutation, permutations};
use ludens_core::{Sym, Symmetric};

use super::{Former, FormerVariant, Group, lowest};

/// The names shapes get: shape `s` becomes `names[s]`.
type Renaming = [u8; 8];

/// Left and right of a set of cells exchanged.
pub(super) fn mirror(variant: &FormerVariant, cells: u64) -> u64 {
    let rows = u32::from(variant.rows());
    let cols = u32::from(variant.cols());
    let column = u64::MAX >> (64 - rows);
    (0..cols).fold(0, |all, c| all | (cells >> (c * rows) & column) << ((cols - 1 - c) * rows))
}

impl Former {
    fn mirrored(&self) -> Self {
        let turn = |cells| mirror(&self.variant, cells);
        Former { occupied: turn(self.occupied), planes: self.planes.map(turn), ..*self }
    }

    /// Whether the mirror image is the board itself but for the names of the shapes.
    pub(super) fn is_symmetric(&self) -> bool {
        self.renamed_by_appearance() == self.mirrored().renamed_by_appearance()
    }

    fn renamed(&self, names: &Renaming) -> Self {
        let mut planes = [0; 3];
        for shape in 0..self.variant.shapes() {
            let cells = self.cells_of(shape);
            for (bit, plane) in planes.iter_mut().enumerate() {
                if names[usize::from(shape)] >> bit & 1 != 0 {
                    *plane |= cells;
                }
            }
        }
        Former { planes, ..*self }
    }

    /// The shapes renamed 0, 1, .. in the order of their lowest cells.
    fn renamed_by_appearance(&self) -> Self {
        let mut planes = [0; 3];
        let mut left = self.occupied;
        let mut name = 0;
        while left != 0 {
            let first = lowest(left);
            // Cells that agree with the first in every plane.
            let cells = self.planes.iter().fold(left, |cells, &plane| {
                cells & if plane & first != 0 { plane } else { !plane }
            });
            for (bit, plane) in planes.iter_mut().enumerate() {
                if name >> bit & 1 != 0 {
                    *plane |= cells;
                }
            }
            left &= !cells;
            name += 1;
        }
        Former { planes, ..*self }
    }
}

/// The lowest bit of a number says whether to mirror, the rest which renaming.
impl Symmetric for Former {
    fn symmetries(variant: &FormerVariant) -> u32 {
        2 * permutations(variant.shapes().into())
    }

    fn map(&self, sym: Sym) -> Self {
        let turned = if sym.0 % 2 == 1 { self.mirrored() } else { *self };
        turned.renamed(&permutation(sym.0 / 2, self.variant.shapes().into()))
    }

    fn map_action(&self, action: Group, sym: Sym) -> Group {
        if sym.0.is_multiple_of(2) {
            return action;
        }
        Group::of(mirror(&self.variant, self.group_of(action.0)))
    }

    fn map_after(after: &Self, sym: Sym) -> Self {
        after.map(sym)
    }

    fn map_chance(_: &Self, (): (), _: Sym) {}

    /// Shapes named by appearance, of both mirror images the smaller one.
    fn canonical(&self) -> Self {
        self.renamed_by_appearance().min(self.mirrored().renamed_by_appearance())
    }
}
