//! What a run is, what comes out of it, and how good that is.

use std::sync::atomic::AtomicBool;

use ludens_core::SearchStatistics;
use serde::{Deserialize, Serialize};

use crate::{Case, metrics};

/// A moment at which a run found something better; `[milliseconds, nodes, value]` as JSON.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(into = "(f64, u64, i64)", from = "(f64, u64, i64)")]
pub struct CurvePoint {
    /// Milliseconds since the run started.
    pub millis: f64,
    /// Positions generated since then.
    pub nodes: u64,
    /// The value from this moment on.
    pub value: i64,
}

impl From<CurvePoint> for (f64, u64, i64) {
    fn from(point: CurvePoint) -> Self {
        (finite(point.millis), point.nodes, point.value)
    }
}

impl From<(f64, u64, i64)> for CurvePoint {
    fn from((millis, nodes, value): (f64, u64, i64)) -> Self {
        CurvePoint { millis, nodes, value }
    }
}

/// A time that SQLite and JSON can hold.
pub(crate) fn finite(millis: f64) -> f64 {
    if millis.is_finite() { millis } else { 0.0 }
}

/// What a solver found on a board.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct EvalResult {
    /// The sum of rewards of the line found; `None` when the solver found no
    /// line to the end of the game, whatever the value of the part it has.
    pub value: Option<i64>,
    /// How many moves the line has.
    pub length: usize,
    /// Whether it is known that no line is better.
    pub proven: bool,
    /// No line has a larger value than this, if known.
    pub bound: Option<i64>,
    /// Positions generated.
    pub nodes: u64,
    /// Time on the clock, in milliseconds.
    #[serde(rename = "time_ms")]
    pub millis: f64,
    /// Why there is no result, when the run failed: a fault, which a solver that merely found
    /// nothing has not.
    pub failure: Option<String>,
    /// The moves as text, in the game's notation.
    pub line: String,
    /// When the value rose; times, nodes and values ascend. May be empty.
    pub curve: Vec<CurvePoint>,
    /// Statistics of the search, where it keeps them.
    #[serde(serialize_with = "metrics::serialize")]
    pub statistics: Option<SearchStatistics>,
}

impl EvalResult {
    /// A run that failed.
    pub fn failed(why: impl Into<String>) -> Self {
        EvalResult { failure: Some(why.into()), ..EvalResult::default() }
    }
}

/// One run of one case.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RunResult {
    /// The identifier of the case.
    pub case: String,
    /// The number of the run, from 0.
    pub run: u32,
    /// The seed of its randomness, at most 2^63 - 1.
    pub seed: u64,
    /// What came out.
    #[serde(flatten)]
    pub outcome: EvalResult,
}

/// What a runner is given besides the case.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The seed of the run.
    pub seed: u64,
    /// How many threads the solver may use, at least 1.
    pub threads: usize,
    /// Cancels the run when it becomes true: the runner then returns within a
    /// few milliseconds, with anything, and its result is not kept.
    pub stop: &'a AtomicBool,
}

/// Runs one solver with one budget on one case. Called from several threads at
/// once, so it makes a fresh solver for every call.
pub trait Runner: Sync {
    /// What the solver finds.
    fn run(&self, case: &Case, job: &Job<'_>) -> EvalResult;
}

impl<F: Fn(&Case, &Job<'_>) -> EvalResult + Sync> Runner for F {
    fn run(&self, case: &Case, job: &Job<'_>) -> EvalResult {
        self(case, job)
    }
}

/// How a game's results are published: the metric of a value, and which of two
/// metrics is better. Best known values of suites are in this measure.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Measure {
    /// The value itself; more is better. For SameGame: points.
    #[default]
    Score,
    /// The value with its sign turned; less is better. For Former, where every
    /// move pays -1: moves.
    Cost,
}

impl Measure {
    /// The metric of a value.
    pub fn metric(self, value: i64) -> i64 {
        match self {
            Measure::Score => value,
            Measure::Cost => value.saturating_neg(),
        }
    }

    /// By how much a metric is better than another; negative when it is worse.
    pub fn gain(self, metric: i64, over: i64) -> i64 {
        match self {
            Measure::Score => metric.saturating_sub(over),
            Measure::Cost => over.saturating_sub(metric),
        }
    }

    /// The better of two metrics.
    pub fn better(self, a: i64, b: i64) -> i64 {
        if self.gain(a, b) >= 0 { a } else { b }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_agree_with_the_sign() {
        assert_eq!(Measure::Score.metric(-11), -11);
        assert_eq!(Measure::Cost.metric(-11), 11);
        assert_eq!(Measure::Cost.metric(i64::MIN), i64::MAX);
        assert_eq!((Measure::Score.gain(5, 3), Measure::Cost.gain(5, 3)), (2, -2));
        assert_eq!((Measure::Score.better(5, 3), Measure::Cost.better(5, 3)), (5, 3));
    }
}
