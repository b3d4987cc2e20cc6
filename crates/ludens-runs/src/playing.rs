//! Whole games by an agent: how well it does.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use ludens_arena::Shard;
use ludens_arena::statistics::{Rate, Summary};
use ludens_core::error::quote;
use ludens_core::{Agent, Budget, Limits, ParseError};
use ludens_games::framework::FrameworkGame;
use ludens_learn::{Error, cpu_time};
use serde_json::{Map, Value, json};

use ludens_engine::agents::Seat;
use ludens_engine::episodes::{Episode, Lane, Watch, in_turns};
use ludens_engine::sliding::{Sliding, solo};
use ludens_engine::{TileVisitor, variant_of, visit_tiles};

/// How well an agent played.
#[derive(Clone, PartialEq, Debug)]
pub struct Played {
    /// Its scores.
    pub scores: Summary,
    /// Tiles with how many games reached them, the largest first.
    pub rates: Vec<(u64, Rate)>,
    /// Moves of all games.
    pub moves: u64,
    /// Moves per second.
    pub moves_per_s: f64,
    /// All figures with stable names.
    pub json: Value,
}

impl Played {
    /// How many games reached a tile.
    pub fn rate(&self, tile: u64) -> Rate {
        let none = Rate { hits: 0, total: self.scores.count };
        self.rates.iter().find(|(reached, _)| *reached == tile).map_or(none, |(_, rate)| *rate)
    }
}

/// What [`evaluate`] is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Games<'a> {
    /// The game with its variant.
    pub game: &'a str,
    /// Who plays.
    pub agent: &'a str,
    /// How many games.
    pub count: u64,
    /// The seed of their luck.
    pub seed: u64,
    /// Threads.
    pub threads: usize,
    /// Which of the games.
    pub shard: Shard,
}

/// Games that have ended, by number, and what they took.
#[derive(Clone, PartialEq, Debug)]
pub struct Episodes {
    /// The games.
    pub episodes: Vec<Episode>,
    /// Seconds on the clock.
    pub seconds: f64,
    /// Seconds of processors.
    pub cpu_seconds: f64,
}

/// How far an evaluation has come.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GamesProgress {
    /// Games that have ended.
    pub games: u64,
    /// Games to play.
    pub total: u64,
    /// The mean score so far.
    pub mean: f64,
    /// Time until the end at this speed.
    pub left: Duration,
}

/// Lets an agent play whole games; those that had ended count when it was stopped, and
/// `None` comes when there was none. `report` is called for every game that ends.
///
/// # Errors
/// When the game, the agent or its network is wrong.
pub fn evaluate(
    asked: &Games<'_>,
    stop: &AtomicBool,
    report: &mut dyn FnMut(&GamesProgress),
) -> Result<Option<Played>, Error> {
    let Episodes { episodes, seconds, cpu_seconds } = play_episodes(asked, stop, report)?;
    summarize(asked, &episodes, seconds, cpu_seconds)
}

/// Lets an agent play whole games; those that had ended when it was stopped.
///
/// # Errors
/// When the game, the agent or its network is wrong.
pub fn play_episodes(
    asked: &Games<'_>,
    stop: &AtomicBool,
    report: &mut dyn FnMut(&GamesProgress),
) -> Result<Episodes, Error> {
    struct Play<'a, 'b>(&'a Games<'b>, &'a AtomicBool, &'a mut dyn FnMut(&GamesProgress));
    impl TileVisitor for Play<'_, '_> {
        type Output = Result<Episodes, Error>;
        fn visit<G: Sliding + FrameworkGame>(self) -> Self::Output {
            games::<G>(self.0, self.1, self.2)
        }
    }
    visit_tiles(asked.game, Play(asked, stop, report))?
}

