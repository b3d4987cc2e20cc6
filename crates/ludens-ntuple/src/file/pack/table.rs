//! How the entries of a table are coded: each by how far it is from what its neighbours say.
//!
//! Weights of neighbouring entries are alike. An entry is predicted by the mean of its known
//! neighbours, each moved by what that step has meant so far; what is coded is the number of
//! steps between prediction and entry. Entries that were not kept are unknown: they are 0 and
//! predict nothing. Blocks of entries without a known one cost next to nothing.

use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

use super::coder::{Bit, Coder};
use super::grid::Grid;

/// Entries that are skipped together.
const BLOCK: usize = 64;
/// Levels with a context of their own; farther ones are coded plainly.
const UNARY: u32 = 14;
/// No level has more plain bits.
const PLAIN: u32 = 16;
/// Contexts by how much the neighbours differ, and by how many there are.
const SPREADS: usize = 16;
const COUNTS: usize = 4;
/// Bits of a moved neighbour below one.
const FRACTION: u32 = 8;
/// How slowly the meaning of a step is learned.
const SLOWNESS: u32 = 9;
/// The largest entry.
const LARGEST: i32 = i16::MAX as i32;

/// What the neighbours of an entry say.
pub(super) struct Near {
    /// The predicted entry.
    pub(super) prediction: i32,
    /// Which neighbours are known, one bit each; the last is that of the plane before.
    known: usize,
    /// The context of its level.
    level: usize,
}

/// The probabilities of all that is coded of a table.
pub(super) struct Contexts {
    block: Vec<Bit>,
    known: Vec<Bit>,
    nonzero: Vec<Bit>,
    negative: Vec<Bit>,
    larger: Vec<[Bit; UNARY as usize]>,
}

impl Contexts {
    fn new(cells: usize) -> Self {
        let levels = SPREADS * COUNTS;
        Contexts {
            block: vec![Bit::NEW; 2 * (cells + 2)],
            known: vec![Bit::NEW; 2 << cells],
            nonzero: vec![Bit::NEW; levels],
            negative: vec![Bit::NEW; levels],
            larger: vec![[Bit::NEW; UNARY as usize]; levels],
        }
    }

    /// Codes a level; `None` is an entry that is not known.
    fn code(&mut self, coder: &mut impl Coder, near: &Near, level: Option<i32>) -> Option<i32> {
        if !coder.bit(&mut self.known[near.known], level.is_some()) {
            return None;
        }
        let level = level.unwrap_or(0);
        if !coder.bit(&mut self.nonzero[near.level], level != 0) {
            return Some(0);
        }
        let negative = coder.bit(&mut self.negative[near.level], level < 0);
        let size = level.unsigned_abs();
        let mut read = 1;
        for context in &mut self.larger[near.level] {
            if !coder.bit(context, size > read) {
                break;
            }
            read += 1;
        }
        if read > UNARY {
            // The rest by an Elias gamma code: its number of bits, then all but the first.
            let rest = size.saturating_sub(UNARY).clamp(1, (2 << PLAIN) - 1);
            let mut bits = 0;
            while bits < PLAIN && coder.plain(u32::from(rest >> bits > 1), 1) == 1 {
                bits += 1;
            }
            read = UNARY + (1 << bits | coder.plain(rest, bits));
        }
        Some(if negative { -(read as i32) } else { read as i32 })
    }

    /// About how many bits a level takes.
    #[cfg(feature = "pack")]
    pub(super) fn bits(&self, near: &Near, level: Option<i32>) -> f32 {
        let cost = |context: Bit, bit: bool| {
            let set = context.probability() as f32 / 65536.0;
            -(if bit { set } else { 1.0 - set }).log2()
        };
        let Some(level) = level else { return cost(self.known[near.known], false) };
        let mut bits = cost(self.known[near.known], true);
        bits += cost(self.nonzero[near.level], level != 0);
        if level == 0 {
            return bits;
        }
        bits += cost(self.negative[near.level], level < 0);
        let (size, larger) = (level.unsigned_abs(), &self.larger[near.level]);
        for (read, context) in (1..).zip(larger) {
            bits += cost(*context, size > read);
            if size <= read {
                return bits;
            }
        }
        bits + 2.0 * (size - UNARY).ilog2() as f32 + 1.0
    }
}

/// Says what is coded. One who reads says nothing.
pub(super) trait Levels {
    /// Whether some of these entries are known.
    fn any(&self, plane: usize, entries: std::ops::Range<usize>) -> bool;
    /// The level of an entry, or that it is not known.
    fn level(&self, plane: usize, entry: usize, near: &Near, contexts: &Contexts) -> Option<i32>;
}

/// One who reads.
pub(super) struct Unread;

impl Levels for Unread {
    fn any(&self, _: usize, _: std::ops::Range<usize>) -> bool {
        false
    }

    fn level(&self, _: usize, _: usize, _: &Near, _: &Contexts) -> Option<i32> {
        None
    }
}

/// Which entries of a plane are known, a word for each block.
type Known = Vec<u64>;

fn is_known(known: &Known, entry: usize) -> bool {
    known[entry / BLOCK] >> (entry % BLOCK) & 1 == 1
}

