//! Whole games by an agent: how well it does.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use ludens_arena::statistics::{Rate, Summary};
use ludens_core::error::quote;
use ludens_core::{Agent, Budget, Choice, Context, ParseError, Rng};
use ludens_games::{Game2048, Game2584, Threes};
use ludens_learn::{Error, cpu_time};
use serde_json::{Map, Value, json};

use crate::agents::Seat;
use crate::sliding::{Sliding, solo, variant_of};

/// Games that a thread plays in turns, so that an agent can look at all of them together.
const LANES: usize = 8;

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
/// `None` comes when there was none. `tell` hears of every game that ends.
///
/// # Errors
/// When the game, the agent or its network is wrong.
pub fn evaluate(
    asked: &Games<'_>,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(&GamesProgress),
) -> Result<Option<Played>, Error> {
    match asked.game.split(':').next().unwrap_or_default() {
        "2048" => games::<Game2048>(asked, stop, tell),
        "2584" => games::<Game2584>(asked, stop, tell),
        "threes" => games::<Threes>(asked, stop, tell),
        other => Err(unknown(other)),
    }
}

/// For names that are no sliding game.
pub(crate) fn unknown(game: &str) -> Error {
    ParseError::new("game", quote(game), "one of tiles: 2048, 2584 or threes").into()
}

/// One game: its score, its largest number and its moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct End {
    number: u64,
    score: i64,
    largest: u8,
    moves: u64,
}

fn games<G: Sliding>(
    asked: &Games<'_>,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(&GamesProgress),
) -> Result<Option<Played>, Error> {
    let variant = variant_of::<G>(asked.game)?;
    let mut agents = Vec::new();
    for _ in 0..asked.threads.max(1) {
        let agent = Seat::parse(asked.agent, &variant, solo::<G>)?.agent;
        agents.push(agent.ok_or_else(|| {
            ParseError::new("agent", quote(asked.agent), "one that plays by itself, such as ntuple")
        })?);
    }
    let (begin, cpu) = (Instant::now(), cpu_time());
    let ends = play(agents, &variant, asked, stop, &mut |ends| {
        let (done, total) = (ends.len() as u64, asked.count);
        let sum: i64 = ends.iter().map(|end| end.score).sum();
        let left = begin.elapsed().mul_f64((total - done) as f64 / done as f64);
        tell(&GamesProgress { games: done, total, mean: sum as f64 / done as f64, left });
    });
    let seconds = begin.elapsed().as_secs_f64();
    let spent = cpu_time().zip(cpu).map_or(seconds, |(now, then)| (now - then).as_secs_f64());
    Ok(figures::<G>(asked, &ends, seconds, spent))
}

/// Plays on all threads; the games that ended, by number.
fn play<G: Sliding>(
    agents: Vec<Box<dyn Agent<G>>>,
    variant: &G::Variant,
    asked: &Games<'_>,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(&[End]),
) -> Vec<End> {
    let next = AtomicU64::new(0);
    let (sender, receiver) = mpsc::channel();
    let mut ends = Vec::new();
    std::thread::scope(|scope| {
        for mut agent in agents {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                let begin = || {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    (number < asked.count).then(|| Lane::begin(variant, asked.seed, number))
                };
                in_turns(&mut *agent, variant, begin, stop, &mut |end| {
                    // Nobody listens any more only when all is over.
                    let _ = sender.send(end);
                });
            });
        }
        drop(sender);
        for end in receiver {
            ends.push(end);
            tell(&ends);
        }
    });
    // In the order of their numbers, whoever was first.
    ends.sort_unstable();
    ends
}

/// A game in progress.
struct Lane<G: Sliding> {
    number: u64,
    luck: Rng,
    score: i64,
    moves: u64,
    last: Option<G::After>,
}

impl<G: Sliding> Lane<G> {
    /// A game from a start.
    fn begin(variant: &G::Variant, seed: u64, number: u64) -> (G, Rng, Self) {
        let mut luck = Rng::stream(seed, 2 * number);
        let position = G::start(variant, &mut luck);
        let score = position.score().unwrap_or(0);
        let (position, rng, lane) = Lane::on(position, score, seed, number);
        (position, rng, Lane { luck, ..lane })
    }

