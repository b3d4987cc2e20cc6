//! The two networks: V for positions, Q for moves.

use std::path::Path;

use ludens_core::{Game, Rng};
use ludens_nn::{
    Adam, Encoder, Head, Network, Outputs, Scratch, Spec, Tower, Weights, action_encoder,
    action_sums, value_loss,
};
use serde_json::Value;

use super::config::{NetKind, ProbsConfig, QLoss};
use crate::Error;
use crate::ema::Ema;

/// What files call the encoder of a network.
fn name<G: Game, E: Encoder<G>>(moves: bool) -> String {
    if moves { action_encoder::<G, E>() } else { E::NAME.to_owned() }
}

/// Convolutions, a dense layer, and a dense head: 4 layers with `layers` = 2. Or a residual tower.
fn spec<G: Game, E: Encoder<G>>(variant: &G::Variant, config: &ProbsConfig, moves: bool) -> Spec {
    let [rows, cols, planes] = E::shape(variant);
    let actions = E::actions(variant);
    if let NetKind::Valid(valid) = config.net {
        return Spec::valid(rows, cols, planes, valid, if moves { actions } else { 0 });
    }
    let spec = Spec::residual(rows, cols, planes, config.channels, config.blocks, actions);
    let spec = match config.blocks {
        0 => Spec {
            tower: Tower::Plain(config.layers),
            shared: config.hidden,
            policy: Some(Head::Dense),
            value: Some(Head::Dense),
            ..spec
        },
        _ => Spec { policy: Some(Head::Reduced { planes: 8, hidden: 0 }), ..spec },
    };
    if moves { Spec { value: None, ..spec } } else { Spec { policy: None, actions: 0, ..spec } }
}

/// A network being learned.
pub struct NetworkLearner<E> {
    encoder: E,
    optimizer: Adam,
    pub(super) weights: Ema<Spec>,
}

