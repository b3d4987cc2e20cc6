//! What computes: instructions and threads.

use ludens_core::platform::thread;

use super::rows::{MapRows, SumRows};
use crate::simd::{Level, Vectors};

/// Parts that sums over a batch are made of. It does not depend on the threads, so neither do the
/// sums: a run is the same on one thread as on two.
pub(super) const PARTS: usize = 4;

/// The instructions to use, and the threads to share work between.
#[derive(Clone, Copy, Debug)]
pub(super) struct Machine {
    pub(super) level: Level,
    pub(super) threads: usize,
}

impl Machine {
    /// Does `work` on all items; the results are in the items' order.
    pub(super) fn each<T: Send, R: Send>(
        self,
        items: Vec<T>,
        work: impl Fn(T) -> R + Sync,
    ) -> Vec<R> {
        if self.threads <= 1 || items.len() <= 1 {
            return items.into_iter().map(work).collect();
        }
        let share = items.len().div_ceil(self.threads);
        let (mut items, mut shares) = (items.into_iter(), Vec::new());
        while items.len() > 0 {
            shares.push(items.by_ref().take(share).collect::<Vec<T>>());
        }
        let work = &work;
        let all = |share: Vec<T>| share.into_iter().map(work).collect::<Vec<R>>();
        thread::map(shares, all).into_iter().flatten().collect()
    }

    /// Items of a batch of `count` that a thread gets.
    pub(super) fn share(self, count: usize) -> usize {
        count.div_ceil(self.threads.max(1)).max(1)
    }

    /// The sums over all rows of `f` of every number and the one beside it, channel by channel.
    pub(super) fn sums(
        self,
        stride: usize,
        rows: &[f32],
        beside: &[f32],
        f: impl Fn(f32, f32) -> f32 + Sync,
    ) -> Vec<f32> {
        let part = (rows.len() / stride).div_ceil(PARTS).max(1) * stride;
        let parts = rows.chunks(part).zip(beside.chunks(part)).collect();
        let totals = self.each(parts, |(rows, beside)| {
            // Rows are summed a few at a time: a float cannot count a whole batch's small numbers.
            let (mut total, mut few) = (vec![0.0f64; stride], vec![0.0; stride]);
            for (rows, beside) in rows.chunks(256 * stride).zip(beside.chunks(256 * stride)) {
                few.fill(0.0);
                self.level.run(SumRows { rows, beside, sums: &mut few, f: &f });
                total.iter_mut().zip(&few).for_each(|(total, few)| *total += f64::from(*few));
            }
            total
        });
        let sum = |channel: usize| totals.iter().map(|total| total[channel]).sum::<f64>() as f32;
        (0..stride).map(sum).collect()
    }

    /// Changes every number of `rows` by `f`, which also gets the one beside it and two numbers of
    /// its channel.
    pub(super) fn map(
        self,
        rows: &mut [f32],
        beside: &[f32],
        [a, b]: [&[f32]; 2],
        f: impl Fn(f32, f32, f32, f32) -> f32 + Sync,
    ) {
        let part = self.share(rows.len() / a.len()) * a.len();
        let parts = rows.chunks_mut(part).zip(beside.chunks(part)).collect();
        self.each(parts, |(rows, beside)| self.level.run(MapRows { rows, beside, a, b, f: &f }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order() {
        for threads in 1..6 {
            let machine = Machine { level: Level::PORTABLE, threads };
            for count in 0..12 {
                let squares: Vec<u32> = (0..count).map(|i| i * i).collect();
                assert_eq!(machine.each((0..count).collect(), |i| i * i), squares);
            }
        }
    }
}
