//! What a round costs per unit of width, to end the last round in time.

use std::sync::atomic::Ordering;
use std::time::Duration;

use ludens_core::{Budget, Game};

use super::Shared;

/// What the last round cost.
#[derive(Default)]
pub(super) struct Pace {
    width: usize,
    time: Duration,
    nodes: u64,
}

impl Pace {
    pub(super) fn note<G: Game>(
        &mut self,
        width: usize,
        (time, nodes): (Duration, u64),
        shared: &Shared<'_, '_, G>,
    ) {
        self.width = width;
        self.time = shared.limits.elapsed().saturating_sub(time);
        self.nodes = shared.nodes.load(Ordering::Relaxed).saturating_sub(nodes);
    }

    /// The width, or less if the rest of the budget does not suffice for it.
    pub(super) fn fit<G: Game>(&self, width: usize, shared: &Shared<'_, '_, G>) -> usize {
        if self.width == 0 {
            return width;
        }
        let Budget { time, nodes, .. } = shared.limits.budget();
        let share = |left: f64, last: f64| self.width as f64 * left / last.max(1e-9);
        let by_time = time.map_or(f64::MAX, |time| {
            let left = time.saturating_sub(shared.limits.elapsed());
            share(left.as_secs_f64(), self.time.as_secs_f64())
        });
        let by_nodes = nodes.map_or(f64::MAX, |nodes| {
            let left = nodes.saturating_sub(shared.nodes.load(Ordering::Relaxed));
            share(left as f64, self.nodes as f64)
        });
        // Wider rounds are dearer per position, so aim a little below.
        width.min((0.9 * by_time.min(by_nodes)) as usize).max(1)
    }
}
