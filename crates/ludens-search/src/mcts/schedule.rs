//! What has been spent, and when moves are fixed.

use std::time::Duration;

use ludens_core::Limits;

use super::config::Allocation;

/// Counts what one of several equal runs spends of its share of the budget.
pub(super) struct Meter<'a> {
    limits: Limits<'a>,
    eighths_limit: Option<u64>,
    states_limit: Option<u64>,
    /// When the run began and how long it may take.
    time: Option<(Duration, Duration)>,
    pub(super) eighths: u64,
    pub(super) states: u64,
    next_look: u64,
    stopped: bool,
    time_spent: f64,
}

/// Positions between two looks at the clock.
const LOOK: u64 = 512;

impl<'a> Meter<'a> {
    /// The meter of run `run` out of `runs`.
    pub(super) fn new(limits: Limits<'a>, run: u32, runs: u32) -> Self {
        let budget = limits.budget();
        let share = |limit: u64| limit / u64::from(runs);
        let time = budget.time.map(|time| {
            let begin = limits.elapsed();
            (begin, time.saturating_sub(begin) / (runs - run))
        });
        Meter {
            limits,
            eighths_limit: budget.units.map(|units| share(units.saturating_mul(8))),
            states_limit: budget.nodes.map(share),
            time,
            eighths: 0,
            states: 0,
            next_look: 0,
            stopped: false,
            time_spent: 0.0,
        }
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
        self.stopped |= self.limits.interrupted();
        if let Some((begin, length)) = self.time {
            let gone = self.limits.elapsed().saturating_sub(begin);
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
        part(self.eighths, self.eighths_limit)
            .max(part(self.states, self.states_limit))
            .max(self.time_spent)
    }

    /// Whether the run must end.
    #[inline]
    pub(super) fn over(&self) -> bool {
        self.stopped || self.spent() >= 1.0
    }

    /// The unit budget of the run, if it has one.
    pub(super) fn units(&self) -> Option<f64> {
        self.eighths_limit.map(|eighths| eighths as f64 / 8.0)
    }
}

/// The moves that are fixed at most, as in the text.
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
