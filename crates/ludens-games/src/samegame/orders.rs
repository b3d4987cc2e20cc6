//! Lines as orders of blocks of the start, wherever they have fallen since.
//!
//! A block keeps the number of the cell it had at the start. The set of those
//! still there says where each of them is now: as high as there are blocks of its
//! old column below it, and as far to the right as there are old columns to its
//! left that still have blocks. That set determines the whole position, too.

#[cfg(test)]
#[path = "orders_tests.rs"]
mod tests;

#[cfg(target_arch = "x86_64")]
use super::avx2::Avx2;
use super::board::on_best_planes;
use super::plane::{Bits, Portable, contains, count};
use super::variant::{CLEARED, MAX_COLOURS};
use super::{Group, SameGame, SameGameVariant, Scoring};
use ludens_core::bits::{nth_bit, pdep};
use ludens_core::{End, Orders, Reward, Rng};

/// Colours with at most this many blocks fewer than the most frequent one may be
/// the one to spare.
const FEWER: u32 = 4;

/// A block by its cell at the start, with its colour code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Block {
    cell: u8,
    code: u8,
}

/// A position and where the blocks of the start are in it.
#[derive(Clone, Copy, Debug)]
pub struct Blocks {
    planes: [Bits; 3],
    /// The cells of the start whose blocks are still there.
    left: Bits,
    variant: SameGameVariant,
    /// The columns of the start that still have blocks, a bit each.
    columns: u16,
    /// How many blocks are there.
    blocks: u16,
    /// The code of the colour that random moves spare.
    spared: u8,
    /// The start's [`Orders::scale`].
    unit: f32,
}

impl Blocks {
    /// The blocks that are left of a column of the start.
    #[inline(always)]
    fn column(&self, column: u32) -> u64 {
        self.left[column as usize / 4] >> (16 * (column % 4)) & 0xFFFF
    }

    /// Where a block is now, if it is still there.
    #[inline(always)]
    fn find(&self, block: Block) -> Option<u8> {
        if !contains(&self.left, block.cell) {
            return None;
        }
        let (column, row) = (u32::from(block.cell / 16), block.cell % 16);
        let below = self.column(column) & ((1 << row) - 1);
        let before = u32::from(self.columns) & ((1 << column) - 1);
        Some((16 * before.count_ones() + below.count_ones()) as u8)
    }

    /// The column of the start that the blocks of a column come from.
    #[inline(always)]
    fn origin(&self, column: u8) -> u32 {
        nth_bit(u64::from(self.columns), u32::from(column)).trailing_zeros()
    }

    /// The cell at the start of the block that is at a cell now.
    #[inline(always)]
    fn cell_of(&self, cell: u8) -> u8 {
        let column = self.origin(cell / 16);
        let row = nth_bit(self.column(column), u32::from(cell % 16)).trailing_zeros();
        (16 * column + row) as u8
    }

    /// Takes blocks out of those that are left; `group` is where they are now.
    #[inline(always)]
    fn forget(&mut self, group: &Bits, size: u32) {
        let mut emptied = 0;
        for (i, &word) in group.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                let within = rest.trailing_zeros() / 16;
                let taken = word >> (16 * within) & 0xFFFF;
                rest &= !(0xFFFF << (16 * within));
                let from = self.origin((4 * i as u32 + within) as u8);
                let gone = pdep(taken, self.column(from));
                self.left[from as usize / 4] &= !(gone << (16 * (from % 4)));
                emptied |= u16::from(self.column(from) == 0) << from;
            }
        }
        self.columns &= !emptied;
        self.blocks -= size as u16;
    }

    fn game(&self) -> SameGame {
        SameGame { planes: self.planes, variant: self.variant }
    }
}

on_best_planes! {
    /// See [`Orders::follow`].
    fn follow(
        blocks: &mut Blocks,
        marks: impl Iterator<Item = Block>,
        f: impl FnMut(Block, Option<Reward>, &Blocks) -> bool
    );

    /// See [`Orders::draw`].
    fn draw(blocks: &Blocks, rng: &mut Rng) -> Option<Block>;

    /// See [`Orders::finish`].
    fn finish(blocks: &mut Blocks, rng: &mut Rng, f: impl FnMut(Block, Reward, &Blocks));
}

impl Orders for SameGame {
    type Mark = Block;
    type Trace = Blocks;

    /// One for each colour that is about as frequent as the most frequent one, by
    /// frequency.
    fn ways(&self) -> u32 {
        let counts = self.colour_counts();
        let most = counts.into_iter().max().unwrap_or(0);
        counts.into_iter().filter(|&n| n > 0 && n + FEWER >= most).count().max(1) as u32
    }

    fn trace(&self, way: u32) -> Blocks {
        let counts = self.colour_counts();
        let mut codes: [u8; MAX_COLOURS as usize] = std::array::from_fn(|i| i as u8 + 1);
        codes.sort_by_key(|&code| std::cmp::Reverse(counts[usize::from(code) - 1]));
        let left = self.occupied();
        let filled = |column: u32| left[column as usize / 4] >> (16 * (column % 4)) & 0xFFFF != 0;
        Blocks {
            planes: self.planes,
            left,
            variant: self.variant,
            columns: (0..16).map(|column| u16::from(filled(column)) << column).sum(),
            blocks: count(&left) as u16,
            spared: codes[(way as usize).min(codes.len() - 1)],
            unit: self.scale() as f32,
        }
    }

    /// What one block more or less in the largest group makes, about.
    fn scale(&self) -> f64 {
        let most = self.colour_counts().into_iter().max().unwrap_or(0).max(2);
        match self.variant.scoring() {
            Scoring::SameGame(_) | Scoring::Bubble => 2.0 * f64::from(most),
            Scoring::Clickomania => 1.0,
        }
    }

