//! Ratings of many agents from the games between them: maximum likelihood.
//!
//! The chance of a win is the logistic function of the difference of two ratings
//! (Bradley and Terry, 1952); a draw is half a win. The likelihood has one maximum as long
//! as points went both ways around, which is found by Newton's method. Intervals treat the
//! openings as independent, not the games (a sandwich estimator over openings).

use super::tally::{Elo, Tally};
use crate::statistics::NORMAL_95;

/// Natural units in one Elo.
const PER_ELO: f64 = std::f64::consts::LN_10 / 400.0;

/// The games between two agents, by number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Duels {
    /// The agent whose tally it is.
    pub one: usize,
    /// The other one.
    pub two: usize,
    /// What the first has scored.
    pub tally: Tally,
}

/// What the games say of an agent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Rating {
    /// Its rating; the interval is that of the difference to the anchor.
    Rated(Elo),
    /// It took all points from those with a rating: stronger by no one knows how much.
    Above,
    /// It left all points to those with a rating.
    Below,
    /// No games connect it with the anchor.
    Disconnected,
}

impl Rating {
    /// Why there is no number, for people.
    pub fn note(&self) -> Option<&'static str> {
        match self {
            Rating::Rated(_) => None,
            Rating::Above => Some("above: took every point from those with a rating"),
            Rating::Below => Some("below: left every point to those with a rating"),
            Rating::Disconnected => Some("disconnected: no games tell it and the anchor apart"),
        }
    }
}

/// Ratings of `agents` agents on a scale where the `anchor` has a given rating.
///
/// # Panics
/// When a number is not below `agents`.
pub fn ratings(agents: usize, duels: &[Duels], anchor: (usize, f64)) -> Vec<Rating> {
    let (anchor, level) = anchor;
    let below = reached(agents, duels, anchor, |tally| tally.wins + tally.draws);
    let above = reached(agents, duels, anchor, |tally| tally.losses + tally.draws);
    let linked = reached(agents, duels, anchor, Tally::games);
    let rated: Vec<usize> = (0..agents).filter(|&i| below[i] && above[i]).collect();
    let fitted = fit(&rated, duels, anchor);
    let rating = |i: usize| match rated.iter().position(|&agent| agent == i) {
        Some(at) => {
            let (theta, error) = fitted[at];
            let (value, half) = (level + theta / PER_ELO, NORMAL_95 * error / PER_ELO);
            let (low, high) = (Some(value - half), Some(value + half));
            Rating::Rated(Elo { value: Some(value), low, high })
        }
        None if !linked[i] => Rating::Disconnected,
        None if above[i] && !below[i] => Rating::Above,
        None if below[i] && !above[i] => Rating::Below,
        None => Rating::Disconnected,
    };
    (0..agents).map(rating).collect()
}

/// The agents that can be reached from one by steps to somebody who gave something:
/// `given` of the tally of who steps.
fn reached(
    agents: usize,
    duels: &[Duels],
    from: usize,
    given: impl Fn(&Tally) -> u64,
) -> Vec<bool> {
    let mut found = vec![false; agents];
    let mut todo = vec![from];
    found[from] = true;
    while let Some(here) = todo.pop() {
        for duel in duels {
            let (next, tally) = match here {
                _ if here == duel.one => (duel.two, duel.tally),
                _ if here == duel.two => (duel.one, duel.tally.flipped()),
                _ => continue,
            };
            if !found[next] && given(&tally) > 0 {
                found[next] = true;
                todo.push(next);
            }
        }
    }
    found
}

