//! A suite over repeated runs.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Rate, Summary};
use crate::{Measure, RunResult, SearchMeans, Suite};

/// What a solver made of a suite.
///
/// Klein (2015) runs every board several times and gives, for
/// Min, Q1, Q2, Q3 and Max, the average over the boards of the board's worst
/// run, second worst, and so on (its section 5.4): those are `min` to `max`
/// here. Urheim (2025) gives mean, deviation and quartiles over all boards:
/// that is `over_runs`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SuiteSummary {
    /// How metrics are read.
    pub measure: Measure,
    /// Boards with at least one metric.
    pub boards: usize,
    /// All runs.
    pub runs: usize,
    /// Runs without a metric: the solver found no whole line.
    pub unsolved: usize,
    /// Runs that failed; they count among the unsolved ones.
    pub failed: usize,
    /// Runs proven to be best.
    pub proven: usize,
    /// The average over boards of the board's least metric.
    pub min: f64,
    /// The average over boards of the board's first quartile.
    pub q1: f64,
    /// The average over boards of the board's median.
    pub median: f64,
    /// The average over boards of the board's third quartile.
    pub q3: f64,
    /// The average over boards of the board's largest metric.
    pub max: f64,
    /// The average over boards of the board's mean. When all boards were run
    /// equally often, this is the mean of all runs.
    pub avg: f64,
    /// The sum over boards of the board's best metric.
    pub total_best: i64,
    /// The boards' means as a sample: its interval tells how well the average is
    /// known for boards of this kind.
    pub over_boards: Summary,
    /// All runs as one sample.
    pub over_runs: Summary,
    /// Milliseconds per run, unsolved ones included.
    #[serde(rename = "time_ms")]
    pub millis: Summary,
    /// Nodes per run, unsolved ones included.
    pub nodes: Summary,
    /// How the metrics compare with the best known, where the suite knows them.
    #[serde(rename = "best_known")]
    pub against: Option<AgainstBestKnown>,
    /// What the searches did on average, where they keep statistics.
    pub search: Option<SearchMeans>,
}

/// Figures beside the best known ones, of the cases that have one and were run.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct AgainstBestKnown {
    /// Boards whose best run is better than the best known.
    pub better: usize,
    /// Boards whose best run equals the best known.
    pub equal: usize,
    /// Boards whose best run is worse, or which no run solved.
    pub worse: usize,
    /// Runs by how much worse than the best known they are; negative is better.
    pub runs_by_excess: BTreeMap<i64, usize>,
    /// Runs without a metric.
    pub unsolved: usize,
}

impl AgainstBestKnown {
    /// The share of boards whose best run is at least as good as the best known.
    pub fn reached(&self) -> Rate {
        let hits = self.better + self.equal;
        Rate { hits, total: hits + self.worse }
    }
}

impl SuiteSummary {
    /// Sums up the results of the suite's cases; others are left out. `None`
    /// when no run has a metric.
    pub fn of(suite: &Suite, measure: Measure, results: &[RunResult]) -> Option<Self> {
        let by_case = by_case(results);
        let (mut metrics, mut millis, mut nodes) = (Vec::new(), Vec::new(), Vec::new());
        let mut boards: Vec<Summary> = Vec::new();
        let (mut unsolved, mut failed, mut proven, mut total_best) = (0, 0, 0, 0i64);
        let mut against: Option<AgainstBestKnown> = None;
        let mut searches = Vec::new();
        for case in suite.cases() {
            let Some(runs) = by_case.get(case.id.as_str()) else { continue };
            millis.extend(runs.iter().map(|run| run.outcome.millis));
            nodes.extend(runs.iter().map(|run| run.outcome.nodes as f64));
            searches.extend(runs.iter().filter_map(|run| run.outcome.statistics.as_ref()));
            failed += runs.iter().filter(|run| run.outcome.failure.is_some()).count();
            proven += runs.iter().filter(|run| run.outcome.proven).count();
            let own: Vec<i64> = metrics_of(measure, runs).collect();
            unsolved += runs.len() - own.len();
            if let Some(best_known) = case.best_known {
                let against = against.get_or_insert_default();
                against.add(measure, best_known, &own);
                against.unsolved += runs.len() - own.len();
            }
            let sample: Vec<f64> = own.iter().map(|&metric| metric as f64).collect();
            let Some(board) = Summary::of(&sample) else { continue };
            boards.push(board);
            let best = own.into_iter().reduce(|a, b| measure.better(a, b)).unwrap_or(0);
            total_best = total_best.saturating_add(best);
            metrics.extend(sample);
        }
        let average = |of: fn(&Summary) -> f64| {
            boards.iter().map(of).sum::<f64>() / boards.len().max(1) as f64
        };
        let means: Vec<f64> = boards.iter().map(|board| board.mean).collect();
        Some(SuiteSummary {
            measure,
            boards: boards.len(),
            runs: millis.len(),
            unsolved,
            failed,
            proven,
            min: average(|board| board.min),
            q1: average(|board| board.q1),
            median: average(|board| board.median),
            q3: average(|board| board.q3),
            max: average(|board| board.max),
            avg: average(|board| board.mean),
            total_best,
            over_boards: Summary::of(&means)?,
            over_runs: Summary::of(&metrics)?,
            millis: Summary::of(&millis)?,
            nodes: Summary::of(&nodes)?,
            against,
            search: SearchMeans::of(&searches),
        })
    }
}

