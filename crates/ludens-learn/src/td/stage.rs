//! One stage that learns alone: the stages before it are a trained network's and stay as they
//! are; its episodes begin where games of that network entered it.
//!
//! H. Guei, On reinforcement learning for the game of 2048, dissertation, 2023, section 3.4.2.

use std::sync::atomic::{AtomicBool, Ordering};

use ludens_core::error::quote;
use ludens_core::{ParseError, Rng};
use ludens_ntuple::{Layout, Network, Stages, Subject};

use super::arrivals::{Arrival, StageKey};
use super::block::{ValueVisitor, visit_values};
use super::config::{Learn, TdConfig};
use super::episode::Episode;
use super::explore::Policy;
use super::trainer::Learnable;
use super::values::ValueFunction;
use crate::Error;

/// Boundaries of stages in 2048 that Guei (2023) chose.
const BOUNDARIES: [&str; 2] = ["16384", "16384+8192"];
/// Games that are played at a time while arrivals are recorded.
const CHUNK: u64 = 64;
/// Games after which a stage that none of them entered counts as out of reach.
const PATIENCE: u64 = 2000;
/// Games per arrival that is wanted, at most.
const GAMES_PER_ARRIVAL: u64 = 20;

/// A stage that learns alone.
pub(super) struct Stage<G: Learnable> {
    pub(super) key: StageKey,
    pub(super) arrivals: Vec<Arrival<G>>,
    /// Games that were played to record them.
    games: u64,
    /// Whether all are recorded.
    pub(super) recorded: bool,
}

impl<G: Learnable> Stage<G> {
    /// One whose arrivals are known, or else still to be recorded.
    pub(super) fn new(key: StageKey, known: Option<Vec<Arrival<G>>>) -> Self {
        let recorded = known.is_some();
        Stage { key, arrivals: known.unwrap_or_default(), games: 0, recorded }
    }

    /// The stage as networks number it, from 0.
    pub(super) fn index(&self) -> usize {
        self.key.stage - 1
    }

    /// One of the arrivals.
    pub(super) fn draw(&self, rng: &mut Rng) -> Arrival<G> {
        self.arrivals[rng.below(self.arrivals.len() as u32) as usize]
    }

    /// Plays some games by a network and records where they entered the stage.
    ///
    /// # Errors
    /// When no game enters it.
    pub(super) fn record(
        &mut self,
        (network, variant): (&Network, &G::Variant),
        (config, seed): (&TdConfig, u64),
        stop: &AtomicBool,
    ) -> Result<(), Error> {
        let numbers: Vec<u64> = (self.games..self.games + CHUNK).collect();
        let index = self.index();
        let play = |numbers: &[u64]| {
            let recorder = Recorder { network, variant, seed, index, numbers, stop };
            visit_values(config, network, recorder)
        };
        let per_thread = numbers.len().div_ceil(config.threads);
        let found: Vec<Option<Arrival<G>>> = std::thread::scope(|scope| {
            let parts = numbers.chunks(per_thread);
            let workers: Vec<_> = parts.map(|part| scope.spawn(|| play(part))).collect();
            workers.into_iter().flat_map(|w| w.join().expect("workers do not panic")).collect()
        });
        if stop.load(Ordering::Relaxed) {
            // Some games were broken off: all of them come again when the run is resumed.
            return Ok(());
        }
        self.games += CHUNK;
        self.arrivals.extend(found.into_iter().flatten());
        self.arrivals.truncate(config.arrivals);
        if self.arrivals.is_empty() && self.games >= PATIENCE {
            let StageKey { stage, stages, .. } = &self.key;
            let message = format!(
                "none of {} games of the network of --from entered stage {stage} (stages={stages}): train it for longer, or set lower stages",
                self.games
            );
            return Err(Error::Run(message));
        }
        let most = GAMES_PER_ARRIVAL * config.arrivals as u64;
        let enough = self.arrivals.len() == config.arrivals || self.games >= most.max(PATIENCE);
        self.recorded = enough;
        Ok(())
    }
}

