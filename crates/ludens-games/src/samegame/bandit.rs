//! Which colour is tabu in a simulation, learned from what simulations came to.
//!
//! References: S. Klein, *Attacking SameGame using Monte-Carlo Tree Search*
//! (2015), section A.3 (the bandit of Baier and Winands).

use super::variant::MAX_COLOURS;

/// A UCB1-TUNED bandit over the colours.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Bandit {
    arms: [Arm; MAX_COLOURS as usize],
}

/// What simulations with one tabu colour came to.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Arm {
    plays: f64,
    sum: f64,
    squares: f64,
}

/// What the bandit divides values by.
const SCALE: f64 = 5000.0;

impl Bandit {
    /// The colour with the largest UCB1-TUNED value among those present; one not
    /// yet tried comes first, then the first of equals.
    pub(super) fn pull(&self, counts: &[u32; MAX_COLOURS as usize]) -> Option<usize> {
        let plays: f64 = self.arms.iter().map(|arm| arm.plays).sum();
        let value = |arm: &Arm| {
            if arm.plays == 0.0 {
                return f64::INFINITY;
            }
            let ratio = plays.ln() / arm.plays;
            let mean = arm.sum / arm.plays;
            let variance = arm.squares / arm.plays - mean * mean + (2.0 * ratio).sqrt();
            mean + (ratio * variance.min(0.25)).sqrt()
        };
        let arms = self.arms.iter().enumerate().filter(|&(colour, _)| counts[colour] > 0);
        arms.max_by(|a, b| value(a.1).total_cmp(&value(b.1)).then(b.0.cmp(&a.0))).map(|(i, _)| i)
    }

    /// Learns what the game of a simulation with a tabu colour came to.
    pub(super) fn update(&mut self, colour: usize, value: i64) {
        let arm = &mut self.arms[colour];
        let value = value as f64 / SCALE;
        arm.plays += 1.0;
        arm.sum += value;
        arm.squares += value * value;
    }
}