impl AgainstBestKnown {
    fn add(&mut self, measure: Measure, best_known: i64, metrics: &[i64]) {
        for &metric in metrics {
            *self.runs_by_excess.entry(-measure.gain(metric, best_known)).or_default() += 1;
        }
        let best = metrics.iter().copied().reduce(|a, b| measure.better(a, b));
        match best.map(|best| measure.gain(best, best_known)) {
            Some(1..) => self.better += 1,
            Some(0) => self.equal += 1,
            _ => self.worse += 1,
        }
    }
}

/// The results of each case.
pub(super) fn by_case(results: &[RunResult]) -> BTreeMap<&str, Vec<&RunResult>> {
    let mut cases: BTreeMap<&str, Vec<&RunResult>> = BTreeMap::new();
    for result in results {
        cases.entry(&result.case).or_default().push(result);
    }
    cases
}

/// The metrics of the runs that have one.
pub(super) fn metrics_of(measure: Measure, runs: &[&RunResult]) -> impl Iterator<Item = i64> {
    runs.iter().filter_map(move |run| run.outcome.value).map(move |value| measure.metric(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Case, EvalResult};

    fn suite(best: &[Option<i64>]) -> Suite {
        let case = |(i, &best_known): (usize, &Option<i64>)| Case {
            id: i.to_string(),
            position: String::new(),
            best_known,
        };
        Suite::new("test", best.iter().enumerate().map(case).collect()).unwrap()
    }

    fn results(values: &[&[Option<i64>]]) -> Vec<RunResult> {
        let mut results = Vec::new();
        for (i, runs) in values.iter().enumerate() {
            for (run, &value) in runs.iter().enumerate() {
                let outcome = EvalResult { value, millis: 2.0, nodes: 10, ..EvalResult::default() };
                results.push(RunResult { case: i.to_string(), run: run as u32, seed: 0, outcome });
            }
        }
        results
    }

    #[test]
    fn averages_over_boards_of_metrics_over_runs() {
        // Per board sorted: 1 2 3 4 10 (mean 4), 100 .. 500 (mean 300).
        let values = [[3, 10, 1, 4, 2], [500, 100, 400, 200, 300]];
        let values = values.map(|board| board.map(Some));
        let runs = results(&[&values[0], &values[1]]);
        let summary = SuiteSummary::of(&suite(&[None, None]), Measure::Score, &runs).unwrap();
        assert_eq!((summary.boards, summary.over_runs.count), (2, 10));
        assert_eq!((summary.min, summary.q1, summary.median), (50.5, 101.0, 151.5));
        assert_eq!((summary.q3, summary.max, summary.avg), (202.0, 255.0, 152.0));
        assert_eq!((summary.total_best, summary.over_boards.mean), (510, 152.0));
        assert_eq!((summary.over_runs.mean, summary.over_runs.max), (152.0, 500.0));
        assert_eq!((summary.against, summary.millis.mean), (None, 2.0));
    }

    #[test]
    fn moves_are_costs_and_best_known_is_counted() {
        let best = [Some(12), Some(12), Some(12), Some(12), None];
        let runs = results(&[
            &[Some(-12), Some(-14)],
            &[Some(-13), Some(-13)],
            &[Some(-11), Some(-12)],
            &[None, None],
            &[Some(-20), None],
        ]);
        let summary = SuiteSummary::of(&suite(&best), Measure::Cost, &runs).unwrap();
        assert_eq!((summary.boards, summary.unsolved), (4, 3));
        assert_eq!(summary.min, (12.0 + 13.0 + 11.0 + 20.0) / 4.0);
        assert_eq!(summary.max, (14.0 + 13.0 + 12.0 + 20.0) / 4.0);
        assert_eq!(summary.total_best, 12 + 13 + 11 + 20);
        let against = summary.against.unwrap();
        assert_eq!((against.better, against.equal, against.worse), (1, 1, 2));
        let excess: Vec<_> = against.runs_by_excess.iter().map(|(&k, &v)| (k, v)).collect();
        assert_eq!(excess, [(-1, 1), (0, 2), (1, 2), (2, 1)]);
        assert_eq!((against.unsolved, against.reached()), (2, Rate { hits: 2, total: 4 }));
    }

    #[test]
    fn nothing_to_sum_up() {
        let none = SuiteSummary::of(&suite(&[None]), Measure::Score, &[]);
        assert_eq!(none, None);
        let none = SuiteSummary::of(&suite(&[Some(1)]), Measure::Score, &results(&[&[None]]));
        assert_eq!(none, None);
        // Results of other cases do not count.
        let both = results(&[&[Some(1)], &[Some(5)]]);
        let one = SuiteSummary::of(&suite(&[None]), Measure::Score, &both).unwrap();
        assert_eq!((one.boards, one.avg), (1, 1.0));
    }
}
