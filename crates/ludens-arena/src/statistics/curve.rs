//! Best-so-far curves: how good the result is after a time or a number of nodes.

use super::boards::by_case;
use crate::{CurvePoint, EvalResult, Measure, RunResult, Suite};

/// What a curve is drawn against.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Axis {
    /// Milliseconds since the run began.
    Millis,
    /// Positions generated.
    Nodes,
}

impl Axis {
    fn of(self, point: &CurvePoint) -> f64 {
        match self {
            Axis::Millis => point.millis,
            Axis::Nodes => point.nodes as f64,
        }
    }
}

/// One point of an averaged curve.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CurveMean {
    /// Where on the axis.
    pub x: f64,
    /// How many boards have a metric in each of their runs by then.
    pub boards: usize,
    /// The average over boards of the board's mean metric; `None` as long as a
    /// board is missing, because an average over ever other boards would rise
    /// and fall for no reason.
    pub mean: Option<f64>,
}

/// The value a run has at a point of the axis: its best until then. A run
/// without a curve has its value from its end on.
pub fn value_at(outcome: &EvalResult, axis: Axis, x: f64) -> Option<i64> {
    if outcome.curve.is_empty() {
        let value = outcome.value?;
        let end = CurvePoint { millis: outcome.millis, nodes: outcome.nodes, value };
        return (axis.of(&end) <= x).then_some(value);
    }
    outcome.curve.iter().take_while(|point| axis.of(point) <= x).map(|point| point.value).max()
}

/// `points` values from `from` to `to`, both included, at equal ratios, for a
/// logarithmic axis. Empty when the ends are not positive and in order.
pub fn grid(from: f64, to: f64, points: usize) -> Vec<f64> {
    if !(from > 0.0 && from <= to && to.is_finite()) {
        return Vec::new();
    }
    match points {
        0 => Vec::new(),
        1 => vec![to],
        _ => (0..points)
            .map(|i| match i {
                0 => from,
                // The last value is exact, so that runs which end there count.
                _ if i == points - 1 => to,
                _ => from * (to / from).powf(i as f64 / (points - 1) as f64),
            })
            .collect(),
    }
}

/// The average best-so-far metric at each of the `xs`, over the cases of
/// the suite that have results.
pub fn mean_curve(
    suite: &Suite,
    measure: Measure,
    results: &[RunResult],
    axis: Axis,
    xs: &[f64],
) -> Vec<CurveMean> {
    let cases = cases(suite, results);
    let at = |&x: &f64| {
        let metrics: Vec<f64> =
            cases.iter().filter_map(|(_, runs)| board_mean(measure, runs, axis, x)).collect();
        let all = !cases.is_empty() && metrics.len() == cases.len();
        let mean = all.then(|| metrics.iter().sum::<f64>() / metrics.len() as f64);
        CurveMean { x, boards: metrics.len(), mean }
    };
    xs.iter().map(at).collect()
}

/// The share of boards that some run has solved as well as the best known, at
/// each of the `xs`; over the cases with results and a best known metric.
/// Results of several solvers may be given at once. Empty without such cases.
pub fn reached_curve(
    suite: &Suite,
    measure: Measure,
    results: &[RunResult],
    axis: Axis,
    xs: &[f64],
) -> Vec<(f64, f64)> {
    let cases: Vec<_> = cases(suite, results)
        .into_iter()
        .filter_map(|(best_known, runs)| Some((best_known?, runs)))
        .collect();
    if cases.is_empty() {
        return Vec::new();
    }
    let reached = |best_known: i64, run: &RunResult, x: f64| {
        value_at(&run.outcome, axis, x)
            .is_some_and(|value| measure.gain(measure.metric(value), best_known) >= 0)
    };
    let share = |x: f64| {
        let hits =
            cases.iter().filter(|(best, runs)| runs.iter().any(|run| reached(*best, run, x)));
        hits.count() as f64 / cases.len() as f64
    };
    xs.iter().map(|&x| (x, share(x))).collect()
}

/// The best known metric and the runs of each case that has runs.
fn cases<'a>(suite: &Suite, results: &'a [RunResult]) -> Vec<(Option<i64>, Vec<&'a RunResult>)> {
    let mut runs = by_case(results);
    let cases = suite.cases().iter();
    cases.filter_map(|case| Some((case.best_known, runs.remove(case.id.as_str())?))).collect()
}

