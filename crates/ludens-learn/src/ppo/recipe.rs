//! The recipe: moves, then an update, then moves again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ludens_core::params::spec;
use ludens_core::{Notation, ParseError, Rng, Solo, Variant};
use ludens_nn::{
    Adam, Checkpoint, Encoder, Model, NOBODY, NetEvaluator, Network, Spec, Taken, Trainer, Weights,
    clipped_loss, value_loss,
};
use serde_json::{Value, json};

use super::checkpoint::State;
use super::{ParallelGames, PpoConfig, Transition, advantages};
use crate::recipe::notes;
use crate::run_dir::{CHECKPOINT, MODEL};
use crate::{Error, Opened, Recipe, RunDir, RunRequest, Step};

/// What the steps of an update came to, on average.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Losses {
    /// The clipped objective.
    actor: f64,
    /// The squared error of the value.
    critic: f64,
    /// The entropy of the policy.
    entropy: f64,
    /// The share of samples whose chance moved beyond the clip.
    clipped: f64,
}

/// A network that learns by playing.
pub struct Ppo<G: Solo, E> {
    config: PpoConfig,
    encoder: E,
    variant: G::Variant,
    seed: u64,
    trainer: Trainer,
    games: ParallelGames<G>,
    iterations: u64,
    /// The best mean reward of an iteration.
    best: Option<f64>,
}

/// Positions that normalisations are shown at once.
const OBSERVED: usize = 1024;

/// Positions of random games.
fn random_positions<G: Solo>(variant: &G::Variant, count: usize, seed: u64) -> Vec<G> {
    let mut rng = Rng::stream(seed, u64::MAX - 1);
    let mut here = G::start(variant, &mut rng);
    let mut positions = Vec::with_capacity(count);
    while positions.len() < count {
        positions.push(here);
        let next = here.step(&mut rng).map(|(_, after, _)| {
            let chance = G::sample(&after, &mut rng);
            G::apply_outcome(&after, chance).0
        });
        here = match next {
            Some(next) if !next.is_over() => next,
            _ => G::start(variant, &mut rng),
        };
    }
    positions
}

/// What a move turned out to be.
struct Sample<G> {
    position: G,
    taken: Taken,
    /// The rewards to come from the position.
    value: f32,
}

/// Starts or resumes a run; a new one has the `defaults` where nothing else is asked for.
///
/// # Errors
/// When a setting or the network to start with is wrong, or the folder cannot be used as asked.
pub fn open<G: Solo + Notation, E: Encoder<G>>(
    request: &RunRequest,
    encoder: E,
    variant: G::Variant,
    defaults: PpoConfig,
) -> Result<Opened<Ppo<G, E>>, Error> {
    let game = spec(G::NAME, &variant.write());
    let run = request.open_network::<G, E, PpoConfig>(&game, defaults, |_, spec| {
        spec.map_or(Ok(()), |spec| Ppo::<G, E>::check(&variant, spec))
    })?;
    let (config, seed) = (run.config, run.seed);
    let ppo = match (run.checkpoint, run.weights) {
        (Some(checkpoint), _) => Ppo::resume(config, encoder, variant, seed, checkpoint)?,
        (None, weights) => Ppo::new(config, encoder, variant, seed, weights)?,
    };
    Ok((ppo, Some(run.dir)))
}

impl<G: Solo + Notation, E: Encoder<G>> Ppo<G, E> {
    /// Starts with a network that has learned before, or with a fresh one.
    ///
    /// # Errors
    /// When it is for other boards, or lacks a policy or a value, or there is no such engine.
    pub fn new(
        config: PpoConfig,
        encoder: E,
        variant: G::Variant,
        seed: u64,
        weights: Option<Weights>,
    ) -> Result<Self, Error> {
        let fresh = || {
            let [rows, cols, planes] = E::shape(&variant);
            let mut spec = Spec::actor_critic(rows, cols, planes, config.channels, config.depth);
            spec.actions = E::actions(&variant);
            // Streams from 0 on belong to games.
            Weights::random(spec, &mut Rng::stream(seed, u64::MAX))
        };
        let weights = weights.unwrap_or_else(fresh);
        Self::check(&variant, weights.spec())?;
        let trainer = Trainer::new(weights).threads(config.threads).engine(config.engine)?;
        let games = ParallelGames::new(variant, config.envs, seed);
        Ok(Ppo { config, encoder, variant, seed, trainer, games, iterations: 0, best: None })
    }

    /// Refuses networks that a run cannot start with.
    ///
    /// # Errors
    /// When it is for other boards, or lacks a policy or a value.
    pub fn check(variant: &G::Variant, spec: &Spec) -> Result<(), ParseError> {
        E::check(variant, spec)?;
        spec.require(true, true)
    }

