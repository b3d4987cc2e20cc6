//! The chi-square distribution's upper tail.
//!
//! Reference: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.4
//! and 6.5 (series and continued fraction of the incomplete gamma function).

/// Terms after which either expansion has converged.
const TERMS: usize = 10_000;
/// A term this small against the sum changes nothing.
const EPSILON: f64 = 1e-15;

/// The probability of a value of at least `x` in the chi-square distribution
/// with `freedom` degrees of freedom; 1 for no degrees of freedom at 0.
pub fn chi_square_tail(x: f64, freedom: usize) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    if freedom == 0 {
        return 0.0;
    }
    let (a, x) = (0.5 * freedom as f64, 0.5 * x);
    let scale = (a * x.ln() - x - ln_gamma_of_half(freedom)).exp();
    if x < a + 1.0 { 1.0 - scale * lower_series(a, x) } else { scale * upper_fraction(a, x) }
}

/// The logarithm of the gamma function at half a whole number, by its recursion.
fn ln_gamma_of_half(twice: usize) -> f64 {
    let (first, begin) =
        if twice.is_multiple_of(2) { (0.0, 2) } else { (0.5 * std::f64::consts::PI.ln(), 1) };
    (begin..twice).step_by(2).fold(first, |sum, k| sum + (0.5 * k as f64).ln())
}

/// The lower incomplete gamma function without its factor `x^a e^-x`.
fn lower_series(a: f64, x: f64) -> f64 {
    let (mut term, mut sum) = (1.0 / a, 1.0 / a);
    for k in 1..TERMS {
        term *= x / (a + k as f64);
        sum += term;
        if term < EPSILON * sum {
            break;
        }
    }
    sum
}

/// The upper incomplete gamma function without its factor `x^a e^-x`, by the
/// continued fraction evaluated forwards (Lentz).
fn upper_fraction(a: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let mut b = x + 1.0 - a;
    let mut c = 1.0 / TINY;
    let mut d = 1.0 / b;
    let mut product = d;
    for k in 1..TERMS {
        let k = k as f64;
        let factor = -k * (k - a);
        b += 2.0;
        d = 1.0 / nonzero(factor * d + b, TINY);
        c = nonzero(b + factor / c, TINY);
        product *= c * d;
        if (c * d - 1.0).abs() < EPSILON {
            break;
        }
    }
    product
}

fn nonzero(x: f64, tiny: f64) -> f64 {
    if x.abs() < tiny { tiny } else { x }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points as printed in tables of the distribution.
    #[test]
    fn agrees_with_printed_tables() {
        let table = [
            (3.841_459, 1, 0.05),
            (6.634_897, 1, 0.01),
            (5.991_465, 2, 0.05),
            (7.814_728, 3, 0.05),
            (0.351_846, 3, 0.95),
            (18.307_038, 10, 0.05),
            (2.558_212, 10, 0.99),
            (124.342_113, 100, 0.05),
            (233.994_269, 200, 0.05),
        ];
        for (x, freedom, tail) in table {
            let ours = chi_square_tail(x, freedom);
            assert!((ours - tail).abs() < 1e-6, "{x} with {freedom}: {ours}");
        }
    }

    #[test]
    fn two_degrees_of_freedom_are_an_exponential() {
        for x in [0.1, 1.0, 3.9, 4.1, 50.0] {
            assert!((chi_square_tail(x, 2) - (-0.5f64 * x).exp()).abs() < 1e-12);
        }
        assert_eq!((chi_square_tail(0.0, 5), chi_square_tail(-1.0, 5)), (1.0, 1.0));
        assert_eq!(chi_square_tail(1.0, 0), 0.0);
    }
}