/// The mean metric of a board's runs; `None` as long as a run has none.
fn board_mean(measure: Measure, runs: &[&RunResult], axis: Axis, x: f64) -> Option<f64> {
    let mut sum = 0.0;
    for run in runs {
        sum += measure.metric(value_at(&run.outcome, axis, x)?) as f64;
    }
    Some(sum / runs.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Case;

    fn point(millis: f64, nodes: u64, value: i64) -> CurvePoint {
        CurvePoint { millis, nodes, value }
    }

    fn run(case: &str, run: u32, curve: &[CurvePoint]) -> RunResult {
        let value = curve.last().map(|point| point.value);
        let outcome = EvalResult { value, curve: curve.to_vec(), ..EvalResult::default() };
        RunResult { case: case.to_owned(), run, seed: 0, outcome }
    }

    fn suite() -> Suite {
        let case =
            |id: &str, best_known| Case { id: id.to_owned(), position: String::new(), best_known };
        Suite::new("test", vec![case("a", Some(11)), case("b", Some(12)), case("c", None)]).unwrap()
    }

    #[test]
    fn averages_on_a_common_grid() {
        let results = [
            run("a", 0, &[point(1.0, 10, -20), point(4.0, 40, -11)]),
            run("a", 1, &[point(2.0, 15, -13)]),
            run("b", 0, &[point(3.0, 20, -14)]),
        ];
        let xs = [0.5, 1.0, 2.0, 3.0, 4.0, 99.0];
        let mean = mean_curve(&suite(), Measure::Cost, &results, Axis::Millis, &xs);
        let boards: Vec<usize> = mean.iter().map(|point| point.boards).collect();
        assert_eq!(boards, [0, 0, 1, 2, 2, 2]);
        // At 3 ms board a has (20 + 13) / 2, board b 14; later a has (11 + 13) / 2.
        let means: Vec<_> = mean.iter().map(|point| point.mean).collect();
        assert_eq!(means, [None, None, None, Some(15.25), Some(13.0), Some(13.0)]);
        let nodes = mean_curve(&suite(), Measure::Cost, &results, Axis::Nodes, &[20.0]);
        assert_eq!(nodes[0].mean, Some(15.25));
        assert_eq!(mean_curve(&suite(), Measure::Cost, &[], Axis::Nodes, &[1.0])[0].mean, None);

        let reached = reached_curve(&suite(), Measure::Cost, &results, Axis::Millis, &xs);
        let shares: Vec<f64> = reached.iter().map(|point| point.1).collect();
        assert_eq!(shares, [0.0, 0.0, 0.0, 0.0, 0.5, 0.5]);
        let none = run("c", 0, &[point(1.0, 1, 1)]);
        assert!(reached_curve(&suite(), Measure::Cost, &[none], Axis::Millis, &xs).is_empty());
    }

    #[test]
    fn a_run_without_curve_counts_from_its_end() {
        let outcome =
            EvalResult { value: Some(5), millis: 7.5, nodes: 30, ..EvalResult::default() };
        assert_eq!(value_at(&outcome, Axis::Millis, 7.4), None);
        assert_eq!(value_at(&outcome, Axis::Millis, 7.5), Some(5));
        assert_eq!(value_at(&outcome, Axis::Nodes, 30.0), Some(5));
        assert_eq!(value_at(&EvalResult::default(), Axis::Nodes, 30.0), None);
    }

    #[test]
    fn grids_keep_their_ends() {
        let xs = grid(1.0, 1000.0, 4);
        assert_eq!((xs[0], xs[3]), (1.0, 1000.0));
        assert!((xs[1] - 10.0).abs() < 1e-9 && (xs[2] - 100.0).abs() < 1e-9);
        assert_eq!(grid(5.0, 7.0, 1), [7.0]);
        assert!(grid(0.0, 7.0, 3).is_empty() && grid(7.0, 5.0, 3).is_empty());
        assert!(grid(1.0, f64::INFINITY, 3).is_empty() && grid(1.0, 2.0, 0).is_empty());
    }
}
