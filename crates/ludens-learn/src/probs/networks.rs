//! The two networks: V for positions, Q for moves.

use std::sync::Arc;

use ludens_core::{Game, Rng};
use ludens_nn::{
    Adam, Checkpoint, Encoder, Head, Model, Network, Outputs, Range, Scratch, Spec, Tower, Trainer,
    Weights, action_sums, value_loss,
};
use serde_json::Value;

use super::ProbsConfig;
use super::beam::Estimates;
use crate::Error;

/// What files call the encoder of a network that values moves.
pub fn action_encoder<G: Game, E: Encoder<G>>() -> String {
    format!("{}, values of moves", E::NAME)
}

/// Convolutions, a dense layer, and a dense head: 4 layers with `d` = 2.
fn spec<G: Game, E: Encoder<G>>(variant: &G::Variant, config: &ProbsConfig, moves: bool) -> Spec {
    let [rows, cols, planes] = E::shape(variant);
    Spec {
        rows,
        cols,
        planes,
        width: config.w,
        kernel: 3,
        tower: Tower::Plain(config.d),
        shared: config.hidden,
        policy: moves.then_some(Head::Dense),
        actions: if moves { E::actions(variant) } else { 0 },
        value: (!moves).then_some(Head::Dense),
        range: Range::Linear,
    }
}

/// A network being learned.
pub struct Learner<E> {
    encoder: E,
    pub(super) trainer: Trainer,
}

impl<E: Copy> Learner<E> {
    /// A fresh network, for moves or for positions.
    ///
    /// # Errors
    /// When there is no such engine.
    pub fn new<G: Game>(
        encoder: E,
        variant: &G::Variant,
        config: &ProbsConfig,
        moves: bool,
        rng: &mut Rng,
    ) -> Result<Self, Error>
    where
        E: Encoder<G>,
    {
        let weights = Weights::random(spec::<G, E>(variant, config, moves), rng);
        let trainer = Trainer::new(weights).threads(config.threads).engine(config.engine)?;
        Ok(Learner { encoder, trainer })
    }

    /// The network for a file.
    pub fn model<G: Game>(&self, game: &str, notes: &Value) -> Model
    where
        E: Encoder<G>,
    {
        let weights = self.trainer.weights().clone();
        let moves = weights.spec().policy.is_some();
        let encoder = if moves { action_encoder::<G, E>() } else { E::NAME.to_owned() };
        Model { game: game.to_owned(), encoder, weights, notes: notes.clone() }
    }

    /// Goes on from a checkpoint.
    ///
    /// # Errors
    /// When it is of another game, encoder or network.
    pub fn resume<G: Game>(
        encoder: E,
        variant: &G::Variant,
        game: &str,
        config: &ProbsConfig,
        checkpoint: Checkpoint,
        moves: bool,
    ) -> Result<Self, Error>
    where
        E: Encoder<G>,
    {
        let name = if moves { action_encoder::<G, E>() } else { E::NAME.to_owned() };
        checkpoint.model.check(game, &name)?;
        E::check(variant, checkpoint.model.weights.spec())?;
        let trainer = checkpoint.trainer()?.threads(config.threads).engine(config.engine)?;
        Ok(Learner { encoder, trainer })
    }

