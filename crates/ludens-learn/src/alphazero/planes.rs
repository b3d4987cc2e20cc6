//! Networks that see positions as planes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ludens_core::{Deterministic, Evaluator, Game, Rng, Symmetric};
use ludens_nn::{
    Adam, Encoder, Head, Model, NetEvaluator, Network, PolicyScratch, Range, Spec, Weights,
    action_loss, random_symmetry, value_loss,
};
use serde_json::Value;

use super::AlphaZeroConfig;
use super::game::Sample;
use super::learner::{BatchLosses, Learner, remembering};
use crate::Error;
use crate::ema::Ema;

/// Random games that tell what values are about.
const RANDOM_GAMES: usize = 8;

/// A network of planes. It sees each sample through a random symmetry.
pub struct PlaneLearner<G: Game, E> {
    encoder: E,
    variant: G::Variant,
    weights: Ema<Spec>,
    scratch: PolicyScratch,
}

/// How the settings describe a network for a variant.
fn residual<G: Game, E: Encoder<G>>(
    variant: &G::Variant,
    channels: usize,
    blocks: usize,
    kernel: usize,
) -> Spec {
    let [rows, cols, planes] = E::shape(variant);
    let spec = Spec::residual(rows, cols, planes, channels, blocks, E::actions(variant));
    let spec = Spec { kernel, ..spec };
    let (policy, value) = (Some(Head::Cells), Some(Head::Pooled));
    match G::PLAYERS {
        // One player's sums have no bounds.
        1 if spec.actions == spec.cells() => Spec { policy, value, range: Range::Linear, ..spec },
        1 => Spec { value, range: Range::Linear, ..spec },
        // A move is a sum over cells, and boards of other sizes shall look alike.
        _ if E::SUMS => Spec { policy, actions: spec.cells(), value, ..spec },
        _ => spec,
    }
}

/// The mean of what a value should say of the positions of a few random games.
fn random_target<G: Deterministic, E: Encoder<G>>(
    encoder: E,
    variant: &G::Variant,
    rng: &mut Rng,
) -> f32 {
    let (mut total, mut count) = (0.0, 0u32);
    for _ in 0..RANDOM_GAMES {
        let mut here = G::start(variant, rng);
        while let Some((_, next, _)) = here.step(rng) {
            let to_come = here.playout(rng).total;
            total += encoder.target(&here, to_come as f32);
            (here, count) = (next, count + 1);
        }
    }
    total / count.max(1) as f32
}

impl<G: Game, E: Encoder<G>> PlaneLearner<G, E> {
    fn with(
        weights: Ema<Spec>,
        variant: G::Variant,
        config: &AlphaZeroConfig,
    ) -> Result<Self, Error>
    where
        E: Default,
    {
        let (encoder, scratch) = (E::default(), PolicyScratch::default());
        Ok(PlaneLearner { encoder, variant, weights: weights.engine(config.engine)?, scratch })
    }

    /// The network that plays, for a file.
    pub fn model(&self, game: &str, notes: &Value) -> Model {
        self.weights.model(game, E::NAME, notes)
    }
}

impl<G: Symmetric + Deterministic, E: Encoder<G> + Default> Learner<G> for PlaneLearner<G, E> {
    /// The settings say all.
    type Architecture = ();

    fn new(
        (): &(),
        variant: &G::Variant,
        config: &AlphaZeroConfig,
        rng: &mut Rng,
    ) -> Result<Self, Error> {
        let spec = residual::<G, E>(variant, config.channels, config.blocks, config.kernel);
        let mut weights = Weights::random(spec, rng);
        if spec.range == Range::Linear && spec.value == Some(Head::Pooled) {
            // Sums of rewards may be far from 0; what random games come to is a better first guess.
            let mean = random_target(E::default(), variant, rng);
            weights.get_mut("value.linear.bias").fill(mean);
        }
        Self::with(Ema::new(weights, config.ema_decay), *variant, config)
    }

    fn load(
        variant: &G::Variant,
        config: &AlphaZeroConfig,
        state: &Path,
        network: impl Fn(&Value) -> PathBuf,
        game: &str,
    ) -> Result<(Self, Value), Error> {
        let (weights, notes) = Ema::<Spec>::load(state, network, game, E::NAME, config.ema_decay)?;
        E::check(variant, weights.mean.spec())?;
        Ok((Self::with(weights, *variant, config)?, notes))
    }

    fn of_network(
        variant: &G::Variant,
        config: &AlphaZeroConfig,
        network: &[u8],
        game: &str,
    ) -> Result<Self, Error> {
        let weights = Ema::<Spec>::of_network(network, game, E::NAME, config.ema_decay)?;
        E::check(variant, weights.mean.spec())?;
        Self::with(weights, *variant, config)
    }

    fn network(&self, game: &str) -> Result<Vec<u8>, Error> {
        Ok(self.model(game, &Value::Null).to_bytes()?)
    }

    fn evaluators(&self, count: usize, cache: usize) -> Result<Vec<Box<dyn Evaluator<G>>>, Error> {
        let network = Arc::new(Network::new(&self.weights.mean));
        let evaluator = NetEvaluator::new(network, self.encoder, &self.variant)?;
        Ok(remembering(&evaluator, count, cache))
    }

    fn learn(&mut self, samples: &[&Sample<G>], rate: f32, decay: f32, rng: &mut Rng) -> [f32; 2] {
        let spec = *self.weights.mean.spec();
        let mut inputs = vec![0.0; samples.len() * spec.inputs()];
        let mut seen = Vec::with_capacity(samples.len());
        for (sample, input) in samples.iter().zip(inputs.chunks_exact_mut(spec.inputs())) {
            let mut policy = Vec::new();
            let known = if sample.policy.is_empty() {
                vec![0.0; sample.position.actions().len()]
            } else {
                sample.policy.clone()
            };
            let position = random_symmetry(&sample.position, &known, rng, &mut policy);
            self.encoder.encode(&position, input);
            seen.push((position, policy, !sample.policy.is_empty(), sample.value));
        }
        let adam = Adam { rate, decay, ..Adam::default() };
        let (encoder, scratch) = (self.encoder, &mut self.scratch);
        let mut losses = BatchLosses::of(samples);
        let scale = losses.scale;
        let loss = self.weights.trainer.step(&adam, &inputs, |out, slope| {
            for (index, (position, policy, known, value)) in seen.iter().enumerate() {
                let part = index * spec.actions..(index + 1) * spec.actions;
                if *known {
                    let slope = &mut slope.policy[part.clone()];
                    let outputs = &out.policy[part];
                    losses.policy +=
                        action_loss(encoder, position, outputs, policy, scale, scratch, slope);
                }
                let target = encoder.target(position, *value);
                losses.value +=
                    value_loss(out.values[index], target, scale, &mut slope.values[index]);
            }
            losses.loss()
        });
        self.weights.finish(loss, &losses)
    }

    fn save(&self, state: &Path, network: &Path, game: &str, notes: &Value) -> Result<(), Error> {
        self.weights.save(state, network, game, E::NAME, notes)
    }
}
