//! Who leads in each colour, in one word.

use super::grid::MAX_BASE;

/// Tiles of each colour taken by player one less those taken by player two:
/// five bits per colour, 16 meaning 0, so that no sum carries over.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Scores(u64);

impl Scores {
    const BITS: usize = 5;
    /// A score of 0; also the bit that says a score is not negative.
    const ZERO: u64 = 1 << (Self::BITS - 1);
    /// [`ZERO`](Self::ZERO) for every colour.
    const ZEROS: u64 = {
        let (mut all, mut colour) = (0, 0);
        while colour < MAX_BASE {
            all |= Self::ZERO << (colour * Self::BITS);
            colour += 1;
        }
        all
    };

    /// All scores 0.
    pub(super) fn new() -> Self {
        Scores(Self::ZEROS)
    }

    /// The packed scores, 55 bits.
    #[inline]
    pub(super) fn bits(self) -> u64 {
        self.0
    }

    /// Player one's lead in a colour.
    #[inline(always)]
    pub(super) fn get(self, colour: usize) -> i32 {
        (self.0 >> (colour * Self::BITS) & (2 * Self::ZERO - 1)) as i32 - Self::ZERO as i32
    }

    /// Changes a lead; it must stay within the largest base either way.
    #[inline(always)]
    pub(super) fn add(&mut self, colour: usize, amount: i32) {
        self.0 = self.0.wrapping_add((i64::from(amount) as u64) << (colour * Self::BITS));
    }

    /// The winner's sign on an empty board, where every score is odd.
    pub(super) fn majority(self, base: usize) -> i32 {
        let owned = (self.0 & Self::ZEROS & ((1 << (base * Self::BITS)) - 1)).count_ones();
        if owned as usize > base / 2 { 1 } else { -1 }
    }
}
