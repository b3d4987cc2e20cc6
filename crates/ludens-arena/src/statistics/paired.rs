//! Two solvers on the same boards.

use serde::Serialize;

use super::Summary;
use super::boards::{by_case, metrics_of};
use crate::{Measure, RunResult, Suite};

/// How much better one solver is than another, board by board. Since both play
/// the same boards, how hard a board is cancels out and the interval is much
/// narrower than that of either average.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Paired {
    /// The gains of the first over the second solver, a board each: means over
    /// the board's runs, positive where the first is better.
    pub gain: Summary,
    /// Boards on which the first solver's mean is better.
    pub better: usize,
    /// Boards on which the means are equal.
    pub equal: usize,
    /// Boards on which the first solver's mean is worse.
    pub worse: usize,
}

impl Paired {
    /// Compares over the boards of the suite that both solved; `None` when there
    /// are none. Values are compared, of which more is better in every measure.
    pub fn of(suite: &Suite, first: &[RunResult], second: &[RunResult]) -> Option<Self> {
        let (first, second) = (by_case(first), by_case(second));
        let mean = |runs: Option<&Vec<&RunResult>>| {
            let values: Vec<f64> = metrics_of(Measure::Score, runs?).map(|v| v as f64).collect();
            Summary::of(&values).map(|summary| summary.mean)
        };
        let gains: Vec<f64> = suite
            .cases()
            .iter()
            .filter_map(|case| {
                let id = case.id.as_str();
                Some(mean(first.get(id))? - mean(second.get(id))?)
            })
            .collect();
        let count = |of: fn(f64) -> bool| gains.iter().filter(|gain| of(**gain)).count();
        Some(Paired {
            gain: Summary::of(&gains)?,
            better: count(|gain| gain > 0.0),
            equal: count(|gain| gain == 0.0),
            worse: count(|gain| gain < 0.0),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Case, EvalResult};

    fn result(case: usize, run: u32, value: Option<i64>) -> RunResult {
        let outcome = EvalResult { value, ..EvalResult::default() };
        RunResult { case: case.to_string(), run, seed: 0, outcome }
    }

    #[test]
    fn board_difficulty_cancels_out() {
        let case = |i: usize| Case { id: i.to_string(), position: String::new(), best_known: None };
        let suite = Suite::new("test", (0..6).map(case).collect()).unwrap();
        // Gains of the first over the second: 1, 2, 0, 3, -1; board 5 lacks a partner.
        let values = [(100, 99), (2000, 1998), (5, 5), (33, 30), (7, 8)];
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for (i, (a, b)) in values.into_iter().enumerate() {
            first.extend([result(i, 0, Some(a - 1)), result(i, 1, Some(a + 1))]);
            second.push(result(i, 0, Some(b)));
        }
        first.push(result(5, 0, Some(1)));
        second.push(result(5, 0, None));
        let paired = Paired::of(&suite, &first, &second).unwrap();
        assert_eq!((paired.better, paired.equal, paired.worse), (3, 1, 1));
        assert_eq!((paired.gain.count, paired.gain.mean), (5, 1.0));
        // Squares of deviations 0+1+1+4+4 = 10, so the variance is 2.5.
        let half = 2.776_445_105 * (2.5f64 / 5.0).sqrt();
        assert!((paired.gain.interval().unwrap().1 - 1.0 - half).abs() < 1e-8);
        let turned = Paired::of(&suite, &second, &first).unwrap();
        assert_eq!((turned.better, turned.gain.mean), (1, -1.0));
        assert_eq!(Paired::of(&suite, &first, &[]), None);
    }
}