/// The likeliest ratings in natural units with their standard errors, the anchor's 0.
/// The likelihood must have a maximum.
fn fit(agents: &[usize], duels: &[Duels], anchor: usize) -> Vec<(f64, f64)> {
    let index = |agent: usize| agents.iter().position(|&a| a == agent);
    let duels: Vec<(usize, usize, &Tally)> = duels
        .iter()
        .filter_map(|duel| Some((index(duel.one)?, index(duel.two)?, &duel.tally)))
        .filter(|(one, two, tally)| one != two && tally.games() > 0)
        .collect();
    let anchor = index(anchor).expect("the anchor is rated");
    let n = agents.len();
    let mut theta = vec![0.0; n];
    let expected =
        |theta: &[f64], one: usize, two: usize| 1.0 / (1.0 + (theta[two] - theta[one]).exp());
    let mut inverse = Matrix::identity(n);
    for _ in 0..200 {
        // Step 1. The slope and the curvature of the likelihood.
        let (mut slope, mut curvature) = (vec![0.0; n], Matrix::zero(n));
        for &(one, two, tally) in &duels {
            let (games, p) = (tally.games() as f64, expected(&theta, one, two));
            let rest = games * (tally.share().unwrap_or(0.5) - p);
            slope[one] += rest;
            slope[two] -= rest;
            curvature.add_difference(one, two, games * p * (1.0 - p));
        }
        // Step 2. The anchor stays where it is.
        slope[anchor] = 0.0;
        curvature.fix(anchor);
        inverse = curvature.inverse();
        let step = inverse.times(&slope);
        // Step 3. Not too far at once: far out the likelihood is not at all a parabola.
        let longest = step.iter().fold(0.0f64, |most, s| most.max(s.abs()));
        let scale = if longest > 2.0 { 2.0 / longest } else { 1.0 };
        theta.iter_mut().zip(&step).for_each(|(t, s)| *t += scale * s);
        if longest < 1e-10 {
            break;
        }
    }
    // Step 4. How much the openings vary around what was expected of them.
    let mut spread = Matrix::zero(n);
    for &(one, two, tally) in &duels {
        let p = expected(&theta, one, two);
        let mut sum = 2.0 * p * (1.0 - p);
        for (halves, &count) in tally.pairs.iter().enumerate() {
            sum += count as f64 * (0.5 * halves as f64 - 2.0 * p).powi(2);
        }
        for (halves, &count) in tally.single.iter().enumerate() {
            sum += count as f64 * (0.5 * halves as f64 - p).powi(2);
        }
        spread.add_difference(one, two, sum);
    }
    spread.fix(anchor);
    let covariance = inverse.multiply(&spread).multiply(&inverse);
    let error = |i: usize| if i == anchor { 0.0 } else { covariance.at(i, i).max(0.0).sqrt() };
    (0..n).map(|i| (theta[i] - theta[anchor], error(i))).collect()
}

/// A small square matrix.
#[derive(Clone)]
struct Matrix {
    n: usize,
    cells: Vec<f64>,
}

impl Matrix {
    fn zero(n: usize) -> Self {
        Matrix { n, cells: vec![0.0; n * n] }
    }

    fn identity(n: usize) -> Self {
        let mut matrix = Matrix::zero(n);
        (0..n).for_each(|i| *matrix.cell(i, i) = 1.0);
        matrix
    }

    fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.n + column]
    }

    fn cell(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.cells[row * self.n + column]
    }

    /// Adds `weight` times the square of the difference of two unknowns.
    fn add_difference(&mut self, one: usize, two: usize, weight: f64) {
        *self.cell(one, one) += weight;
        *self.cell(two, two) += weight;
        *self.cell(one, two) -= weight;
        *self.cell(two, one) -= weight;
    }

    /// Takes an unknown out: its row and column are those of the identity.
    fn fix(&mut self, index: usize) {
        for i in 0..self.n {
            *self.cell(index, i) = 0.0;
            *self.cell(i, index) = 0.0;
        }
        *self.cell(index, index) = 1.0;
    }

    fn times(&self, vector: &[f64]) -> Vec<f64> {
        let row = |i: usize| vector.iter().enumerate().map(|(j, v)| self.at(i, j) * v).sum();
        (0..self.n).map(row).collect()
    }

    fn multiply(&self, other: &Matrix) -> Matrix {
        let mut product = Matrix::zero(self.n);
        for i in 0..self.n {
            for j in 0..self.n {
                *product.cell(i, j) = (0..self.n).map(|k| self.at(i, k) * other.at(k, j)).sum();
            }
        }
        product
    }

    /// The inverse of a positive definite matrix, by elimination. A pivot that has
    /// vanished in rounding is taken for the smallest number there is, which leaves a huge
    /// standard error.
    fn inverse(&self) -> Matrix {
        let (mut left, mut right) = (self.clone(), Matrix::identity(self.n));
        for pivot in 0..self.n {
            let scale = 1.0 / left.at(pivot, pivot).max(f64::MIN_POSITIVE.sqrt());
            for j in 0..self.n {
                *left.cell(pivot, j) *= scale;
                *right.cell(pivot, j) *= scale;
            }
            for row in (0..self.n).filter(|&row| row != pivot) {
                let factor = left.at(row, pivot);
                for j in 0..self.n {
                    *left.cell(row, j) -= factor * left.at(pivot, j);
                    *right.cell(row, j) -= factor * right.at(pivot, j);
                }
            }
        }
        right
    }
}

