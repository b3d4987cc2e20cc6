//! The recipe: epoch after epoch over the samples.

use std::sync::atomic::AtomicBool;

use ludens_core::params::spec;
use ludens_core::{Notation, ParseError, Rng, Symmetric, Variant};
use ludens_nn::{
    Adam, Checkpoint, Encoder, Head, Model, NOBODY, Network, Spec, Trainer, Weights, policy_loss,
    value_loss,
};
use serde_json::{Value, json};

use super::{Heads, Sample, Schedule, Split, SupervisedConfig, measure};
use crate::error::noted;
use crate::recipe::notes;
use crate::run_dir::{CHECKPOINT, MODEL};
use crate::{Error, Recipe, RunDir, Step};

/// A network that learns from samples.
pub struct Supervised<G: Symmetric, E> {
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
    /// The smallest validation loss, and its epoch.
    best: Option<(f64, u64)>,
    /// The order of samples in this epoch, once it has started.
    order: Vec<u32>,
}

impl<G: Symmetric + Notation, E: Encoder<G>> Supervised<G, E> {
    /// Starts with a network that has learned before, or with a fresh one.
    ///
    /// # Errors
    /// When it is for other boards or lacks what it shall learn, there are not enough samples, or there
    /// is no such engine.
    pub fn new(
        config: SupervisedConfig,
        encoder: E,
        variant: G::Variant,
        seed: u64,
        split: Split<G>,
        weights: Option<Weights>,
    ) -> Result<Self, Error> {
        let weights =
            weights.unwrap_or_else(|| Self::fresh(&config, encoder, &variant, seed, &split));
        Self::check(&config, &variant, weights.spec())?;
        if split.training.len() < config.batch || split.validation.is_empty() {
            let (training, validation) = (split.training.len(), split.validation.len());
            let message = format!(
                "{training} samples to learn from and {validation} for validation, expected a batch of {} at least and some for validation: more games would do",
                config.batch
            );
            return Err(Error::Run(message));
        }
        let trainer = Trainer::new(weights).threads(config.threads).engine(config.engine)?;
        Ok(Supervised {
            config,
            encoder,
            variant,
            seed,
            split,
            trainer,
            epochs: 0,
            steps: 0,
            total: 0.0,
            best: None,
            order: Vec::new(),
        })
    }

    /// A network that has learned nothing but the mean of all targets.
    fn fresh(
        config: &SupervisedConfig,
        encoder: E,
        variant: &G::Variant,
        seed: u64,
        split: &Split<G>,
    ) -> Weights {
        let [rows, cols, planes] = E::shape(variant);
        let spec = match config.kind {
            Heads::Policy => Spec::policy(rows, cols, planes, config.channels, config.depth),
            Heads::Value => Spec::value(rows, cols, planes, config.channels, config.depth),
            Heads::Both => Spec {
                value: Some(Head::Pooled),
                ..Spec::policy(rows, cols, planes, config.channels, config.depth)
            },
        };
        // Streams from 0 on belong to games.
        let mut weights = Weights::random(spec, &mut Rng::stream(seed, u64::MAX));
        if config.kind.has_value() && !split.training.is_empty() {
            // The mean of all targets is a better first guess than 0.
            let target = |sample: &Sample<G>| {
                f64::from(encoder.target(&sample.position, sample.value as f32))
            };
            let mean = split.training.iter().map(target).sum::<f64>() / split.training.len() as f64;
            weights.get_mut("value.linear.bias").fill(mean as f32);
        }
        weights
    }

    /// Refuses networks that a run cannot start with.
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

