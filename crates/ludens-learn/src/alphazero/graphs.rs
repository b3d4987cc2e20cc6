//! Networks that see positions as graphs.

use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ludens_core::{Deterministic, Duel, Evaluator, Game, Rng};
use ludens_nn::{
    Adam, Graph, GraphEncoder, GraphEvaluator, GraphNetwork, GraphSpec, Weights, WinEvaluator,
    policy_loss, value_loss, win_encoder, win_loss,
};
use serde_json::Value;

use super::AlphaZeroConfig;
use super::game::Sample;
use super::learner::{BatchLosses, Learner, remembering};
use crate::Error;
use crate::ema::Ema;

/// A network of graphs. A graph is the same through every symmetry, so there is nothing to augment.
pub struct GraphLearner<G, E> {
    encoder: E,
    weights: Ema<GraphSpec>,
    /// Whether it is a value-win network ([`WinEvaluator`]) instead of one with a policy.
    wins: bool,
    game: PhantomData<fn(&G)>,
}

/// What files call the encoder.
fn name<G: Game, E: GraphEncoder<G>>(wins: bool) -> String {
    if wins { win_encoder::<G, E>() } else { E::NAME.to_owned() }
}

impl<G: Game, E: GraphEncoder<G> + Default> GraphLearner<G, E> {
    fn with(weights: Ema<GraphSpec>, config: &AlphaZeroConfig) -> Result<Self, Error> {
        let (weights, wins) = (weights.engine(config.engine)?, config.wins != 0);
        Ok(GraphLearner { encoder: E::default(), weights, wins, game: PhantomData })
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
        let weights = Weights::random(architecture.clone(), rng);
        Self::with(Ema::new(weights, config.ema_decay), config)
    }

    fn load(
        _: &G::Variant,
        config: &AlphaZeroConfig,
        state: &Path,
        network: impl Fn(&Value) -> PathBuf,
        game: &str,
    ) -> Result<(Self, Value), Error> {
        let name = name::<G, E>(config.wins != 0);
        let (weights, notes) = Ema::load(state, network, game, &name, config.ema_decay)?;
        Ok((Self::with(weights, config)?, notes))
    }

    fn of_network(
        _: &G::Variant,
        config: &AlphaZeroConfig,
        network: &[u8],
        game: &str,
    ) -> Result<Self, Error> {
        let name = name::<G, E>(config.wins != 0);
        Self::with(Ema::of_network(network, game, &name, config.ema_decay)?, config)
    }

    fn network(&self, game: &str) -> Result<Vec<u8>, Error> {
        Ok(self.weights.model(game, &name::<G, E>(self.wins), &Value::Null).to_bytes()?)
    }

    fn evaluators(&self, count: usize, cache: usize) -> Result<Vec<Box<dyn Evaluator<G>>>, Error> {
        let network = Arc::new(GraphNetwork::new(&self.weights.mean));
        let evaluator = GraphEvaluator::new(network, self.encoder)?;
        Ok(if self.wins {
            remembering(&WinEvaluator::from(evaluator), count, cache)
        } else {
            remembering(&evaluator, count, cache)
        })
    }

    fn learn(&mut self, samples: &[&Sample<G>], rate: f32, decay: f32, _: &mut Rng) -> [f32; 2] {
        let mut graphs = vec![Graph::default(); samples.len()];
        for (sample, graph) in samples.iter().zip(&mut graphs) {
            self.encoder.encode(&sample.position, graph);
        }
        let adam = Adam { rate, decay, ..Adam::default() };
        let mut losses = BatchLosses::of(samples);
        let scale = losses.scale;
        let (encoder, wins) = (self.encoder, self.wins);
        if wins {
            losses.with_policy = samples.len();
        }
        let loss = self.weights.trainer.step_graphs(&adam, &graphs, |out, slope| {
            let mut first = 0;
            for (index, (sample, graph)) in samples.iter().zip(&graphs).enumerate() {
                let part = first..first + graph.actions();
                first = part.end;
                if wins {
                    // To the player who has just moved.
                    let searched = -encoder.value(&sample.position, sample.searched);
                    let wanted = 0.5 + 0.5 * searched.clamp(-1.0, 1.0);
                    let (outputs, slope) = (&out.policy[part.clone()], &mut slope.policy[part]);
                    losses.policy += win_loss(outputs, wanted, scale, slope);
                } else if !sample.policy.is_empty() {
                    // Every output is an action's own.
                    let owners: Vec<u16> = (0..graph.actions() as u16).collect();
                    let (outputs, slope) = (&out.policy[part.clone()], &mut slope.policy[part]);
                    losses.policy += policy_loss(outputs, &owners, &sample.policy, scale, slope);
                }
                // The player to move sees its value to him, turned back it is the same again.
                let target = encoder.value(&sample.position, sample.value);
                losses.value +=
                    value_loss(out.values[index], target, scale, &mut slope.values[index]);
            }
            losses.loss()
        });
        self.weights.finish(loss, &losses)
    }

    fn save(&self, state: &Path, network: &Path, game: &str, notes: &Value) -> Result<(), Error> {
        self.weights.save(state, network, game, &name::<G, E>(self.wins), notes)
    }
}
