//! The tree-structured Parzen estimator.
//!
//! The trials so far are parted into good and other ones. Of values drawn from the density of the good
//! ones, the one is tried next whose density among the good over that among the others is
//! largest: that is where the expected improvement is.

use ludens_core::Rng;

use super::{Dimension, Domain};

/// Trials before anything is inferred from them.
const RANDOM: usize = 4;
/// The share of trials that count as good: the quantile of the losses in Bergstra et al., 2011.
const GOOD: f64 = 0.15;
/// Values drawn, of which the best is tried.
const CANDIDATES: usize = 24;

/// The settings to try next, given those tried so far with their losses.
///
/// ```
/// use ludens_core::Rng;
/// use ludens_learn::tune::{Dimension, Domain, suggest};
/// let space = [Dimension { name: "rate", domain: Domain::Log(1e-4, 1.0) }];
/// let mut trials = Vec::new();
/// for number in 0..40 {
///     let next = suggest(&space, &trials, &mut Rng::stream(1, number));
///     let loss = (next[0].log10() + 2.0).powi(2);
///     trials.push((next, loss));
/// }
/// let best = trials.iter().map(|(_, loss)| *loss).fold(f64::INFINITY, f64::min);
/// assert!(best < 0.01);
/// ```
pub fn suggest(space: &[Dimension], trials: &[(Vec<f64>, f64)], rng: &mut Rng) -> Vec<f64> {
    let mut order: Vec<&(Vec<f64>, f64)> =
        trials.iter().filter(|(_, loss)| loss.is_finite()).collect();
    if order.len() < RANDOM {
        return space.iter().map(|dimension| dimension.domain.draw(rng)).collect();
    }
    order.sort_by(|a, b| a.1.total_cmp(&b.1));
    let (good, others) = order.split_at(good_of(order.len()));
    // Every setting by itself, as the estimator does.
    space
        .iter()
        .enumerate()
        .map(|(index, dimension)| {
            let of = |part: &[&(Vec<f64>, f64)]| {
                let locations =
                    part.iter().map(|(values, _)| dimension.domain.location(values[index]));
                Density::new(&dimension.domain, locations.collect())
            };
            let (good, others) = (of(good), of(others));
            let candidates = (0..CANDIDATES).map(|_| good.draw(rng));
            let gain = |location: &f64| good.at(*location).ln() - others.at(*location).ln();
            let best = candidates.max_by(|a, b| gain(a).total_cmp(&gain(b)));
            dimension.domain.value(best.expect("there are candidates"))
        })
        .collect()
}

/// How many of the trials, two at least, are good ones; some are and some are not.
fn good_of(trials: usize) -> usize {
    ((GOOD * trials as f64).ceil() as usize).clamp(1, trials - 1)
}

/// A density over the locations of a setting: a bell around each, or a count of each choice, with a
/// prior that leaves nothing out.
enum Density {
    Bells(Vec<(f64, f64)>),
    Counts(Vec<f64>),
}

impl Density {
    fn new(domain: &Domain, mut locations: Vec<f64>) -> Density {
        match domain {
            Domain::Choice(values) => {
                let mut counts = vec![1.0; values.len()];
                locations.iter().for_each(|location| counts[*location as usize] += 1.0);
                Density::Counts(counts)
            }
            Domain::Log(..) => {
                locations.sort_by(f64::total_cmp);
                let least = 1.0 / (1.0 + locations.len() as f64).min(100.0);
                let bell = |(index, &location): (usize, &f64)| {
                    // As wide as the way to the farther neighbour; the ends of the range are some.
                    let left = index.checked_sub(1).map_or(0.0, |before| locations[before]);
                    let right = locations.get(index + 1).copied().unwrap_or(1.0);
                    (location, (location - left).max(right - location).clamp(least, 1.0))
                };
                let mut bells: Vec<(f64, f64)> = locations.iter().enumerate().map(bell).collect();
                bells.push((0.5, 1.0));
                Density::Bells(bells)
            }
        }
    }

