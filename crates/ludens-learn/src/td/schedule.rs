//! Learning rates that change while a run goes on.

use std::fmt;
use std::str::FromStr;

/// Later learning rates: from an episode on, in rising order.
#[derive(Clone, PartialEq, Debug)]
pub struct Schedule(Vec<(u64, f64)>);

impl Schedule {
    /// The rate from an episode on, if it is another than at first.
    pub(super) fn at(&self, episode: u64) -> Option<f64> {
        self.0.iter().rev().find(|(from, _)| *from <= episode).map(|(_, rate)| *rate)
    }
}

/// Reads `none` or `EPISODE:ALPHA,..`.
impl FromStr for Schedule {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        if text == "none" {
            return Ok(Schedule(Vec::new()));
        }
        let point = |piece: &str| {
            let (episode, rate) = piece.split_once(':')?;
            let rate = rate.parse().ok().filter(|rate| (0.0..=10.0).contains(rate))?;
            Some((episode.parse().ok()?, rate))
        };
        let points: Option<Vec<(u64, f64)>> = text.split(',').map(point).collect();
        points.filter(|points| points.is_sorted_by(|a, b| a.0 < b.0)).map(Schedule).ok_or(())
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("none");
        }
        for (i, (episode, rate)) in self.0.iter().enumerate() {
            write!(f, "{}{episode}:{rate}", if i > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}
