//! Tests of seeded random counts. The limits are wide (about one failure in a
//! million for correct code), because every check is repeated many times.

/// Whether counts fit probabilities, by Pearson's chi-square with small cells
/// put together; `None` below two cells, where there is nothing to compare.
pub fn chi_square_fits(counts: &[u64], probabilities: &[f64]) -> Option<bool> {
    let total: u64 = counts.iter().sum();
    let (mut chi, mut cells) = (0.0, 0u32);
    let (mut rest_count, mut rest_expected) = (0.0, 0.0);
    let mut add = |count: f64, expected: f64| {
        chi += (count - expected).powi(2) / expected;
        cells += 1;
    };
    for (&count, &p) in counts.iter().zip(probabilities) {
        let expected = p * total as f64;
        if expected >= 5.0 {
            add(count as f64, expected);
        } else {
            rest_count += count as f64;
            rest_expected += expected;
        }
    }
    if rest_expected >= 5.0 {
        add(rest_count, rest_expected);
    }
    if cells < 2 {
        return None;
    }
    // Wilson and Hilferty: the cube root of chi-square over its degrees of
    // freedom is nearly normal.
    let freedom = f64::from(cells - 1);
    let spread = 2.0 / (9.0 * freedom);
    let z = ((chi / freedom).cbrt() - (1.0 - spread)) / spread.sqrt();
    Some(z < 4.8)
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
        assert_eq!(chi_square_fits(&[1010, 990, 1005, 995, 1020, 980], &fair), Some(true));
        assert_eq!(chi_square_fits(&[1200, 990, 1005, 995, 1020, 790], &fair), Some(false));
        assert_eq!(chi_square_fits(&[100], &[1.0]), None);
        assert_eq!(chi_square_fits(&[3, 1], &[0.5, 0.5]), None, "too few to tell");
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
