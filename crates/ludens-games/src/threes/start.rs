//! Start positions: tiles from the bag on random squares, then the first hint.

use ludens_core::bits::nth_bit;
use ludens_core::{Rng, Starts};

use crate::tiles::nibbles::occupied;

use super::supply::{Bag, Supply};
use super::{Threes, ThreesVariant};

/// A start position drawn at random.
pub(super) fn draw(variant: ThreesVariant, rng: &mut Rng) -> Threes {
    let mut bag = Bag::full(variant.of_each());
    let mut take = |rng: &mut Rng| {
        let kind = bag.draw(rng);
        bag = bag.without(kind, variant.of_each());
        (kind, bag)
    };
    let mut board = 0;
    for _ in 0..variant.start() {
        let empty = variant.inside() & !occupied(board);
        let square = nth_bit(empty, rng.below(empty.count_ones()));
        board |= square * take(rng).0 as u64;
    }
    let (hint, bag) = take(rng);
    Threes { board, supply: Supply::begin(variant, bag, hint) }
}

/// A start position of which some tiles are still to be placed.
#[derive(Clone, Copy)]
struct Partial {
    board: u64,
    bag: Bag,
    /// Flags of the squares the next tiles may take.
    free: u64,
    /// The tiles still to be placed.
    left: u32,
    /// The probability of all completions together.
    p: f64,
}

impl Partial {
    /// Takes the free squares in order and either leaves one empty or draws a
    /// tile for it, so that every set of squares comes once.
    fn complete(self, variant: ThreesVariant, f: &mut impl FnMut(Threes, f64)) {
        let Partial { board, bag, free, left, p } = self;
        let square = free & free.wrapping_neg();
        let rest = free ^ square;
        let squares = f64::from(free.count_ones());
        if left < free.count_ones() {
            let p = p * (squares - f64::from(left)) / squares;
            Partial { free: rest, p, ..self }.complete_or_hint(variant, f);
        }
        for (kind, share) in bag.shares() {
            let next = Partial {
                board: board | (square * kind as u64),
                bag: bag.without(kind, variant.of_each()),
                free: rest,
                left: left - 1,
                p: p * f64::from(left) / squares * share,
            };
            next.complete_or_hint(variant, f);
        }
    }

    /// Places what is left, or draws the hint when all tiles are placed.
    fn complete_or_hint(self, variant: ThreesVariant, f: &mut impl FnMut(Threes, f64)) {
        if self.left > 0 {
            return self.complete(variant, f);
        }
        for (hint, share) in self.bag.shares() {
            let bag = self.bag.without(hint, variant.of_each());
            let supply = Supply::begin(variant, bag, hint);
            f(Threes { board: self.board, supply }, self.p * share);
        }
    }
}

impl Starts for Threes {
    /// Few on small boards (36 on 2x3), hundreds of millions on 4x4 with nine
    /// start tiles: draw those with [`start`](ludens_core::Game::start) instead.
    fn starts(variant: &ThreesVariant, mut f: impl FnMut(Self, f64)) {
        let bag = Bag::full(variant.of_each());
        let (free, left) = (variant.inside(), u32::from(variant.start()));
        Partial { board: 0, bag, free, left, p: 1.0 }.complete(*variant, &mut f);
    }
}
