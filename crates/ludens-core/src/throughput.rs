//! How fast a game plays at random.

use std::time::{Duration, Instant};

use crate::{Game, Rng};

/// Random games played in a span of time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Throughput {
    /// Whole games.
    pub games: u64,
    /// Players' actions in them.
    pub moves: u64,
    /// The sum of all their rewards.
    pub total: i64,
    /// The time they took.
    pub seconds: f64,
}

impl Throughput {
    /// Games per second.
    pub fn games_per_second(&self) -> f64 {
        self.games as f64 / self.seconds
    }

    /// Actions per second.
    pub fn moves_per_second(&self) -> f64 {
        self.moves as f64 / self.seconds
    }

    /// Plays random games from a position on this thread for about `span`.
    pub fn measure<G: Game>(position: &G, span: Duration, rng: &mut Rng) -> Throughput {
        // Look at the clock only every so many games: it costs more than a short game.
        const BATCH: u64 = 64;
        let begin = Instant::now();
        let mut sum = Throughput { games: 0, moves: 0, total: 0, seconds: 0.0 };
        while begin.elapsed() < span {
            for _ in 0..BATCH {
                let playout = position.playout(rng);
                sum.moves += u64::from(playout.moves);
                sum.total += playout.total;
            }
            sum.games += BATCH;
        }
        sum.seconds = begin.elapsed().as_secs_f64();
        sum
    }
}
