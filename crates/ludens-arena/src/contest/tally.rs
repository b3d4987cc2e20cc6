//! Wins, draws and losses of one agent against another, and the Elo they speak for.

use crate::statistics::wilson;

/// How a game ended for one of its players.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Score {
    /// Lost.
    Loss,
    /// Drawn.
    Draw,
    /// Won.
    Win,
}

impl Score {
    /// Half points: 0, 1 or 2.
    pub const fn halves(self) -> u8 {
        self as u8
    }

    /// The score of `halves` half points.
    pub const fn of_halves(halves: u8) -> Option<Score> {
        match halves {
            0 => Some(Score::Loss),
            1 => Some(Score::Draw),
            2 => Some(Score::Win),
            _ => None,
        }
    }

    /// The same game seen by the other player.
    #[must_use]
    pub const fn flipped(self) -> Score {
        match self {
            Score::Loss => Score::Win,
            Score::Draw => Score::Draw,
            Score::Win => Score::Loss,
        }
    }
}

/// A difference of ratings with its 95 % interval. `None` stands for no end: who has
/// won every game may be better by any amount.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Elo {
    /// The most likely difference.
    pub value: Option<f64>,
    /// The lower end of the interval.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
}

/// The Elo difference at which this share of the points is expected; `None` at the ends.
///
/// ```
/// use ludens_arena::contest::elo_of_share;
/// assert_eq!(elo_of_share(0.5), Some(0.0));
/// assert!((elo_of_share(10.0 / 11.0).unwrap() - 400.0).abs() < 1e-9);
/// assert_eq!(elo_of_share(1.0), None);
/// ```
pub fn elo_of_share(share: f64) -> Option<f64> {
    (share > 0.0 && share < 1.0).then(|| 400.0 * (share / (1.0 - share)).log10())
}

/// The share of the points that is expected at an Elo difference.
pub fn share_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The games of one agent against another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Openings of which both games are played, by the half points they gave: 0 to 4.
    pub pairs: [u64; 5],
    /// Games whose partner is missing, by their half points.
    pub single: [u64; 3],
}

impl Tally {
    /// Enters the games of one opening: both, or the one there is.
    pub fn enter(&mut self, scores: &[Score]) {
        for score in scores {
            match score {
                Score::Win => self.wins += 1,
                Score::Draw => self.draws += 1,
                Score::Loss => self.losses += 1,
            }
        }
        match scores {
            [one, two] => self.pairs[usize::from(one.halves() + two.halves())] += 1,
            single => single.iter().for_each(|one| self.single[usize::from(one.halves())] += 1),
        }
    }

    /// Enters the games of another tally.
    pub fn add(&mut self, other: &Tally) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        self.pairs.iter_mut().zip(other.pairs).for_each(|(own, count)| *own += count);
        self.single.iter_mut().zip(other.single).for_each(|(own, count)| *own += count);
    }

    /// All games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The share of the points; `None` without games.
    pub fn share(&self) -> Option<f64> {
        let points = self.wins as f64 + 0.5 * self.draws as f64;
        (self.games() > 0).then(|| points / self.games() as f64)
    }

    /// The same games seen by the other agent.
    #[must_use]
    pub fn flipped(&self) -> Tally {
        let (mut pairs, mut single) = (self.pairs, self.single);
        pairs.reverse();
        single.reverse();
        Tally { wins: self.losses, draws: self.draws, losses: self.wins, pairs, single }
    }

    /// The 95 % interval of the share. Two games of one opening are not independent: a
    /// side may be winning for whoever has it. The opening is the unit, and the interval
    /// is Wilson's for as many independent games as would vary as much.
    pub fn interval(&self) -> Option<(f64, f64)> {
        let share = self.share()?;
        let games = self.games() as f64;
        let mut spread = 0.0;
        for (halves, &count) in self.pairs.iter().enumerate() {
            spread += count as f64 * (0.5 * halves as f64 - 2.0 * share).powi(2);
        }
        for (halves, &count) in self.single.iter().enumerate() {
            spread += count as f64 * (0.5 * halves as f64 - share).powi(2);
        }
        // One opening as it would be among equals: a few that all went alike say little
        // about how much they vary.
        spread += 0.5;
        let variance = spread / (games * games);
        let inner = (share * games + 0.5) / (games + 1.0);
        let (low, high) = wilson(share, inner * (1.0 - inner) / variance);
        // Rounding must not make an end of what has none.
        let (none, all) = (self.wins + self.draws == 0, self.losses + self.draws == 0);
        Some((if none { 0.0 } else { low }, if all { 1.0 } else { high }))
    }

    /// The difference of ratings that the games speak for; `None` without games.
    pub fn elo(&self) -> Option<Elo> {
        let (low, high) = self.interval()?;
        Some(Elo {
            value: elo_of_share(self.share()?),
            low: elo_of_share(low),
            high: elo_of_share(high),
        })
    }
}