    /// A game that goes on from a position.
    fn on(position: G, score: i64, seed: u64, number: u64) -> (G, Rng, Self) {
        let luck = Rng::stream(seed, 2 * number);
        let lane = Lane { number, luck, score, moves: 0, last: None };
        // Agents draw from a stream of their own, so that who plays does not change luck.
        (position, Rng::stream(seed, 2 * number + 1), lane)
    }

    fn end(&self, variant: &G::Variant) -> End {
        let mut cells = vec![0; G::cell_shape(variant).cells];
        if let Some(after) = self.last {
            G::write_cells(&after, &mut cells);
        }
        let largest = cells.into_iter().max().unwrap_or(0);
        End { number: self.number, score: self.score, largest, moves: self.moves }
    }
}

/// Plays the games that `begin` gives, some at a time; `done` hears of every end.
fn in_turns<G: Sliding>(
    agent: &mut dyn Agent<G>,
    variant: &G::Variant,
    mut begin: impl FnMut() -> Option<(G, Rng, Lane<G>)>,
    stop: &AtomicBool,
    done: &mut dyn FnMut(End),
) {
    let (mut positions, mut rngs, mut lanes) = (Vec::new(), Vec::new(), Vec::<Lane<G>>::new());
    let mut actions = Vec::with_capacity(LANES);
    let mut silent = |_: &Choice<G::Action>| {};
    let mut context = Context::for_agent(Budget::default(), Rng::new(0), 1, stop, &mut silent);
    loop {
        // Games that are over make room, and new ones begin.
        let mut at = 0;
        while at < LANES {
            if at == lanes.len() {
                let Some((position, rng, lane)) = begin() else { break };
                positions.push(position);
                rngs.push(rng);
                lanes.push(lane);
            }
            let position: &G = &positions[at];
            if position.is_over() {
                done(lanes[at].end(variant));
                positions.swap_remove(at);
                rngs.swap_remove(at);
                lanes.swap_remove(at);
            } else {
                at += 1;
            }
        }
        if lanes.is_empty() || stop.load(Ordering::Relaxed) {
            return;
        }
        actions.clear();
        agent.choose_all(&positions, &mut rngs, &mut context, &mut actions);
        for ((position, lane), &action) in positions.iter_mut().zip(&mut lanes).zip(&actions) {
            let (after, reward) = position.apply(action);
            let (next, bonus) = G::apply_outcome(&after, G::sample(&after, &mut lane.luck));
            lane.score += i64::from(reward) + i64::from(bonus);
            lane.moves += 1;
            lane.last = Some(after);
            *position = next;
        }
    }
}

fn figures<G: Sliding>(
    asked: &Games<'_>,
    ends: &[End],
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

/// Games played on from a position by an agent: the scores still made, and how many games
/// reached which tile, the smallest first. `None` when it was stopped before any ended.
pub(crate) fn play_on<G: Sliding>(
    agent: &mut dyn Agent<G>,
    position: &G,
    count: u64,
    seed: u64,
    stop: &AtomicBool,
) -> Option<(Summary, Vec<(u64, Rate)>)> {
    let (mut ends, mut next) = (Vec::new(), 0);
    let begin = || {
        (next < count).then(|| {
            next += 1;
            Lane::on(*position, 0, seed, next - 1)
        })
    };
    in_turns(agent, &position.variant(), begin, stop, &mut |end| ends.push(end));
    let scores: Vec<f64> = ends.iter().map(|end| end.score as f64).collect();
    let rates = (1..64).map(|number| (G::tile(number), rate(&ends, number)));
    Some((Summary::of(&scores)?, rates.filter(|(_, rate)| rate.hits > 0).collect()))
}

/// How many games reached a number.
fn rate(ends: &[End], number: u8) -> Rate {
    Rate { hits: ends.iter().filter(|end| end.largest >= number).count(), total: ends.len() }
}
