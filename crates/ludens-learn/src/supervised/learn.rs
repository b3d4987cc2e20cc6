//! Epoch after epoch.

use std::sync::atomic::{AtomicBool, Ordering};

use ludens_core::{ParseError, Rng, Symmetric};
use ludens_nn::{
    Adam, Checkpoint, Encoder, Head, Model, NOBODY, Network, Spec, Trainer, Weights, policy_loss,
    value_loss,
};
use serde_json::{Value, json};

use super::{Kind, Measure, Sample, Schedule, Split, SupervisedConfig, measure};
use crate::Error;
use crate::error::noted;

/// What an epoch came to.
#[derive(Clone, PartialEq, Debug)]
pub struct Epoch {
    /// Its number, from 1.
    pub number: u64,
    /// The mean loss while learning.
    pub learned: f64,
    /// What the network makes of the samples held back.
    pub held: Measure,
    /// Whether it is the best so far.
    pub best: bool,
}

/// A network that learns from samples.
pub struct Imitation<G: Symmetric, E> {
    config: SupervisedConfig,
    encoder: E,
    variant: G::Variant,
    seed: u64,
    split: Split<G>,
    trainer: Trainer,
    /// Whole epochs.
    epochs: u64,
    /// Steps of the next one.
    steps: u64,
    /// The sum of these steps' losses.
    total: f64,
    /// The smallest loss on what is held back, and its epoch.
    best: Option<(f64, u64)>,
}

impl<G: Symmetric, E: Encoder<G>> Imitation<G, E> {
    /// Begins with a fresh network.
    ///
    /// # Errors
    /// When there are not enough samples, or there is no such engine.
    pub fn new(
        config: SupervisedConfig,
        encoder: E,
        variant: G::Variant,
        seed: u64,
        split: Split<G>,
    ) -> Result<Self, Error> {
        let [rows, cols, planes] = E::shape(&variant);
        let spec = match config.kind {
            Kind::Policy => Spec::policy(rows, cols, planes, config.w, config.d),
            Kind::Value => Spec::value(rows, cols, planes, config.w, config.d),
            Kind::Both => Spec {
                value: Some(Head::Pooled),
                ..Spec::policy(rows, cols, planes, config.w, config.d)
            },
        };
        // Streams from 0 on belong to games.
        let mut weights = Weights::random(spec, &mut Rng::stream(seed, u64::MAX));
        if config.kind.has_value() && !split.learn.is_empty() {
            // The mean of all targets is a better first guess than 0.
            let target = |sample: &Sample<G>| {
                f64::from(encoder.target(&sample.position, sample.worth as f32))
            };
            let mean = split.learn.iter().map(target).sum::<f64>() / split.learn.len() as f64;
            weights.get_mut("value.linear.bias").fill(mean as f32);
        }
        Self::with(config, encoder, variant, seed, split, Trainer::new(weights))
    }

    /// Begins with a network that has learned before.
    ///
    /// # Errors
    /// When it is for other boards or lacks what it shall learn, or there are not enough samples.
    pub fn from(
        config: SupervisedConfig,
        encoder: E,
        variant: G::Variant,
        seed: u64,
        split: Split<G>,
        weights: Weights,
    ) -> Result<Self, Error> {
        Self::check(&config, &variant, weights.spec())?;
        Self::with(config, encoder, variant, seed, split, Trainer::new(weights))
    }

    /// Refuses networks that a run cannot begin with.
    ///
    /// # Errors
    /// When it is for other boards, or lacks a policy or a value.
    pub fn check(
        config: &SupervisedConfig,
        variant: &G::Variant,
        spec: &Spec,
    ) -> Result<(), ParseError> {
        E::check(variant, spec)?;
        spec.require(config.kind.has_policy(), config.kind.has_value())
    }

    fn with(
        config: SupervisedConfig,
        encoder: E,
        variant: G::Variant,
        seed: u64,
        split: Split<G>,
        trainer: Trainer,
    ) -> Result<Self, Error> {
        if split.learn.len() < config.batch || split.held.is_empty() {
            let (learn, held) = (split.learn.len(), split.held.len());
            let told = format!(
                "{learn} samples to learn from and {held} held back, expected a batch of {} at least and some held back: more games would do",
                config.batch
            );
            return Err(Error::Run(told));
        }
        let trainer = trainer.threads(config.threads).engine(config.engine)?;
        let (epochs, steps, total, best) = (0, 0, 0.0, None);
        Ok(Imitation { config, encoder, variant, seed, split, trainer, epochs, steps, total, best })
    }

    /// Goes on from a checkpoint.
    ///
    /// # Errors
    /// When the checkpoint is of another network or there are not enough samples.
    pub fn resume(
        config: SupervisedConfig,
        encoder: E,
        variant: G::Variant,
        seed: u64,
        split: Split<G>,
        checkpoint: Checkpoint,
    ) -> Result<Self, Error> {
        let notes = checkpoint.model.notes.clone();
        let trainer = checkpoint.trainer()?;
        E::check(&variant, trainer.weights().spec())?;
        let mut resumed = Self::with(config, encoder, variant, seed, split, trainer)?;
        (resumed.epochs, resumed.steps) = (noted(&notes, "epochs")?, noted(&notes, "steps")?);
        resumed.total = notes["total"].as_f64().unwrap_or_default();
        resumed.best = notes["best"].as_f64().zip(notes["best_epoch"].as_u64());
        Ok(resumed)
    }