/// Games of one thread, each until it enters a stage.
struct Recorder<'a, G: Learnable> {
    network: &'a Network,
    variant: &'a G::Variant,
    seed: u64,
    index: usize,
    numbers: &'a [u64],
    stop: &'a AtomicBool,
}

impl<G: Learnable> ValueVisitor<G> for Recorder<'_, G> {
    type Output = Vec<Option<Arrival<G>>>;

    fn visit<K: ValueFunction<G>>(self, mut kind: K) -> Self::Output {
        let numbers = self.numbers.iter();
        numbers.map(|&number| self.arrival(number, &mut kind)).collect()
    }
}

impl<G: Learnable> Recorder<'_, G> {
    fn arrival<K: ValueFunction<G>>(&self, number: u64, kind: &mut K) -> Option<Arrival<G>> {
        // Streams from 0 on belong to the episodes that learn.
        let mut rng = Rng::stream(self.seed, u64::MAX - number);
        let start = G::start(self.variant, &mut rng);
        let mut episode = Episode::<G, K>::new(start, rng);
        episode.start(start, true, kind);
        let form = self.network.form();
        while !self.stop.load(Ordering::Relaxed) && episode.advance(kind, &Policy::GREEDY) {
            let after = episode.path.last()?.after;
            if form.stages.of::<G>(&after, form.shape.cells) >= self.index {
                let score = episode.base + episode.total - episode.luck;
                return Some(Arrival { score, after });
            }
            // Only the last turn is asked for.
            episode.path.clear();
        }
        None
    }
}

/// The stages of a run in which one learns after those of a network.
///
/// # Errors
/// When the network is none that the settings can go on from.
pub(super) fn stages_after<G: Learnable>(
    config: &TdConfig,
    parent: &Network,
) -> Result<Stages, ParseError> {
    let form = parent.form();
    let wrong = |key: &str, found: &str, expected: String| {
        Err(ParseError::new(format!("setting {key}"), quote(found), expected))
    };
    if subject(config.learn) != form.subject || config.layout.parse::<Layout>()? != form.layout {
        let expected = "what the network of --from has, or nothing".to_owned();
        return wrong("layout or learn", &config.layout, expected);
    }
    if parent.is_compact() || form.stages.count() + 1 != config.stage {
        let found = format!("{} after a network of {}", config.stage, form.stages.count());
        let expected = "one stage more than the network of --from has, which must be a whole one";
        return wrong("stage", &found, expected.to_owned());
    }
    let stages = Stages::parse::<G>(&config.stages, form.shape.values)?;
    if stages.count() != config.stage || !stages.bits().starts_with(form.stages.bits()) {
        let expected = format!("tiles of {} stages, those of --from first", config.stage);
        return wrong("stages", &config.stages, expected);
    }
    Ok(stages)
}

/// What a network of a kind of value values.
pub(super) fn subject(learn: Learn) -> Subject {
    match learn {
        Learn::Afterstates => Subject::Afterstates,
        Learn::Positions => Subject::Positions,
        Learn::Actions => Subject::Actions,
    }
}

/// Gives a new run of a game what it shares with the network that it goes on from, and the
/// boundaries up to its stage where they are known.
pub(super) fn inherit(defaults: &mut TdConfig, parent: &Network, game: &str, stage: usize) {
    let form = parent.form();
    defaults.layout = form.layout.to_string().replace(' ', "+");
    defaults.values = Some(form.values);
    defaults.learn = match form.subject {
        Subject::Afterstates => Learn::Afterstates,
        Subject::Positions => Learn::Positions,
        Subject::Actions => Learn::Actions,
    };
    if let Some(boundaries) = BOUNDARIES.get(..stage - 1).filter(|_| game == "2048") {
        defaults.stages = boundaries.join(",");
    }
}
