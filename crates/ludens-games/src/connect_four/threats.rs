//! Cells that would complete four in a line.

use super::{BOARD, STRIDE};

/// The free cells where one more stone of these would make four in a line, whether or not
/// a stone can be dropped there yet.
#[inline]
pub(super) fn completing(stones: u64, all: u64) -> u64 {
    // Upwards a line can only be completed at its upper end.
    let mut cells = (stones << 1) & (stones << 2) & (stones << 3);
    for shift in [STRIDE, STRIDE - 1, STRIDE + 1] {
        // Two neighbours on one side, then the third beyond them or on the other side.
        let left = (stones << shift) & (stones << (2 * shift));
        cells |= left & ((stones << (3 * shift)) | (stones >> shift));
        let right = (stones >> shift) & (stones >> (2 * shift));
        cells |= right & ((stones >> (3 * shift)) | (stones << shift));
    }
    cells & (BOARD ^ all)
}

#[cfg(test)]
mod tests {
    use ludens_core::{Game, Rng};

    use super::super::{ConnectFour, has_four};
    use super::*;

    #[test]
    fn exactly_the_cells_that_make_four() {
        for seed in 0..200 {
            let mut rng = Rng::new(seed);
            let mut position = ConnectFour::default();
            while let Some((_, next, _)) = position.step(&mut rng) {
                for stones in [position.own, position.other()] {
                    let cells = completing(stones, position.all);
                    for cell in (0..49).map(|bit| 1u64 << bit) {
                        let free = BOARD & cell != 0 && position.all & cell == 0;
                        let makes = free && !has_four(stones) && has_four(stones | cell);
                        if !has_four(stones) {
                            assert_eq!(cells & cell != 0, makes, "{position:?}");
                        }
                    }
                }
                position = next;
            }
        }
    }
}
