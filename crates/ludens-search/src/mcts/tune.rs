//! The cross-entropy method, for tuning C, D and other numbers of a search.
//!
//! It draws candidates from a normal distribution per number, keeps the best
//! ones and fits the distributions to them, round after round. Scores may be
//! noisy; the more boards a score is a mean of, the better.
//!
//! Reference: S. Klein, *Attacking SameGame using Monte-Carlo Tree Search*
//! (2015), section 3.7.1, for SP-MCTS.

use ludens_core::Rng;

/// A normal distribution.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Normal {
    /// Its mean.
    pub mean: f64,
    /// Its standard deviation.
    pub deviation: f64,
}

/// How long and how greedily to tune.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tuning {
    /// Rounds of drawing and fitting.
    pub rounds: usize,
    /// Candidates per round.
    pub candidates: usize,
    /// How many of them the distributions are fitted to.
    pub elite: usize,
}

impl Default for Tuning {
    fn default() -> Self {
        Tuning { rounds: 10, candidates: 40, elite: 8 }
    }
}

/// Moves the distributions towards numbers with a large score and returns them.
pub fn cross_entropy(
    tuning: Tuning,
    mut normals: Vec<Normal>,
    rng: &mut Rng,
    mut score: impl FnMut(&[f64]) -> f64,
) -> Vec<Normal> {
    for _ in 0..tuning.rounds {
        let mut candidates: Vec<(f64, Vec<f64>)> = (0..tuning.candidates.max(1))
            .map(|_| {
                let drawn: Vec<f64> =
                    normals.iter().map(|n| n.mean + n.deviation * standard(rng)).collect();
                (score(&drawn), drawn)
            })
            .collect();
        candidates.sort_by(|a, b| b.0.total_cmp(&a.0));
        candidates.truncate(tuning.elite.max(1));
        let count = candidates.len() as f64;
        for (i, normal) in normals.iter_mut().enumerate() {
            let mean = candidates.iter().map(|(_, drawn)| drawn[i]).sum::<f64>() / count;
            let squares = candidates.iter().map(|(_, drawn)| (drawn[i] - mean).powi(2));
            *normal = Normal { mean, deviation: (squares.sum::<f64>() / count).sqrt() };
        }
    }
    normals
}

/// A draw from the standard normal distribution (Box and Muller).
fn standard(rng: &mut Rng) -> f64 {
    let radius = (-2.0 * (1.0 - rng.unit()).ln()).sqrt();
    radius * (std::f64::consts::TAU * rng.unit()).cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_top_of_a_hill() {
        let start = vec![Normal { mean: 0.0, deviation: 2.0 }; 2];
        let hill = |x: &[f64]| -(x[0] - 1.5).powi(2) - (x[1] + 0.5).powi(2);
        let found = cross_entropy(Tuning::default(), start.clone(), &mut Rng::new(1), hill);
        assert!((found[0].mean - 1.5).abs() < 0.1 && (found[1].mean + 0.5).abs() < 0.1);
        assert_eq!(found, cross_entropy(Tuning::default(), start, &mut Rng::new(1), hill));
    }
}
