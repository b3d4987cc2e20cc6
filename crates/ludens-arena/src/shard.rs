//! A part of some work, for one of several machines.
//!
//! Work is a list of numbered units (runs of boards, pairs of games, episodes), each a pure function of
//! the specification and its number. A shard is every n-th unit, so that all shards see about the same
//! mix.

use std::fmt;
use std::str::FromStr;

use ludens_core::ParseError;
use ludens_core::error::quote;

/// Shard `index` of `count`, counted from 1; written `2/8`.
///
/// ```
/// use ludens_arena::Shard;
/// let shard: Shard = "2/3".parse()?;
/// assert_eq!((0..9).filter(|&unit| shard.has(unit)).collect::<Vec<_>>(), [1, 4, 7]);
/// assert!("4/3".parse::<Shard>().is_err());
/// # Ok::<(), ludens_core::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Shard {
    index: u32,
    count: u32,
}

impl Shard {
    /// All units.
    pub const WHOLE: Shard = Shard { index: 1, count: 1 };
    /// More are not asked for.
    const MOST: u32 = 1_000_000;

    /// One of `count`, from 1; `None` where there is no such shard.
    pub fn new(index: u32, count: u32) -> Option<Self> {
        ((1..=Self::MOST).contains(&count) && (1..=count).contains(&index))
            .then_some(Shard { index, count })
    }

    /// Its number, from 1.
    pub fn index(self) -> u32 {
        self.index
    }

    /// How many there are.
    pub fn count(self) -> u32 {
        self.count
    }

    /// Whether a unit belongs to it.
    pub fn has(self, unit: usize) -> bool {
        unit % self.count as usize == self.index as usize - 1
    }

    /// How many of the units `0..total` belong to it.
    pub fn units(self, total: usize) -> usize {
        (total + self.count as usize - self.index as usize) / self.count as usize
    }
}

impl Default for Shard {
    fn default() -> Self {
        Shard::WHOLE
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let read = || {
            let (index, count) = text.split_once('/')?;
            Shard::new(index.parse().ok()?, count.parse().ok()?)
        };
        read().ok_or_else(|| {
            ParseError::new("shard", quote(text), "I/N with I from 1 to N, such as 2/8")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_have_every_unit_once() {
        for (total, count) in [(0, 3), (1, 3), (10, 1), (10, 3), (11, 4), (3, 7)] {
            let shards = (1..=count).map(|index| Shard::new(index, count).unwrap());
            let mut seen = vec![0; total];
            for shard in shards {
                let units: Vec<usize> = (0..total).filter(|&unit| shard.has(unit)).collect();
                assert_eq!(units.len(), shard.units(total), "{shard} of {total}");
                units.iter().for_each(|&unit| seen[unit] += 1);
            }
            assert!(seen.iter().all(|&times| times == 1), "{count} shards of {total}");
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "1", "0/3", "4/3", "1/0", "-1/3", "1/3/5", "a/b", "1/99999999999"] {
            let error = text.parse::<Shard>().unwrap_err().to_string();
            assert!(error.contains("such as 2/8"), "{error}");
        }
    }
}
