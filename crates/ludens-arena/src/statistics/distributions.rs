//! Points and tails of distributions, from `statrs`.

use statrs::distribution::{Binomial, ChiSquared, ContinuousCDF, DiscreteCDF, StudentsT};

/// The normal distribution's two-sided 95 % point.
pub(crate) const NORMAL_95: f64 = 1.959_963_984_540_054;

/// Above this many degrees of freedom the expansion is exact to ten digits. The search of
/// `statrs` for the point does not end for very many.
const EXPANSION_FROM: usize = 1000;

/// The two-sided 95 % point of Student's t: 95 % of the distribution with
/// `freedom` degrees of freedom lies between minus this and this. Infinite for
/// no degrees of freedom.
///
/// Reference: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.5.
pub fn student_95(freedom: usize) -> f64 {
    let (z, n) = (NORMAL_95, freedom as f64);
    if freedom > EXPANSION_FROM {
        let (z3, z5) = (z.powi(3), z.powi(5));
        return z + (z3 + z) / (4.0 * n) + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * n * n);
    }
    StudentsT::new(0.0, 1.0, n).map_or(f64::INFINITY, |t| t.inverse_cdf(0.975))
}

/// The probability of a value of at least `x` in the chi-square distribution
/// with `freedom` degrees of freedom; `None` for no degrees of freedom, where
/// nothing is tested.
pub fn chi_square_tail(x: f64, freedom: usize) -> Option<f64> {
    Some(ChiSquared::new(freedom as f64).ok()?.sf(x))
}

/// The probability of at least `wins` wins in `games` games that are won half of the time.
pub fn binomial_tail(wins: u64, games: u64) -> f64 {
    match (wins.checked_sub(1), Binomial::new(0.5, games)) {
        (Some(below), Ok(binomial)) => binomial.sf(below),
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points as printed in tables of the distributions.
    #[test]
    fn agree_with_printed_tables() {
        let points = [
            (1, 12.706_204_736),
            (2, 4.302_652_730),
            (4, 2.776_445_105),
            (9, 2.262_157_163),
            (30, 2.042_272_456),
            (1000, 1.962_339_081),
        ];
        for (freedom, point) in points {
            assert!(
                (student_95(freedom) - point).abs() < 1e-8,
                "{freedom}: {}",
                student_95(freedom)
            );
        }
        assert_eq!(student_95(0), f64::INFINITY);
        let points: Vec<f64> = (1..1100).map(student_95).collect();
        assert!(points.windows(2).all(|pair| pair[0] > pair[1]));
        assert!((student_95(1_000_000_000) - NORMAL_95).abs() < 1e-8);
        let tails = [
            (3.841_459, 1, 0.05),
            (5.991_465, 2, 0.05),
            (0.351_846, 3, 0.95),
            (2.558_212, 10, 0.99),
            (124.342_113, 100, 0.05),
        ];
        for (x, freedom, tail) in tails {
            assert!((chi_square_tail(x, freedom).unwrap() - tail).abs() < 1e-6, "{x}, {freedom}");
        }
        assert_eq!((chi_square_tail(0.0, 5), chi_square_tail(-1.0, 5)), (Some(1.0), Some(1.0)));
        assert_eq!(chi_square_tail(1.0, 0), None);
        assert!((binomial_tail(32, 40) - 9.11e-5).abs() < 1e-7);
        assert!((binomial_tail(10, 10) - 0.5f64.powi(10)).abs() < 1e-12);
        assert_eq!(binomial_tail(0, 10), 1.0);
    }
}
