//! A network that learns, block by block.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::{Duration, Instant};

use ludens_core::params::spec;
use ludens_core::{AfterNotation, Cells, FixedActions, ParseError, Solo, Variant};
use ludens_ntuple::{Coherence, Network, Spec, Stages};
use serde_json::{Map, Value, json};

use super::arrivals::{Arrival, StageKey};
use super::block::Block;
use super::config::Order;
use super::explore::Policy;
use super::stage::{Stage, stages_after, subject};
use super::starts::Starts;
use super::update::Updater;
use super::{Tally, TdConfig};
use crate::{Error, cpu_time};

/// A game of one player that can be learned.
pub trait Learnable: Solo + Cells + FixedActions + AfterNotation {}

impl<G: Solo + Cells + FixedActions + AfterNotation> Learnable for G {}

/// A network that learns.
pub struct Trainer<G: Learnable> {
    pub(super) variant: G::Variant,
    pub(super) config: TdConfig,
    pub(super) seed: u64,
    pub(super) network: Network,
    coherence: Option<Coherence>,
    pub(super) marks: Stages,
    pub(super) starts: Mutex<Starts<G>>,
    /// The stage that learns alone, if one does.
    pub(super) stage: Option<Stage<G>>,
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
