//! Tests of seeded random counts. The limits are wide (about one failure in a
//! million for correct code), because every check is repeated many times.

/// The least that is expected in a cell: below, chi-square is no good approximation.
const CELL: f64 = 5.0;

/// Whether counts fit probabilities, by Pearson's chi-square with small cells
/// put together. A count of something impossible never fits.
///
/// # Panics
/// When there are too few draws to tell: less than two cells with at least five expected. Draw
/// [`enough_draws`].
pub fn chi_square_fits(counts: &[u64], probabilities: &[f64]) -> bool {
    assert_eq!(counts.len(), probabilities.len(), "each count has its probability");
    let pairs = counts.iter().zip(probabilities);
    if pairs.clone().any(|(&count, &p)| p <= 0.0 && count > 0) {
        return false;
    }
    if probabilities.iter().filter(|&&p| p > 0.0).count() == 1 {
        // Nothing else has happened.
        return true;
    }
    let total: u64 = counts.iter().sum();
    let (mut chi, mut cells) = (0.0, 0u32);
    let (mut rest_count, mut rest_expected) = (0.0, 0.0);
    let mut add = |count: f64, expected: f64| {
        chi += (count - expected).powi(2) / expected;
        cells += 1;
    };
    for (&count, &p) in pairs {
        let expected = p * total as f64;
        if expected >= CELL {
            add(count as f64, expected);
        } else {
            rest_count += count as f64;
            rest_expected += expected;
        }
    }
    if rest_expected >= CELL {
        add(rest_count, rest_expected);
    }
    assert!(cells >= 2, "{total} draws are too few for {probabilities:?}");
    // Wilson and Hilferty: the cube root of chi-square over its degrees of
    // freedom is nearly normal.
    let freedom = f64::from(cells - 1);
    let spread = 2.0 / (9.0 * freedom);
    let z = ((chi / freedom).cbrt() - (1.0 - spread)) / spread.sqrt();
    z < 4.8
}

/// How often to draw so that [`chi_square_fits`] has something to compare: fifty times per outcome,
/// and more where one outcome leaves little for the others.
pub fn enough_draws(probabilities: &[f64]) -> usize {
    let likeliest = probabilities.iter().copied().fold(0.0, f64::max);
    // Beside a certain outcome there is nothing to wait for.
    let rest = if likeliest > 1.0 - 1e-9 { 1.0 } else { 1.0 - likeliest };
    (50 * probabilities.len()).max((2.0 * CELL / rest).ceil() as usize)
}

/// Whether two samples have the same mean as far as their spread can tell.
pub fn means_agree(a: &[f64], b: &[f64]) -> bool {
    let moments = |x: &[f64]| {
        let n = x.len() as f64;
        let mean = x.iter().sum::<f64>() / n;
        let variance = x.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
        (mean, variance / n)
    };
    let ((mean_a, error_a), (mean_b, error_b)) = (moments(a), moments(b));
    (mean_a - mean_b).abs() <= 5.0 * (error_a + error_b).sqrt() + 1e-9
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fair_and_a_loaded_die() {
        let fair = [1.0 / 6.0; 6];
        assert!(chi_square_fits(&[1010, 990, 1005, 995, 1020, 980], &fair));
        assert!(!chi_square_fits(&[1200, 990, 1005, 995, 1020, 790], &fair));
    }

    #[test]
    fn what_is_certain_or_impossible() {
        assert!(chi_square_fits(&[10, 0], &[1.0, 0.0]));
        assert!(!chi_square_fits(&[10, 1], &[1.0, 0.0]));
        assert!(!chi_square_fits(&[500, 500, 1], &[0.5, 0.5, 0.0]));
    }

    /// A rare outcome that always comes was once let through.
    #[test]
    fn a_rare_outcome_is_compared() {
        let odds = [0.99, 0.01];
        let draws = enough_draws(&odds) as u64;
        assert!(chi_square_fits(&[draws - draws / 100, draws / 100], &odds));
        assert!(!chi_square_fits(&[0, draws], &odds));
    }

    #[test]
    #[should_panic(expected = "too few")]
    fn too_few_draws_tell_nothing() {
        chi_square_fits(&[0, 9], &[0.99, 0.01]);
    }

    #[test]
    fn means() {
        let a: Vec<f64> = (0..100).map(f64::from).collect();
        let b: Vec<f64> = a.iter().map(|x| x + 1.0).collect();
        let c: Vec<f64> = a.iter().map(|x| x + 30.0).collect();
        assert!(means_agree(&a, &b));
        assert!(!means_agree(&a, &c));
    }
}
