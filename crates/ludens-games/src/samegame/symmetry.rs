//! Colours renamed, and the blocks mirrored. Blocks stay at the left, so it is
//! the occupied columns whose order is reversed.

use ludens_core::symmetry::{permutation, permutations};
use ludens_core::{Sym, Symmetric};

use super::plane::{Bits, lowest};
use super::variant::MAX_COLOURS;
use super::{Group, SameGame, SameGameVariant, board};

/// The first `width` columns in reverse order; the others are empty.
fn mirror(bits: &Bits, width: u32) -> Bits {
    let mut out = [0; 4];
    for from in 0..width {
        let column = bits[from as usize / 4] >> (16 * (from % 4)) & 0xFFFF;
        let to = width - 1 - from;
        out[to as usize / 4] |= column << (16 * (to % 4));
    }
    out
}

impl SameGame {
    /// The number of columns with blocks.
    fn width(&self) -> u32 {
        let blocks = self.occupied();
        (0..16).take_while(|&column| blocks[column / 4] >> (16 * (column % 4)) & 1 != 0).count()
            as u32
    }

    fn mirrored(&self) -> Self {
        let width = self.width();
        SameGame { planes: self.planes.map(|plane| mirror(&plane, width)), ..*self }
    }

    /// Blocks of colour `i` get colour `names[i]`.
    fn recoloured(&self, names: [u8; MAX_COLOURS as usize]) -> Self {
        let mut out = SameGame::empty(self.variant);
        for (colour, name) in (0..self.variant.colours()).zip(names) {
            let blocks = self.of_code(colour + 1);
            for (i, plane) in out.planes.iter_mut().enumerate() {
                if (name + 1) >> i & 1 != 0 {
                    plane.iter_mut().zip(blocks).for_each(|(word, blocks)| *word |= blocks);
                }
            }
        }
        out
    }

    /// Colours renamed in the order of their lowest cells.
    fn relabelled(&self) -> Self {
        let mut order: [u8; MAX_COLOURS as usize] = std::array::from_fn(|colour| colour as u8);
        // Colours without a block come last, in any order: they have nothing to rename.
        order.sort_by_key(|&colour| lowest(&self.of_code(colour + 1)).map_or(256, u32::from));
        let mut names = [0; MAX_COLOURS as usize];
        for (name, &colour) in order.iter().enumerate() {
            names[usize::from(colour)] = name as u8;
        }
        self.recoloured(names)
    }
}

/// Number `2 * p + m` renames the colours by the `p`-th permutation and mirrors if `m` is 1.
impl Symmetric for SameGame {
    fn symmetries(variant: &SameGameVariant) -> u32 {
        2 * permutations(variant.colours().into())
    }

    fn map(&self, sym: Sym) -> Self {
        let recoloured = self.recoloured(permutation(sym.0 / 2, self.variant.colours().into()));
        if sym.0 % 2 == 1 { recoloured.mirrored() } else { recoloured }
    }

    fn map_action(&self, group: Group, sym: Sym) -> Group {
        if sym.0.is_multiple_of(2) {
            return group;
        }
        let blocks = mirror(&board::group_at(self, group.0), self.width());
        lowest(&blocks).map_or(group, Group)
    }

    fn map_after(after: &Self, sym: Sym) -> Self {
        after.map(sym)
    }

    fn map_chance(_: &Self, (): (), _: Sym) {}

    /// Colours renamed by first appearance in the board and in its mirror image;
    /// the smaller of the two.
    fn canonical(&self) -> Self {
        self.relabelled().min(self.mirrored().relabelled())
    }
}
