//! Blocks of episodes on one or more threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use ludens_core::params::spec;
use ludens_core::{AfterNotation, Cells, FixedActions, ParseError, Rng, Solo, Variant};
use ludens_ntuple::{Coherence, Network, Spec, Stages};
use serde_json::{Map, Value, json};

use super::arrivals::{Arrival, StageKey};
use super::config::{Learn, Order};
use super::episode::Episode;
use super::explore::Policy;
use super::stage::{Stage, stages_after, subject};
use super::starts::Starts;
use super::update::{Scratch, Updater};
use super::values::{Actions, Afterstates, Positions, Searched, ValueFunction};
use super::{Tally, TdConfig};
use crate::{Error, cpu_time};

/// A game of one player that can be learned.
pub trait Learnable: Solo + Cells + FixedActions + AfterNotation {}

impl<G: Solo + Cells + FixedActions + AfterNotation> Learnable for G {}

/// A network that learns.
pub struct Trainer<G: Learnable> {
    variant: G::Variant,
    config: TdConfig,
    seed: u64,
    network: Network,
    coherence: Option<Coherence>,
    marks: Stages,
    starts: Mutex<Starts<G>>,
    /// The stage that learns alone, if one does.
    stage: Option<Stage<G>>,
    episodes: u64,
    last: Tally,
    /// Episodes of the last block, also those that started later.
    played: u64,
    speed: Speed,
}

/// Moves since learning started.
struct Speed {
    start: Instant,
    cpu: Option<Duration>,
    moves: u64,
}

impl Speed {
    fn start() -> Self {
        Speed { start: Instant::now(), cpu: cpu_time(), moves: 0 }
    }

    /// Moves per second, and per second of processor time.
    fn per_second(&self) -> [f64; 2] {
        let seconds = self.start.elapsed().as_secs_f64();
        let cpu =
            cpu_time().zip(self.cpu).map_or(seconds, |(now, then)| (now - then).as_secs_f64());
        [seconds, cpu].map(|seconds| (self.moves as f64 / seconds).round())
    }
}

/// What the threads of a block share.
struct Block<'a, G: Learnable> {
    trainer: &'a Trainer<G>,
    updater: Updater<'a>,
    policy: Policy,
    /// The next episode and the one after the last.
    next: AtomicU64,
    end: u64,
    /// Whether episodes may start at later stages.
    staged: bool,
}

/// The stages whose beginnings are later starts.
fn marks<G: Learnable>(config: &TdConfig, network: &Network) -> Result<Stages, Error> {
    let form = network.form();
    let marks = if config.marks == "stages" {
        form.stages.clone()
    } else {
        Stages::parse::<G>(&config.marks, form.shape.values)
            .map_err(|error| error.within("marks"))?
    };
    if marks.count() == 1 && (config.carousel || config.jump > 0.0) {
        let expected = "marks=TILE,.. or stages=TILE,..: carousel and jump start there";
        return Err(ParseError::new("setting", "no later starts", expected).into());
    }
    Ok(marks)
}

impl<G: Learnable> Trainer<G> {
    /// A new network for a variant of a game.
    ///
    /// # Errors
    /// When a setting does not fit the game, or memory is short.
    pub fn new(variant: G::Variant, config: TdConfig, seed: u64) -> Result<Self, Error> {
        config.check()?;
        let game = spec(G::NAME, &variant.write());
        if config.stage > 1 {
            let found = format!("stage={} without --from", config.stage);
            let expected = "--from DIR with the run of the stages before";
            return Err(ParseError::new("setting", found, expected).into());
        }
        let spec = Spec {
            layout: config.layout.clone(),
            subject: subject(config.learn),
            values: config.values,
            stages: config.stages.clone(),
            promotion: config.promotion,
            initial: config.initial(&game)? as f32,
            huge_pages: config.huge_pages,
        };
        let network = Network::new::<G>(&variant, &spec)?;
        let coherent = config.method.is_coherent();
        let coherence = coherent.then(|| Coherence::new(&network)).transpose()?;
        Self::with(variant, config, seed, network, coherence, |_, marks| Ok(Starts::new(marks)))
    }

