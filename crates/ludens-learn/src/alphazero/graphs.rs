//! Networks that see positions as graphs.

use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ludens_core::{Deterministic, Duel, Evaluator, Game, Rng};
use ludens_nn::{
    Graph, GraphEncoder, GraphEvaluator, GraphNetwork, GraphScratch, GraphSpec, Optimizer, Outputs,
    PolicyOutput, Weights, WinEvaluator, policy_loss, squared_policy_loss, tanh_encoder,
    value_loss, win_encoder, win_loss,
};
use serde_json::Value;

use super::config::{AlphaZeroConfig, BiasStart, LossKind};
use super::game::Sample;
use super::learner::{BatchLosses, Learner, remembering};
use crate::Error;
use crate::ema::Ema;

/// A network of graphs. A graph is the same through every symmetry, so there is nothing to augment.
pub struct GraphLearner<G, E> {
    encoder: E,
    weights: Ema<GraphSpec>,
    kind: Kind,
    game: PhantomData<fn(&G)>,
}

/// How a network is read and what its loss is.
#[derive(Clone, Copy)]
struct Kind {
    /// Whether it is a value-win network ([`WinEvaluator`]) instead of one with a policy.
    wins: bool,
    policy: PolicyOutput,
    loss: LossKind,
}

impl Kind {
    fn of(config: &AlphaZeroConfig) -> Self {
        Kind { wins: config.wins != 0, policy: config.policy, loss: config.loss }
    }

    /// What files call the encoder.
    fn name<G: Game, E: GraphEncoder<G>>(self) -> String {
        match self {
            Kind { wins: true, .. } => win_encoder::<G, E>(),
            Kind { policy: PolicyOutput::Tanh, .. } => tanh_encoder::<G, E>(),
            Kind { policy: PolicyOutput::Softmax, .. } => E::NAME.to_owned(),
        }
    }

    /// The loss of what a network says of a sample's moves.
    fn policy_loss(self, outputs: &[f32], target: &[f32], scale: f32, slope: &mut [f32]) -> f32 {
        match self.loss {
            LossKind::Squares => squared_policy_loss(outputs, self.policy, target, scale, slope),
            LossKind::CrossEntropy => {
                // Every output is an action's own.
                let owners: Vec<u16> = (0..outputs.len() as u16).collect();
                policy_loss(outputs, &owners, target, scale, slope)
            }
        }
    }

    /// Adds the losses of samples, seen as graphs, and writes their slopes.
    fn add_losses<G: Game, E: GraphEncoder<G>>(
        self,
        encoder: E,
        (samples, graphs): (&[&Sample<G>], &[Graph]),
        losses: &mut BatchLosses,
        out: &Outputs,
        slope: &mut Outputs,
    ) {
        let (mut first, scale) = (0, losses.scale);
        for (index, (sample, graph)) in samples.iter().zip(graphs).enumerate() {
            let part = first..first + graph.actions();
            first = part.end;
            let (outputs, slopes) = (&out.policy[part.clone()], &mut slope.policy[part]);
            if self.wins {
                // To the player who has just moved.
                let searched = -encoder.value(&sample.position, sample.searched);
                let wanted = 0.5 + 0.5 * searched.clamp(-1.0, 1.0);
                losses.policy += win_loss(outputs, wanted, scale, slopes);
            } else if !sample.policy.is_empty() {
                losses.policy += self.policy_loss(outputs, &sample.policy, scale, slopes);
            }
            // The player to move sees its value to him, turned back it is the same again.
            let target = encoder.value(&sample.position, sample.value);
            losses.value += value_loss(out.values[index], target, scale, &mut slope.values[index]);
        }
    }

    /// The losses of no sample yet.
    fn start<G>(self, samples: &[&Sample<G>]) -> BatchLosses {
        let mut losses = BatchLosses::of(samples).summed(self.loss == LossKind::Squares);
        if self.wins {
            losses.with_policy = samples.len();
        }
        losses
    }
}

