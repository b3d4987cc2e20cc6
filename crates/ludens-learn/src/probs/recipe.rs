//! The recipe: algorithm 2, iteration by iteration.
//!
//! The folder has `values-N.safetensors`, `actions-N.safetensors` and the means of both,
//! `..-mean-N.safetensors`, to resume from, `state.json` that names N, and `model.safetensors` (Q) with
//! `value.safetensors` (V), the networks that play.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use ludens_core::params::spec;
use ludens_core::{Deterministic, Duel, Notation, Rng, Variant, file};
use ludens_nn::{Encoder, Network, QvNetworks};
use ludens_search::probs::{beam_search, beam_search_games};
use serde_json::{Value, json};

use super::ProbsConfig;
use super::networks::NetworkLearner;
use super::self_play::Episode;
use crate::actors::{Actors, Played, note_staleness};
use crate::effort::{Effort, is_held_out};
use crate::error::{failed, noted};
use crate::recipe::notes;
use crate::run_dir::LARGEST_TEXT;
use crate::{Error, MODEL, Opened, Recipe, Run, RunDir, Settings, Step};

/// The file of V.
const VALUE: &str = "value.safetensors";
/// What is needed to resume, with the files that it names.
pub const STATE: &str = "state.json";

/// What learns and its mean, of V and of Q.
fn names(iterations: u64) -> [[String; 2]; 2] {
    let name = |part: &str| format!("{part}-{iterations}.safetensors");
    ["values", "actions"].map(|part| [name(part), name(&format!("{part}-mean"))])
}

/// Both networks and how far they have come.
pub struct Probs<G: Duel, E> {
    /// The settings.
    pub config: ProbsConfig,
    /// V: values of positions.
    pub values: NetworkLearner<E>,
    /// Q: values of moves.
    pub actions: NetworkLearner<E>,
    encoder: E,
    pub(super) variant: G::Variant,
    pub(super) seed: u64,
    /// Who plays; threads of this program without.
    actors: Option<Arc<dyn Actors>>,
    effort: Effort,
    metrics: Value,
}

/// Starts a run, or resumes one, which `request` has opened.
///
/// # Errors
/// When a file cannot be read or is of another game, or there is no such engine.
pub fn open<G: Duel + Deterministic + Notation, E: Encoder<G> + Default>(
    Run { dir, config, seed }: Run<ProbsConfig>,
    variant: G::Variant,
) -> Result<Opened<Probs<G, E>>, Error> {
    let mut probs = Probs::new(config, E::default(), variant, seed)?;
    if let Some(dir) = dir.as_ref().filter(|dir| dir.has_checkpoint()) {
        probs = probs.resumed(dir)?;
    }
    Ok((probs, dir))
}

/// Streams of randomness: games have those from 0 on.
const LEARNING: u64 = 1 << 63;