    /// A network with one stage more than another, in which only that stage learns.
    ///
    /// # Errors
    /// When the settings do not fit the other network, or memory is short.
    pub(super) fn with_stage(
        variant: G::Variant,
        config: TdConfig,
        seed: u64,
        parent: &Network,
    ) -> Result<Self, Error> {
        config.check()?;
        let game = spec(G::NAME, &variant.write());
        let stages = stages_after::<G>(&config, parent)?;
        let initial = config.initial(&game)? as f32;
        let network = parent.with_stage(stages, initial, config.huge_pages)?;
        let coherent = config.method.is_coherent();
        let coherence = coherent.then(|| Coherence::new(&network)).transpose()?;
        Self::with(variant, config, seed, network, coherence, |_, marks| Ok(Starts::new(marks)))
    }

    /// Resumes with a network and what [`state`](Trainer::state) gave.
    ///
    /// # Errors
    /// When the state is not one of a trainer.
    pub fn resume(
        variant: G::Variant,
        config: TdConfig,
        network: Network,
        coherence: Option<Coherence>,
        state: &Value,
    ) -> Result<Self, Error> {
        let wrong = |what: &str| Error::Run(format!("the saved run has no {what}"));
        if config.method.is_coherent() != coherence.is_some() {
            return Err(wrong("learning rates that fit its method"));
        }
        let seed = state["seed"].as_u64().ok_or_else(|| wrong("seed"))?;
        let episodes = state["episodes"].as_u64().ok_or_else(|| wrong("number of episodes"))?;
        let starts = |variant: &_, marks| Starts::from_json(&state["starts"], variant, marks);
        let mut resumed = Self::with(variant, config, seed, network, coherence, starts)?;
        resumed.episodes = episodes;
        Ok(resumed)
    }

    fn with(
        variant: G::Variant,
        config: TdConfig,
        seed: u64,
        network: Network,
        coherence: Option<Coherence>,
        starts: impl FnOnce(&G::Variant, usize) -> Result<Starts<G>, ParseError>,
    ) -> Result<Self, Error> {
        let marks = marks::<G>(&config, &network)?;
        let starts = Mutex::new(starts(&variant, marks.count())?);
        let (episodes, played, last, speed) = (0, 0, Tally::default(), Speed::start());
        let key = StageKey {
            game: spec(G::NAME, &variant.write()),
            stages: config.stages.clone(),
            stage: config.stage,
        };
        let stage = (config.stage > 1).then(|| Stage::new(key, None));
        Ok(Trainer {
            variant,
            config,
            seed,
            network,
            coherence,
            marks,
            starts,
            stage,
            episodes,
            last,
            played,
            speed,
        })
    }

    /// What is needed to resume besides the network.
    pub fn state(&self) -> Value {
        json!({
            "config": self.config.to_json(),
            "seed": self.seed,
            "episodes": self.episodes,
            "starts": self.starts.lock().expect("no thread panics with it").to_json(),
        })
    }

    /// The settings.
    pub fn config(&self) -> &TdConfig {
        &self.config
    }

    /// The game with its variant.
    pub fn game(&self) -> String {
        spec(G::NAME, &self.variant.write())
    }

    /// Episodes of the last block.
    pub(super) fn last_block(&self) -> u64 {
        self.played
    }

    /// The stage that learns alone, if one does.
    pub(super) fn stage(&self) -> Option<&Stage<G>> {
        self.stage.as_ref()
    }

    /// Takes where games entered the stage that learns alone.
    pub(super) fn set_arrivals(&mut self, arrivals: Vec<Arrival<G>>) {
        if let Some(stage) = &mut self.stage {
            *stage = Stage::new(stage.key.clone(), Some(arrivals));
        }
    }

