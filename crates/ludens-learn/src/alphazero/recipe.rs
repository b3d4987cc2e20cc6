//! The recipe: playing and learning, iteration by iteration.
//!
//! The folder has `games/` with a file per iteration of the window, `checkpoint.safetensors` and
//! `mean-N.safetensors` to resume from, and `model.safetensors`, the network that plays.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use ludens_core::params::spec;
use ludens_core::{Deterministic, Game, Notation, Rng, Variant, file};
use ludens_search::tree::PuctConfig;
use serde_json::{Value, json};

use super::AlphaZeroConfig;
use super::game::{Referee, Sample, SelfPlay};
use super::learner::Learner;
use super::playing::Learned;
use super::tree::Tree;
use crate::actors::{Actors, Played, note_staleness};
use crate::effort::{Effort, is_held_out};
use crate::error::failed;
use crate::recipe::notes;
use crate::run_dir::LARGEST_TEXT;
use crate::{CHECKPOINT, Error, MODEL, Opened, Recipe, Run, RunDir, Settings, Step, cpu_time};

/// What an iteration came to.
#[derive(Clone, PartialEq, Debug)]
pub struct Iteration<G> {
    /// Its number, from 1.
    pub number: u64,
    /// Its games in the order of their numbers.
    pub games: Vec<SelfPlay<G>>,
    /// The mean losses of policy and value; none while there was nothing to learn from.
    pub losses: Option<[f32; 2]>,
    /// Those of the network that plays on games that it has not learned from.
    pub validation: Option<[f32; 2]>,
    /// Steps of learning.
    pub steps: u64,
    /// Positions evaluated.
    pub evaluated: u64,
    /// Of every block of games, how many iterations older than this one's the network is that played
    /// it; empty where all are by this one's.
    pub staleness: Vec<u64>,
    /// Seconds.
    pub seconds: f64,
    /// Seconds of processor time, all threads together; those on the clock where the system does
    /// not tell.
    pub cpu: f64,
}

/// Self-play that teaches the network that plays.
pub struct AlphaZero<G: Game, L, T> {
    /// The settings.
    pub config: AlphaZeroConfig,
    /// The network.
    pub learner: L,
    pub(super) variant: G::Variant,
    pub(super) seed: u64,
    pub(super) tree: fn(PuctConfig) -> T,
    pub(super) referee: Option<fn(u64) -> Referee<G>>,
    pub(super) variants: Vec<(G::Variant, f32)>,
    /// Who plays; threads of this program without.
    actors: Option<Arc<dyn Actors>>,
    window: VecDeque<Sample<G>>,
    /// Samples of every iteration that the window reaches back to.
    sizes: VecDeque<usize>,
    /// Samples of the last iteration that nothing is learned from.
    held: Vec<Sample<G>>,
    pub(super) effort: Effort,
    /// Games of all iterations.
    played: u64,
    /// The games of the last iteration, and its metrics.
    last: Option<(Vec<SelfPlay<G>>, Value)>,
}

/// What a game is searched and learned with.
pub struct Setup<G: Game, L: Learner<G>, T> {
    /// Makes the tree of a game.
    pub tree: fn(PuctConfig) -> T,
    /// Makes a referee that may use n nodes for a position.
    pub referee: Option<fn(u64) -> Referee<G>>,
    /// Variants that games have in place of the run's, with the share of each; none: all have that.
    pub variants: Vec<(G::Variant, f32)>,
    /// What describes the network besides the settings.
    pub architecture: L::Architecture,
}

/// Starts a run, or resumes one, which `request` has opened.
///
/// # Errors
/// When a file cannot be read or is of another game, or there is no such engine.
pub fn open<G: Deterministic + Notation, L: Learner<G>, T: Tree<G>>(
    Run { dir, config, seed }: Run<AlphaZeroConfig>,
    variant: G::Variant,
    setup: &Setup<G, L, T>,
) -> Result<Opened<AlphaZero<G, L, T>>, Error> {
    let saved = dir.as_ref().filter(|dir| dir.has_checkpoint());
    let recipe = match saved {
        Some(dir) => AlphaZero::resume(config, variant, seed, setup, dir)?,
        None => {
            // Streams of games and of learning lie elsewhere.
            let mut rng = Rng::stream(seed, u64::MAX);
            let learner = L::new(&setup.architecture, &variant, &config, &mut rng)?;
            AlphaZero::new(config, variant, seed, learner, setup.tree)
        }
    };
    Ok((recipe.refereed(setup.referee).of_variants(setup.variants.clone()), dir))
}

/// The name of the mean's file of an iteration.
fn mean_name(iterations: u64) -> String {
    format!("mean-{iterations}.safetensors")
}

