//! The sequential test that ends a match as soon as it has an answer.
//!
//! The likelihood ratio of two Elo differences is that of the generalised test: openings
//! are the unit, and how often they give how many points is whatever is likeliest under each
//! difference.
//!
//! - A. Wald, Sequential tests of statistical hypotheses, 1945.
//! - M. Van den Bergh, Comments on normalized Elo and the pentanomial model, 2020.

use super::tally::share_of_elo;

/// Which of two hypotheses the test accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SprtDecision {
    /// The difference is `elo0` or less.
    AcceptH0,
    /// The difference is `elo1` or more.
    AcceptH1,
}

/// A test of one Elo difference against a larger one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// The difference that is refused if the test ends well, such as 0.
    pub elo0: f64,
    /// The difference that is hoped for, larger than `elo0`.
    pub elo1: f64,
}

/// The chance of either error.
const ERROR: f64 = 0.05;

impl Sprt {
    /// Where the test ends: at minus this logarithm of the likelihood ratio for the
    /// smaller difference, at this for the larger one.
    pub fn bound() -> f64 {
        ((1.0 - ERROR) / ERROR).ln()
    }

    /// The logarithm of the likelihood ratio after openings counted by their half points: 0 to 4.
    pub fn llr(&self, pairs: &[u64; 5]) -> f64 {
        // A little of everything: what has not been seen yet may still come.
        let counts = pairs.map(|count| count as f64 + 1e-3);
        let total: f64 = counts.iter().sum();
        let shares = counts.map(|count| count / total);
        let tilts = [self.elo0, self.elo1].map(|elo| tilt(&shares, share_of_elo(elo)));
        let ratio = |halves: usize| (tilts[0](halves) / tilts[1](halves)).ln();
        (0..5).map(|halves| counts[halves] * ratio(halves)).sum()
    }

    /// The answer, once there is one.
    pub fn decide(&self, pairs: &[u64; 5]) -> Option<SprtDecision> {
        let llr = self.llr(pairs);
        if llr >= Sprt::bound() {
            Some(SprtDecision::AcceptH1)
        } else if llr <= -Sprt::bound() {
            Some(SprtDecision::AcceptH0)
        } else {
            None
        }
    }
}

/// What the score of an opening is divided by to get its likeliest probability if the mean
/// is `mean`: the empirical likelihood's `1 + t (x - mean)`.
fn tilt(shares: &[f64; 5], mean: f64) -> impl Fn(usize) -> f64 {
    let away = move |halves: usize| halves as f64 / 4.0 - mean;
    let rest = |t: f64| (0..5).map(|k| shares[k] * away(k) / (1.0 + t * away(k))).sum::<f64>();
    // It falls from plus to minus infinity between these.
    let (mut low, mut high) = (-1.0 / away(4), -1.0 / away(0));
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if rest(middle) > 0.0 { low = middle } else { high = middle }
    }
    let t = 0.5 * (low + high);
    move |halves| 1.0 + t * away(halves)
}

#[cfg(test)]
mod tests {
    use ludens_core::Rng;

    use super::*;

    #[test]
    fn both_errors_are_rare() {
        let sprt = Sprt { elo0: 0.0, elo1: 30.0 };
        let mut rng = Rng::new(3);
        let mut ended = |elo: f64| {
            let share = share_of_elo(elo);
            (0..300)
                .filter(|_| {
                    let mut pairs = [0; 5];
                    loop {
                        let mut win = || 2 * usize::from(rng.unit() < share);
                        pairs[win() + win()] += 1;
                        match sprt.decide(&pairs) {
                            Some(decision) => return decision == SprtDecision::AcceptH1,
                            None => assert!(pairs.iter().sum::<u64>() < 50_000),
                        }
                    }
                })
                .count()
        };
        let (wrong, right) = (ended(0.0), ended(30.0));
        assert!((3..=30).contains(&wrong), "5 % of 300 are 15, found {wrong}");
        assert!((270..=297).contains(&right), "95 % of 300 are 285, found {right}");
    }

    #[test]
    fn known_ratios() {
        assert!((Sprt::bound() - 2.944).abs() < 1e-3);
        let sprt = Sprt { elo0: 0.0, elo1: 5.0 };
        assert_eq!(sprt.decide(&[0; 5]), None);
        assert!(sprt.llr(&[10, 20, 40, 25, 15]) > 0.0);
        assert!(sprt.llr(&[15, 25, 40, 20, 10]) < 0.0);
        assert_eq!(sprt.decide(&[0, 0, 100, 900, 2000]), Some(SprtDecision::AcceptH1));
    }
}