impl<G: Game, E: GraphEncoder<G> + Default> GraphLearner<G, E> {
    fn with(weights: Ema<GraphSpec>, config: &AlphaZeroConfig) -> Result<Self, Error> {
        let (weights, kind) = (weights.engine(config.engine)?, Kind::of(config));
        Ok(GraphLearner { encoder: E::default(), weights, kind, game: PhantomData })
    }

    fn graphs(&self, samples: &[&Sample<G>]) -> Vec<Graph> {
        let mut graphs = vec![Graph::default(); samples.len()];
        for (sample, graph) in samples.iter().zip(&mut graphs) {
            self.encoder.encode(&sample.position, graph);
        }
        graphs
    }
}

impl<G: Duel + Deterministic, E: GraphEncoder<G> + Default> Learner<G> for GraphLearner<G, E> {
    type Architecture = GraphSpec;

    fn new(
        architecture: &GraphSpec,
        _: &G::Variant,
        config: &AlphaZeroConfig,
        rng: &mut Rng,
    ) -> Result<Self, Error> {
        let mut weights = Weights::random(architecture.clone(), rng);
        if config.biases == BiasStart::Xavier {
            weights = weights.with_random_biases(rng);
        }
        Self::with(Ema::new(weights, config.ema_decay), config)
    }

    fn load(
        _: &G::Variant,
        config: &AlphaZeroConfig,
        state: &Path,
        network: impl Fn(&Value) -> PathBuf,
        game: &str,
    ) -> Result<(Self, Value), Error> {
        let name = Kind::of(config).name::<G, E>();
        let (weights, notes) = Ema::load(state, network, game, &name, config.ema_decay)?;
        Ok((Self::with(weights, config)?, notes))
    }

    fn of_network(
        _: &G::Variant,
        config: &AlphaZeroConfig,
        network: &[u8],
        game: &str,
    ) -> Result<Self, Error> {
        let name = Kind::of(config).name::<G, E>();
        Self::with(Ema::of_network(network, game, &name, config.ema_decay)?, config)
    }

    fn network(&self, game: &str) -> Result<Vec<u8>, Error> {
        Ok(self.weights.model(game, &self.kind.name::<G, E>(), &Value::Null).to_bytes()?)
    }

    fn evaluators(&self, count: usize, cache: usize) -> Result<Vec<Box<dyn Evaluator<G>>>, Error> {
        let network = Arc::new(GraphNetwork::new(&self.weights.mean));
        let evaluator = GraphEvaluator::new(network, self.encoder)?.policy(self.kind.policy);
        Ok(if self.kind.wins {
            remembering(&WinEvaluator::from(evaluator), count, cache)
        } else {
            remembering(&evaluator, count, cache)
        })
    }

    fn learn(&mut self, samples: &[&Sample<G>], by: &Optimizer, _: &mut Rng) -> [f32; 2] {
        let (graphs, kind, encoder) = (self.graphs(samples), self.kind, self.encoder);
        let mut losses = kind.start(samples);
        let loss = self.weights.trainer.step_graphs(by, &graphs, |out, slope| {
            kind.add_losses(encoder, (samples, &graphs), &mut losses, out, slope);
            losses.loss()
        });
        self.weights.finish(loss, &losses)
    }

    fn losses(&self, samples: &[&Sample<G>]) -> [f32; 2] {
        let network = GraphNetwork::new(&self.weights.mean);
        let (graphs, mut scratch) = (self.graphs(samples), GraphScratch::default());
        let (mut out, mut logits) = (Outputs::default(), Vec::new());
        for graph in &graphs {
            out.values.push(network.run(&mut scratch, graph, &mut logits));
            out.policy.extend_from_slice(&logits);
        }
        let (mut slope, mut losses) = (out.clone(), self.kind.start(samples));
        self.kind.add_losses(self.encoder, (samples, &graphs), &mut losses, &out, &mut slope);
        losses.means()
    }

    fn save(&self, state: &Path, network: &Path, game: &str, notes: &Value) -> Result<(), Error> {
        self.weights.save(state, network, game, &self.kind.name::<G, E>(), notes)
    }
}