fn games_name(number: u64) -> String {
    format!("games/{number:06}.jsonl")
}

/// Streams of randomness: games have those from 0 on.
const LEARNING: u64 = 1 << 63;

/// The note of a checkpoint that counts games.
const PLAYED: &str = "games_played";

/// Games that a run has played, by the notes of its network.
pub fn games_played(notes: &Value, config: &AlphaZeroConfig) -> u64 {
    // Runs of earlier versions had as many in every iteration.
    let even = Effort::read(notes).iterations * config.games;
    notes[PLAYED].as_u64().unwrap_or(even)
}

impl<G: Deterministic + Notation, L: Learner<G>, T: Tree<G>> AlphaZero<G, L, T> {
    /// Starts; `tree` makes the tree of a game.
    pub fn new(
        config: AlphaZeroConfig,
        variant: G::Variant,
        seed: u64,
        learner: L,
        tree: fn(PuctConfig) -> T,
    ) -> Self {
        AlphaZero {
            config,
            learner,
            variant,
            seed,
            tree,
            referee: None,
            variants: Vec::new(),
            actors: None,
            window: VecDeque::new(),
            sizes: VecDeque::new(),
            held: Vec::new(),
            effort: Effort::default(),
            played: 0,
            last: None,
        }
    }

    /// The same with a referee, made for every game with the nodes that it may use for a position: what it
    /// knows is learned in place of results.
    #[must_use]
    pub fn refereed(self, referee: Option<fn(u64) -> Referee<G>>) -> Self {
        AlphaZero { referee, ..self }
    }

    /// The same with games of several variants, drawn by their shares.
    #[must_use]
    pub fn of_variants(self, variants: Vec<(G::Variant, f32)>) -> Self {
        AlphaZero { variants, ..self }
    }

    /// The same with games that others play.
    #[must_use]
    pub fn with_actors(self, actors: Option<Arc<dyn Actors>>) -> Self {
        AlphaZero { actors, ..self }
    }

    /// Resumes the run of a folder. The network that plays is published again, for a run may have been
    /// killed before it was.
    ///
    /// # Errors
    /// When a file is lost, cannot be read, or is of another game.
    pub fn resume(
        config: AlphaZeroConfig,
        variant: G::Variant,
        seed: u64,
        setup: &Setup<G, L, T>,
        dir: &RunDir,
    ) -> Result<Self, Error> {
        let mean = |notes: &Value| dir.file(&mean_name(Effort::read(notes).iterations));
        let (state, game) = (dir.file(CHECKPOINT), spec(G::NAME, &variant.write()));
        let (learner, notes) = L::load(&variant, &config, &state, mean, &game)?;
        let mut resumed = AlphaZero::new(config, variant, seed, learner, setup.tree);
        resumed.effort = Effort::read(&notes);
        resumed.played = games_played(&notes, &config);
        for games in games(dir, &variant, resumed.effort.iterations)? {
            resumed.remember(&games);
        }
        resumed.publish(dir)?;
        Ok(resumed)
    }

    /// Samples in the window.
    pub fn samples(&self) -> usize {
        self.window.len()
    }

    /// The first iteration whose games are still needed to resume.
    pub fn oldest(&self) -> u64 {
        self.effort.iterations + 1 - self.sizes.len() as u64
    }

    fn remember(&mut self, games: &[SelfPlay<G>]) {
        let (before, config) = (self.window.len(), self.config);
        self.held.clear();
        for game in games {
            let samples = game.samples(config.blend);
            if is_held_out(game.number, config.validation) {
                self.held.extend(samples);
            } else {
                self.window.extend(samples);
            }
        }
        self.sizes.push_back(self.window.len() - before);
        while config.window_iterations > 0 && self.sizes.len() > config.window_iterations {
            self.sizes.pop_front();
            let kept = self.sizes.iter().sum::<usize>();
            self.window.drain(..self.window.len().saturating_sub(kept));
        }
        while self.sizes.iter().skip(1).sum::<usize>() >= self.config.window {
            self.sizes.pop_front();
        }
        let over = self.window.len().saturating_sub(self.config.window);
        self.window.drain(..over);
    }

