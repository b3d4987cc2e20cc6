//! The random generator every game, search and learner takes as an argument.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng};

/// A seeded xoshiro256++ generator with the few draws games need.
///
/// The same seed gives the same stream on every machine and in every version
/// of Ludens with the same major number.
///
/// ```
/// use ludens_core::Rng;
/// let mut a = Rng::new(7);
/// let mut b = Rng::new(7);
/// assert_eq!(a.below(100), b.below(100));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Self {
        Rng(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// The `index`-th of many independent generators of one seed, for workers
    /// and for the games of a series.
    pub fn stream(seed: u64, index: u64) -> Self {
        // SplitMix64's increment: distinct indices land far apart before the
        // seeding function mixes them.
        Rng::new(seed ^ index.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    /// 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// 32 random bits.
    #[inline]
    pub fn next_u32(&mut self) -> u32 {
        (self.0.next_u64() >> 32) as u32
    }

    /// A number in `0..n`, every one exactly equally likely.
    ///
    /// # Panics
    /// In debug builds when `n` is 0.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        debug_assert!(n > 0, "below(0) has no value to give");
        let mut product = u64::from(self.next_u32()) * u64::from(n);
        // Lemire's method: the low half decides whether this draw belongs to
        // the short, over-represented part of the range.
        if (product as u32) < n {
            let threshold = n.wrapping_neg() % n;
            while (product as u32) < threshold {
                product = u64::from(self.next_u32()) * u64::from(n);
            }
        }
        (product >> 32) as u32
    }

    /// A number in `[0, 1)` with 53 random bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Puts the items into a uniformly random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            let j = self.below(i as u32 + 1) as usize;
            items.swap(i, j);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn below_is_uniform() {
        let mut rng = Rng::new(1);
        let mut counts = [0u32; 7];
        let n = 70_000;
        for _ in 0..n {
            counts[rng.below(7) as usize] += 1;
        }
        let expected = f64::from(n) / 7.0;
        let chi: f64 = counts.iter().map(|&c| (f64::from(c) - expected).powi(2) / expected).sum();
        assert!(chi < 22.5, "chi-square {chi} with 6 degrees of freedom: {counts:?}");
    }

    #[test]
    fn streams_differ_and_repeat() {
        let draw = |i| Rng::stream(3, i).next_u64();
        assert_eq!(draw(0), draw(0));
        assert_ne!(draw(0), draw(1));
        assert_ne!(draw(0), Rng::new(3).next_u64());
    }

    #[test]
    fn unit_stays_in_range() {
        let mut rng = Rng::new(2);
        assert!((0..10_000).all(|_| (0.0..1.0).contains(&rng.unit())));
    }
}
