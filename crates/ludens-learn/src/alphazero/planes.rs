//! Networks that see positions as planes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ludens_core::{Deterministic, Evaluator, Game, Rng, Symmetric};
use ludens_nn::{
    Encoder, Head, Model, NetEvaluator, Network, Optimizer, Outputs, PolicyScratch, Range, Scratch,
    Spec, Weights, action_loss, random_symmetry, value_loss,
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

/// A sample as a network sees it.
struct Seen<G> {
    position: G,
    /// Empty where nothing is known of it.
    policy: Vec<f32>,
    value: f32,
}

/// Adds the losses of samples and writes their slopes.
fn add_losses<G: Game, E: Encoder<G>>(
    encoder: E,
    seen: &[Seen<G>],
    scratch: &mut PolicyScratch,
    losses: &mut BatchLosses,
    out: &Outputs,
    slope: &mut Outputs,
) {
    let (scale, actions) = (losses.scale, out.policy.len() / seen.len().max(1));
    for (index, Seen { position, policy, value }) in seen.iter().enumerate() {
        let part = index * actions..(index + 1) * actions;
        if !policy.is_empty() {
            let (outputs, slope) = (&out.policy[part.clone()], &mut slope.policy[part]);
            losses.policy += action_loss(encoder, position, outputs, policy, scale, scratch, slope);
        }
        let target = encoder.target(position, *value);
        losses.value += value_loss(out.values[index], target, scale, &mut slope.values[index]);
    }
}

impl<G: Game, E: Encoder<G>> PlaneLearner<G, E> {
    /// What the network is given of samples.
    fn inputs(&self, seen: &[Seen<G>]) -> Vec<f32> {
        let size = self.weights.mean.spec().inputs();
        let mut inputs = vec![0.0; seen.len() * size];
        for (seen, input) in seen.iter().zip(inputs.chunks_exact_mut(size)) {
            self.encoder.encode(&seen.position, input);
        }
        inputs
    }

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

    fn learn(&mut self, samples: &[&Sample<G>], by: &Optimizer, rng: &mut Rng) -> [f32; 2] {
        let mut seen = Vec::with_capacity(samples.len());
        for sample in samples {
            let mut policy = Vec::new();
            let known = if sample.policy.is_empty() {
                vec![0.0; sample.position.actions().len()]
            } else {
                sample.policy.clone()
            };
            let position = random_symmetry(&sample.position, &known, rng, &mut policy);
            if sample.policy.is_empty() {
                policy.clear();
            }
            seen.push(Seen { position, policy, value: sample.value });
        }
        let inputs = self.inputs(&seen);
        let (encoder, scratch) = (self.encoder, &mut self.scratch);
        let mut losses = BatchLosses::of(samples);
        let loss = self.weights.trainer.step(by, &inputs, |out, slope| {
            add_losses(encoder, &seen, scratch, &mut losses, out, slope);
            losses.loss()
        });
        self.weights.finish(loss, &losses)
    }

    fn losses(&self, samples: &[&Sample<G>]) -> [f32; 2] {
        let seen: Vec<Seen<G>> = samples
            .iter()
            .map(|sample| Seen {
                position: sample.position,
                policy: sample.policy.clone(),
                value: sample.value,
            })
            .collect();
        let (mut out, mut losses) = (Outputs::default(), BatchLosses::of(samples));
        let network = Network::new(&self.weights.mean);
        network.run(&mut Scratch::default(), &self.inputs(&seen), &mut out);
        let (mut slope, mut scratch) = (out.clone(), PolicyScratch::default());
        add_losses(self.encoder, &seen, &mut scratch, &mut losses, &out, &mut slope);
        losses.means()
    }

    fn save(&self, state: &Path, network: &Path, game: &str, notes: &Value) -> Result<(), Error> {
        self.weights.save(state, network, game, E::NAME, notes)
    }
}