    fn draw(&self, rng: &mut Rng) -> f64 {
        match self {
            Density::Counts(counts) => {
                let mut left = rng.unit() * counts.iter().sum::<f64>();
                let found = counts.iter().position(|count| {
                    left -= count;
                    left < 0.0
                });
                found.unwrap_or(counts.len() - 1) as f64
            }
            Density::Bells(bells) => {
                let (centre, width) = bells[rng.below(bells.len() as u32) as usize];
                loop {
                    // Box and Muller's; what falls outside is drawn again.
                    let radius = (-2.0 * (1.0 - rng.unit()).ln()).sqrt();
                    let normal = radius * (std::f64::consts::TAU * rng.unit()).cos();
                    let location = centre + width * normal;
                    if (0.0..=1.0).contains(&location) {
                        return location;
                    }
                }
            }
        }
    }

    fn at(&self, location: f64) -> f64 {
        match self {
            Density::Counts(counts) => counts[location as usize] / counts.iter().sum::<f64>(),
            Density::Bells(bells) => {
                let height = |&(centre, width): &(f64, f64)| {
                    let inside = below((1.0 - centre) / width) - below(-centre / width);
                    let exponent = -0.5 * ((location - centre) / width).powi(2);
                    exponent.exp() / (width * std::f64::consts::TAU.sqrt() * inside)
                };
                bells.iter().map(height).sum::<f64>() / bells.len() as f64
            }
        }
    }
}

/// The share of a normal distribution below `x`: Abramowitz and Stegun's 26.2.17, to 1e-7.
fn below(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * x.abs());
    let factors = [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let sum = factors.iter().rev().fold(0.0, |sum, factor| (sum + factor) * t);
    let tail = (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt() * sum;
    if x < 0.0 { tail } else { 1.0 - tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn densities_are_what_is_drawn() {
        let locations = vec![0.1, 0.2, 0.7];
        let density = Density::new(&Domain::Log(1.0, 10.0), locations);
        let area: f64 = (0..1000).map(|i| density.at((f64::from(i) + 0.5) / 1000.0) / 1000.0).sum();
        assert!((area - 1.0).abs() < 1e-3, "{area}");
        let mut rng = Rng::new(1);
        let drawn = (0..20_000).filter(|_| density.draw(&mut rng) < 0.3).count() as f64 / 20_000.0;
        let share: f64 = (0..300).map(|i| density.at((f64::from(i) + 0.5) / 1000.0) / 1000.0).sum();
        assert!((drawn - share).abs() < 0.02, "{drawn} {share}");
        let counts = Density::new(&Domain::Choice(&[1.0, 2.0, 4.0]), vec![2.0, 2.0]);
        assert_eq!([0.0, 1.0, 2.0].map(|location| counts.at(location)), [0.2, 0.2, 0.6]);
    }

    #[test]
    fn the_best_fifteen_of_a_hundred_are_good() {
        assert_eq!([4, 20, 100].map(good_of), [1, 3, 15]);
    }

    #[test]
    fn it_beats_random_search() {
        let space = [
            Dimension { name: "a", domain: Domain::Log(1e-6, 1e-2) },
            Dimension { name: "b", domain: Domain::Choice(&[32.0, 64.0, 128.0, 256.0]) },
        ];
        let loss = |v: &[f64]| (v[0].log10() + 3.0).powi(2) + ((v[1] / 128.0).log2()).powi(2);
        let (mut better, rounds) = (0, 30);
        for seed in 0..rounds {
            let run = |clever: bool| {
                let mut trials: Vec<(Vec<f64>, f64)> = Vec::new();
                for number in 0..30 {
                    let known = if clever { trials.as_slice() } else { &[] };
                    let next = suggest(&space, known, &mut Rng::stream(seed, number));
                    let loss = loss(&next);
                    trials.push((next, loss));
                }
                trials.iter().map(|(_, loss)| *loss).fold(f64::INFINITY, f64::min)
            };
            better += u32::from(run(true) < run(false));
        }
        assert!(better >= 20, "{better} of {rounds}");
    }
}
