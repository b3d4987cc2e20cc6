//! SameGame: remove groups of equal blocks; the rest falls down and closes up.
//!
//! A set of cells is 256 bits: 16 bits per column, row 0 at the bottom, column
//! 0 at the left in the lowest bits, whatever the size of the board.
//!
//! ```text
//! 15 31 .. 255
//!  ..
//!  1 17 .. 241
//!  0 16 .. 240
//! ```
//!
//! A block's colour is a code from 1 to 7, 0 is an empty cell; three such sets
//! hold the bits of the codes.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod bandit;
mod board;
mod codes;
mod evaluation;
mod features;
mod knowledge;
mod notation;
mod orders;
mod plane;
#[cfg(test)]
mod reference;
#[cfg(test)]
mod rollout_tests;
mod rollouts;
#[cfg(test)]
mod search_tests;
mod segments;
#[cfg(test)]
mod suite_tests;
mod symmetry;
#[cfg(test)]
mod tests;
mod variant;
mod weighted;
mod weights;

use crate::action_list::action_list;
use ludens_core::bits::mix;
use ludens_core::{
    Deterministic, FixedActions, Game, Playout, Position, Reward, Rng, Solo, deterministic,
};

pub use evaluation::{Evaluation, HIDDEN, KNOTS, Prepared, SpareLargest, Weights};
pub use features::FEATURES;
pub use knowledge::SameGameKnowledge;
pub use orders::{Block, Blocks};
use plane::{Bits, contains, count, lowest};
pub use rollouts::{Tabu, TabuColour, TabuPairs};
pub use segments::VsSameGame;
use variant::MAX_COLOURS;
pub use variant::{Penalty, SameGameVariant, Scoring};
pub use weighted::{Guided, Roulette, Sampling};

/// A SameGame position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SameGame {
    /// Bit `i` of all colour codes in plane `i`.
    planes: [Bits; 3],
    variant: SameGameVariant,
}

/// A group of at least two equal blocks, by the number `16 * column + row` of
/// its lowest cell: the lowest one in its leftmost column.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Group(u8);

impl Group {
    /// The column of its lowest cell, from 0 at the left.
    #[inline]
    pub const fn column(self) -> u8 {
        self.0 / 16
    }

    /// The row of its lowest cell, from 0 at the bottom.
    #[inline]
    pub const fn row(self) -> u8 {
        self.0 % 16
    }
}

/// The groups that can be removed, by lowest cell.
#[derive(Clone, Copy, Debug)]
pub struct Groups(Bits);

action_list!(
    Groups,
    Group,
    next: |list| {
        let cell = lowest(&list.0)?;
        plane::clear(&mut list.0, cell);
        Some(Group(cell))
    },
    left: |list| count(&list.0)
);

impl SameGame {
    /// A board without blocks.
    fn empty(variant: SameGameVariant) -> Self {
        SameGame { planes: [[0; 4]; 3], variant }
    }

    /// Puts a block onto an empty cell; `code` is one more than its colour.
    fn put(&mut self, cell: u8, code: u8) {
        for (i, plane) in self.planes.iter_mut().enumerate() {
            plane[usize::from(cell / 64)] |= u64::from(code >> i & 1) << (cell % 64);
        }
    }

    /// The colour code at a cell number, 0 where it is empty.
    fn code(&self, cell: u8) -> u8 {
        (0..3).map(|i| u8::from(contains(&self.planes[i], cell)) << i).sum()
    }

    /// All blocks.
    fn occupied(&self) -> Bits {
        let [a, b, c] = &self.planes;
        std::array::from_fn(|i| a[i] | b[i] | c[i])
    }

    /// The blocks with a colour code.
    fn of_code(&self, code: u8) -> Bits {
        let [a, b, c] = &self.planes;
        let pick = |word: u64, bit: u8| if code >> bit & 1 != 0 { word } else { !word };
        std::array::from_fn(|i| pick(a[i], 0) & pick(b[i], 1) & pick(c[i], 2))
    }

    /// The colour of the block in a column (from the left) and row (from the
    /// bottom), both from 0; `None` where there is no block.
    ///
    /// ```
    /// use ludens_core::Notation;
    /// use ludens_games::samegame::{SameGame, SameGameVariant, Scoring};
    /// let variant = SameGameVariant::new(2, 3, 3, Scoring::Bubble).unwrap();
    /// let position = SameGame::parse(&variant, "2../011").unwrap();
    /// assert_eq!(position.colour_at(0, 1), Some(2));
    /// assert_eq!(position.colour_at(1, 1), None);
    /// ```
    pub fn colour_at(&self, column: u8, row: u8) -> Option<u8> {
        if column >= self.variant.cols() || row >= self.variant.rows() {
            return None;
        }
        self.code(16 * column + row).checked_sub(1)
    }

    /// The number of blocks on the board.
    pub fn blocks(&self) -> u32 {
        count(&self.occupied())
    }

