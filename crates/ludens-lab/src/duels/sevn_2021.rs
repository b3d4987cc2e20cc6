//! The recipe of Clark (2021) as experiments run it: the first games of its schedule.

use crate::Error;
use crate::lab::{Lab, Size};
use crate::runs::{Learned, RunPlan, settings};

/// Up to which iteration there were so many games in each, by table 4.1.
const SCHEDULE: [(u64, u64); 3] = [(59, 90), (79, 240), (114, 1000)];
/// Games of self-play that Clark's network learned from.
pub(super) const GAMES: u64 = 59 * 90 + 20 * 240 + 35 * 1000;
/// Iterations of all of them.
pub(super) const ITERATIONS: u64 = 114;
/// The preset, and the name of runs that are kept: experiments share them.
pub(super) const NAME: &str = "sevn-2021";

/// Parts of the schedule that come to so many games at most, in whole iterations: up to which iteration,
/// and games of each. One iteration at least.
fn parts(games: u64) -> Vec<(u64, u64)> {
    let (mut parts, mut before, mut left) = (Vec::new(), 0, games);
    for (to, each) in SCHEDULE {
        let count = (to - before).min(left / each);
        if count > 0 {
            parts.push((before + count, each));
        }
        left -= count * each;
        if before + count < to {
            break;
        }
        before = to;
    }
    if parts.is_empty() {
        parts.push((1, games.max(1)));
    }
    parts
}

/// Learns from the first games of the schedule, or goes on with a run that was kept.
pub(super) fn learn(lab: &mut Lab<'_>, run: u32) -> Result<Learned, Error> {
    let games = lab.episodes(SCHEDULE[0].0 * SCHEDULE[0].1 + 20 * 240, 24, 3);
    let mut learned: Option<Learned> = None;
    for (iterations, games) in parts(games) {
        let mut all = settings(&[("iterations", &iterations), ("games", &games)]);
        all.extend(small(lab));
        let plan = RunPlan {
            name: NAME.to_owned(),
            recipe: "alphazero",
            preset: Some(NAME),
            game: "sevn",
            settings: all,
            run,
            ..RunPlan::default()
        };
        match &mut learned {
            Some(learned) => learned.go_on(lab, &plan)?,
            None => learned = Some(lab.learned(&plan)?),
        }
    }
    learned.ok_or_else(|| Error::Failed("a schedule without iterations".to_owned()))
}

/// What a run of less than the whole size has less of besides games.
pub(super) fn small(lab: &Lab<'_>) -> Vec<(String, String)> {
    match lab.settings.size {
        Size::Full => Vec::new(),
        _ => settings(&[("sims", &simulations(lab)), ("batch", &lab.pick(64, 32, 8))]),
    }
}

/// Simulations of a move of self-play.
pub(super) fn simulations(lab: &Lab<'_>) -> u64 {
    lab.pick(200, 24, 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedules_are_cut_short() {
        assert_eq!(parts(GAMES), SCHEDULE);
        assert_eq!(parts(10_110), SCHEDULE[..2]);
        assert_eq!(parts(10_109), [(59, 90), (78, 240)]);
        assert_eq!(parts(10_110 + 2500), [(59, 90), (79, 240), (81, 1000)]);
        assert_eq!((parts(200), parts(40), parts(0)), (vec![(2, 90)], vec![(1, 40)], vec![(1, 1)]));
        assert_eq!(GAMES, 45_110);
        assert_eq!(SCHEDULE[2].0, ITERATIONS);
    }
}