    /// Plays the games of an iteration and learns: from those of the iterations before while they
    /// are played, or from them too when they are over (`lag`). `None` when `stop` asked for an end,
    /// or time ran out; nothing of what was under way counts then.
    ///
    /// # Errors
    /// When the loss is no number any more.
    pub fn iterate(
        &mut self,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Iteration<G>>, Error> {
        let (start, cpu) = (Instant::now(), cpu_time());
        let left = self.effort.left(self.config.minutes);
        let stop = || stop() || start.elapsed().as_secs_f64() > left;
        let numbers = self.played..self.played + self.config.games;
        let (mut learned, played) = match self.actors.clone() {
            Some(actors) => self.by_actors(&*actors, numbers, &stop)?,
            None => self.by_threads(numbers, &stop)?,
        };
        let Some(Played { games, evaluated, staleness }) = played else { return Ok(None) };
        self.remember(&games);
        if self.config.lag == 0 {
            learned = self.learn(&stop)?;
            if stop() {
                return Ok(None);
            }
        }
        self.played += self.config.games;
        self.effort.iterations += 1;
        let seconds = start.elapsed().as_secs_f64();
        self.effort.seconds += seconds;
        let number = self.effort.iterations;
        let cpu = cpu_time().zip(cpu).map_or(seconds, |(now, then)| (now - then).as_secs_f64());
        let Learned { losses, validation, steps } = learned;
        Ok(Some(Iteration {
            number,
            games,
            losses,
            validation,
            steps,
            evaluated,
            staleness,
            seconds,
            cpu,
        }))
    }

    /// What is learned while games are played.
    pub(super) fn learn_meanwhile(&mut self, stop: &dyn Fn() -> bool) -> Result<Learned, Error> {
        if self.config.lag > 0 { self.learn(stop) } else { Ok(Learned::default()) }
    }

    /// The losses of the network that plays on games that nothing was learned from.
    fn validate(&self) -> Option<[f32; 2]> {
        let (mut totals, batch) = ([0.0; 2], self.config.batch);
        for part in self.held.chunks(batch) {
            let samples: Vec<&Sample<G>> = part.iter().collect();
            let losses = self.learner.losses(&samples);
            let whole = |(total, loss): (&mut f32, f32)| *total += loss * part.len() as f32;
            totals.iter_mut().zip(losses).for_each(whole);
        }
        let count = self.held.len() as f32;
        (count > 0.0).then(|| totals.map(|total| total / count))
    }

    /// Learns from the window, if it holds enough.
    fn learn(&mut self, stop: &dyn Fn() -> bool) -> Result<Learned, Error> {
        let config = self.config;
        let fresh = self.sizes.back().copied().unwrap_or(0);
        if self.window.len() < config.batch {
            return Ok(Learned::default());
        }
        let optimizer = config.optimizer();
        let steps = (f64::from(config.replay_ratio) * fresh as f64 / config.batch as f64).ceil();
        let mut rng = Rng::stream(self.seed, LEARNING + self.effort.iterations);
        let mut totals = [0.0f64; 2];
        let (mut taken, count) = (0, self.window.len() as u32);
        for _ in 0..steps as u64 {
            if stop() {
                break;
            }
            let batch: Vec<&Sample<G>> =
                (0..config.batch).map(|_| &self.window[rng.below(count) as usize]).collect();
            let losses = self.learner.learn(&batch, &optimizer, &mut rng);
            if losses.iter().any(|loss| !loss.is_finite()) {
                let message = format!(
                    "the loss is no number in iteration {}; the last checkpoint is still good, a smaller rate may help",
                    self.effort.iterations + 1
                );
                return Err(Error::Run(message));
            }
            totals.iter_mut().zip(losses).for_each(|(total, loss)| *total += f64::from(loss));
            taken += 1;
        }
        let mean = |total: f64| (total / f64::from(taken.max(1) as u32)) as f32;
        let losses = (taken > 0).then(|| totals.map(mean));
        Ok(Learned { losses, validation: self.validate(), steps: taken })
    }

    /// Copies the network that plays from the saved state; what is not needed any more is removed last.
    fn publish(&self, dir: &RunDir) -> Result<(), Error> {
        let iterations = self.effort.iterations;
        let mean = mean_name(iterations);
        dir.copy(&mean, MODEL)?;
        if iterations == 0 {
            return Ok(());
        }
        if self.config.keep > 0 && iterations.is_multiple_of(self.config.keep) {
            dir.copy(&mean, &format!("after-{iterations}.safetensors"))?;
        }
        // Leftovers cost space, not correctness: a failure to remove them is none of the run.
        let _ = std::fs::remove_file(dir.file(&mean_name(iterations - 1)));
        for number in (1..self.oldest()).rev() {
            if std::fs::remove_file(dir.file(&games_name(number))).is_err() {
                break;
            }
        }
        Ok(())
    }
}

impl<G: Deterministic + Notation, L: Learner<G>, T: Tree<G>> Recipe for AlphaZero<G, L, T> {
    const COUNTER: &'static str = "iteration";

