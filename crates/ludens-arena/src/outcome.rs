//! What a run is, what comes out of it, and how good that is.

use std::sync::atomic::AtomicBool;

use ludens_core::SearchStatistics;

use crate::Case;

/// A moment at which a run found something better.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CurvePoint {
    /// Milliseconds since the run began.
    pub millis: f64,
    /// Positions generated since then.
    pub nodes: u64,
    /// The value from this moment on.
    pub value: i64,
}

/// What a solver made of a board.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Outcome {
    /// The sum of rewards of the line found; `None` when the solver found no
    /// line to the end of the game, whatever the part it has is worth.
    pub value: Option<i64>,
    /// How many moves the line has.
    pub length: usize,
    /// Whether it is known that no line is better.
    pub proven: bool,
    /// No line is worth more than this, if known.
    pub bound: Option<i64>,
    /// Positions generated.
    pub nodes: u64,
    /// Time on the clock, in milliseconds.
    pub millis: f64,
    /// The moves as text, in the game's notation.
    pub line: String,
    /// When the value rose; times, nodes and values ascend. May be empty.
    pub curve: Vec<CurvePoint>,
    /// Figures of the search, where it keeps them.
    pub statistics: Option<SearchStatistics>,
    /// Why there is no result, when the run failed: a fault, which a solver that merely found
    /// nothing has not.
    pub failure: Option<String>,
}

impl Outcome {
    /// A run that failed.
    pub fn failed(why: impl Into<String>) -> Self {
        Outcome { failure: Some(why.into()), ..Outcome::default() }
    }
}

/// The outcome of one run of one case.
#[derive(Clone, PartialEq, Debug)]
pub struct RunResult {
    /// The identifier of the case.
    pub case: String,
    /// The number of the run, from 0.
    pub run: u32,
    /// The seed of its randomness, at most 2^63 - 1.
    pub seed: u64,
    /// What came out.
    pub outcome: Outcome,
}

/// What a runner is given besides the case.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The seed of the run.
    pub seed: u64,
    /// How many threads the solver may use, at least 1.
    pub threads: usize,
    /// Cancels the run when it becomes true: the runner then returns within a
    /// few milliseconds, with anything, and its outcome is not kept.
    pub stop: &'a AtomicBool,
}

/// Runs one solver with one budget on one case. Called from several threads at
/// once, so it makes a fresh solver for every call.
pub trait Runner: Sync {
    /// What the solver makes of the case.
    fn run(&self, case: &Case, job: &Job<'_>) -> Outcome;
}

impl<F: Fn(&Case, &Job<'_>) -> Outcome + Sync> Runner for F {
    fn run(&self, case: &Case, job: &Job<'_>) -> Outcome {
        self(case, job)
    }
}

/// How a game's results are published: the figure of a value, and which of two
/// figures is better. Best known figures of suites are in this measure.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Measure {
    /// The value itself; more is better. For SameGame: points.
    #[default]
    Score,
    /// The value with its sign turned; less is better. For Former, where every
    /// move pays -1: moves.
    Cost,
}

impl Measure {
    /// The figure of a value.
    pub fn figure(self, value: i64) -> i64 {
        match self {
            Measure::Score => value,
            Measure::Cost => value.saturating_neg(),
        }
    }

    /// By how much a figure is better than another; negative when it is worse.
    pub fn gain(self, figure: i64, over: i64) -> i64 {
        match self {
            Measure::Score => figure.saturating_sub(over),
            Measure::Cost => over.saturating_sub(figure),
        }
    }

    /// The better of two figures.
    pub fn better(self, a: i64, b: i64) -> i64 {
        if self.gain(a, b) >= 0 { a } else { b }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_agree_with_the_sign() {
        assert_eq!(Measure::Score.figure(-11), -11);
        assert_eq!(Measure::Cost.figure(-11), 11);
        assert_eq!(Measure::Cost.figure(i64::MIN), i64::MAX);
        assert_eq!((Measure::Score.gain(5, 3), Measure::Cost.gain(5, 3)), (2, -2));
        assert_eq!((Measure::Score.better(5, 3), Measure::Cost.better(5, 3)), (5, 3));
    }
}