    fn inputs<'a, G: Game + 'a>(&self, states: impl ExactSizeIterator<Item = &'a G>) -> Vec<f32>
    where
        E: Encoder<G>,
    {
        let size = self.trainer.weights().spec().inputs();
        let mut inputs = vec![0.0; states.len() * size];
        for (state, input) in states.zip(inputs.chunks_exact_mut(size)) {
            self.encoder.encode(state, input);
        }
        inputs
    }

    /// A gradient step of V towards values of the players to move: the mean squared error.
    pub fn learn_values<G: Game>(&mut self, batch: &[(G, f32)], rate: f32) -> f32
    where
        E: Encoder<G>,
    {
        let inputs = self.inputs(batch.iter().map(|(state, _)| state));
        let scale = 1.0 / batch.len() as f32;
        self.trainer.step(&Adam { rate, ..Adam::default() }, &inputs, |out, slope| {
            let one = |(i, (_, target)): (usize, &(G, f32))| {
                value_loss(out.values[i], *target, scale, &mut slope.values[i])
            };
            batch.iter().enumerate().map(one).sum::<f32>() * scale
        })
    }

    /// A gradient step of Q towards values of all moves: the mean squared error over the moves.
    pub fn learn_actions<G: Game>(&mut self, batch: &[(G, Vec<f32>)], rate: f32) -> f32
    where
        E: Encoder<G>,
    {
        let inputs = self.inputs(batch.iter().map(|(state, _)| state));
        let actions = self.trainer.weights().spec().actions;
        let encoder = self.encoder;
        let moves: usize = batch.iter().map(|(_, values)| values.len()).sum();
        let scale = 1.0 / moves.max(1) as f32;
        let mut sums = Vec::new();
        self.trainer.step(&Adam { rate, ..Adam::default() }, &inputs, |out, slope| {
            let mut total = 0.0;
            for (index, (state, targets)) in batch.iter().enumerate() {
                let part = index * actions..(index + 1) * actions;
                action_sums(encoder, state, &out.policy[part.clone()], &mut sums);
                let slope = &mut slope.policy[part];
                total += sums.iter().zip(targets).map(|(q, t)| (q - t).powi(2)).sum::<f32>();
                encoder.parts(state, |action, output| {
                    slope[output] += 2.0 * scale * (sums[action] - targets[action]);
                });
            }
            total * scale
        })
    }
}

/// Networks that judge. Cheap to clone: the weights are shared.
#[derive(Clone)]
pub struct Players<E> {
    encoder: E,
    moves: Arc<Network>,
    positions: Option<Arc<Network>>,
    scratch: Scratch,
    inputs: Vec<f32>,
    outputs: Outputs,
}

impl<E: Copy> Players<E> {
    /// Judges by Q, and by V where there is one.
    pub fn new(encoder: E, moves: &Weights, positions: Option<&Weights>) -> Self {
        Players {
            encoder,
            moves: Arc::new(Network::new(moves)),
            positions: positions.map(|weights| Arc::new(Network::new(weights))),
            scratch: Scratch::default(),
            inputs: Vec::new(),
            outputs: Outputs::default(),
        }
    }

    /// Whether there is a V.
    pub fn has_values(&self) -> bool {
        self.positions.is_some()
    }

    fn run<G: Game>(&mut self, network: &Network, states: &[G])
    where
        E: Encoder<G>,
    {
        let size = network.spec().inputs();
        self.inputs.clear();
        self.inputs.resize(states.len() * size, 0.0);
        for (state, input) in states.iter().zip(self.inputs.chunks_exact_mut(size)) {
            self.encoder.encode(state, input);
        }
        network.run(&mut self.scratch, &self.inputs, &mut self.outputs);
    }
}

impl<G: Game, E: Encoder<G>> Estimates<G> for Players<E> {
    fn actions(&mut self, states: &[G], out: &mut Vec<Vec<f32>>) {
        let network = Arc::clone(&self.moves);
        self.run(&network, states);
        out.resize(states.len(), Vec::new());
        let rows = self.outputs.policy.chunks_exact(network.spec().actions);
        for ((state, row), out) in states.iter().zip(rows).zip(out) {
            action_sums(self.encoder, state, row, out);
        }
    }

    fn values(&mut self, states: &[G], out: &mut Vec<f32>) {
        out.clear();
        match self.positions.clone() {
            Some(network) => {
                self.run(&network, states);
                out.extend_from_slice(&self.outputs.values);
            }
            None => out.resize(states.len(), 0.0),
        }
    }
}