    fn step(&mut self, stop: &AtomicBool) -> Result<Step, Error> {
        let Some(iteration) = self.iterate(&|| stop.load(Ordering::Relaxed))? else {
            return Ok(Step::Stopped);
        };
        let metrics = iteration.metrics(self.samples(), self.effort.minutes());
        self.last = Some((iteration.games, metrics.clone()));
        Ok(Step::Done(metrics))
    }

    fn save(&self, dir: &RunDir) -> Result<(), Error> {
        if let Some((games, _)) = &self.last {
            let lines: String = games.iter().map(|game| format!("{}\n", game.to_json())).collect();
            dir.write(&games_name(self.effort.iterations), lines.as_bytes())?;
        }
        let metrics = self.last.as_ref().map_or(&Value::Null, |(_, metrics)| metrics);
        let mut notes = notes(&self.config, self.seed, metrics);
        notes["recipe"] = json!(AlphaZeroConfig::RECIPE);
        self.effort.note(&mut notes);
        notes[PLAYED] = json!(self.played);
        let game = spec(G::NAME, &self.variant.write());
        let mean = dir.file(&mean_name(self.effort.iterations));
        self.learner.save(&dir.file(CHECKPOINT), &mean, &game, &notes)?;
        self.publish(dir)
    }

    fn count(&self) -> u64 {
        self.effort.iterations
    }

    fn completed(&self) -> f64 {
        self.effort.completed(self.config.iterations, self.config.minutes)
    }

    fn line(&self, metrics: &Value) -> String {
        let number = |name: &str| metrics[name].as_f64();
        let losses = number("policy_loss").zip(number("value_loss"));
        let losses = losses.map(|(policy, value)| format!(" | losses {policy:.3} and {value:.3}"));
        let held = number("validation_policy_loss").zip(number("validation_value_loss"));
        let held = held.map(|(policy, value)| format!(" ({policy:.3} and {value:.3} held out)"));
        format!(
            "iteration {}{}{} | {:.1} moves a game | {} positions/s",
            metrics["iteration"],
            losses.unwrap_or_default(),
            held.unwrap_or_default(),
            number("mean_length").unwrap_or_default(),
            metrics["positions_per_s"],
        )
    }
}

/// The games of the iterations of the window, in order.
///
/// # Errors
/// When a file is lost, cannot be read, or holds what are no games.
fn games<G: Deterministic + Notation>(
    dir: &RunDir,
    variant: &G::Variant,
    iterations: u64,
) -> Result<Vec<Vec<SelfPlay<G>>>, Error> {
    let mut all = Vec::new();
    for number in 1..=iterations {
        let path = dir.file(&games_name(number));
        // Those that the window has left behind are gone: the first ones, never the last.
        if all.is_empty() && number < iterations && !path.exists() {
            continue;
        }
        let text = file::read_text(&path, LARGEST_TEXT).map_err(|error| failed(&path, error))?;
        let mut games = Vec::new();
        for line in text.lines() {
            let value: Value = serde_json::from_str(line)
                .map_err(|error| Error::Run(format!("{}: {error}", path.display())))?;
            games.push(SelfPlay::from_json(variant, &value)?);
        }
        all.push(games);
    }
    Ok(all)
}

impl<G: Game> Iteration<G> {
    /// The metrics with stable names; `samples` are those in the window.
    pub fn metrics(&self, samples: usize, minutes: f64) -> Value {
        let positions: usize = self.games.iter().map(|game| game.moves.len()).sum();
        let count = self.games.len().max(1) as f64;
        let share = |result: i32| {
            let games = self.games.iter().filter(|game| game.result == result).count();
            (G::PLAYERS == 2).then(|| games as f64 / count)
        };
        let solved = self.games.iter().flat_map(|game| &game.moves).filter(|made| made.exact);
        let mut metrics = json!({
            "iteration": self.number,
            "minutes": minutes,
            "games": self.games.len(),
            "positions": positions,
            "solved": solved.count(),
            "mean_length": positions as f64 / count,
            "first_wins": share(1),
            "draws": share(0),
            "samples": samples,
            "policy_loss": self.losses.map(|[policy, _]| policy),
            "value_loss": self.losses.map(|[_, value]| value),
            "validation_policy_loss": self.validation.map(|[policy, _]| policy),
            "validation_value_loss": self.validation.map(|[_, value]| value),
            "steps": self.steps,
            "evaluations_per_s": (self.evaluated as f64 / self.seconds).round(),
            "positions_per_s": (positions as f64 / self.seconds).round(),
            "positions_per_cpu_s": (positions as f64 / self.cpu.max(1e-9)).round(),
        });
        note_staleness(&self.staleness, &mut metrics);
        metrics
    }
}