    /// Records where games enter the stage that learns alone. Whether there is nothing left to
    /// record, and learning may begin.
    ///
    /// # Errors
    /// When no game enters the stage.
    pub fn prepare(&mut self, stop: &AtomicBool) -> Result<bool, Error> {
        let Some(stage) = self.stage.as_mut().filter(|stage| !stage.recorded) else {
            return Ok(true);
        };
        stage.record((&self.network, &self.variant), (&self.config, self.seed), stop)?;
        Ok(stage.recorded)
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Its learning rates.
    pub fn coherence(&self) -> Option<&Coherence> {
        self.coherence.as_ref()
    }

    /// Episodes played so far.
    pub fn episodes(&self) -> u64 {
        self.episodes
    }

    /// The sums of the last block.
    pub fn last(&self) -> &Tally {
        &self.last
    }

    /// Whether all episodes are played.
    pub fn is_done(&self) -> bool {
        self.episodes >= self.config.episodes
    }

    /// The metrics of the last block with stable names.
    pub fn metrics(&self) -> Value {
        let mut json = Map::new();
        json.insert("episodes".to_owned(), json!(self.episodes));
        json.extend(self.last.to_json::<G>());
        json.insert("alpha".to_owned(), json!(self.config.alpha(self.episodes - 1)));
        if let Some(stage) = &self.stage {
            json.insert("arrivals".to_owned(), json!(stage.arrivals.len()));
        }
        let [moves_per_s, moves_per_cpu_s] = self.speed.per_second();
        json.insert("moves_per_s".to_owned(), json!(moves_per_s));
        json.insert("moves_per_cpu_s".to_owned(), json!(moves_per_cpu_s));
        Value::Object(json)
    }

    /// Plays and learns one block, the last one maybe shorter.
    ///
    /// # Panics
    /// When a stage learns alone and [`prepare`](Trainer::prepare) has not said that it may.
    pub fn block(&mut self) -> &Tally {
        assert!(self.stage.as_ref().is_none_or(|stage| stage.recorded), "nowhere to start");
        let config = &self.config;
        let first = self.episodes;
        let end = (first + config.block).min(config.episodes);
        let updater = Updater {
            network: &self.network,
            coherence: self.coherence.as_ref().filter(|_| config.coherent(first)),
            alpha: config.alpha(first) as f32,
            backward: config.order == Order::Backward,
            steps: config.steps,
            lambda: config.lambda as f32,
            rectify: config.rectify,
            only: self.stage.as_ref().map(Stage::index),
        };
        let policy = Policy { explore: config.exploration(first), scale: config.softmax_scale };
        let staged = config.carousel || config.jump > 0.0;
        let next = AtomicU64::new(first);
        let block = Block { trainer: self, updater, policy, next, end, staged };
        let mut tally = Tally::default();
        if config.threads == 1 {
            tally = block.play();
        } else {
            let threads = config.threads;
            let parts: Vec<Tally> = std::thread::scope(|scope| {
                let workers: Vec<_> = (0..threads).map(|_| scope.spawn(|| block.play())).collect();
                workers.into_iter().map(|w| w.join().expect("workers do not panic")).collect()
            });
            parts.iter().for_each(|part| tally.merge(part));
        }
        if let Some(coherence) = &self.coherence
            && TdConfig::due(config.reset, first, end)
        {
            coherence.reset();
        }
        (self.episodes, self.played) = (end, end - first);
        self.speed.moves += tally.moves;
        self.last = tally;
        &self.last
    }
}

/// Does something with whatever kind of value the settings name.
pub(super) trait ValueVisitor<G: Learnable> {
    /// What comes of it.
    type Output;

    fn visit<K: ValueFunction<G>>(self, kind: K) -> Self::Output;
}

/// Finds the kind of value that the settings name.
pub(super) fn visit_values<G: Learnable, V: ValueVisitor<G>>(
    config: &TdConfig,
    network: &Network,
    visitor: V,
) -> V::Output {
    match config.learn {
        Learn::Afterstates if config.mcts > 0 => visitor.visit(Searched::new(network, config)),
        Learn::Afterstates => visitor.visit(Afterstates::new(network)),
        Learn::Positions => visitor.visit(Positions::new(network)),
        Learn::Actions => visitor.visit(Actions::new(network)),
    }
}

impl<G: Learnable> ValueVisitor<G> for &Block<'_, G> {
    type Output = Tally;

    fn visit<K: ValueFunction<G>>(self, kind: K) -> Tally {
        self.play_by(kind)
    }
}

