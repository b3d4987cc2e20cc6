//! Codes of moves for learned playout policies.

use ludens_core::MoveCode;
use ludens_core::bits::mix;

use super::plane::Bits;
use super::{Group, SameGame, board};

/// The code of removing these cells of this colour code. It stands for the set
/// of cells and the colour, like the exclusive or of a key per cell and colour,
/// but takes two multiplications whatever the size of the group.
#[inline(always)]
pub(super) fn of_group(cells: &Bits, colour: u8) -> u64 {
    // Fractional digits of cube roots of primes.
    const SALT: [u64; 4] = [
        0x428A_2F98_D728_AE22,
        0x7137_4491_23EF_65CD,
        0xB5C0_FBCF_EC4D_3B2F,
        0xE9B5_DBA5_8189_DBBC,
    ];
    let fold = |i: usize| {
        let product = u128::from(cells[i] ^ SALT[i]) * u128::from(cells[i + 1] ^ SALT[i + 1]);
        product as u64 ^ (product >> 64) as u64
    };
    mix(fold(0).wrapping_add(fold(2)) ^ u64::from(colour) << 56)
}

/// Groups of the same cells and colour share a code.
impl MoveCode for SameGame {
    fn code(&self, group: Group) -> u64 {
        of_group(&board::group_at(self, group.0), SameGame::code(self, group.0))
    }

    #[inline]
    fn coded(&self, mut f: impl FnMut(Group, u64)) {
        board::groups_but(self, 0, |cell, cells| {
            f(Group(cell), of_group(cells, SameGame::code(self, cell)));
        });
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use ludens_core::{Game, Notation, Rng};

    use super::*;
    use crate::samegame::SameGameVariant;

    #[test]
    fn codes_stand_for_cells_and_colour() {
        let mut rng = Rng::new(5);
        let mut known = HashMap::new();
        for _ in 0..50 {
            let mut position = SameGame::start(&SameGameVariant::default(), &mut rng);
            loop {
                let mut coded = Vec::new();
                position.coded(|group, code| coded.push((group, code)));
                let listed: Vec<_> =
                    position.actions().map(|a| (a, MoveCode::code(&position, a))).collect();
                assert_eq!(coded, listed);
                for (group, code) in coded {
                    let what = (position.action_cells(group), SameGame::code(&position, group.0));
                    assert_eq!(*known.entry(code).or_insert_with(|| what.clone()), what);
                }
                match position.step(&mut rng) {
                    Some((_, next, _)) => position = next,
                    None => break,
                }
            }
        }
        assert!(known.len() > 1_000, "{}", known.len());
    }
}
