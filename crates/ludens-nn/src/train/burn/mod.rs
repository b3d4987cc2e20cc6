//! Burn as an engine: the networks as operations on its tensors, which know their way back.
//!
//! Nothing stays here between batches. Tensors are made of the weights, gradients are read back under
//! the weights' names; no tensor gets out.

pub(super) mod boards;
pub(super) mod graphs;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

pub(super) use burn_tensor::Device;
use burn_tensor::{Tensor, TensorData, Transaction};

use super::pass::Gradients;
use crate::{Describe, Weights};

/// The processor.
pub(super) fn processor() -> Device {
    Device::flex()
}

/// The best graphics card that wgpu finds.
#[cfg(feature = "burn-wgpu")]
pub(super) fn wgpu() -> Option<Device> {
    use burn_tensor::{DeviceKind, DeviceType};
    let found = !Device::enumerate(DeviceType::Wgpu).into_vec().is_empty();
    found.then(|| Device::wgpu(DeviceKind::DefaultDevice))
}

/// The first graphics card that CUDA finds.
#[cfg(feature = "burn-cuda")]
pub(super) fn cuda() -> Option<Device> {
    use burn_tensor::DeviceType;
    Device::enumerate(DeviceType::Cuda).into_vec().into_iter().next()
}

/// What is learned of a network, on a device.
struct Leaves {
    device: Device,
    /// All tensors by name, without their shapes.
    tensors: BTreeMap<String, Tensor<1>>,
}

impl Leaves {
    fn new<S: Describe>(weights: &Weights<S>, device: &Device) -> Leaves {
        let device = device.clone().autodiff();
        let leaf = |name: String| {
            let numbers = weights.get(&name);
            let tensor = constant(numbers.to_vec(), [numbers.len()], &device).require_grad();
            (name, tensor)
        };
        let tensors = super::learned(weights.spec()).map(|tensor| leaf(tensor.name)).collect();
        Leaves { device, tensors }
    }

    /// A tensor in this shape; -1 stands for as many as there are.
    fn get<const D: usize>(&self, name: &str, shape: [isize; D]) -> Tensor<D> {
        self.tensors[name].clone().reshape(shape)
    }

    /// The gradients of a loss that has these slopes by these outputs.
    fn gradients(&self, outputs: Tensor<1>, slopes: Vec<f32>) -> Gradients {
        let slopes = constant(slopes, outputs.dims(), &self.device);
        let mut found = (outputs * slopes).sum().backward();
        let mut one = |leaf: &Tensor<1>| {
            leaf.grad_remove(&mut found).unwrap_or_else(|| leaf.zeros_like().inner())
        };
        let numbers = read(self.tensors.values().map(&mut one).collect());
        self.tensors.keys().cloned().zip(numbers).collect()
    }
}

/// Numbers that nothing is learned of.
fn constant<const D: usize>(numbers: Vec<f32>, shape: [usize; D], device: &Device) -> Tensor<D> {
    Tensor::from_data(TensorData::new(numbers, shape), device)
}

/// What tensors hold, all read at once: a graphics card is waited for only once.
fn read(tensors: Vec<Tensor<1>>) -> Vec<Vec<f32>> {
    let register = |all: Transaction, tensor: Tensor<1>| all.register(tensor.inner());
    let data = tensors.into_iter().fold(Transaction::default(), register).execute();
    let numbers = data.into_iter().map(|data| data.try_into_vec_as());
    numbers.map(|numbers| numbers.expect("Burn keeps numbers in what can be read as f32")).collect()
}
