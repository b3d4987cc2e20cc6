//! Draws from the distributions that self-play and learning need.

use crate::Rng;

impl Rng {
    /// A standard normal number.
    pub fn normal(&mut self) -> f64 {
        // Box and Muller's; 1 - unit is above 0.
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.unit()).cos()
    }

    /// A number of the standard Gumbel distribution: the largest of many draws. The index of the
    /// largest of logits with such a number added to each is a draw from their softmax.
    pub fn gumbel(&mut self) -> f64 {
        -(-(1.0 - self.unit()).ln()).max(f64::MIN_POSITIVE).ln()
    }

    /// A number of the gamma distribution of a shape above 0, with scale 1.
    pub fn gamma(&mut self, shape: f64) -> f64 {
        if shape < 1.0 {
            let above = self.gamma(shape + 1.0);
            return above * (1.0 - self.unit()).powf(1.0 / shape);
        }
        // G. Marsaglia, W. Tsang, A simple method for generating gamma variables, 2000.
        let d = shape - 1.0 / 3.0;
        let c = 1.0 / (9.0 * d).sqrt();
        loop {
            let x = self.normal();
            let v = (1.0 + c * x).powi(3);
            if v > 0.0 && (1.0 - self.unit()).ln() < 0.5 * x * x + d - d * v + d * v.ln() {
                return d * v;
            }
        }
    }

    /// Shares of the symmetric Dirichlet distribution: they sum to 1.
    ///
    /// ```
    /// let mut shares = [0.0; 7];
    /// ludens_core::Rng::new(1).dirichlet(0.5, &mut shares);
    /// assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-5);
    /// ```
    pub fn dirichlet(&mut self, alpha: f64, out: &mut [f32]) {
        let mut total = 0.0;
        for share in out.iter_mut() {
            let part = self.gamma(alpha).max(f64::MIN_POSITIVE);
            *share = part as f32;
            total += part;
        }
        if total > 1e-30 {
            out.iter_mut().for_each(|share| *share = (f64::from(*share) / total) as f32);
        } else if !out.is_empty() {
            // All parts are too small for a float: one of them has everything.
            out.fill(0.0);
            let all = self.below(out.len() as u32) as usize;
            out[all] = 1.0;
        }
    }

    /// An index drawn in proportion to weights of at least 0, of which one is above 0.
    ///
    /// # Panics
    /// When there are none.
    pub fn weighted(&mut self, weights: &[f32]) -> usize {
        let total: f64 = weights.iter().map(|weight| f64::from(*weight)).sum();
        let mut left = self.unit() * total;
        for (index, weight) in weights.iter().enumerate() {
            left -= f64::from(*weight);
            if left < 0.0 {
                return index;
            }
        }
        // Rounding: the last one that can be drawn at all.
        let last = weights.iter().rposition(|weight| *weight > 0.0);
        last.unwrap_or_else(|| weights.len().checked_sub(1).expect("something to draw from"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mean and variance of many draws.
    fn moments(draw: impl FnMut() -> f64) -> (f64, f64) {
        let n = 200_000;
        let draws: Vec<f64> = std::iter::repeat_with(draw).take(n).collect();
        let mean = draws.iter().sum::<f64>() / n as f64;
        (mean, draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n as f64)
    }

    #[test]
    fn moments_are_those_of_the_distributions() {
        let mut rng = Rng::new(1);
        let close = |(mean, variance): (f64, f64), expected: (f64, f64)| {
            assert!((mean - expected.0).abs() < 0.02 * expected.1.sqrt().max(1.0), "{mean}");
            assert!((variance / expected.1 - 1.0).abs() < 0.05, "{variance}");
        };
        close(moments(|| rng.normal()), (0.0, 1.0));
        close(moments(|| rng.gumbel()), (0.577_216, std::f64::consts::PI.powi(2) / 6.0));
        for shape in [0.3, 1.0, 4.5] {
            close(moments(|| rng.gamma(shape)), (shape, shape));
        }
        // A share of Dir(a, a, a, a): mean 1/4, variance 3 / (16 (4 a + 1)).
        let mut shares = [0.0; 4];
        let share = || {
            rng.dirichlet(0.2, &mut shares);
            f64::from(shares[2])
        };
        close(moments(share), (0.25, 3.0 / (16.0 * 1.8)));
    }

    #[test]
    fn small_parameters_are_no_trouble() {
        let mut rng = Rng::new(2);
        let mut shares = [0.0; 5];
        for _ in 0..1000 {
            rng.dirichlet(1e-4, &mut shares);
            assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-4, "{shares:?}");
        }
    }

    #[test]
    fn weights_are_kept_to() {
        let mut rng = Rng::new(3);
        let mut counts = [0; 4];
        for _ in 0..40_000 {
            counts[rng.weighted(&[0.0, 1.0, 3.0, 0.0])] += 1;
        }
        assert_eq!((counts[0], counts[3]), (0, 0));
        assert!((29_500..30_500).contains(&counts[2]), "{counts:?}");
    }
}
