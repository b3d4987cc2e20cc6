//! How fast a game plays at random, and how fast it expands positions.

use std::time::Duration;

use crate::platform::{Instant, thread};
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

    /// The mean of the games' total rewards.
    pub fn mean_total(&self) -> f64 {
        self.total as f64 / self.games as f64
    }

    /// Plays random games from a position for about `span` on each of `threads`
    /// threads, and adds up what they did.
    ///
    /// # Panics
    /// When a playout panics.
    pub fn measure<G: Game>(position: &G, span: Duration, seed: u64, threads: u16) -> Throughput {
        if threads <= 1 {
            return Self::measure_one(position, span, Rng::new(seed));
        }
        let measure = |index| Self::measure_one(position, span, Rng::stream(seed, index));
        let parts = thread::map(0..u64::from(threads), measure);
        parts.into_iter().reduce(Self::beside).expect("there is at least one thread")
    }

    /// Two measurements that ran side by side, as one.
    fn beside(self, other: Throughput) -> Throughput {
        Throughput {
            games: self.games + other.games,
            moves: self.moves + other.moves,
            total: self.total + other.total,
            seconds: self.seconds.max(other.seconds),
        }
    }

    fn measure_one<G: Game>(position: &G, span: Duration, mut rng: Rng) -> Throughput {
        // Look at the clock only after a batch of games: it costs more than a short game.
        const BATCH: u64 = 64;
        let begin = Instant::now();
        let mut sum = Throughput { games: 0, moves: 0, total: 0, seconds: 0.0 };
        while begin.elapsed() < span {
            for _ in 0..BATCH {
                let playout = position.playout(&mut rng);
                sum.moves += u64::from(playout.moves);
                sum.total += playout.total;
            }
            sum.games += BATCH;
        }
        sum.seconds = begin.elapsed().as_secs_f64();
        sum
    }
}

/// Expands positions of random games for about `span` on this thread, looks at
/// every child with `evaluate`, and gives children per second. The random moves
/// in between are part of the time.
pub fn children_per_second<G: Game>(
    position: &G,
    span: Duration,
    seed: u64,
    evaluate: impl Fn(&G::After) -> u64,
) -> f64 {
    let mut rng = Rng::new(seed);
    let (begin, mut children, mut sum) = (Instant::now(), 0u64, 0u64);
    while begin.elapsed() < span {
        let mut here = *position;
        while let Some((_, after, _)) = here.step(&mut rng) {
            here.children(|_, child, _| {
                children += 1;
                sum = sum.wrapping_add(evaluate(&child));
            });
            here = G::apply_outcome(&after, G::sample(&after, &mut rng)).0;
        }
    }
    // The evaluations must not be optimised away.
    std::hint::black_box(sum);
    children as f64 / begin.elapsed().as_secs_f64()
}
