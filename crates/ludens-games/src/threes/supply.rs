//! Where new tiles come from: the bag, the hint, and the account of bonus tiles.

use ludens_core::Rng;

use super::variant::{Bonus, ThreesVariant};

/// One of this many tiles is a bonus tile.
pub(super) const BONUS_ONE_IN: u32 = 21;

/// What the next tile will be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Hint {
    /// A 1.
    One = 1,
    /// A 2.
    Two = 2,
    /// A 3.
    Three = 3,
    /// A bonus tile, 6 or more.
    Bonus = 4,
}

impl Hint {
    /// The hints in order, by their two bits in [`Supply`].
    pub(super) const ALL: [Hint; 4] = [Hint::One, Hint::Two, Hint::Three, Hint::Bonus];

    /// The hint as text: the tile, or `+`.
    pub const fn text(self) -> &'static str {
        match self {
            Hint::One => "1",
            Hint::Two => "2",
            Hint::Three => "3",
            Hint::Bonus => "+",
        }
    }
}

/// The tiles left in the bag: a nibble each for the ones, the twos and the threes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Bag(u16);

impl Bag {
    pub(super) fn full(of_each: u8) -> Bag {
        Bag(0x111 * u16::from(of_each))
    }

    pub(super) fn new([ones, twos, threes]: [u8; 3]) -> Bag {
        Bag(u16::from(ones) | u16::from(twos) << 4 | u16::from(threes) << 8)
    }

    pub(super) fn counts(self) -> [u8; 3] {
        [self.0 & 15, self.0 >> 4 & 15, self.0 >> 8].map(|count| count as u8)
    }

    #[inline]
    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of tiles left.
    #[inline]
    pub(super) fn len(self) -> u32 {
        u32::from((self.0 & 15) + (self.0 >> 4 & 15) + (self.0 >> 8))
    }

    /// The number of tiles of one kind left; none of [`Hint::Bonus`].
    #[inline]
    pub(super) fn count(self, kind: Hint) -> u32 {
        u32::from(self.0 >> (4 * (kind as u16 - 1)) & 15)
    }

    /// The bag without one tile of a kind, filled again when that was the last.
    #[inline]
    pub(super) fn without(self, kind: Hint, of_each: u8) -> Bag {
        let left = Bag(self.0 - (1 << (4 * (kind as u16 - 1))));
        if left.is_empty() { Bag::full(of_each) } else { left }
    }

    /// The kinds of tile that can be drawn, with their probabilities.
    pub(super) fn shares(self) -> impl Iterator<Item = (Hint, f64)> + Clone {
        Hint::ALL
            .into_iter()
            .map(move |kind| (kind, f64::from(self.count(kind)) / f64::from(self.len())))
            .filter(|&(_, share)| share > 0.0)
    }

    /// The kind of a tile drawn at random.
    #[inline]
    pub(super) fn draw(self, rng: &mut Rng) -> Hint {
        let n = rng.below(self.len());
        let ones = self.count(Hint::One);
        if n < ones {
            Hint::One
        } else if n < ones + self.count(Hint::Two) {
            Hint::Two
        } else {
            Hint::Three
        }
    }
}

/// What a position holds besides its board.
///
/// The hinted tile is already out of the bag. A bag is never empty: it is
/// filled as soon as its last tile is drawn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Supply {
    /// Three nibbles of the bag, then two bits of the hint.
    drawn: u16,
    /// With [`Bonus::Capped`]: the tiles placed, less 21 for each bonus tile
    /// among them. 0 in the other forms.
    ///
    /// It cannot overflow: the tiles of a bag have a mean of 2, all tiles ever
    /// placed have the sum of those on the board, and that is at most 16 * 6144.
    spare: u16,
    variant: ThreesVariant,
}

impl Supply {
    #[inline]
    pub(super) fn new(variant: ThreesVariant, bag: Bag, hint: Hint, spare: u16) -> Supply {
        Supply { drawn: bag.0 | (hint as u16 - 1) << 12, spare, variant }
    }

    /// The supply of a start position.
    pub(super) fn begin(variant: ThreesVariant, bag: Bag, hint: Hint) -> Supply {
        let spare = if variant.bonus() == Bonus::Capped { variant.start() } else { 0 };
        Supply::new(variant, bag, hint, u16::from(spare))
    }

    #[inline]
    pub(super) fn variant(self) -> ThreesVariant {
        self.variant
    }

    #[inline]
    pub(super) fn hint(self) -> Hint {
        Hint::ALL[usize::from(self.drawn >> 12 & 3)]
    }

    #[inline]
    pub(super) fn bag(self) -> Bag {
        Bag(self.drawn & 0xFFF)
    }

    pub(super) fn spare(self) -> u16 {
        self.spare
    }

    /// All of it as one word.
    #[inline]
    pub(super) fn word(self) -> u64 {
        u64::from(self.drawn) | u64::from(self.spare) << 16 | u64::from(self.variant.bits()) << 32
    }

    /// The account of bonus tiles once the hinted tile is placed.
    #[inline]
    fn spare_after(self) -> u16 {
        match (self.variant.bonus(), self.hint()) {
            (Bonus::Capped, Hint::Bonus) => self.spare + 1 - BONUS_ONE_IN as u16,
            (Bonus::Capped, _) => self.spare + 1,
            _ => 0,
        }
    }

    /// Whether the next hint may be a bonus tile once the hinted tile is
    /// placed; `has_48` says whether the board then holds a 48 or more.
    #[inline]
    pub(super) fn bonus_next(self, has_48: bool) -> bool {
        has_48
            && match self.variant.bonus() {
                Bonus::Off => false,
                Bonus::On => true,
                Bonus::Capped => may_add_bonus(self.spare_after()),
            }
    }

    /// The supply once the hinted tile is placed and the next hint is shown.
    #[inline]
    pub(super) fn next(self, hint: Hint) -> Supply {
        let bag = match hint {
            Hint::Bonus => self.bag(),
            _ => self.bag().without(hint, self.variant.of_each()),
        };
        Supply::new(self.variant, bag, hint, self.spare_after())
    }
}

/// Whether a bonus tile keeps within the cap: at most one in 21 tiles, itself
/// and all placed before it included.
#[inline]
pub(super) fn may_add_bonus(spare: u16) -> bool {
    u32::from(spare) + 1 >= BONUS_ONE_IN
}
