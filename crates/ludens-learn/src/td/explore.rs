//! Moves other than the best one, for comparison with optimistic values.
//!
//! H. Guei, On reinforcement learning for the game of 2048, dissertation, 2023, appendix C.

use std::fmt;
use std::str::FromStr;

use ludens_core::Rng;

/// Moves other than the best one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Exploration {
    /// None.
    Greedy,
    /// A random move with this probability.
    Epsilon(f64),
    /// Each move with a probability that falls exponentially with what it is worth
    /// less than the best, divided by the [`Scale`] and by this.
    Softmax(f64),
}

/// What softmax divides values by before its temperature does.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Scale {
    /// A number of points.
    Points(f64),
    /// The size of the best move's value, so that temperatures are shares of it.
    Best,
}

/// Reads `none`, `epsilon:P` or `softmax:T`.
impl FromStr for Exploration {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let number = |text: &str, most: f64| {
            text.parse::<f64>().ok().filter(|number| *number >= 0.0 && *number <= most)
        };
        let found = match text.split_once(':') {
            None if text == "none" => Some(Exploration::Greedy),
            Some(("epsilon", p)) => number(p, 1.0).map(Exploration::Epsilon),
            Some(("softmax", t)) => number(t, 1e9).filter(|t| *t > 0.0).map(Exploration::Softmax),
            _ => None,
        };
        found.ok_or(())
    }
}

impl fmt::Display for Exploration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exploration::Greedy => f.write_str("none"),
            Exploration::Epsilon(p) => write!(f, "epsilon:{p}"),
            Exploration::Softmax(t) => write!(f, "softmax:{t}"),
        }
    }
}

impl Exploration {
    /// A share of it; none for 0.
    pub(super) fn lowered(self, share: f64) -> Self {
        match self {
            _ if share <= 0.0 => Exploration::Greedy,
            Exploration::Greedy => Exploration::Greedy,
            Exploration::Epsilon(p) => Exploration::Epsilon(p * share),
            Exploration::Softmax(t) => Exploration::Softmax(t * share),
        }
    }
}

/// Reads a number of points, or `best`.
impl FromStr for Scale {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        if text == "best" {
            return Ok(Scale::Best);
        }
        let points = text.parse::<f64>().ok().filter(|points| (1e-9..=1e12).contains(points));
        points.map(Scale::Points).ok_or(())
    }
}

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scale::Points(points) => write!(f, "{points}"),
            Scale::Best => f.write_str("best"),
        }
    }
}

impl Scale {
    fn of(self, best: f32) -> f64 {
        match self {
            Scale::Points(points) => points,
            Scale::Best => f64::from(best.abs()).max(1e-9),
        }
    }
}

/// How moves are chosen by their values.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Policy {
    pub(super) explore: Exploration,
    pub(super) scale: Scale,
}

impl Policy {
    /// The best move always.
    pub(super) const GREEDY: Policy =
        Policy { explore: Exploration::Greedy, scale: Scale::Points(1.0) };

    /// The move to make among `count` moves with these values; `weights` is scratch.
    #[inline(always)]
    pub(super) fn choose(
        &self,
        best: usize,
        count: usize,
        value: impl Fn(usize) -> f32,
        rng: &mut Rng,
        weights: &mut Vec<f64>,
    ) -> usize {
        match self.explore {
            Exploration::Greedy => best,
            Exploration::Epsilon(p) if rng.unit() < p => rng.below(count as u32) as usize,
            Exploration::Epsilon(_) => best,
            Exploration::Softmax(temperature) => {
                let most = value(best);
                let divisor = temperature * self.scale.of(most);
                weights.clear();
                weights.extend((0..count).map(|i| (f64::from(value(i) - most) / divisor).exp()));
                drawn(weights, rng)
            }
        }
    }
}

/// The number of a weight, drawn in proportion.
fn drawn(weights: &[f64], rng: &mut Rng) -> usize {
    let mut left = rng.unit() * weights.iter().sum::<f64>();
    for (i, weight) in weights.iter().enumerate() {
        left -= weight;
        if left < 0.0 {
            return i;
        }
    }
    weights.len() - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often each of two moves is made that are worth 900 and 1000.
    fn share_of_the_worse(explore: Exploration, scale: Scale) -> f64 {
        let (policy, values) = (Policy { explore, scale }, [900.0, 1000.0]);
        let (mut rng, mut weights) = (Rng::new(3), Vec::new());
        let worse =
            (0..20_000).filter(|_| policy.choose(1, 2, |i| values[i], &mut rng, &mut weights) == 0);
        worse.count() as f64 / 20_000.0
    }

    #[test]
    fn softmax_divides_by_its_scale() {
        let softmax = Exploration::Softmax(0.1);
        // A tenth of the best value: e^-1 against 1.
        let expected = (-1f64).exp() / (1.0 + (-1f64).exp());
        for scale in [Scale::Best, Scale::Points(1000.0)] {
            let found = share_of_the_worse(softmax, scale);
            assert!((found - expected).abs() < 0.015, "{found} {expected}");
        }
        assert_eq!(share_of_the_worse(softmax, Scale::Points(1.0)), 0.0);
        let half = share_of_the_worse(Exploration::Epsilon(0.5), Scale::Best);
        assert!((half - 0.25).abs() < 0.015, "{half}");
        assert_eq!(share_of_the_worse(Exploration::Greedy, Scale::Best), 0.0);
    }

    #[test]
    fn lowered_to_nothing() {
        assert_eq!(Exploration::Epsilon(0.1).lowered(0.5), Exploration::Epsilon(0.05));
        assert_eq!(Exploration::Softmax(2.0).lowered(0.25), Exploration::Softmax(0.5));
        assert_eq!(Exploration::Epsilon(0.1).lowered(0.0), Exploration::Greedy);
    }
}