    /// The network as it is now.
    pub fn weights(&self) -> &Weights {
        self.trainer.weights()
    }

    /// Everything that is needed to go on.
    pub fn checkpoint(&self, game: &str) -> Checkpoint {
        let notes = json!({
            "epochs": self.epochs,
            "steps": self.steps,
            "total": self.total,
            "best": self.best.map(|(loss, _)| loss),
            "best_epoch": self.best.map(|(_, epoch)| epoch),
        });
        Checkpoint::of(&self.trainer, self.model(game, notes))
    }

    /// The network for a file.
    pub fn model(&self, game: &str, notes: Value) -> Model {
        let weights = self.trainer.weights().clone();
        Model { game: game.to_owned(), encoder: E::NAME.to_owned(), weights, notes }
    }

    /// Samples to learn from, and held back.
    pub fn samples(&self) -> (usize, usize) {
        (self.split.learn.len(), self.split.held.len())
    }

    /// Whole epochs, and the steps taken of the next one with all it has.
    pub fn progress(&self) -> (u64, u64, u64) {
        (self.epochs, self.steps, (self.split.learn.len() / self.config.batch) as u64)
    }

    /// Whether all epochs are done, or the last ones brought nothing.
    pub fn is_done(&self) -> bool {
        let late = |(_, epoch): (f64, u64)| self.epochs >= epoch + self.config.patience;
        self.epochs >= self.config.epochs || self.best.is_some_and(late)
    }

    /// Learns to the end of the epoch and measures; `None` when `stop` asked for an end.
    /// `tick` hears of every step.
    ///
    /// # Errors
    /// When the loss is no number any more, or `tick` fails.
    pub fn epoch(
        &mut self,
        stop: &AtomicBool,
        mut tick: impl FnMut(&Self) -> Result<(), Error>,
    ) -> Result<Option<Epoch>, Error> {
        let mut order: Vec<u32> = (0..self.split.learn.len() as u32).collect();
        // The same order after an interruption.
        Rng::stream(self.seed ^ 0x5EED, self.epochs).shuffle(&mut order);
        let (_, _, all) = self.progress();
        while self.steps < all {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let from = self.steps as usize * self.config.batch;
            // The same images after an interruption.
            let mut rng = Rng::stream(self.seed ^ 0x1AA6E, self.epochs * all + self.steps);
            let batch: Vec<Sample<G>> = order[from..from + self.config.batch]
                .iter()
                .map(|&index| self.split.learn[index as usize])
                .map(|sample| if self.config.images { sample.image(&mut rng) } else { sample })
                .collect();
            let loss = self.step(&batch);
            if !loss.is_finite() {
                let (epoch, step) = (self.epochs + 1, self.steps + 1);
                let told = format!(
                    "the loss is no number in epoch {epoch}, step {step}; the last checkpoint is still good, a smaller rate may help"
                );
                return Err(Error::Run(told));
            }
            self.total += f64::from(loss);
            self.steps += 1;
            tick(self)?;
        }
        let network = Network::new(self.trainer.weights());
        let (kind, threads) = (self.config.kind, self.config.threads);
        let held = measure(network, self.encoder, &self.variant, kind, &self.split.held, threads)?;
        self.epochs += 1;
        let best = self.best.is_none_or(|(least, _)| held.loss < least);
        if best {
            self.best = Some((held.loss, self.epochs));
        }
        let learned = self.total / self.steps.max(1) as f64;
        (self.steps, self.total) = (0, 0.0);
        Ok(Some(Epoch { number: self.epochs, learned, held, best }))
    }

    fn step(&mut self, batch: &[Sample<G>]) -> f32 {
        let spec = *self.trainer.weights().spec();
        let mut inputs = vec![0.0; batch.len() * spec.inputs()];
        for (sample, input) in batch.iter().zip(inputs.chunks_exact_mut(spec.inputs())) {
            self.encoder.encode(&sample.position, input);
        }
        let adam = Adam { rate: self.rate(), decay: self.config.decay, ..Adam::default() };
        let (kind, encoder, scale) = (self.config.kind, self.encoder, 1.0 / batch.len() as f32);
        self.trainer.step(&adam, &inputs, |out, slope| {
            let mut total = 0.0;
            let mut owners = vec![NOBODY; spec.actions];
            for (index, sample) in batch.iter().enumerate() {
                if kind.has_policy() {
                    let part = index * spec.actions..(index + 1) * spec.actions;
                    encoder.owners(&sample.position, &mut owners);
                    let mut target = vec![0.0; usize::from(sample.choice) + 1];
                    target[usize::from(sample.choice)] = 1.0;
                    let slope = &mut slope.policy[part.clone()];
                    total += policy_loss(&out.policy[part], &owners, &target, scale, slope);
                }
                if kind.has_value() {
                    let target = encoder.target(&sample.position, sample.worth as f32);
                    let slope = &mut slope.values[index];
                    total += value_loss(out.values[index], target, scale, slope);
                }
            }
            total * scale
        })
    }

    /// The learning rate of the next step.
    pub fn rate(&self) -> f32 {
        let (epochs, steps, all) = self.progress();
        let share = (epochs * all + steps) as f64 / (self.config.epochs * all).max(1) as f64;
        match self.config.schedule {
            Schedule::Constant => self.config.rate,
            Schedule::Linear => self.config.rate * (1.0 - share.min(1.0)) as f32,
        }
    }
}