    #[inline]
    fn stage(blocks: &Blocks) -> usize {
        usize::from(blocks.blocks)
    }

    #[inline]
    fn same(one: &Blocks, other: &Blocks) -> bool {
        one.left == other.left
    }

    #[inline]
    fn follow(
        blocks: &mut Blocks,
        marks: impl Iterator<Item = Block>,
        f: impl FnMut(Block, Option<Reward>, &Blocks) -> bool,
    ) {
        follow(blocks, marks, f);
    }

    #[inline]
    fn draw(blocks: &Blocks, rng: &mut Rng) -> Option<Block> {
        draw(blocks, rng)
    }

    #[inline]
    fn finish(blocks: &mut Blocks, rng: &mut Rng, f: impl FnMut(Block, Reward, &Blocks)) {
        finish(blocks, rng, f);
    }

    fn end(blocks: &Blocks) -> End {
        let scoring = blocks.variant.scoring();
        let pays = i64::from(scoring.end(blocks.game().colour_counts()));
        // A board that is almost cleared counts almost as much as a cleared one: few
        // ends clear the board, and the search is to pass through others.
        let counts = match scoring {
            Scoring::SameGame(_) if blocks.blocks > 0 => {
                let short = 0.3 + 0.18 * f64::from(blocks.blocks);
                f64::from(CLEARED) - short * f64::from(blocks.unit) + pays as f64
            }
            _ => pays as f64,
        };
        End { pays, counts }
    }

    fn mark(blocks: &Blocks, group: Group) -> Block {
        Block { cell: blocks.cell_of(group.0), code: blocks.game().code(group.0) }
    }

    fn action(blocks: &Blocks, block: Block) -> Group {
        let cell = blocks.find(block).expect("a block that can be played is there");
        let group = super::board::group_at(&blocks.game(), cell);
        Group(super::plane::lowest(&group).expect("a block is in its group"))
    }
}

mod generic {
    use ludens_core::{Reward, Rng};

    use super::{Block, Blocks};
    use crate::samegame::board::generic::{Board, nth_cell};
    use crate::samegame::plane::{Lanes, Plane, count};

    /// How often a block is drawn for a random move before giving up.
    const DRAWS: u32 = 6;
    /// A random move takes the spared colour once in this many times.
    const SPARED: u32 = 10;

    /// The group of a cell among the blocks of its colour.
    #[inline(always)]
    fn flood<L: Lanes>(lanes: L, cell: u8, own: L::Plane) -> L::Plane {
        let mut group = lanes.cell(cell);
        loop {
            let around = group | group.up() | group.down() | group.left() | group.right();
            let larger = around & own;
            if (larger ^ group).is_empty() {
                return group;
            }
            group = larger;
        }
    }

    #[inline(always)]
    fn board<L: Lanes>(lanes: L, blocks: &Blocks) -> Board<L> {
        Board { lanes, planes: blocks.planes.map(|bits| lanes.load(bits)) }
    }

    /// Takes a group from the board and from the blocks that are left.
    #[inline(always)]
    fn take<L: Lanes>(
        board: &mut Board<L>,
        blocks: &mut Blocks,
        group: L::Plane,
        size: u32,
    ) -> Reward {
        blocks.forget(&group.bits(), size);
        *board = board.remove(group);
        blocks.planes = board.planes.map(|plane| plane.bits());
        blocks.variant.scoring().group(size)
    }

    #[inline(always)]
    pub(super) fn follow<L: Lanes>(
        lanes: L,
        blocks: &mut Blocks,
        marks: impl Iterator<Item = Block>,
        mut f: impl FnMut(Block, Option<Reward>, &Blocks) -> bool,
    ) {
        let mut here = board(lanes, blocks);
        for block in marks {
            let paid = blocks.find(block).and_then(|cell| {
                let group = flood(lanes, cell, here.of_code(block.code));
                let size = count(&group.bits());
                (size >= 2).then(|| take(&mut here, blocks, group, size))
            });
            if !f(block, paid, blocks) {
                return;
            }
        }
    }

    #[inline(always)]
    pub(super) fn draw<L: Lanes>(lanes: L, blocks: &Blocks, rng: &mut Rng) -> Option<Block> {
        let here = board(lanes, blocks);
        let occupied = here.blocks().bits();
        if blocks.blocks == 0 {
            return None;
        }
        for _ in 0..DRAWS {
            let cell = nth_cell(&occupied, rng.below(u32::from(blocks.blocks)));
            let code = blocks.game().code(cell);
            if code == blocks.spared && rng.below(SPARED) != 0 {
                continue;
            }
            if count(&flood(lanes, cell, here.of_code(code)).bits()) >= 2 {
                return Some(Block { cell: blocks.cell_of(cell), code });
            }
        }
        None
    }

    #[inline(always)]
    pub(super) fn finish<L: Lanes>(
        lanes: L,
        blocks: &mut Blocks,
        rng: &mut Rng,
        mut f: impl FnMut(Block, Reward, &Blocks),
    ) {
        let mut here = board(lanes, blocks);
        loop {
            let links = here.links();
            let corners = links.corners();
            let free = corners.without(here.of_code(blocks.spared));
            let from = if free.is_empty() { corners } else { free }.bits();
            let corners = count(&from);
            if corners == 0 {
                return;
            }
            let cell = nth_cell(&from, rng.below(corners));
            let code = blocks.game().code(cell);
            let block = Block { cell: blocks.cell_of(cell), code };
            let group = flood(lanes, cell, here.of_code(code));
            let paid = take(&mut here, blocks, group, count(&group.bits()));
            f(block, paid, blocks);
        }
    }
}