/// A table while it is coded.
pub(super) struct Table<'a> {
    grid: &'a Grid,
    /// All entries of the network.
    items: &'a [AtomicU16],
    /// A level in units of entries.
    step: i32,
    /// By cell and its number, what one more there has meant: a moved neighbour is better.
    moves: Vec<Vec<i32>>,
    contexts: Contexts,
}

impl<'a> Table<'a> {
    pub(super) fn new(grid: &'a Grid, items: &'a [AtomicU16], step: i32) -> Self {
        let moves = vec![vec![0; grid.values()]; grid.cells()];
        Table { grid, items, step, moves, contexts: Contexts::new(grid.cells()) }
    }

    /// Codes all planes and leaves the entries, as they are read, in the items, which must be 0.
    pub(super) fn code(mut self, coder: &mut impl Coder, levels: &impl Levels) {
        let (entries, mut before) = (self.grid.entries(), None);
        for plane in 0..self.grid.planes() {
            let mut known: Known = vec![0; entries.div_ceil(BLOCK)];
            let mut last = false;
            for begin in (0..entries).step_by(BLOCK) {
                let block = begin..entries.min(begin + BLOCK);
                let context = self.block_context(begin, last, &known, before.as_ref());
                let any = levels.any(plane, block.clone());
                last = coder.bit(&mut self.contexts.block[context], any);
                if last {
                    self.code_block(coder, levels, plane, block, &mut known, before.as_ref());
                }
            }
            before = Some(known);
        }
    }

    /// By how many blocks of neighbours have known entries.
    fn block_context(
        &self,
        begin: usize,
        last: bool,
        known: &Known,
        before: Option<&Known>,
    ) -> usize {
        let lower = (0..self.grid.cells()).filter_map(|cell| self.grid.lower(begin, cell));
        let lower = lower.filter(|lower| known[lower / BLOCK] != 0).count();
        let before = before.is_some_and(|before| before[begin / BLOCK] != 0);
        2 * (lower + usize::from(before)) + usize::from(last)
    }

    fn code_block(
        &mut self,
        coder: &mut impl Coder,
        levels: &impl Levels,
        plane: usize,
        block: std::ops::Range<usize>,
        known: &mut Known,
        before: Option<&Known>,
    ) {
        for entry in block {
            let near = self.near(plane, entry, known, before);
            let level = levels.level(plane, entry, &near, &self.contexts);
            let Some(level) = self.contexts.code(coder, &near, level) else { continue };
            let value = (near.prediction + level * self.step).clamp(-LARGEST, LARGEST);
            self.items[self.grid.index(plane, entry)].store(value as i16 as u16, Relaxed);
            known[entry / BLOCK] |= 1 << (entry % BLOCK);
            self.learn(plane, entry, near.known, value);
        }
    }

    #[inline]
    fn value(&self, plane: usize, entry: usize) -> i32 {
        i32::from(self.items[self.grid.index(plane, entry)].load(Relaxed) as i16)
    }

    /// What the neighbours of an entry say.
    #[inline]
    fn near(&self, plane: usize, entry: usize, known: &Known, before: Option<&Known>) -> Near {
        let (mut said, mut count, mut mask) = ([0i32; 9], 0, 0);
        let cells = self.grid.cells();
        for cell in 0..cells {
            let Some(lower) = self.grid.lower(entry, cell) else { continue };
            if is_known(known, lower) {
                let moved = self.moves[cell][self.grid.cell(entry, cell)];
                said[count] = (self.value(plane, lower) << FRACTION) + moved;
                count += 1;
                mask |= 1 << cell;
            }
        }
        if before.is_some_and(|before| is_known(before, entry)) {
            said[count] = self.value(plane - 1, entry) << FRACTION;
            count += 1;
            mask |= 1 << cells;
        }
        if count == 0 {
            return Near { prediction: 0, known: 0, level: (SPREADS - 1) * COUNTS };
        }
        let mean = said[..count].iter().sum::<i32>() / count as i32;
        let spread = said[..count].iter().map(|said| (said - mean).unsigned_abs()).sum::<u32>();
        // In sixteenths of a step, by half powers of two.
        let spread = ((spread / count as u32) >> (FRACTION - 4)) / self.step as u32;
        let power = (spread + 1).ilog2();
        let half = (spread + 1) >> power.saturating_sub(1) & 1;
        let spread = match count {
            1 => SPREADS - 2,
            _ => ((2 * power + if power == 0 { 0 } else { half }) as usize).min(SPREADS - 3),
        };
        let level = spread * COUNTS + (count - 1).min(COUNTS - 1);
        Near { prediction: (mean + (1 << (FRACTION - 1))) >> FRACTION, known: mask, level }
    }

    /// Learns what a step from each known neighbour means.
    #[inline]
    fn learn(&mut self, plane: usize, entry: usize, mask: usize, value: i32) {
        for cell in 0..self.grid.cells() {
            if mask >> cell & 1 == 1 {
                let lower = self.grid.lower(entry, cell).expect("a known neighbour");
                let moved = (value - self.value(plane, lower)) << FRACTION;
                let mean = &mut self.moves[cell][self.grid.cell(entry, cell)];
                *mean += (moved - *mean) >> SLOWNESS;
            }
        }
    }
}
