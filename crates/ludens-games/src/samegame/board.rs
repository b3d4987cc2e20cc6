//! The rules on planes, and the choice of planes for the processor at hand.
//!
//! Every function of [`generic`] is written once for all kinds of planes; the
//! function of the same name outside it picks the kind, once per call.

#[cfg(target_arch = "x86_64")]
use super::avx2::Avx2;
use super::plane::{Bits, Portable};
use super::{Group, SameGame};
use ludens_core::{Playout, Reward, Rng};

/// Defines functions that call their namesakes in [`generic`] with the best planes.
macro_rules! on_best_planes {
    ($($(#[$doc:meta])* fn $name:ident($($arg:ident: $type:ty),* $(,)?) $(-> $out:ty)?;)*) => {$(
        $(#[$doc])*
        #[inline]
        pub(super) fn $name($($arg: $type),*) $(-> $out)? {
            #[cfg(target_arch = "x86_64")]
            if let Some(lanes) = Avx2::detect() {
                #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
                fn with_avx2(lanes: Avx2, $($arg: $type),*) $(-> $out)? {
                    generic::$name(lanes, $($arg),*)
                }
                // SAFETY: an `Avx2` exists only where the processor has these features.
                #[expect(unsafe_code, reason = "the features are found at run time")]
                return unsafe { with_avx2(lanes, $($arg),*) };
            }
            generic::$name(Portable, $($arg),*)
        }
    )*};
}

pub(super) use on_best_planes;

on_best_planes! {
    /// Whether there is a group of at least two.
    fn has_move(game: &SameGame) -> bool;

    /// The lowest cells of all groups of at least two.
    fn lowest_cells(game: &SameGame) -> Bits;

    /// The blocks connected with a cell, itself included; none for an empty cell.
    fn group_at(game: &SameGame, cell: u8) -> Bits;

    /// Removes the group of a cell.
    fn remove_at(game: &SameGame, cell: u8) -> (SameGame, Reward);

    /// Every move with what it leads to, in the order of the groups' lowest cells.
    fn children(game: &SameGame, f: impl FnMut(Group, SameGame, Reward));

    /// A uniformly random move.
    fn step(game: &SameGame, rng: &mut Rng) -> Option<(Group, SameGame, Reward)>;

    /// The lowest cell and the blocks of every group of at least two whose
    /// colour code is not `hidden`, by lowest cell.
    fn groups_but(game: &SameGame, hidden: u8, f: impl FnMut(u8, &Bits));

    /// A move drawn uniformly from the groups with a cell in `among` that `accept`
    /// takes by its number of blocks and colour code.
    fn step_among(
        game: &SameGame,
        among: &Bits,
        rng: &mut Rng,
        accept: impl Fn(u32, u8) -> bool
    ) -> Option<(Group, SameGame, Reward)>;

    /// Uniformly random moves to the end.
    fn playout(game: &SameGame, rng: &mut Rng) -> Playout<SameGame>;
}

pub(super) mod generic {
    use ludens_core::bits::nth_bit;
    use ludens_core::{Playout, Reward, Rng};

    use crate::samegame::plane::{Bits, Lanes, Plane, clear, count, lowest};
    use crate::samegame::{Group, SameGame};

    /// The colour codes of a board, one plane per bit.
    #[derive(Clone, Copy)]
    pub(in crate::samegame) struct Board<L: Lanes> {
        pub(in crate::samegame) lanes: L,
        pub(in crate::samegame) planes: [L::Plane; 3],
    }

    /// For each direction the blocks that have a neighbour of their colour there.
    #[derive(Clone, Copy)]
    pub(in crate::samegame) struct Links<P> {
        pub(in crate::samegame) up: P,
        pub(in crate::samegame) down: P,
        pub(in crate::samegame) right: P,
        pub(in crate::samegame) left: P,
    }

    impl<L: Lanes> Board<L> {
        #[inline(always)]
        pub(in crate::samegame) fn new(lanes: L, game: &SameGame) -> Self {
            Board { lanes, planes: game.planes.map(|bits| lanes.load(bits)) }
        }

        #[inline(always)]
        pub(in crate::samegame) fn game(&self, of: &SameGame) -> SameGame {
            SameGame { planes: self.planes.map(|plane| plane.bits()), variant: of.variant }
        }

        #[inline(always)]
        pub(in crate::samegame) fn blocks(&self) -> L::Plane {
            let [a, b, c] = self.planes;
            a | b | c
        }

        #[inline(always)]
        pub(in crate::samegame) fn links(&self) -> Links<L::Plane> {
            let [a, b, c] = self.planes;
            let blocks = self.blocks();
            let up = blocks.without((a ^ a.down()) | (b ^ b.down()) | (c ^ c.down()));
            let right = blocks.without((a ^ a.left()) | (b ^ b.left()) | (c ^ c.left()));
            Links { up, down: up.up(), right, left: right.right() }
        }

        /// The board once a group is gone, the blocks above have fallen and
        /// empty columns are closed.
        #[inline(always)]
        pub(in crate::samegame) fn remove(&self, group: L::Plane) -> Self {
            let Board { lanes, mut planes } = *self;
            // One hole per column and round, the lowest first.
            let mut holes = group;
            while !holes.is_empty() {
                let stay = holes.below_lowest();
                planes = planes.map(|plane| (plane & stay) | plane.down().without(stay));
                holes = holes.down().without(stay);
            }
            let mut board = Board { lanes, planes };
            while let Some(column) = board.blocks().gap() {
                let stay = lanes.before((16 * column) as u8);
                board.planes =
                    board.planes.map(|plane| (plane & stay) | plane.left().without(stay));
            }
            board
        }

        /// The position after a group of some size was removed, and what that paid.
        #[inline(always)]
        fn paid(&self, of: &SameGame, size: u32) -> (SameGame, Reward) {
            let next = self.game(of);
            let scoring = of.variant.scoring();
            let over = if scoring.counts_blocks() {
                !self.links().any()
            } else {
                self.blocks().is_empty()
            };
            let end = if over { scoring.end(next.colour_counts()) } else { 0 };
            (next, scoring.group(size) + end)
        }
    }

    impl<P: Plane> Links<P> {
        #[inline(always)]
        pub(in crate::samegame) fn any(&self) -> bool {
            !(self.up | self.right).is_empty()
        }

        /// Blocks of groups of at least two without a neighbour in the group
        /// below or to the left. The lowest cell of each group is among them.
        #[inline(always)]
        pub(in crate::samegame) fn corners(&self) -> P {
            (self.up | self.right).without(self.down | self.left)
        }

        #[inline(always)]
        fn grow(&self, group: P) -> P {
            group
                | (group.up() & self.down)
                | (group.down() & self.up)
                | (group.right() & self.left)
                | (group.left() & self.right)
        }

        /// The whole group of a block.
        #[inline(always)]
        pub(in crate::samegame) fn flood(&self, block: P) -> P {
            let mut group = self.grow(block);
            loop {
                let larger = self.grow(group);
                if (larger ^ group).is_empty() {
                    return group;
                }
                group = larger;
            }
        }

        /// Calls `f` with the lowest cell and the blocks of every group of at
        /// least two, by lowest cell.
        #[inline(always)]
        pub(in crate::samegame) fn groups<L: Lanes<Plane = P>>(
            &self,
            lanes: L,
            f: impl FnMut(u8, P),
        ) {
            self.groups_among(lanes, self.corners(), f);
        }

        /// The same for the groups of some of the corners, with all or none of
        /// the corners of a group.
        #[inline(always)]
        pub(in crate::samegame) fn groups_among<L: Lanes<Plane = P>>(
            &self,
            lanes: L,
            mut corners: P,
            mut f: impl FnMut(u8, P),
        ) {
            // The lowest corner left is the lowest cell of a group not yet seen.
            while let Some(cell) = lowest(&corners.bits()) {
                let group = self.flood(lanes.cell(cell));
                corners = corners.without(group);
                f(cell, group);
            }
        }

        /// A uniformly random group of at least two and its lowest cell.
        ///
        /// A corner that is not the lowest cell of its group is put aside and
        /// another one drawn, so that each group has exactly one corner to win with.
        #[inline(always)]
        pub(in crate::samegame) fn draw<L: Lanes<Plane = P>>(
            &self,
            lanes: L,
            rng: &mut Rng,
        ) -> Option<(u8, P)> {
            self.draw_among(lanes, self.corners(), rng, |_, _| true)
        }

        /// The same with some of the corners and groups that `accept` takes.
        #[inline(always)]
        fn draw_among<L: Lanes<Plane = P>>(
            &self,
            lanes: L,
            corners: P,
            rng: &mut Rng,
            accept: impl Fn(u8, P) -> bool,
        ) -> Option<(u8, P)> {
            let mut corners = corners.bits();
            let mut left = count(&corners);
            while left != 0 {
                let cell = nth_cell(&corners, rng.below(left));
                let group = self.flood(lanes.cell(cell));
                if (group & lanes.before(cell)).is_empty() && accept(cell, group) {
                    return Some((cell, group));
                }
                clear(&mut corners, cell);
                left -= 1;
            }
            None
        }
    }

    /// The `n`-th cell of a set with more than `n` cells.
    #[inline(always)]
    pub(in crate::samegame) fn nth_cell(bits: &Bits, n: u32) -> u8 {
        let [a, b, c, _] = bits.map(u64::count_ones);
        let ends = [0, a, a + b, a + b + c];
        let word =
            usize::from(n >= ends[1]) + usize::from(n >= ends[2]) + usize::from(n >= ends[3]);
        let bit = nth_bit(bits[word], n - ends[word]);
        (64 * word as u32 + bit.trailing_zeros()) as u8
    }

    #[inline(always)]
    pub(in crate::samegame) fn has_move<L: Lanes>(lanes: L, game: &SameGame) -> bool {
        Board::new(lanes, game).links().any()
    }

    #[inline(always)]
    pub(in crate::samegame) fn lowest_cells<L: Lanes>(lanes: L, game: &SameGame) -> Bits {
        let mut cells = [0; 4];
        Board::new(lanes, game).links().groups(lanes, |cell, _| {
            cells[usize::from(cell / 64)] |= 1 << (cell % 64);
        });
        cells
    }

    #[inline(always)]
    pub(in crate::samegame) fn group_at<L: Lanes>(lanes: L, game: &SameGame, cell: u8) -> Bits {
        let board = Board::new(lanes, game);
        board.links().flood(lanes.cell(cell) & board.blocks()).bits()
    }

    #[inline(always)]
    pub(in crate::samegame) fn remove_at<L: Lanes>(
        lanes: L,
        game: &SameGame,
        cell: u8,
    ) -> (SameGame, Reward) {
        let board = Board::new(lanes, game);
        let group = board.links().flood(lanes.cell(cell));
        board.remove(group).paid(game, count(&group.bits()))
    }

    #[inline(always)]
    pub(in crate::samegame) fn children<L: Lanes>(
        lanes: L,
        game: &SameGame,
        mut f: impl FnMut(Group, SameGame, Reward),
    ) {
        let board = Board::new(lanes, game);
        board.links().groups(lanes, |cell, group| {
            let (next, reward) = board.remove(group).paid(game, count(&group.bits()));
            f(Group(cell), next, reward);
        });
    }

    #[inline(always)]
    pub(in crate::samegame) fn step<L: Lanes>(
        lanes: L,
        game: &SameGame,
        rng: &mut Rng,
    ) -> Option<(Group, SameGame, Reward)> {
        let board = Board::new(lanes, game);
        let (cell, group) = board.links().draw(lanes, rng)?;
        let (next, reward) = board.remove(group).paid(game, count(&group.bits()));
        Some((Group(cell), next, reward))
    }

    #[inline(always)]
    pub(in crate::samegame) fn groups_but<L: Lanes>(
        lanes: L,
        game: &SameGame,
        hidden: u8,
        mut f: impl FnMut(u8, &Bits),
    ) {
        let links = Board::new(lanes, game).links();
        let corners = links.corners().without(lanes.load(game.of_code(hidden)));
        links.groups_among(lanes, corners, |cell, group| f(cell, &group.bits()));
    }

    #[inline(always)]
    pub(in crate::samegame) fn step_among<L: Lanes>(
        lanes: L,
        game: &SameGame,
        among: &Bits,
        rng: &mut Rng,
        accept: impl Fn(u32, u8) -> bool,
    ) -> Option<(Group, SameGame, Reward)> {
        let board = Board::new(lanes, game);
        let links = board.links();
        let corners = links.corners() & lanes.load(*among);
        let (cell, group) = links.draw_among(lanes, corners, rng, |cell, group| {
            accept(count(&group.bits()), game.code(cell))
        })?;
        let (next, reward) = board.remove(group).paid(game, count(&group.bits()));
        Some((Group(cell), next, reward))
    }

    #[inline(always)]
    pub(in crate::samegame) fn playout<L: Lanes>(
        lanes: L,
        game: &SameGame,
        rng: &mut Rng,
    ) -> Playout<SameGame> {
        let scoring = game.variant.scoring();
        let mut board = Board::new(lanes, game);
        let (mut moves, mut total) = (0, 0);
        while let Some((_, group)) = board.links().draw(lanes, rng) {
            total += i64::from(scoring.group(count(&group.bits())));
            board = board.remove(group);
            moves += 1;
        }
        let end = board.game(game);
        if moves > 0 {
            total += i64::from(scoring.end(end.colour_counts()));
        }
        Playout { end, moves, total }
    }
}
