//! A network ready to run, with weights packed for this processor.

use crate::buffer::Buffer;
use crate::kernels::Entries;
use crate::padded::PaddedNetwork;
use crate::simd::Level;
use crate::spec::Tower;
use crate::valid_network::ValidNetwork;
use crate::{Spec, Weights};

/// Positions that go through a layer together, so that its weights stay near.
const GROUP: usize = 8;

/// What a network says of a batch.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Outputs {
    /// [`Spec::actions`] logits per position.
    pub policy: Vec<f32>,
    /// One value per position, if the network gives any.
    pub values: Vec<f32>,
}

impl Outputs {
    /// Outputs of a batch, all 0.
    pub fn zeros(spec: &Spec, batch: usize) -> Outputs {
        let values = if spec.value.is_some() { batch } else { 0 };
        Outputs { policy: vec![0.0; batch * spec.actions], values: vec![0.0; values] }
    }

    /// The loss of what the heads gave, and its slopes there. The values are then in their range.
    pub(crate) fn loss(
        &mut self,
        spec: &Spec,
        loss: impl FnOnce(&Outputs, &mut Outputs) -> f32,
    ) -> (f32, Outputs) {
        spec.range.apply(&mut self.values);
        let (policy, values) = (vec![0.0; self.policy.len()], vec![0.0; self.values.len()]);
        let mut slopes = Outputs { policy, values };
        let result = loss(self, &mut slopes);
        spec.range.apply_back(&mut slopes.values, &self.values);
        (result, slopes)
    }
}

/// A network to evaluate positions with. Shared by threads; each has a [`Scratch`].
pub struct Network {
    spec: Spec,
    form: Form,
}

/// What its convolutions do at the edge of the board.
enum Form {
    Padded(Box<PaddedNetwork>),
    Valid(Box<ValidNetwork>),
}

/// Scratch buffers of one thread.
#[derive(Clone, Default)]
pub struct Scratch {
    pub(crate) boards: [Buffer; 3],
    pub(crate) rows: [Buffer; 3],
    pub(crate) entries: Entries,
}

impl Network {
    /// Prepares weights for the best instructions of this processor.
    pub fn new(weights: &Weights) -> Network {
        Network::with_level(weights, Level::best())
    }

    pub(crate) fn with_level(weights: &Weights, level: Level) -> Network {
        let spec = *weights.spec();
        let form = match spec.tower {
            Tower::Valid(valid) => Form::Valid(Box::new(ValidNetwork::new(weights, valid, level))),
            Tower::Plain(_) | Tower::Residual(_) => {
                Form::Padded(Box::new(PaddedNetwork::new(weights, level)))
            }
        };
        Network { spec, form }
    }

    /// What it is.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Evaluates a batch: [`Spec::inputs`] numbers per position.
    ///
    /// # Panics
    /// When the inputs are not whole positions.
    pub fn run(&self, scratch: &mut Scratch, inputs: &[f32], out: &mut Outputs) {
        let batch = inputs.len() / self.spec.inputs();
        assert_eq!(inputs.len(), batch * self.spec.inputs(), "whole positions");
        let values = if self.spec.value.is_some() { batch } else { 0 };
        out.policy.resize(batch * self.spec.actions, 0.0);
        out.values.resize(values, 0.0);
        self.run_into(scratch, inputs, &mut out.policy, &mut out.values);
    }

    /// The same into slices of the right length.
    pub(crate) fn run_into(
        &self,
        scratch: &mut Scratch,
        inputs: &[f32],
        policy: &mut [f32],
        values: &mut [f32],
    ) {
        let (size, actions) = (self.spec.inputs(), self.spec.actions);
        for (group, inputs) in inputs.chunks(GROUP * size).enumerate() {
            let (from, count) = (group * GROUP, inputs.len() / size);
            let policy = if policy.is_empty() {
                &mut [][..]
            } else {
                &mut policy[from * actions..(from + count) * actions]
            };
            let values =
                if values.is_empty() { &mut [][..] } else { &mut values[from..from + count] };
            match &self.form {
                Form::Padded(network) => network.group(scratch, inputs, policy, values),
                Form::Valid(network) => network.group(scratch, inputs, policy, values),
            }
        }
    }
}
