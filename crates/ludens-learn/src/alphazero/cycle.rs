//! Playing and learning, iteration by iteration.

use std::collections::VecDeque;
use std::time::Instant;

use ludens_core::{Deterministic, Game, Notation, Rng};
use ludens_search::tree::PuctConfig;
use serde_json::{Value, json};

use super::AlphaZeroConfig;
use super::game::{Lesson, Referee, SelfPlay};
use super::planner::Planner;
use super::play::Games;
use super::pupil::Pupil;
use crate::{Error, cpu_time};

/// What an iteration came to.
#[derive(Clone, PartialEq, Debug)]
pub struct Iteration<G> {
    /// Its number, from 1.
    pub number: u64,
    /// Its games in the order of their numbers.
    pub games: Vec<SelfPlay<G>>,
    /// The mean losses of policy and value; none while there was nothing to learn from.
    pub losses: Option<[f32; 2]>,
    /// Steps of learning.
    pub steps: u64,
    /// Positions judged.
    pub judged: u64,
    /// Seconds.
    pub seconds: f64,
    /// Seconds of processor time, all threads together; those on the clock where the system does
    /// not tell.
    pub cpu: f64,
}

/// Self-play that teaches the network that plays.
pub struct AlphaZero<G: Game, P, T> {
    /// The settings.
    pub config: AlphaZeroConfig,
    /// The network.
    pub pupil: P,
    variant: G::Variant,
    seed: u64,
    plan: fn(PuctConfig) -> T,
    referee: Option<fn(u64) -> Referee<G>>,
    window: VecDeque<Lesson<G>>,
    /// Lessons of every iteration that the window reaches back to.
    sizes: VecDeque<usize>,
    iterations: u64,
    seconds: f64,
}

/// Streams of randomness: games have those from 0 on.
const LEARNING: u64 = 1 << 63;

impl<G: Deterministic + Notation, P: Pupil<G>, T: Planner<G>> AlphaZero<G, P, T> {
    /// Begins; `plan` makes the tree of a game.
    pub fn new(
        config: AlphaZeroConfig,
        variant: G::Variant,
        seed: u64,
        pupil: P,
        plan: fn(PuctConfig) -> T,
    ) -> Self {
        AlphaZero {
            config,
            pupil,
            variant,
            seed,
            plan,
            referee: None,
            window: VecDeque::new(),
            sizes: VecDeque::new(),
            iterations: 0,
            seconds: 0.0,
        }
    }

    /// The same with a referee, made for every game with the nodes that it may use for a position: what it
    /// knows is learned in the place of results.
    #[must_use]
    pub fn refereed(self, referee: Option<fn(u64) -> Referee<G>>) -> Self {
        AlphaZero { referee, ..self }
    }

    /// Goes on after so many iterations and seconds, with the games of each.
    pub fn resume(&mut self, iterations: u64, seconds: f64, games: Vec<Vec<SelfPlay<G>>>) {
        (self.iterations, self.seconds) = (iterations, seconds);
        games.iter().for_each(|games| self.remember(games));
    }

    /// Whole iterations.
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// Seconds spent in whole iterations.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// Lessons in the window.
    pub fn lessons(&self) -> usize {
        self.window.len()
    }

    /// The first iteration whose games are still needed to go on.
    pub fn oldest(&self) -> u64 {
        self.iterations + 1 - self.sizes.len() as u64
    }

    /// Whether iterations or minutes are used up.
    pub fn is_done(&self) -> bool {
        self.iterations >= self.config.iterations || self.seconds >= 60.0 * self.config.minutes
    }

    fn remember(&mut self, games: &[SelfPlay<G>]) {
        let before = self.window.len();
        self.window.extend(games.iter().flat_map(|game| game.lessons(self.config.blend)));
        self.sizes.push_back(self.window.len() - before);
        while self.sizes.iter().skip(1).sum::<usize>() >= self.config.window {
            self.sizes.pop_front();
        }
        let over = self.window.len().saturating_sub(self.config.window);
        self.window.drain(..over);
    }

