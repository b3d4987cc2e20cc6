//! Matches and tournaments of agents.
//!
//! Every two agents play the same openings twice, with sides swapped, so that neither the
//! openings nor the side decide. Each game is kept in the [`Store`](crate::Store) as soon as
//! it is over; games that are there already are not played again.
//!
//! What an agent is, and how a game is played, is for a [`Referee`], written where names and
//! games meet. Games end by the rules or by a forfeit, which is a loss with a reason.

mod graph;
mod json;
mod play;
mod rating;
mod sprt;
mod standings;
mod tally;

#[cfg(test)]
mod tests;

use std::sync::atomic::AtomicBool;

use crate::{Reuse, Shard};

pub use graph::{Measured, RatingCycle, earlier, graph_ratings, near};
pub use json::contest_json;
pub use play::{ContestGame, ContestProgress, Contested, contest};
pub use rating::{Duels, Rating, ratings};
pub use sprt::{Sprt, SprtDecision};
pub use standings::{Forfeits, MoveTimes, Standings};
pub use tally::{Elo, Score, Tally, elo_of_share, share_of_elo};

/// A player of a contest.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ContestPlayer {
    /// How tables call it.
    pub name: String,
    /// What it is, as the store tells it from others: its name with all that its play
    /// depends on.
    pub key: String,
}

/// What to play.
#[derive(Clone, Copy, Debug, Default)]
pub struct ContestPlan<'a> {
    /// The game with its variant.
    pub game: &'a str,
    /// Who takes part, at least two, all with different keys.
    pub players: &'a [ContestPlayer],
    /// The openings and the limits, as the store tells them from others.
    pub terms: &'a str,
    /// Name, version and build of what plays.
    pub program: &'a str,
    /// Whether games of other programs are reused.
    pub reuse: Reuse,
    /// Openings of each two players; each is played twice.
    pub openings: u32,
    /// From which the openings and the randomness of the agents are made.
    pub seed: u64,
    /// Games at the same time, at least 1.
    pub workers: usize,
    /// Ends a match of two as soon as this has an answer.
    pub sprt: Option<Sprt>,
    /// Which of the pairs of games.
    pub shard: Shard,
}

/// A game that is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// How it ended for who moved first.
    pub score: Score,
    /// Why, where the rules did not end it: what the loser did wrong.
    pub reason: Option<String>,
    /// The position it began with.
    pub start: String,
    /// The moves, those of the opening first.
    pub moves: Vec<String>,
    /// The microseconds that each move took, of who moved first and of who moved second.
    pub micros: [Vec<u64>; 2],
}

/// Who plays a game, and from which seeds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// The player that moves first, by number.
    pub first: usize,
    /// The one that moves second.
    pub second: usize,
    /// The seed of the opening, which it shares with other games.
    pub opening: u64,
    /// The seed of everything else.
    pub seed: u64,
}

/// Plays games of players.
pub trait Referee: Sync {
    /// A board at which one game after another is played, for one thread.
    fn board(&self) -> Box<dyn Board + '_>;
}

/// Where games are played.
pub trait Board {
    /// Plays a game to its end; what it gives once `stop` is set does not matter.
    fn play(&mut self, fixture: &Fixture, stop: &AtomicBool) -> Game;
}
