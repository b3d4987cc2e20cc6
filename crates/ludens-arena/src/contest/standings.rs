//! What a contest says of its entrants.

use std::collections::BTreeMap;

use super::play::{ContestGame, Contested, tally};
use super::rating::{Duels, Rating, ratings};
use super::tally::{Score, Tally};
use crate::statistics::quantile;

/// How long an agent thought about its moves, in milliseconds.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct MoveTimes {
    /// Its moves.
    pub moves: usize,
    /// Their mean.
    pub mean: f64,
    /// Their median.
    pub median: f64,
    /// 95 % of them were not longer.
    pub most: f64,
    /// The longest.
    pub max: f64,
}

/// Games that an agent lost otherwise than by the rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Forfeits {
    /// The agent, by number.
    pub entrant: usize,
    /// What it did wrong.
    pub reason: String,
    /// How often.
    pub games: usize,
}

/// Tables of a contest.
#[derive(Clone, PartialEq, Debug)]
pub struct Standings {
    /// Every two entrants that have played, the smaller number first.
    pub duels: Vec<Duels>,
    /// The ratings.
    pub ratings: Vec<Rating>,
    /// All games of each entrant.
    pub totals: Vec<Tally>,
    /// How long they thought.
    pub times: Vec<MoveTimes>,
    /// Games that were lost otherwise than by the rules.
    pub forfeits: Vec<Forfeits>,
}

impl Standings {
    /// The tables of `entrants` entrants on a scale where the `anchor` has a rating.
    pub fn of(entrants: usize, contested: &Contested, anchor: (usize, f64)) -> Self {
        let games = &contested.games;
        let mut duels = Vec::new();
        for one in 0..entrants {
            for two in one + 1..entrants {
                let tally = tally(games.iter(), one, two);
                if tally.games() > 0 {
                    duels.push(Duels { one, two, tally });
                }
            }
        }
        let total = |entrant: usize| {
            let mut total = Tally::default();
            for duel in &duels {
                if duel.one == entrant {
                    total.add(&duel.tally);
                } else if duel.two == entrant {
                    total.add(&duel.tally.flipped());
                }
            }
            total
        };
        Standings {
            ratings: ratings(entrants, &duels, anchor),
            totals: (0..entrants).map(total).collect(),
            times: (0..entrants).map(|entrant| times(games, entrant)).collect(),
            forfeits: forfeits(games),
            duels,
        }
    }
}

fn times(games: &[ContestGame], entrant: usize) -> MoveTimes {
    let mut all: Vec<f64> = Vec::new();
    for game in games {
        for (side, player) in [game.first, game.second].into_iter().enumerate() {
            if player == entrant {
                all.extend(game.game.micros[side].iter().map(|&micros| micros as f64 / 1000.0));
            }
        }
    }
    if all.is_empty() {
        return MoveTimes::default();
    }
    all.sort_by(f64::total_cmp);
    MoveTimes {
        moves: all.len(),
        mean: all.iter().sum::<f64>() / all.len() as f64,
        median: quantile(&all, 0.5),
        most: quantile(&all, 0.95),
        max: all[all.len() - 1],
    }
}

fn forfeits(games: &[ContestGame]) -> Vec<Forfeits> {
    let mut counts: BTreeMap<(usize, &str), usize> = BTreeMap::new();
    for game in games {
        let loser = match game.game.score {
            Score::Loss => game.first,
            Score::Win => game.second,
            Score::Draw => continue,
        };
        if let Some(reason) = &game.game.reason {
            *counts.entry((loser, reason)).or_default() += 1;
        }
    }
    let forfeits = counts.into_iter();
    forfeits
        .map(|((entrant, reason), games)| Forfeits { entrant, reason: reason.to_owned(), games })
        .collect()
}