#[cfg(test)]
mod tests {
    use ludens_core::Rng;

    use super::super::tally::{Score, share_of_elo};
    use super::*;

    fn duel(one: usize, two: usize, wins: u64, losses: u64) -> Duels {
        let mut tally = Tally::default();
        let (mut wins, mut losses) = (wins, losses);
        while wins + losses > 0 {
            let mut game = || {
                if wins >= losses {
                    wins -= 1;
                    Score::Win
                } else {
                    losses -= 1;
                    Score::Loss
                }
            };
            let pair = [game(), game()];
            tally.enter(&pair);
        }
        Duels { one, two, tally }
    }

    fn value(rating: Rating) -> f64 {
        match rating {
            Rating::Rated(elo) => elo.value.unwrap(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn two_agents_have_the_closed_form() {
        let found = ratings(2, &[duel(0, 1, 60, 40)], (1, 1000.0));
        let expected = duel(0, 1, 60, 40).tally.elo().unwrap();
        assert!((value(found[0]) - 1000.0 - expected.value.unwrap()).abs() < 1e-6);
        assert_eq!(
            found[1],
            Rating::Rated(Elo { value: Some(1000.0), low: Some(1000.0), high: Some(1000.0) })
        );
    }

    /// At the maximum every agent has scored what its rating expects of it.
    #[test]
    fn the_maximum_explains_every_score() {
        let duels = [
            duel(0, 1, 30, 10),
            duel(1, 2, 25, 15),
            duel(2, 3, 35, 5),
            duel(3, 0, 2, 38),
            duel(0, 2, 36, 4),
        ];
        let found: Vec<f64> = ratings(4, &duels, (3, 500.0)).into_iter().map(value).collect();
        for agent in 0..4 {
            let (mut scored, mut expected) = (0.0, 0.0);
            for duel in &duels {
                let games = duel.tally.games() as f64;
                let points = duel.tally.share().unwrap() * games;
                let share = share_of_elo(found[duel.one] - found[duel.two]);
                if duel.one == agent {
                    scored += points;
                    expected += games * share;
                } else if duel.two == agent {
                    scored += games - points;
                    expected += games * (1.0 - share);
                }
            }
            assert!((scored - expected).abs() < 1e-6, "{agent}: {scored} {expected}");
        }
        assert!((found[3] - 500.0).abs() < 1e-9);
    }

    #[test]
    fn what_cannot_be_rated_is_said() {
        let found = ratings(
            6,
            &[duel(0, 1, 12, 8), duel(2, 1, 20, 0), duel(1, 3, 20, 0), duel(4, 5, 3, 7)],
            (0, 0.0),
        );
        assert!(matches!(found[1], Rating::Rated(_)));
        assert_eq!(
            found[2..],
            [Rating::Above, Rating::Below, Rating::Disconnected, Rating::Disconnected]
        );
        // Above one and below another: the games tell nothing about the two together.
        let found = ratings(3, &[duel(0, 1, 10, 0), duel(2, 1, 10, 0)], (0, 0.0));
        assert_eq!(found[1..], [Rating::Below, Rating::Disconnected]);
    }

    /// Simulated tournaments: nine of ten and more intervals hold the true difference.
    #[test]
    fn intervals_hold_what_they_promise() {
        let truth = [0.0, 120.0, 300.0, 350.0];
        let mut rng = Rng::new(11);
        let (mut held, mut all) = (0, 0);
        for _ in 0..150 {
            let mut duels = Vec::new();
            for one in 0..4 {
                for two in 0..one {
                    let share = share_of_elo(truth[one] - truth[two]);
                    let mut tally = Tally::default();
                    for _ in 0..40 {
                        let mut play = || match rng.unit() < share {
                            true => Score::Win,
                            false => Score::Loss,
                        };
                        tally.enter(&[play(), play()]);
                    }
                    duels.push(Duels { one, two, tally });
                }
            }
            for (rating, truth) in ratings(4, &duels, (0, 0.0)).into_iter().zip(truth).skip(1) {
                let Rating::Rated(elo) = rating else { continue };
                all += 1;
                held += u32::from(elo.low.unwrap() <= truth && truth <= elo.high.unwrap());
            }
        }
        let share = f64::from(held) / f64::from(all);
        assert!(all > 440 && (0.92..0.985).contains(&share), "{share} of {all}");
    }
}