/// Sums up games that took some seconds of the clock and of processors; `None` without any.
///
/// # Errors
/// When there is no such game.
pub fn summarize(
    asked: &Games<'_>,
    episodes: &[Episode],
    seconds: f64,
    cpu_seconds: f64,
) -> Result<Option<Played>, Error> {
    struct Summarize<'a, 'b>(&'a Games<'b>, &'a [Episode], f64, f64);
    impl TileVisitor for Summarize<'_, '_> {
        type Output = Option<Played>;
        fn visit<G: Sliding + FrameworkGame>(self) -> Self::Output {
            figures::<G>(self.0, self.1, self.2, self.3)
        }
    }
    Ok(visit_tiles(asked.game, Summarize(asked, episodes, seconds, cpu_seconds))?)
}

fn games<G: Sliding>(
    asked: &Games<'_>,
    stop: &AtomicBool,
    report: &mut dyn FnMut(&GamesProgress),
) -> Result<Episodes, Error> {
    let variant = variant_of::<G>(asked.game)?;
    Ok(watched::<G, ()>(&variant, asked, || (), stop, report)?.0)
}

/// Plays games while each thread has a watcher of its own; the games, and the watchers.
pub(crate) fn watched<G: Sliding, W: Watch<G> + Send>(
    variant: &G::Variant,
    asked: &Games<'_>,
    watcher: impl Fn() -> W,
    stop: &AtomicBool,
    report: &mut dyn FnMut(&GamesProgress),
) -> Result<(Episodes, Vec<W>), Error> {
    let mut players = Vec::new();
    for _ in 0..asked.threads.max(1) {
        let agent = Seat::parse(asked.agent, variant, solo::<G>)?.agent;
        let agent = agent.ok_or_else(|| {
            ParseError::new("agent", quote(asked.agent), "one that plays by itself, such as ntuple")
        })?;
        players.push((agent, watcher()));
    }
    let (begin, cpu) = (Instant::now(), cpu_time());
    let (ends, watchers) = play(players, variant, asked, stop, &mut |ends| {
        let (done, total) = (ends.len() as u64, asked.shard.units(asked.count as usize) as u64);
        let sum: i64 = ends.iter().map(|end| end.score).sum();
        let left = begin.elapsed().mul_f64((total - done) as f64 / done as f64);
        report(&GamesProgress { games: done, total, mean: sum as f64 / done as f64, left });
    });
    let seconds = begin.elapsed().as_secs_f64();
    let cpu_seconds = cpu_time().zip(cpu).map_or(seconds, |(now, then)| (now - then).as_secs_f64());
    Ok((Episodes { episodes: ends, seconds, cpu_seconds }, watchers))
}

/// Plays on all threads; the games that ended, by number, and the watchers.
fn play<G: Sliding, W: Watch<G> + Send>(
    players: Vec<(Box<dyn Agent<G>>, W)>,
    variant: &G::Variant,
    asked: &Games<'_>,
    stop: &AtomicBool,
    report: &mut dyn FnMut(&[Episode]),
) -> (Vec<Episode>, Vec<W>) {
    let next = AtomicU64::new(0);
    let (sender, receiver) = mpsc::channel();
    let mut ends = Vec::new();
    let watchers = std::thread::scope(|scope| {
        let mut threads = Vec::new();
        for (mut agent, mut watch) in players {
            let (sender, next) = (sender.clone(), &next);
            threads.push(scope.spawn(move || {
                let begin = || {
                    let (first, step) = (asked.shard.index() - 1, asked.shard.count());
                    let turn = next.fetch_add(1, Ordering::Relaxed);
                    let number = turn.checked_mul(step.into())?.checked_add(first.into())?;
                    (number < asked.count).then(|| Lane::start(variant, asked.seed, number))
                };
                let limits = Limits::new(Instant::now(), Budget::default(), stop);
                in_turns(&mut *agent, variant, begin, &limits, &mut watch, &mut |end| {
                    // Nobody listens any more only when all is over.
                    let _ = sender.send(end);
                });
                watch
            }));
        }
        drop(sender);
        for end in receiver {
            ends.push(end);
            report(&ends);
        }
        threads.into_iter().map(|thread| thread.join().expect("games do not panic")).collect()
    });
    // In the order of their numbers, whoever was first.
    ends.sort_unstable();
    (ends, watchers)
}

pub(crate) fn figures<G: Sliding>(
    asked: &Games<'_>,
    ends: &[Episode],
    seconds: f64,
    spent: f64,
) -> Option<Played> {
    let scores: Vec<f64> = ends.iter().map(|end| end.score as f64).collect();
    let scores = Summary::of(&scores)?;
    let moves: u64 = ends.iter().map(|end| end.moves).sum();
    let mut rates = Vec::new();
    for number in (1..64).rev() {
        let reached = rate(ends, number);
        if reached.hits > 0 {
            rates.push((G::tile(number), reached));
        }
    }
    let each = |f: &dyn Fn(Rate) -> Value| -> Map<String, Value> {
        rates.iter().map(|(tile, rate)| (tile.to_string(), f(*rate))).collect()
    };
    let moves_per_s = moves as f64 / seconds;
    let json = json!({
        "game": asked.game,
        "agent": asked.agent,
        "games": ends.len(),
        "seed": asked.seed,
        "mean": scores.mean,
        "interval": scores.interval(),
        "sd": scores.sd,
        "median": scores.median,
        "min": scores.min,
        "max": scores.max,
        "rate": each(&|rate| json!(rate.share())),
        "rate_interval": each(&|rate| json!(rate.interval())),
        "moves": moves,
        "moves_per_s": moves_per_s.round(),
        "moves_per_cpu_s": (moves as f64 / spent).round(),
    });
    Some(Played { scores, rates, moves, moves_per_s, json })
}

/// How many games reached a number.
fn rate(ends: &[Episode], number: u8) -> Rate {
    Rate { hits: ends.iter().filter(|end| end.largest >= number).count(), total: ends.len() }
}