impl<G: Learnable> Block<'_, G> {
    /// One thread's share.
    fn play(&self) -> Tally {
        visit_values(&self.trainer.config, &self.trainer.network, self)
    }

    /// Episodes in turns until none are left.
    fn play_by<K: ValueFunction<G>>(&self, mut kind: K) -> Tally {
        let config = &self.trainer.config;
        let mut tally = Tally::default();
        let mut scratch = Scratch::default();
        let mut running: Vec<Episode<G, K>> = Vec::new();
        for stage in 0..config.interleave {
            let rng = Rng::new(0);
            let position = G::start(&self.trainer.variant, &mut rng.clone());
            let mut episode = Episode::new(position, rng);
            episode.stage = stage;
            if self.next(&mut episode, &mut kind) {
                running.push(episode);
            }
        }
        while !running.is_empty() {
            // Those that end without a successor drop out; the order stays.
            running.retain_mut(|episode| {
                episode.advance(&mut kind, &self.policy) || {
                    self.updater.learn(&mut kind, &episode.path, episode.bonus, &mut scratch);
                    self.count(episode, &mut tally);
                    self.again(episode, &mut kind) || self.next(episode, &mut kind)
                }
            });
        }
        tally
    }

    /// Starts the next episode, if there is one.
    fn next<K: ValueFunction<G>>(&self, episode: &mut Episode<G, K>, kind: &mut K) -> bool {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        if number >= self.end {
            return false;
        }
        let trainer = self.trainer;
        episode.rng = Rng::stream(trainer.seed, number);
        if let Some(stage) = &trainer.stage {
            let arrival = stage.draw(&mut episode.rng);
            episode.start_after(&arrival.after, kind);
            // Its score counts as that of the whole game.
            (episode.base, episode.whole) = (arrival.score, true);
            return true;
        }
        if self.staged
            && let Some(after) = self.later_start(episode)
        {
            episode.start_after(&after, kind);
            return true;
        }
        let start = G::start(&trainer.variant, &mut episode.rng);
        episode.start(start, true, kind);
        true
    }

    /// Where a later stage began, if this episode is to start there.
    fn later_start<K: ValueFunction<G>>(&self, episode: &mut Episode<G, K>) -> Option<G::After> {
        let starts = self.trainer.starts.lock().expect("no thread panics with it");
        if self.trainer.config.carousel {
            let stage = episode.stage % self.trainer.marks.count();
            let start = starts.draw(stage, &mut episode.rng);
            // A stage nobody has reached sends the carousel back to the start.
            episode.stage = if stage > 0 && start.is_none() { 1 } else { stage + 1 };
            return start;
        }
        if episode.rng.unit() < self.trainer.config.jump {
            return starts.draw_any(&mut episode.rng).map(|(_, after)| after);
        }
        None
    }

    /// Starts again in the middle of a long episode, if that is asked for.
    fn again<K: ValueFunction<G>>(&self, episode: &mut Episode<G, K>, kind: &mut K) -> bool {
        let shortest = self.trainer.config.restart;
        if shortest == 0 || episode.path.len() < shortest.max(2) {
            return false;
        }
        let after = episode.path[episode.path.len() / 2].after;
        episode.start_after(&after, kind);
        true
    }

    /// Sums an episode up, and keeps where it entered later stages.
    fn count<K: ValueFunction<G>>(&self, episode: &Episode<G, K>, tally: &mut Tally) {
        tally.moves += episode.path.len() as u64;
        let cells = self.trainer.network.form().shape.cells;
        if self.staged {
            let mut before = 0;
            for (i, step) in episode.path.iter().enumerate() {
                let stage = self.trainer.marks.of::<G>(&step.after, cells);
                // An episode that began at a later stage did not enter it.
                if stage > before && (i > 0 || episode.whole) {
                    let mut starts = self.trainer.starts.lock().expect("no thread panics with it");
                    starts.keep(stage, step.after);
                }
                before = stage;
            }
        }
        if !episode.whole {
            return;
        }
        let last = episode.path.last().map(|step| &step.after);
        tally.count::<G>(episode.base + episode.total, last, cells);
    }
}