impl<E: Copy> NetworkLearner<E> {
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
        Self::with(encoder, Ema::new(weights, config.ema_decay), config)
    }

    fn with(encoder: E, weights: Ema<Spec>, config: &ProbsConfig) -> Result<Self, Error> {
        let weights = weights.threads(config.threads).engine(config.engine)?;
        let optimizer = Adam { rate: config.rate, decoupled: config.decay, ..Adam::default() };
        Ok(NetworkLearner { encoder, optimizer, weights })
    }

    /// Writes what is needed to resume to `state`, and the network that plays to `network`.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn save<G: Game>(
        &self,
        state: &Path,
        network: &Path,
        game: &str,
        notes: &Value,
    ) -> Result<(), Error>
    where
        E: Encoder<G>,
    {
        let moves = self.weights.mean.spec().policy.is_some();
        self.weights.save(state, network, game, &name::<G, E>(moves), notes)
    }

    /// Resumes from what [`save`](NetworkLearner::save) wrote.
    ///
    /// # Errors
    /// When it is of another game, encoder or network.
    pub fn load<G: Game>(
        encoder: E,
        variant: &G::Variant,
        [state, network]: [&Path; 2],
        game: &str,
        config: &ProbsConfig,
        moves: bool,
    ) -> Result<Self, Error>
    where
        E: Encoder<G>,
    {
        let (name, network) = (name::<G, E>(moves), |_: &Value| network.to_owned());
        let (weights, _) = Ema::load(state, network, game, &name, config.ema_decay)?;
        E::check(variant, weights.mean.spec())?;
        Self::with(encoder, weights, config)
    }

    /// The network of moves of a file's bytes, which has learned nothing since.
    ///
    /// # Errors
    /// When it is of another game or encoder.
    pub fn of_network<G: Game>(
        encoder: E,
        variant: &G::Variant,
        network: &[u8],
        game: &str,
        config: &ProbsConfig,
    ) -> Result<Self, Error>
    where
        E: Encoder<G>,
    {
        let weights = Ema::of_network(network, game, &name::<G, E>(true), config.ema_decay)?;
        E::check(variant, weights.mean.spec())?;
        Self::with(encoder, weights, config)
    }

    /// The network that plays, as a file has it, without notes.
    ///
    /// # Errors
    /// When it cannot be written as safetensors.
    pub fn network<G: Game>(&self, game: &str) -> Result<Vec<u8>, Error>
    where
        E: Encoder<G>,
    {
        let moves = self.weights.mean.spec().policy.is_some();
        Ok(self.weights.model(game, &name::<G, E>(moves), &Value::Null).to_bytes()?)
    }

    fn inputs<'a, G: Game + 'a>(&self, states: impl ExactSizeIterator<Item = &'a G>) -> Vec<f32>
    where
        E: Encoder<G>,
    {
        let size = self.weights.mean.spec().inputs();
        let mut inputs = vec![0.0; states.len() * size];
        for (state, input) in states.zip(inputs.chunks_exact_mut(size)) {
            self.encoder.encode(state, input);
        }
        inputs
    }

    /// A gradient step of V towards values of the players to move: the mean squared error.
    pub fn learn_values<G: Game>(&mut self, batch: &[(G, f32)]) -> f32
    where
        E: Encoder<G>,
    {
        let inputs = self.inputs(batch.iter().map(|(state, _)| state));
        let step = |out: &Outputs, slope: &mut Outputs| value_errors(batch, out, slope);
        let loss = self.weights.trainer.step(&self.optimizer, &inputs, step);
        self.weights.follow();
        loss
    }

    /// The same error of the network that plays, which learns nothing.
    pub fn value_error<G: Game>(&self, batch: &[(G, f32)]) -> f32
    where
        E: Encoder<G>,
    {
        let out = self.run(batch.iter().map(|(state, _)| state));
        value_errors(batch, &out, &mut out.clone())
    }

    /// A gradient step of Q towards values of all moves: the mean squared error over the moves.
    pub fn learn_actions<G: Game>(&mut self, batch: &[(G, Vec<f32>)], by: QLoss) -> f32
    where
        E: Encoder<G>,
    {
        let inputs = self.inputs(batch.iter().map(|(state, _)| state));
        let encoder = self.encoder;
        let step =
            |out: &Outputs, slope: &mut Outputs| action_errors(encoder, by, batch, out, slope);
        let loss = self.weights.trainer.step(&self.optimizer, &inputs, step);
        self.weights.follow();
        loss
    }

    /// The same error of the network that plays, which learns nothing.
    pub fn action_error<G: Game>(&self, batch: &[(G, Vec<f32>)], by: QLoss) -> f32
    where
        E: Encoder<G>,
    {
        let out = self.run(batch.iter().map(|(state, _)| state));
        action_errors(self.encoder, by, batch, &out, &mut out.clone())
    }

    /// What the network that plays says of states.
    fn run<'a, G: Game + 'a>(&self, states: impl ExactSizeIterator<Item = &'a G>) -> Outputs
    where
        E: Encoder<G>,
    {
        let (inputs, mut out) = (self.inputs(states), Outputs::default());
        Network::new(&self.weights.mean).run(&mut Scratch::default(), &inputs, &mut out);
        out
    }
}

/// The mean squared error of V, with its slopes.
fn value_errors<G>(batch: &[(G, f32)], out: &Outputs, slope: &mut Outputs) -> f32 {
    let scale = 1.0 / batch.len() as f32;
    let one = |(i, (_, target)): (usize, &(G, f32))| {
        value_loss(out.values[i], *target, scale, &mut slope.values[i])
    };
    batch.iter().enumerate().map(one).sum::<f32>() * scale
}

/// The mean squared error of Q, with its slopes.
fn action_errors<G: Game, E: Encoder<G>>(
    encoder: E,
    by: QLoss,
    batch: &[(G, Vec<f32>)],
    out: &Outputs,
    slope: &mut Outputs,
) -> f32 {
    let actions = out.policy.len() / batch.len().max(1);
    let moves: usize = batch.iter().map(|(_, values)| values.len()).sum();
    let (mut total, mut sums) = (0.0, Vec::new());
    for (index, (state, targets)) in batch.iter().enumerate() {
        let part = index * actions..(index + 1) * actions;
        let scale = match by {
            QLoss::Moves => 1.0 / moves.max(1) as f32,
            QLoss::States => 1.0 / (batch.len() * targets.len().max(1)) as f32,
        };
        action_sums(encoder, state, &out.policy[part.clone()], &mut sums);
        let slope = &mut slope.policy[part];
        slope.fill(0.0);
        total += scale * sums.iter().zip(targets).map(|(q, t)| (q - t).powi(2)).sum::<f32>();
        encoder.parts(state, |action, output| {
            slope[output] += 2.0 * scale * (sums[action] - targets[action]);
        });
    }
    total
}