impl<G: Duel + Deterministic + Notation, E: Encoder<G>> Probs<G, E> {
    /// Starts with fresh networks.
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
        let values = NetworkLearner::new(encoder, &variant, &config, false, &mut rng)?;
        let actions = NetworkLearner::new(encoder, &variant, &config, true, &mut rng)?;
        let (actors, effort, metrics) = (None, Effort::default(), Value::Null);
        Ok(Probs { config, values, actions, encoder, variant, seed, actors, effort, metrics })
    }

    /// The same with games that others play.
    #[must_use]
    pub fn with_actors(self, actors: Option<Arc<dyn Actors>>) -> Self {
        Probs { actors, ..self }
    }

    /// Whole iterations so far.
    pub(super) fn iterations(&self) -> u64 {
        self.effort.iterations
    }

    /// Resumes the run of a folder. The networks that play are published again, for a run may have been
    /// killed before they were.
    ///
    /// # Errors
    /// When a file cannot be read or is of another game.
    pub fn resumed(mut self, dir: &RunDir) -> Result<Self, Error> {
        let path = dir.file(STATE);
        let text = file::read_text(&path, LARGEST_TEXT).map_err(|error| failed(&path, error))?;
        let state: Value = serde_json::from_str(&text)
            .map_err(|error| Error::Run(format!("{}: {error}", path.display())))?;
        self.effort = Effort { iterations: noted(&state, "iterations")?, ..Effort::read(&state) };
        let (game, variant) = (spec(G::NAME, &self.variant.write()), &self.variant);
        let load = |files: &[String; 2], moves| {
            let [state, mean] = files.each_ref().map(|name| dir.file(name));
            let files = [&*state, &*mean];
            NetworkLearner::load::<G>(self.encoder, variant, files, &game, &self.config, moves)
        };
        let [values, actions] = &names(self.effort.iterations);
        (self.values, self.actions) = (load(values, false)?, load(actions, true)?);
        self.publish(dir)?;
        Ok(self)
    }

    /// Copies the networks that play from the saved state; what is not needed any more is removed last.
    fn publish(&self, dir: &RunDir) -> Result<(), Error> {
        let iterations = self.effort.iterations;
        let [[_, value], [_, model]] = &names(iterations);
        dir.copy(value, VALUE)?;
        dir.copy(model, MODEL)?;
        let keep = self.config.keep;
        if keep > 0 && iterations > 0 && iterations.is_multiple_of(keep) {
            dir.copy(model, &format!("after-{iterations}.safetensors"))?;
        }
        if let Some(before) = iterations.checked_sub(1) {
            // Leftovers cost space, not correctness: a failure to remove them is none of the run.
            let old = names(before).into_iter().flatten();
            old.for_each(|name| drop(std::fs::remove_file(dir.file(&name))));
        }
        Ok(())
    }

    /// The networks as they are now.
    pub fn players(&self) -> QvNetworks<E> {
        let (moves, positions) = (&self.actions.weights.mean, &self.values.weights.mean);
        let network = |weights| Arc::new(Network::new(weights));
        QvNetworks::new(self.encoder, network(moves), Some(network(positions)))
    }

    /// One iteration: its metrics. `None` when `stop` asked for an end, or time ran out; nothing of what
    /// was under way counts then.
    ///
    /// # Errors
    /// When a loss is no number any more.
    pub fn iterate(&mut self, stop: &(dyn Fn() -> bool + Sync)) -> Result<Option<Value>, Error> {
        let start = Instant::now();
        let left = self.effort.left(self.config.minutes);
        let stop = || stop() || start.elapsed().as_secs_f64() > left;
        let config = self.config;

        // Lines 6 to 17: games.
        let first = self.effort.iterations * config.games;
        let (numbers, stop) = (first..first + config.games, &stop);
        let played = match &self.actors {
            Some(actors) => self.by_actors(&**actors, numbers, stop)?,
            None => self.by_threads(numbers, stop),
        };
        let Some(Played { games: episodes, staleness, .. }) = played else { return Ok(None) };
        let share = |result: i32| {
            let count = episodes.iter().filter(|episode| episode.result == result).count();
            count as f64 / episodes.len().max(1) as f64
        };
        let results = [share(1), share(0)];
        let (held, learned): (Vec<_>, Vec<_>) = episodes
            .into_iter()
            .partition(|episode: &Episode<G>| is_held_out(episode.number, config.validation));
        let positions: usize =
            learned.iter().chain(&held).map(|episode| episode.states.len()).sum();
        let learned = newest(learned, config.capacity);

        // Lines 18 to 21: V learns the results.
        let mut rng = Rng::stream(self.seed, LEARNING + self.effort.iterations);
        let mut memory = states(&learned);
        if config.ends > 0 {
            let kept = learned.iter().filter(|game| !game.states.is_empty());
            memory.extend(kept.filter_map(|game| game.end));
        }
        rng.shuffle(&mut memory);
        let (mut losses, mut steps) = ([0.0; 2], [0u32; 2]);
        for batch in batches(&memory, &config) {
            losses[0] += self.values.learn_values(batch);
            steps[0] += 1;
        }
        memory.retain(|(state, _)| !state.is_over());

        // Lines 22 to 26: beam searches from all states.
        let mut samples = match config.reuse {
            0 => self.searched(&memory, stop),
            _ => self.searched_games(&learned, stop),
        };
        let held_samples = match config.reuse {
            0 => self.searched(&states(&held), stop),
            _ => self.searched_games(&held, stop),
        };
        if stop() {
            return Ok(None);
        }

        // Lines 27 to 29: Q learns what they found.
        rng.shuffle(&mut samples);
        for batch in batches(&samples, &config) {
            losses[1] += self.actions.learn_actions(batch, config.q_loss);
            steps[1] += 1;
        }
        let held_states = states(&held);
        let validation = (!held_states.is_empty()).then(|| {
            let values = self.values.value_error(&held_states);
            [values, self.actions.action_error(&held_samples, config.q_loss)]
        });
        let losses: [f32; 2] = std::array::from_fn(|i| losses[i] / steps[i].max(1) as f32);
        self.effort.iterations += 1;
        let number = self.effort.iterations;
        if losses.iter().any(|loss| !loss.is_finite()) {
            let message = format!(
                "a loss is no number in iteration {number}; the last checkpoint is still good, a smaller rate may help"
            );
            return Err(Error::Run(message));
        }
        let seconds = start.elapsed().as_secs_f64();
        self.effort.seconds += seconds;
        let ([first_wins, draws], [value_loss, action_loss]) = (results, losses);
        let mut metrics = json!({
            "iteration": number,
            "minutes": self.effort.minutes(),
            "games": config.games,
            "positions": positions,
            "mean_length": positions as f64 / config.games as f64,
            "first_wins": first_wins,
            "draws": draws,
            "value_loss": value_loss,
            "action_loss": action_loss,
            "validation_value_loss": validation.map(|[value, _]| value),
            "validation_action_loss": validation.map(|[_, action]| action),
            "positions_per_s": (positions as f64 / seconds).round(),
        });
        note_staleness(&staleness, &mut metrics);
        Ok(Some(metrics))
    }

    /// The values of all moves of all states, by beam search on all threads.
    fn searched(
        &self,
        memory: &[(G, f32)],
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Vec<(G, Vec<f32>)> {
        let ProbsConfig { expand, depth, .. } = self.config;
        let states: Vec<G> = memory.iter().map(|(state, _)| *state).collect();
        self.in_parts(&states, stop, |group, players| {
            let values = beam_search(group, players, expand, depth);
            group.iter().copied().zip(values).collect()
        })
    }

    /// The same along games, each search with what the one before has left.
    fn searched_games(
        &self,
        games: &[Episode<G>],
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Vec<(G, Vec<f32>)> {
        let ProbsConfig { expand, depth, .. } = self.config;
        let lines: Vec<Vec<G>> = games
            .iter()
            .map(|game| game.states.iter().map(|(state, _)| *state).collect())
            .collect();
        self.in_parts(&lines, stop, |group, players| {
            let lines: Vec<&[G]> = group.iter().map(|line| &line[..]).collect();
            let found = beam_search_games(&lines, players, expand, depth);
            let values = found.into_iter().flatten();
            group.iter().flatten().copied().zip(values).collect()
        })
    }

    /// What `search` finds in groups of items, on all threads, in their order.
    fn in_parts<T: Sync>(
        &self,
        items: &[T],
        stop: &(dyn Fn() -> bool + Sync),
        search: impl Fn(&[T], &mut QvNetworks<E>) -> Vec<(G, Vec<f32>)> + Sync,
    ) -> Vec<(G, Vec<f32>)> {
        let config = self.config;
        let share = items.len().div_ceil(config.threads.max(1)).max(1);
        let (players, search) = (self.players(), &search);
        std::thread::scope(|scope| {
            let parts: Vec<_> = items
                .chunks(share)
                .map(|part| {
                    let mut players = players.clone();
                    scope.spawn(move || {
                        let mut found = Vec::new();
                        for group in part.chunks(config.parallel_games) {
                            if stop() {
                                break;
                            }
                            found.extend(search(group, &mut players));
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

/// Samples in batches; a batch is more than one sample, and full where only whole ones count.
fn batches<'a, T>(samples: &'a [T], config: &ProbsConfig) -> impl Iterator<Item = &'a [T]> {
    let least = if config.whole_batches > 0 { config.batch } else { 2 };
    samples.chunks(config.batch).filter(move |batch| batch.len() >= least)
}

/// All states of games with the results for their players.
fn states<G: Copy>(games: &[Episode<G>]) -> Vec<(G, f32)> {
    games.iter().flat_map(|game| game.states.iter().copied()).collect()
}

/// The newest states of games, in whole games or their ends.
fn newest<G>(mut games: Vec<Episode<G>>, capacity: usize) -> Vec<Episode<G>> {
    let all: usize = games.iter().map(|game| game.states.len()).sum();
    let mut over = all.saturating_sub(capacity);
    for game in &mut games {
        let gone = over.min(game.states.len());
        game.states.drain(..gone);
        over -= gone;
    }
    games
}

impl<G: Duel + Deterministic + Notation, E: Encoder<G>> Recipe for Probs<G, E> {
    const COUNTER: &'static str = "iteration";

    fn step(&mut self, stop: &AtomicBool) -> Result<Step, Error> {
        let metrics = self.iterate(&|| stop.load(Ordering::Relaxed))?;
        self.metrics = metrics.clone().unwrap_or_default();
        Ok(metrics.map_or(Step::Stopped, Step::Done))
    }

    fn save(&self, dir: &RunDir) -> Result<(), Error> {
        let mut notes = notes(&self.config, self.seed, &self.metrics);
        notes["recipe"] = json!(ProbsConfig::RECIPE);
        self.effort.note(&mut notes);
        let (game, files) = (spec(G::NAME, &self.variant.write()), names(self.effort.iterations));
        for (learner, [state, mean]) in [&self.values, &self.actions].into_iter().zip(&files) {
            learner.save::<G>(&dir.file(state), &dir.file(mean), &game, &notes)?;
        }
        dir.write(STATE, notes.to_string().as_bytes())?;
        self.publish(dir)
    }

    fn count(&self) -> u64 {
        self.effort.iterations
    }

    fn completed(&self) -> f64 {
        self.effort.completed(self.config.iterations, self.config.minutes)
    }

    fn line(&self, metrics: &Value) -> String {
        let number = |name: &str| metrics[name].as_f64().unwrap_or_default();
        let held =
            ["validation_value_loss", "validation_action_loss"].map(|name| metrics[name].as_f64());
        let held = match held {
            [Some(value), Some(action)] => format!(" ({value:.3} and {action:.3} held out)"),
            _ => String::new(),
        };
        format!(
            "iteration {} of {} | losses {:.3} and {:.3}{held} | {} positions/s",
            metrics["iteration"],
            self.config.iterations,
            number("value_loss"),
            number("action_loss"),
            metrics["positions_per_s"],
        )
    }
}