    /// Plays the games of an iteration, and meanwhile learns from those of the iterations before.
    /// `None` when `stop` asked for an end, or time ran out; nothing of what was begun counts then.
    ///
    /// # Errors
    /// When the loss is no number any more.
    pub fn iterate(
        &mut self,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Iteration<G>>, Error> {
        let (begin, cpu) = (Instant::now(), cpu_time());
        let left = 60.0 * self.config.minutes - self.seconds;
        let stop = || stop() || begin.elapsed().as_secs_f64() > left;
        let config = self.config;
        let threads = config.threads.max(1);
        let mut evaluators = self.pupil.evaluators(threads, config.cache)?;
        let own = evaluators.pop();
        let first = self.iterations * config.games;
        let numbers = first..first + config.games;
        let games = Games::new(self.variant, &config, self.seed, self.plan, numbers, &stop)
            .refereed(self.referee);
        let (mut played, mut judged) = (Vec::new(), 0);
        let learned = std::thread::scope(|scope| {
            let workers: Vec<_> = evaluators
                .into_iter()
                .map(|mut evaluator| {
                    let games = &games;
                    scope.spawn(move || games.play(&mut *evaluator))
                })
                .collect();
            let learned = self.learn(&stop);
            let mut parts = Vec::new();
            if let (Ok(_), Some(mut evaluator)) = (&learned, own) {
                parts.push(games.play(&mut *evaluator));
            }
            parts.extend(workers.into_iter().map(|w| w.join().expect("self-play does not panic")));
            for (part, count) in parts {
                played.extend(part);
                judged += count;
            }
            learned
        });
        let (losses, steps) = learned?;
        if games.is_stopped() {
            return Ok(None);
        }
        played.sort_by_key(|game| game.number);
        self.remember(&played);
        self.iterations += 1;
        let seconds = begin.elapsed().as_secs_f64();
        self.seconds += seconds;
        let number = self.iterations;
        let cpu = cpu_time().zip(cpu).map_or(seconds, |(now, then)| (now - then).as_secs_f64());
        Ok(Some(Iteration { number, games: played, losses, steps, judged, seconds, cpu }))
    }

    /// Learns from the window: the mean losses, if it holds enough, and the steps taken.
    fn learn(&mut self, stop: &dyn Fn() -> bool) -> Result<(Option<[f32; 2]>, u64), Error> {
        let config = self.config;
        let fresh = self.sizes.back().copied().unwrap_or(0);
        if self.window.len() < config.batch {
            return Ok((None, 0));
        }
        let steps = (f64::from(config.passes) * fresh as f64 / config.batch as f64).ceil();
        let mut rng = Rng::stream(self.seed, LEARNING + self.iterations);
        let mut totals = [0.0f64; 2];
        let (mut taken, count) = (0, self.window.len() as u32);
        for _ in 0..steps as u64 {
            if stop() {
                break;
            }
            let batch: Vec<&Lesson<G>> =
                (0..config.batch).map(|_| &self.window[rng.below(count) as usize]).collect();
            let losses = self.pupil.learn(&batch, config.rate, config.decay, &mut rng);
            if losses.iter().any(|loss| !loss.is_finite()) {
                let told = format!(
                    "the loss is no number in iteration {}; the last checkpoint is still good, a smaller rate may help",
                    self.iterations + 1
                );
                return Err(Error::Run(told));
            }
            totals.iter_mut().zip(losses).for_each(|(total, loss)| *total += f64::from(loss));
            taken += 1;
        }
        let mean = |total: f64| (total / f64::from(taken.max(1) as u32)) as f32;
        Ok(((taken > 0).then(|| totals.map(mean)), taken))
    }
}

impl<G: Game> Iteration<G> {
    /// The figures with stable names; `lessons` are those in the window.
    pub fn figures(&self, lessons: usize, minutes: f64) -> Value {
        let positions: usize = self.games.iter().map(|game| game.turns.len()).sum();
        let count = self.games.len().max(1) as f64;
        let share = |result: i32| {
            let games = self.games.iter().filter(|game| game.result == result).count();
            (G::PLAYERS == 2).then(|| games as f64 / count)
        };
        let settled = self.games.iter().flat_map(|game| &game.turns).filter(|turn| turn.exact);
        json!({
            "iteration": self.number,
            "minutes": minutes,
            "games": self.games.len(),
            "positions": positions,
            "settled": settled.count(),
            "mean_length": positions as f64 / count,
            "first_wins": share(1),
            "draws": share(0),
            "lessons": lessons,
            "policy_loss": self.losses.map(|[policy, _]| policy),
            "value_loss": self.losses.map(|[_, value]| value),
            "steps": self.steps,
            "evaluations_per_s": (self.judged as f64 / self.seconds).round(),
            "positions_per_s": (positions as f64 / self.seconds).round(),
            "positions_per_cpu_s": (positions as f64 / self.cpu.max(1e-9)).round(),
        })
    }
}
