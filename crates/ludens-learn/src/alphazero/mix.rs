//! Boards of several sizes in one run.

use std::fmt;

use ludens_core::Param;

/// Sizes that games may have: 3, 5, 7, 9, 11.
const SIZES: usize = 5;

/// The bases of Sevn that games start with, and the share of games of each.
///
/// ```
/// use ludens_learn::alphazero::BaseMix;
/// let mix = BaseMix::parse("5:0.8,7:0.2").unwrap();
/// assert_eq!(mix.shares().collect::<Vec<_>>(), [(5, 0.8), (7, 0.2)]);
/// assert_eq!(mix.to_string(), "5:0.8,7:0.2");
/// assert_eq!(BaseMix::parse("4:1"), None);
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct BaseMix([f32; SIZES]);

impl BaseMix {
    /// The setting of the recipe.
    pub(super) const PARAM: Param<BaseMix> = Param::custom(
        "bases",
        "none, or BASE:SHARE,.. such as 5:0.8,7:0.2",
        "none0123456789:.,",
        "none",
        |_, text| BaseMix::parse(text),
    );

    /// The mix of a text: `none`, or bases with their shares.
    pub fn parse(text: &str) -> Option<BaseMix> {
        let mut mix = BaseMix::default();
        if text == "none" {
            return Some(mix);
        }
        for part in text.split(',') {
            let (base, share) = part.split_once(':')?;
            let base: usize = base.parse().ok()?;
            let share: f32 = share.parse().ok()?;
            let index = base.checked_sub(3).filter(|more| more % 2 == 0)? / 2;
            let free = mix.0.get_mut(index).filter(|share| **share == 0.0)?;
            *free = Some(share).filter(|share| share.is_finite() && *share > 0.0)?;
        }
        Some(mix)
    }

    /// The bases with their shares; none where all games have the run's own.
    pub fn shares(&self) -> impl Iterator<Item = (usize, f32)> + '_ {
        let all = self.0.iter().enumerate().map(|(index, share)| (3 + 2 * index, *share));
        all.filter(|(_, share)| *share > 0.0)
    }
}

impl fmt::Display for BaseMix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> =
            self.shares().map(|(base, share)| format!("{base}:{share}")).collect();
        f.write_str(if parts.is_empty() { "none" } else { "" })?;
        f.write_str(&parts.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_round_trip() {
        for text in ["none", "7:1", "3:0.25,9:0.5,11:0.25"] {
            assert_eq!(BaseMix::parse(text).map(|mix| mix.to_string()).as_deref(), Some(text));
        }
        for text in ["", "7", "7:0", "7:-1", "6:1", "13:1", "1:1", "7:1,7:1", "7:nan", "7:1,"] {
            assert_eq!(BaseMix::parse(text), None, "{text}");
        }
    }
}
