//! What has been spent, and when moves are fixed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ludens_core::Limits;

use super::config::Allocation;

/// What one search may spend of the whole budget.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Share {
    /// Resource units, in eighths.
    pub(super) eighths: Option<u64>,
    /// Positions.
    pub(super) states: Option<u64>,
    /// Time from now on.
    pub(super) time: Option<Duration>,
    /// Iterations.
    pub(super) iterations: Option<u64>,
}

/// Counts what a search spends of its share.
pub(super) struct Meter<'a> {
    pub(super) limits: Limits<'a>,
    share: Share,
    halt: Option<&'a AtomicBool>,
    begin: Duration,
    pub(super) eighths: u64,
    pub(super) states: u64,
    iterations: u64,
    next_look: u64,
    stopped: bool,
    time_spent: f64,
}

/// Positions between two looks at the clock.
const LOOK: u64 = 512;

impl<'a> Meter<'a> {
    /// A meter that starts now.
    pub(super) fn new(limits: Limits<'a>, share: Share) -> Self {
        Meter {
            limits,
            share,
            halt: None,
            begin: limits.elapsed(),
            eighths: 0,
            states: 0,
            iterations: 0,
            next_look: 0,
            stopped: false,
            time_spent: 0.0,
        }
    }

    /// The same meter, stopped when another thread has nothing left to find.
    pub(super) fn halted_by(self, halt: &'a AtomicBool) -> Self {
        Meter { halt: Some(halt), ..self }
    }

    /// The share of a search within this one: a number of iterations of what is left.
    pub(super) fn within(&self, iterations: u32) -> Share {
        Share {
            eighths: self.share.eighths.map(|limit| limit.saturating_sub(self.eighths)),
            states: self.share.states.map(|limit| limit.saturating_sub(self.states)),
            time: None,
            iterations: Some(u64::from(iterations)),
        }
    }

    /// Counts what a search within this one has spent.
    pub(super) fn absorb(&mut self, inner: &Meter<'_>) {
        self.states += inner.states;
        self.eighths += inner.eighths;
        self.stopped |= inner.stopped;
    }

    /// Counts an iteration.
    #[inline]
    pub(super) fn iterate(&mut self) {
        self.iterations += 1;
    }

    /// Counts inspected positions.
    #[inline]
    pub(super) fn inspect(&mut self, states: u64) {
        self.states += states;
        self.eighths += 8 * states;
    }

    /// Counts a step down the tree.
    #[inline]
    pub(super) fn descend(&mut self) {
        self.eighths += 1;
    }

    /// Whether it was time to look at the clock.
    pub(super) fn look(&mut self) -> bool {
        // Descents count too, so that an iteration without simulation cannot
        // keep the clock from being looked at.
        let work = self.eighths / 8;
        if work < self.next_look {
            return false;
        }
        self.next_look = work + LOOK;
        let halted = self.halt.is_some_and(|halt| halt.load(Ordering::Relaxed));
        self.stopped |= halted || self.limits.interrupted();
        if let Some(length) = self.share.time {
            let gone = self.limits.elapsed().saturating_sub(self.begin);
            self.time_spent = gone.as_secs_f64() / length.as_secs_f64().max(1e-9);
        }
        true
    }

    /// The fraction of the share that is spent, whichever limit is nearest.
    #[inline]
    pub(super) fn spent(&self) -> f64 {
        let part = |used: u64, limit: Option<u64>| {
            limit.map_or(0.0, |limit| used as f64 / limit.max(1) as f64)
        };
        part(self.eighths, self.share.eighths)
            .max(part(self.states, self.share.states))
            .max(part(self.iterations, self.share.iterations))
            .max(self.time_spent)
    }

    /// Whether the run must end.
    #[inline]
    pub(super) fn over(&self) -> bool {
        self.stopped || self.spent() >= 1.0
    }

    /// The unit budget of the run, if it has one.
    pub(super) fn units(&self) -> Option<f64> {
        self.share.eighths.map(|eighths| eighths as f64 / 8.0)
    }
}

/// The moves that are fixed at most, as in the thesis.
const MOVES: usize = 30;

/// The fractions of the budget after which one move after the other is fixed.
pub(super) fn milestones(allocation: Allocation, units: Option<f64>) -> Vec<f64> {
    let share = |i: usize| match allocation {
        Allocation::Whole => 0.0,
        Allocation::Uniform => 1.0 / 30.0,
        Allocation::Linear => {
            let (a, b) = (1.0 / 12.2, 1.0 / 64.0);
            let c = 1.0 / 30.0 - (a + b) / 2.0;
            a + c - i as f64 * (a - b) / 29.0
        }
        Allocation::Exponential => {
            // 2048 = 64 moves of 32 children: enough to reach an end if every
            // choice is right.
            let floor = 2048.0 / units.unwrap_or(640_000.0).max(1.0);
            ((6f64 / 7.0).powi(i as i32) / 7.0).max(floor)
        }
    };
    if allocation == Allocation::Whole {
        return Vec::new();
    }
    let mut sum = 0.0;
    let ends = (0..MOVES).map(|i| {
        sum += share(i);
        sum
    });
    ends.take_while(|&end| end < 1.0).collect()
}