#[cfg(test)]
mod tests {
    use ludens_core::Rng;

    use super::*;

    fn of_pairs(pairs: &[(Score, Score, u64)]) -> Tally {
        let mut tally = Tally::default();
        for &(one, two, count) in pairs {
            (0..count).for_each(|_| tally.enter(&[one, two]));
        }
        tally
    }

    #[test]
    fn counts_and_flips() {
        use Score::{Draw, Loss, Win};
        let mut tally = of_pairs(&[(Win, Loss, 3), (Win, Draw, 2), (Loss, Loss, 1)]);
        tally.enter(&[Win]);
        assert_eq!((tally.wins, tally.draws, tally.losses), (6, 2, 5));
        assert_eq!(tally.pairs, [1, 0, 3, 2, 0]);
        let flipped = tally.flipped();
        assert_eq!((flipped.wins, flipped.pairs), (5, [0, 2, 3, 0, 1]));
        let (elo, back) = (tally.elo().unwrap(), flipped.elo().unwrap());
        assert!((elo.value.unwrap() + back.value.unwrap()).abs() < 1e-9);
        assert!((elo.low.unwrap() + back.high.unwrap()).abs() < 1e-9);
        assert_eq!(Tally::default().elo(), None);
        for halves in 0..3 {
            let score = Score::of_halves(halves).unwrap();
            assert_eq!((score.halves(), score.flipped().halves()), (halves, 2 - halves));
        }
        assert_eq!(Score::of_halves(3), None);
    }

    #[test]
    fn who_wins_everything_has_no_upper_end() {
        let all = of_pairs(&[(Score::Win, Score::Win, 100)]).elo().unwrap();
        assert_eq!((all.value, all.high), (None, None));
        // Wilson's lower end of 200 wins in 200 games is 0.981: 686 Elo.
        assert!((600.0..760.0).contains(&all.low.unwrap()), "{all:?}");
    }

    #[test]
    fn openings_decided_by_the_side_say_little_variance() {
        use Score::{Loss, Win};
        let by_side = of_pairs(&[(Win, Loss, 100)]).elo().unwrap();
        let by_luck = of_pairs(&[(Win, Win, 25), (Win, Loss, 50), (Loss, Loss, 25)]).elo().unwrap();
        let width = |elo: Elo| elo.high.unwrap() - elo.low.unwrap();
        assert_eq!(by_side.value, Some(0.0));
        assert!(width(by_side) < 10.0, "{by_side:?}");
        // 200 independent games: plus or minus 48 Elo.
        assert!((90.0..102.0).contains(&width(by_luck)), "{by_luck:?}");
    }

    /// The interval holds the truth about 95 times of 100, with sides that matter much.
    #[test]
    fn intervals_hold_what_they_promise() {
        let mut rng = Rng::new(7);
        for (strength, side, openings) in [(0.0, 2.0, 50), (0.8, 0.0, 50), (1.5, 1.0, 100)] {
            let win = |x: f64| 1.0 / (1.0 + (-x).exp());
            let truth = (win(strength + side) + win(strength - side)) / 2.0;
            let mut held = 0;
            for _ in 0..1000 {
                let mut tally = Tally::default();
                for _ in 0..openings {
                    let mut play = |x: f64| match rng.unit() < win(x) {
                        true => Score::Win,
                        false => Score::Loss,
                    };
                    tally.enter(&[play(strength + side), play(strength - side)]);
                }
                let (low, high) = tally.interval().unwrap();
                held += i32::from(low <= truth && truth <= high);
            }
            assert!((925..=980).contains(&held), "{strength} {side}: {held}");
        }
    }
}