    /// Resumes from a checkpoint.
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
        let trainer = checkpoint.trainer()?.threads(config.threads).engine(config.engine)?;
        let weights = Some(trainer.weights().clone());
        let mut resumed =
            Supervised { trainer, ..Self::new(config, encoder, variant, seed, split, weights)? };
        (resumed.epochs, resumed.steps) = (noted(&notes, "epochs")?, noted(&notes, "steps")?);
        resumed.total = notes["total"].as_f64().unwrap_or_default();
        resumed.best = notes["best"].as_f64().zip(notes["best_epoch"].as_u64());
        Ok(resumed)
    }

    /// The network as it is now.
    pub fn weights(&self) -> &Weights {
        self.trainer.weights()
    }

    /// Everything that is needed to resume.
    fn checkpoint(&self) -> Checkpoint {
        let notes = json!({
            "epochs": self.epochs,
            "steps": self.steps,
            "total": self.total,
            "best": self.best.map(|(loss, _)| loss),
            "best_epoch": self.best.map(|(_, epoch)| epoch),
        });
        Checkpoint::of(&self.trainer, self.model(notes))
    }

    /// The network for a file.
    fn model(&self, notes: Value) -> Model {
        let (game, weights) =
            (spec(G::NAME, &self.variant.write()), self.trainer.weights().clone());
        Model { game, encoder: E::NAME.to_owned(), weights, notes }
    }

    /// Whole epochs, and the steps taken of the next one with all it has.
    pub fn progress(&self) -> (u64, u64, u64) {
        (self.epochs, self.steps, (self.split.training.len() / self.config.batch) as u64)
    }

    /// Learns from the next batch.
    fn batch(&mut self) -> Result<(), Error> {
        if self.order.is_empty() {
            self.order = (0..self.split.training.len() as u32).collect();
            // The same order after an interruption.
            Rng::stream(self.seed ^ 0x5EED, self.epochs).shuffle(&mut self.order);
        }
        let (epochs, steps, all) = self.progress();
        let first = steps as usize * self.config.batch;
        // The same symmetries after an interruption.
        let mut rng = Rng::stream(self.seed ^ 0x1AA6E, epochs * all + steps);
        let batch: Vec<Sample<G>> = self.order[first..first + self.config.batch]
            .iter()
            .map(|&index| self.split.training[index as usize])
            .map(|sample| match self.config.augmentation {
                true => sample.augmented(&mut rng),
                false => sample,
            })
            .collect();
        let loss = self.learn(&batch);
        if !loss.is_finite() {
            let (epoch, step) = (epochs + 1, steps + 1);
            return Err(Error::Run(format!(
                "the loss is no number in epoch {epoch}, step {step}; the last checkpoint is still good, a smaller rate may help"
            )));
        }
        self.total += f64::from(loss);
        self.steps += 1;
        Ok(())
    }

    /// Ends an epoch: its metrics.
    fn end_epoch(&mut self) -> Result<Value, Error> {
        let network = Network::new(self.trainer.weights());
        let (heads, threads) = (self.config.kind, self.config.threads);
        let samples = &self.split.validation;
        let found = measure(network, self.encoder, &self.variant, heads, samples, threads)?;
        self.epochs += 1;
        let best = self.best.is_none_or(|(least, _)| found.loss < least);
        if best {
            self.best = Some((found.loss, self.epochs));
        }
        let loss = self.total / self.steps.max(1) as f64;
        (self.steps, self.total) = (0, 0.0);
        self.order.clear();
        Ok(json!({
            "stage": "learning",
            "epoch": self.epochs,
            "of": self.config.epochs,
            "training_samples": self.split.training.len(),
            "validation_samples": samples.len(),
            "loss": loss,
            "validation": found.to_json(heads),
            "best": best,
        }))
    }

    fn learn(&mut self, batch: &[Sample<G>]) -> f32 {
        let spec = *self.trainer.weights().spec();
        let mut inputs = vec![0.0; batch.len() * spec.inputs()];
        for (sample, input) in batch.iter().zip(inputs.chunks_exact_mut(spec.inputs())) {
            self.encoder.encode(&sample.position, input);
        }
        let adam = Adam { rate: self.rate(), decay: self.config.decay, ..Adam::default() };
        let (heads, encoder, scale) = (self.config.kind, self.encoder, 1.0 / batch.len() as f32);
        self.trainer.step(&adam, &inputs, |out, slope| {
            let mut total = 0.0;
            let mut owners = vec![NOBODY; spec.actions];
            for (index, sample) in batch.iter().enumerate() {
                if heads.has_policy() {
                    let part = index * spec.actions..(index + 1) * spec.actions;
                    encoder.owners(&sample.position, &mut owners);
                    let mut target = vec![0.0; usize::from(sample.choice) + 1];
                    target[usize::from(sample.choice)] = 1.0;
                    let slope = &mut slope.policy[part.clone()];
                    total += policy_loss(&out.policy[part], &owners, &target, scale, slope);
                }
                if heads.has_value() {
                    let target = encoder.target(&sample.position, sample.value as f32);
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

impl<G: Symmetric + Notation, E: Encoder<G>> Recipe for Supervised<G, E> {
    const COUNTER: &'static str = "epoch";

    fn step(&mut self, _: &AtomicBool) -> Result<Step, Error> {
        let (_, steps, all) = self.progress();
        if steps < all {
            self.batch()?;
        }
        if self.steps < all { Ok(Step::Partial) } else { self.end_epoch().map(Step::Done) }
    }

    fn save(&self, dir: &RunDir) -> Result<(), Error> {
        Ok(self.checkpoint().save(&dir.file(CHECKPOINT))?)
    }

    fn keep(&self, dir: &RunDir, metrics: &Value) -> Result<(), Error> {
        if metrics["best"] == true {
            let notes = notes(&self.config, self.seed, metrics);
            self.model(notes).save(&dir.file(MODEL))?;
        }
        Ok(())
    }

    fn count(&self) -> u64 {
        self.epochs
    }

    /// Whether all epochs are done, or the last ones brought nothing.
    fn is_done(&self) -> bool {
        let late = |(_, epoch): (f64, u64)| self.epochs >= epoch + self.config.patience;
        self.epochs >= self.config.epochs || self.best.is_some_and(late)
    }

    fn completed(&self) -> f64 {
        let (epochs, steps, all) = self.progress();
        (epochs * all + steps) as f64 / (self.config.epochs * all).max(1) as f64
    }

    /// Every epoch ends with a checkpoint.
    fn save_interval(&self) -> f64 {
        if self.steps == 0 { 0.0 } else { self.config.save }
    }

    fn line(&self, metrics: &Value) -> String {
        let validation = &metrics["validation"];
        let mut line = format!(
            "epoch {} of {} | loss {:.4} | validation {:.4}",
            metrics["epoch"],
            self.config.epochs,
            metrics["loss"].as_f64().unwrap_or_default(),
            validation["loss"].as_f64().unwrap_or_default(),
        );
        if let (Some(one), Some(three)) = (validation["top1"].as_f64(), validation["top3"].as_f64())
        {
            line.push_str(&format!(" | top 1 {:.1} %, top 3 {:.1} %", 100.0 * one, 100.0 * three));
        }
        line
    }
}
