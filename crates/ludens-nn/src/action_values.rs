//! Networks of PROBS: Q for actions, V for positions.

use std::sync::Arc;

use ludens_core::{ActionValues, Game};

use crate::{Encoder, Network, Outputs, Scratch, action_sums};

/// What files call the encoder of a network that values moves.
pub fn action_encoder<G: Game, E: Encoder<G>>() -> String {
    format!("{}, values of moves", E::NAME)
}

/// A network of action values, Q, and one of position values, V. Cheap to clone: the weights are
/// shared.
#[derive(Clone)]
pub struct QvNetworks<E> {
    encoder: E,
    actions: Arc<Network>,
    positions: Option<Arc<Network>>,
    scratch: Scratch,
    inputs: Vec<f32>,
    outputs: Outputs,
}

impl<E: Copy> QvNetworks<E> {
    /// Evaluates by Q, and by V where there is one.
    pub fn new(encoder: E, actions: Arc<Network>, positions: Option<Arc<Network>>) -> Self {
        QvNetworks {
            encoder,
            actions,
            positions,
            scratch: Scratch::default(),
            inputs: Vec::new(),
            outputs: Outputs::default(),
        }
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

impl<G: Game, E: Encoder<G>> ActionValues<G> for QvNetworks<E> {
    fn action_values(&mut self, states: &[G], out: &mut Vec<Vec<f32>>) {
        let network = Arc::clone(&self.actions);
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