    /// Resumes from a checkpoint.
    ///
    /// # Errors
    /// When the checkpoint is of another network or of another version of this program.
    pub fn resume(
        config: PpoConfig,
        encoder: E,
        variant: G::Variant,
        seed: u64,
        checkpoint: Checkpoint,
    ) -> Result<Self, Error> {
        let notes = checkpoint.model.notes.clone();
        let trainer = checkpoint.trainer()?.threads(config.threads).engine(config.engine)?;
        E::check(&variant, trainer.weights().spec())?;
        let State { iterations, best, games } = State::read(&variant, &notes)?;
        if games.len() != config.envs {
            let (found, expected) = (games.len(), config.envs);
            return Err(Error::Run(format!("a checkpoint of {found} games, expected {expected}")));
        }
        let games = ParallelGames::with(variant, games);
        Ok(Ppo { config, encoder, variant, seed, trainer, games, iterations, best })
    }

    /// Everything that is needed to resume.
    fn checkpoint(&self) -> Checkpoint {
        let games = self.games.games().to_vec();
        let state = State { iterations: self.iterations, best: self.best, games };
        Checkpoint::of(&self.trainer, self.model(state.to_json()))
    }

    /// The network for a file.
    fn model(&self, notes: Value) -> Model {
        let (game, weights) =
            (spec(G::NAME, &self.variant.write()), self.trainer.weights().clone());
        Model { game, encoder: E::NAME.to_owned(), weights, notes }
    }

    /// Moves played so far.
    pub fn steps(&self) -> u64 {
        self.iterations * self.config.samples() as u64
    }

    /// Plays and learns once: the metrics. `None` when `stop` asked for an end; network and games have
    /// moved then, but nothing of it counts.
    fn iteration(&mut self, stop: &AtomicBool) -> Result<Option<Value>, Error> {
        let config = self.config;
        if self.iterations == 0 {
            self.observe(&random_positions(&self.variant, OBSERVED, self.seed), 1.0);
        }
        let network = Arc::new(Network::new(self.trainer.weights()));
        let evaluator = NetEvaluator::new(network, self.encoder, &self.variant)?;
        let mut evaluator = evaluator.threads(config.threads);
        let seed = self.seed ^ (self.iterations + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let played = self.games.play(&mut evaluator, config.horizon, seed);
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let mut samples = Vec::with_capacity(config.samples());
        for (steps, expected) in played.steps.iter().zip(&played.expected) {
            let (found, values) = advantages(steps, *expected, config.gamma, config.lambda);
            let sample = |((step, advantage), value): ((&Transition<G>, f32), f32)| Sample {
                position: step.position,
                taken: Taken { action: step.action, chance: step.chance, advantage },
                value,
            };
            samples.extend(steps.iter().zip(found).zip(values).map(sample));
        }
        let share = self.steps() as f64 / config.steps as f64;
        let rate = f64::from(config.rate) * (1.0 - share).max(0.0);
        let mut total = Losses::default();
        let mut order: Vec<u32> = (0..samples.len() as u32).collect();
        let (mut rng, mut steps) = (Rng::stream(seed, u64::MAX), 0u32);
        for _ in 0..config.epochs {
            rng.shuffle(&mut order);
            for batch in order.chunks(config.batch).filter(|batch| batch.len() > 1) {
                if stop.load(Ordering::Relaxed) {
                    return Ok(None);
                }
                let batch: Vec<&Sample<G>> = batch.iter().map(|&i| &samples[i as usize]).collect();
                if !self.step(&batch, rate as f32, &mut total) {
                    let number = self.iterations + 1;
                    let message = format!(
                        "the loss is no number in iteration {number}; the last checkpoint is still good, a smaller rate may help"
                    );
                    return Err(Error::Run(message));
                }
                steps += 1;
            }
        }
        // What positions look like changes slowly; during an update it must not, or chances would
        // move without any learning.
        rng.shuffle(&mut order);
        let seen = order.iter().take(OBSERVED).map(|&i| samples[i as usize].position);
        self.observe(&seen.collect::<Vec<G>>(), 0.1);
        self.iterations += 1;
        let games = played.ended.len();
        let mean = |f: &dyn Fn(&(f64, u32)) -> f64| {
            played.ended.iter().map(f).sum::<f64>() / games.max(1) as f64
        };
        let reward = mean(&|(reward, _)| *reward);
        let best = games > 0 && self.best.is_none_or(|best| reward > best);
        if best {
            self.best = Some(reward);
        }
        let count = f64::from(steps.max(1));
        Ok(Some(json!({
            "stage": "learning",
            "iteration": self.iterations,
            "steps": self.steps(),
            "games": games,
            "reward": reward,
            "moves": mean(&|(_, moves)| f64::from(*moves)),
            "actor": total.actor / count,
            "critic": total.critic / count,
            "entropy": total.entropy / count,
            "clipped": total.clipped / count,
            "rate": rate,
            "best": best,
        })))
    }

    /// Lets the network's normalisations see positions.
    fn observe(&mut self, positions: &[G], share: f32) {
        let size = self.trainer.weights().spec().inputs();
        let mut inputs = vec![0.0; positions.len() * size];
        for (position, input) in positions.iter().zip(inputs.chunks_exact_mut(size)) {
            self.encoder.encode(position, input);
        }
        self.trainer.observe(&inputs, share);
    }

    /// One step of Adam; adds the means of the batch to `total`. `false` when something is no
    /// number.
    fn step(&mut self, batch: &[&Sample<G>], rate: f32, total: &mut Losses) -> bool {
        let (config, encoder) = (self.config, self.encoder);
        let spec = *self.trainer.weights().spec();
        let mut inputs = vec![0.0; batch.len() * spec.inputs()];
        for (sample, input) in batch.iter().zip(inputs.chunks_exact_mut(spec.inputs())) {
            encoder.encode(&sample.position, input);
        }
        // Advantages of a batch are made comparable: mean 0, deviation 1.
        let count = batch.len() as f32;
        let mean = batch.iter().map(|sample| sample.taken.advantage).sum::<f32>() / count;
        let square = |sample: &&Sample<G>| (sample.taken.advantage - mean).powi(2);
        let deviation = (batch.iter().map(square).sum::<f32>() / (count - 1.0)).sqrt() + 1e-8;
        let adam =
            Adam { rate, epsilon: 1e-5, max_grad_norm: config.max_grad_norm, ..Adam::default() };
        let scale = 1.0 / count;
        let loss = self.trainer.step_frozen(&adam, &inputs, |out, slope| {
            let mut owners = vec![NOBODY; spec.actions];
            let mut loss = 0.0;
            for (index, sample) in batch.iter().enumerate() {
                let mine = index * spec.actions..(index + 1) * spec.actions;
                encoder.owners(&sample.position, &mut owners);
                let advantage = (sample.taken.advantage - mean) / deviation;
                let taken = Taken { advantage, ..sample.taken };
                let (logits, policy) = (&out.policy[mine.clone()], &mut slope.policy[mine]);
                let PpoConfig { clip, entropy, .. } = config;
                let parts = clipped_loss(logits, &owners, taken, clip, entropy, scale, policy);
                let target = encoder.target(&sample.position, sample.value);
                let (value, slope) = (out.values[index], &mut slope.values[index]);
                let critic = value_loss(value, target, config.value * scale, slope);
                let moved = f64::from(u8::from((parts.ratio - 1.0).abs() > clip));
                let share = f64::from(scale);
                total.actor += f64::from(parts.actor) * share;
                total.critic += f64::from(critic) * share;
                total.entropy += f64::from(parts.entropy) * share;
                total.clipped += moved * share;
                loss += parts.actor - entropy * parts.entropy + config.value * critic;
            }
            loss * scale
        });
        loss.is_finite()
    }
}

impl<G: Solo + Notation, E: Encoder<G>> Recipe for Ppo<G, E> {
    const COUNTER: &'static str = "iteration";

