//! A sample in a few numbers.

use serde::Serialize;

use super::student_95;

/// What a sample looks like.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Summary {
    /// How many values there are, at least 1.
    pub count: usize,
    /// Their mean.
    pub mean: f64,
    /// The standard deviation with divisor n-1; `None` for a single value.
    pub sd: Option<f64>,
    error: Option<f64>,
    interval: Option<(f64, f64)>,
    /// The least value.
    pub min: f64,
    /// The first quartile, see [`quantile`].
    pub q1: f64,
    /// The median.
    pub median: f64,
    /// The third quartile.
    pub q3: f64,
    /// The largest value.
    pub max: f64,
}

impl Summary {
    /// Sums up a sample; `None` when it is empty or has a value that is not finite.
    pub fn of(values: &[f64]) -> Option<Self> {
        if values.is_empty() || values.iter().any(|value| !value.is_finite()) {
            return None;
        }
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let count = sorted.len();
        let mean = sorted.iter().sum::<f64>() / count as f64;
        let squares: f64 = sorted.iter().map(|value| (value - mean).powi(2)).sum();
        let sd = (count > 1).then(|| (squares / (count - 1) as f64).sqrt());
        let error = sd.map(|sd| sd / (count as f64).sqrt());
        let interval = error.map(|error| {
            let half = student_95(count - 1) * error;
            (mean - half, mean + half)
        });
        let [min, q1, median, q3, max] = [0.0, 0.25, 0.5, 0.75, 1.0].map(|p| quantile(&sorted, p));
        Some(Summary { count, mean, sd, error, interval, min, q1, median, q3, max })
    }

    /// The standard error of the mean; `None` for a single value.
    pub fn error(&self) -> Option<f64> {
        self.error
    }

    /// The 95 % interval of the mean by Student's t; `None` for a single value.
    pub fn interval(&self) -> Option<(f64, f64)> {
        self.interval
    }
}

/// The value a share `p` of the sorted sample lies below, linear between two
/// values: the sample's first is at 0, its last at 1. With five values the
/// quartiles are the second, third and fourth. Not a number for no values.
pub fn quantile(sorted: &[f64], p: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let rank = p.clamp(0.0, 1.0) * last as f64;
    let below = (rank as usize).min(last);
    let above = (below + 1).min(last);
    sorted[below] + (rank - below as f64) * (sorted[above] - sorted[below])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_textbook_sample() {
        // Sum 40, squares of deviations 9+1+1+1+0+0+4+16 = 32.
        let summary = Summary::of(&[9.0, 2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0]).unwrap();
        assert_eq!((summary.count, summary.mean), (8, 5.0));
        assert!((summary.sd.unwrap() - (32.0f64 / 7.0).sqrt()).abs() < 1e-12);
        assert!((summary.error().unwrap() - 0.755_928_946).abs() < 1e-8);
        let (low, high) = summary.interval().unwrap();
        // t for 7 degrees of freedom is 2.364624.
        assert!((high - 5.0 - 2.364_624_252 * 0.755_928_946).abs() < 1e-7);
        assert!((low + high - 10.0).abs() < 1e-12);
        assert_eq!((summary.min, summary.q1, summary.median), (2.0, 4.0, 4.5));
        assert_eq!((summary.q3, summary.max), (5.5, 9.0));
    }

    #[test]
    fn small_and_bad_samples() {
        assert_eq!(Summary::of(&[]), None);
        assert_eq!(Summary::of(&[1.0, f64::NAN]), None);
        assert_eq!(Summary::of(&[f64::INFINITY]), None);
        let one = Summary::of(&[3.0]).unwrap();
        assert_eq!((one.mean, one.sd, one.interval(), one.q1), (3.0, None, None, 3.0));
        let same = Summary::of(&[2.0; 5]).unwrap();
        assert_eq!((same.sd, same.interval()), (Some(0.0), Some((2.0, 2.0))));
    }

    #[test]
    fn quartiles_of_five_are_positions() {
        let summary = Summary::of(&[50.0, 10.0, 40.0, 20.0, 30.0]).unwrap();
        assert_eq!((summary.q1, summary.median, summary.q3), (20.0, 30.0, 40.0));
        assert_eq!(quantile(&[1.0, 2.0, 4.0], 0.75), 3.0);
        assert!(quantile(&[], 0.5).is_nan());
    }
}
