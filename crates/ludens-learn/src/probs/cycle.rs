//! Algorithm 2, iteration by iteration.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Instant;

use ludens_core::{Deterministic, Duel, Rng};
use ludens_nn::{Encoder, Network, QvNetworks};
use ludens_search::probs::beam_search;
use serde_json::{Value, json};

use super::ProbsConfig;
use super::networks::Learner;
use super::play::play;
use crate::Error;

/// What an iteration came to.
#[derive(Clone, PartialEq, Debug)]
pub struct ProbsIteration {
    /// Its number, from 1.
    pub number: u64,
    /// Games played.
    pub games: u64,
    /// States learned from.
    pub states: usize,
    /// The share of games that player one won, and that were drawn or cut off.
    pub results: [f64; 2],
    /// The mean losses of V and Q.
    pub losses: [f32; 2],
    /// Seconds.
    pub seconds: f64,
}

/// Both networks and how far they have come.
pub struct Probs<G: Duel, E> {
    /// The settings.
    pub config: ProbsConfig,
    /// V: values of positions.
    pub values: Learner<E>,
    /// Q: values of moves.
    pub actions: Learner<E>,
    encoder: E,
    variant: G::Variant,
    seed: u64,
    iterations: u64,
    seconds: f64,
}

/// Streams of randomness: games have those from 0 on.
const LEARNING: u64 = 1 << 63;

impl<G: Duel + Deterministic, E: Encoder<G>> Probs<G, E> {
    /// Begins with fresh networks.
    ///
    /// # Errors
    /// When there is no such engine.
    pub fn new(
        config: ProbsConfig,
        encoder: E,
        variant: G::Variant,
        seed: u64,
    ) -> Result<Self, Error> {
        let mut rng = Rng::stream(seed, u64::MAX);
        let values = Learner::new(encoder, &variant, &config, false, &mut rng)?;
        let actions = Learner::new(encoder, &variant, &config, true, &mut rng)?;
        let (iterations, seconds) = (0, 0.0);
        Ok(Probs { config, values, actions, encoder, variant, seed, iterations, seconds })
    }

    /// The same with networks that have come so far.
    #[must_use]
    pub fn resumed(
        self,
        values: Learner<E>,
        actions: Learner<E>,
        iterations: u64,
        seconds: f64,
    ) -> Self {
        Probs { values, actions, iterations, seconds, ..self }
    }

    /// Whole iterations.
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// Seconds spent in whole iterations.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// Whether iterations or minutes are used up.
    pub fn is_done(&self) -> bool {
        self.iterations >= self.config.iterations || self.seconds >= 60.0 * self.config.minutes
    }

    /// The networks as they are now.
    pub fn players(&self) -> QvNetworks<E> {
        let (moves, positions) = (&self.actions.weights.mean, &self.values.weights.mean);
        let network = |weights| Arc::new(Network::new(weights));
        QvNetworks::new(self.encoder, network(moves), Some(network(positions)))
    }

