//! Shares of successes.

use serde::{Serialize, Serializer};
use serde_json::json;

use super::NORMAL_95;

/// Successes among trials. As JSON it has its share and interval as well.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rate {
    /// Successes, at most `total`.
    pub hits: usize,
    /// Trials.
    pub total: usize,
}

impl Rate {
    /// The share of successes; `None` without trials.
    pub fn share(self) -> Option<f64> {
        (self.total > 0).then(|| self.hits as f64 / self.total as f64)
    }

    /// Wilson's 95 % interval of the share, which stays within 0 and 1 and makes
    /// sense for shares of 0 and 1, too; `None` without trials.
    ///
    /// Reference: Wilson, Probable inference, the law of succession, and
    /// statistical inference, 1927.
    pub fn interval(self) -> Option<(f64, f64)> {
        Some(wilson(self.share()?, self.total as f64))
    }
}

impl Serialize for Rate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Rate { hits, total } = self;
        let (share, interval) = (self.share(), self.interval());
        json!({"hits": hits, "total": total, "share": share, "interval": interval})
            .serialize(serializer)
    }
}

/// [`Rate::interval`] of a share of `n` trials. It need not be a whole number: trials that
/// depend on each other say as much as fewer independent ones.
pub(crate) fn wilson(share: f64, n: f64) -> (f64, f64) {
    let z2 = NORMAL_95 * NORMAL_95;
    let scale = 1.0 / (1.0 + z2 / n);
    let middle = scale * (share + z2 / (2.0 * n));
    let root = (share * (1.0 - share) / n + z2 / (4.0 * n * n)).max(0.0).sqrt();
    let half = scale * NORMAL_95 * root;
    ((middle - half).max(0.0), (middle + half).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_of_known_cases() {
        let cases = [
            // Newcombe 1998, table I, method 3.
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0000, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ];
        for (hits, total, low, high) in cases {
            let interval = Rate { hits, total }.interval().unwrap();
            assert!((interval.0 - low).abs() < 5e-5, "{hits}/{total}: {interval:?}");
            assert!((interval.1 - high).abs() < 5e-5, "{hits}/{total}: {interval:?}");
        }
        let all = Rate { hits: 100, total: 100 };
        assert_eq!(all.interval().unwrap().1, 1.0);
        assert!((all.interval().unwrap().0 - 0.963).abs() < 5e-4);
        assert_eq!(Rate { hits: 0, total: 0 }.interval(), None);
    }
}