    /// The number of blocks of each colour.
    pub fn colour_counts(&self) -> [u32; MAX_COLOURS as usize] {
        std::array::from_fn(|colour| count(&self.of_code(colour as u8 + 1)))
    }

    /// The board as its variant reads it: without the colour that stands for empty
    /// cells.
    fn emptied(self) -> Self {
        self.variant.empty().map_or(self, |colour| self.without_colour(colour))
    }

    /// The board with all blocks of one colour taken out and the rest fallen.
    fn without_colour(&self, colour: u8) -> Self {
        let mut out = SameGame::empty(self.variant);
        let mut column = 0;
        for from in 0..self.variant.cols() {
            let codes = (0..self.variant.rows()).map(|row| self.code(16 * from + row));
            let mut row = 0;
            for code in codes.filter(|&code| code != 0 && code != colour + 1) {
                out.put(16 * column + row, code);
                row += 1;
            }
            column += u8::from(row > 0);
        }
        out
    }

    /// What the evaluation looks at when a colour, from 0, is spared, and the
    /// number of blocks.
    pub fn features(&self, spared: u8) -> ([f32; FEATURES], u32) {
        features::measure(self, spared + 1)
    }

    /// The number of blocks a move removes.
    pub fn group_size(&self, group: Group) -> u32 {
        count(&board::group_at(self, group.0))
    }
}

impl Position for SameGame {
    #[inline]
    fn key(&self) -> u64 {
        // Products of word pairs, both halves folded together: the six do not
        // wait for each other, unlike a chain of mixing steps. The constants are
        // the fractional digits of square roots of primes.
        const SALT: [u64; 12] = [
            0x6A09_E667_F3BC_C908,
            0xBB67_AE85_84CA_A73B,
            0x3C6E_F372_FE94_F82B,
            0xA54F_F53A_5F1D_36F1,
            0x510E_527F_ADE6_82D1,
            0x9B05_688C_2B3E_6C1F,
            0x1F83_D9AB_FB41_BD6B,
            0x5BE0_CD19_137E_2179,
            0xCBBB_9D5D_C105_9ED8,
            0x629A_292A_367C_D507,
            0x9159_015A_3070_DD17,
            0x152F_ECD8_F70E_5939,
        ];
        let words = self.planes.as_flattened();
        let mut sum = self.variant.word();
        for (pair, salt) in words.chunks_exact(2).zip(SALT.chunks_exact(2)) {
            let product = u128::from(pair[0] ^ salt[0]) * u128::from(pair[1] ^ salt[1]);
            sum = sum.wrapping_add(product as u64 ^ (product >> 64) as u64);
        }
        mix(sum)
    }
}

impl Game for SameGame {
    deterministic!(players: 1, variant: SameGameVariant, action: Group, actions: Groups);

    #[inline]
    fn variant(&self) -> SameGameVariant {
        self.variant
    }

    /// A full board, each block's colour drawn uniformly and independently; then
    /// the blocks of the variant's empty colour are taken out.
    fn start(variant: &SameGameVariant, rng: &mut Rng) -> Self {
        let mut game = SameGame::empty(*variant);
        for column in 0..variant.cols() {
            for row in 0..variant.rows() {
                let colour = rng.below(u32::from(variant.colours())) as u8;
                game.put(16 * column + row, colour + 1);
            }
        }
        game.emptied()
    }

    #[inline]
    fn actions(&self) -> Groups {
        Groups(board::lowest_cells(self))
    }

    #[inline]
    fn is_over(&self) -> bool {
        !board::has_move(self)
    }

    fn is_legal(&self, group: Group) -> bool {
        let blocks = board::group_at(self, group.0);
        count(&blocks) >= 2 && lowest(&blocks) == Some(group.0)
    }

    #[inline]
    fn apply(&self, group: Group) -> (Self, Reward) {
        debug_assert!(self.is_legal(group), "{group:?} in {self:?}");
        board::remove_at(self, group.0)
    }

    #[inline]
    fn children(&self, f: impl FnMut(Group, Self, Reward)) {
        board::children(self, f);
    }

    #[inline]
    fn step(&self, rng: &mut Rng) -> Option<(Group, Self, Reward)> {
        board::step(self, rng)
    }

    #[inline]
    fn playout(&self, rng: &mut Rng) -> Playout<Self> {
        board::playout(self, rng)
    }
}

impl Deterministic for SameGame {}
impl Solo for SameGame {}

/// Cells are numbered up the columns, left to right: `rows * column + row` of
/// the group's lowest cell.
impl FixedActions for SameGame {
    fn action_space(variant: &SameGameVariant) -> usize {
        usize::from(variant.rows()) * usize::from(variant.cols())
    }

    fn action_index(&self, group: Group) -> usize {
        usize::from(self.variant.rows()) * usize::from(group.column()) + usize::from(group.row())
    }

    fn action_of_index(&self, index: usize) -> Option<Group> {
        let rows = usize::from(self.variant.rows());
        let inside = index < Self::action_space(&self.variant);
        inside.then(|| Group((16 * (index / rows) + index % rows) as u8))
    }
}