    /// One iteration. `None` when `stop` asked for an end, or time ran out; nothing of what was begun
    /// counts then.
    ///
    /// # Errors
    /// When a loss is no number any more.
    pub fn iterate(
        &mut self,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<ProbsIteration>, Error> {
        let begin = Instant::now();
        let left = 60.0 * self.config.minutes - self.seconds;
        let stop = || stop() || begin.elapsed().as_secs_f64() > left;
        let config = self.config;

        // Lines 6 to 17: games.
        let first = self.iterations * config.games;
        let (next, end) = (AtomicU64::new(first), first + config.games);
        let (variant, seed) = (self.variant, self.seed);
        let mut episodes = Vec::new();
        let (stop, next) = (&stop, &next);
        let players = self.players();
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..config.threads.max(1))
                .map(|_| {
                    let mut players = players.clone();
                    let config = &config;
                    let play = move || play(&variant, config, seed, next, end, &mut players, stop);
                    scope.spawn(play)
                })
                .collect();
            for worker in workers {
                episodes.extend(worker.join().expect("self-play does not panic"));
            }
        });
        if stop() {
            return Ok(None);
        }
        episodes.sort_by_key(|episode| episode.number);
        let share = |result: i32| {
            let count = episodes.iter().filter(|episode| episode.result == result).count();
            count as f64 / episodes.len().max(1) as f64
        };
        let results = [share(1), share(0)];
        let mut memory: Vec<(G, f32)> =
            episodes.into_iter().flat_map(|episode| episode.states).collect();
        memory.drain(..memory.len().saturating_sub(config.capacity));

        // Lines 18 to 21: V learns the results.
        let mut rng = Rng::stream(self.seed, LEARNING + self.iterations);
        rng.shuffle(&mut memory);
        let (mut losses, mut steps) = ([0.0; 2], [0u32; 2]);
        for batch in memory.chunks(config.batch).filter(|batch| batch.len() > 1) {
            losses[0] += self.values.learn_values(batch, config.rate);
            steps[0] += 1;
        }

        // Lines 22 to 26: beam searches from all states.
        let mut taught = self.teach(&memory, stop);
        if stop() {
            return Ok(None);
        }

        // Lines 27 to 29: Q learns what they found.
        rng.shuffle(&mut taught);
        for batch in taught.chunks(config.batch).filter(|batch| batch.len() > 1) {
            losses[1] += self.actions.learn_actions(batch, config.rate);
            steps[1] += 1;
        }
        let losses: [f32; 2] = std::array::from_fn(|i| losses[i] / steps[i].max(1) as f32);
        self.iterations += 1;
        let number = self.iterations;
        if losses.iter().any(|loss| !loss.is_finite()) {
            let told = format!(
                "a loss is no number in iteration {number}; the last checkpoint is still good, a smaller rate may help"
            );
            return Err(Error::Run(told));
        }
        let seconds = begin.elapsed().as_secs_f64();
        self.seconds += seconds;
        let (games, states) = (config.games, memory.len());
        Ok(Some(ProbsIteration { number, games, states, results, losses, seconds }))
    }

    /// The values of all moves of all states, by beam search on all threads.
    fn teach(&self, memory: &[(G, f32)], stop: &(dyn Fn() -> bool + Sync)) -> Vec<(G, Vec<f32>)> {
        let config = self.config;
        let states: Vec<G> = memory.iter().map(|(state, _)| *state).collect();
        let share = states.len().div_ceil(config.threads.max(1)).max(1);
        let players = self.players();
        std::thread::scope(|scope| {
            let parts: Vec<_> = states
                .chunks(share)
                .map(|part| {
                    let mut players = players.clone();
                    scope.spawn(move || {
                        let mut found = Vec::with_capacity(part.len());
                        for group in part.chunks(config.slots) {
                            if stop() {
                                break;
                            }
                            let (expand, depth) = (config.expand, config.depth);
                            let values = beam_search(group, &mut players, expand, depth);
                            found.extend(group.iter().copied().zip(values));
                        }
                        found
                    })
                })
                .collect();
            let join = |part: std::thread::ScopedJoinHandle<'_, Vec<(G, Vec<f32>)>>| {
                part.join().expect("a beam search does not panic")
            };
            parts.into_iter().flat_map(join).collect()
        })
    }
}

impl ProbsIteration {
    /// The figures with stable names.
    pub fn figures(&self, minutes: f64) -> Value {
        let [first_wins, draws] = self.results;
        let [value_loss, action_loss] = self.losses;
        json!({
            "iteration": self.number,
            "minutes": minutes,
            "games": self.games,
            "positions": self.states,
            "mean_length": self.states as f64 / self.games as f64,
            "first_wins": first_wins,
            "draws": draws,
            "value_loss": value_loss,
            "action_loss": action_loss,
            "positions_per_s": (self.states as f64 / self.seconds).round(),
        })
    }
}
