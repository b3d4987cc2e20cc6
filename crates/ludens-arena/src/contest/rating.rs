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
mod tests;
