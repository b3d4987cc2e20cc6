//! Ratings, totals and times of a contest's players.

use std::collections::BTreeMap;

use serde::Serialize;

use super::play::{ContestGame, Contested, tally};
use super::rating::{Duels, Rating, ratings};
use super::tally::{Score, Tally};
use crate::statistics::quantile;

/// How long an agent thought about its moves, in milliseconds.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct MoveTimes {
    /// Its moves.
    pub moves: usize,
    /// Their mean.
    #[serde(rename = "mean_ms")]
    pub mean: f64,
    /// Their median.
    #[serde(rename = "median_ms")]
    pub median: f64,
    /// Their 95th percentile.
    #[serde(rename = "p95_ms")]
    pub p95: f64,
    /// The longest.
    #[serde(rename = "max_ms")]
    pub max: f64,
}

/// Games that an agent lost otherwise than by the rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Forfeits {
    /// The agent, by number.
    pub player: usize,
    /// What it did wrong.
    pub reason: String,
    /// How often.
    pub games: usize,
}

/// Tables of a contest.
#[derive(Clone, PartialEq, Debug)]
pub struct Standings {
    /// Every two players that have played, the smaller number first.
    pub duels: Vec<Duels>,
    /// The ratings.
    pub ratings: Vec<Rating>,
    /// All games of each player.
    pub totals: Vec<Tally>,
    /// How long they thought.
    pub times: Vec<MoveTimes>,
    /// Games that were lost otherwise than by the rules.
    pub forfeits: Vec<Forfeits>,
}

impl Standings {
    /// The tables of `players` players on a scale where the `anchor` has a rating.
    pub fn of(players: usize, contested: &Contested, anchor: (usize, f64)) -> Self {
        let games = &contested.games;
        let mut duels = Vec::new();
        for one in 0..players {
            for two in one + 1..players {
                let tally = tally(games.iter(), one, two);
                if tally.games() > 0 {
                    duels.push(Duels { one, two, tally });
                }
            }
        }
        let total = |player: usize| {
            let mut total = Tally::default();
            for duel in &duels {
                if duel.one == player {
                    total.add(&duel.tally);
                } else if duel.two == player {
                    total.add(&duel.tally.flipped());
                }
            }
            total
        };
        Standings {
            ratings: ratings(players, &duels, anchor),
            totals: (0..players).map(total).collect(),
            times: (0..players).map(|player| times(games, player)).collect(),
            forfeits: forfeits(games),
            duels,
        }
    }
}

fn times(games: &[ContestGame], player: usize) -> MoveTimes {
    let mut all: Vec<f64> = Vec::new();
    for game in games {
        for (side, seated) in [game.first, game.second].into_iter().enumerate() {
            if seated == player {
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
        p95: quantile(&all, 0.95),
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
        .map(|((player, reason), games)| Forfeits { player, reason: reason.to_owned(), games })
        .collect()
}