    fn step(&mut self, stop: &AtomicBool) -> Result<Step, Error> {
        let before = self.checkpoint();
        match self.iteration(stop)? {
            Some(metrics) => Ok(Step::Done(metrics)),
            None => {
                let (config, encoder, variant) = (self.config, self.encoder, self.variant);
                *self = Ppo::resume(config, encoder, variant, self.seed, before)?;
                Ok(Step::Partial)
            }
        }
    }

    fn save(&self, dir: &RunDir) -> Result<(), Error> {
        Ok(self.checkpoint().save(&dir.file(CHECKPOINT))?)
    }

    /// The best network; as long as no game has ended, the last one.
    fn keep(&self, dir: &RunDir, metrics: &Value) -> Result<(), Error> {
        if metrics["best"] == true || self.best.is_none() {
            let notes = notes(&self.config, self.seed, metrics);
            self.model(notes).save(&dir.file(MODEL))?;
        }
        Ok(())
    }

    fn count(&self) -> u64 {
        self.iterations
    }

    fn completed(&self) -> f64 {
        self.steps() as f64 / self.config.steps as f64
    }

    fn save_interval(&self) -> f64 {
        self.config.save
    }

    fn line(&self, metrics: &Value) -> String {
        let number = |name: &str| metrics[name].as_f64().unwrap_or_default();
        format!(
            "{} of {} moves | reward {:.2} in {} games | actor {:.4}, critic {:.4}, entropy {:.3}",
            metrics["steps"],
            self.config.steps,
            number("reward"),
            metrics["games"],
            number("actor"),
            number("critic"),
            number("entropy"),
        )
    }
}
