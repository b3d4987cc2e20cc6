//! The numbers of a network, by name.

use std::collections::BTreeMap;
use std::fmt::{Debug, Display};
use std::str::FromStr;

use ludens_core::{ParseError, Rng};

use crate::spec::{Head, Tower};
use crate::valid::{Valid, convolution_name, dense_name};
use crate::{Error, Spec};

/// What a tensor of a network is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Factors of a convolution or a linear layer; the number of inputs of a unit.
    Factors(usize),
    /// Numbers of a layer that begin as PyTorch has it, uniformly within one over the root of the
    /// number of inputs, which this is.
    Uniform(usize),
    /// Factors between layers of a graph network; inputs and outputs.
    Messages(usize, usize),
    /// What is added by a layer.
    Bias,
    /// Factors of a normalisation.
    Gain,
    /// Running means of a normalisation; not learned by gradients.
    Mean,
    /// Running variances of a normalisation; not learned by gradients.
    Variance,
}

/// A tensor that a network has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TensorSpec {
    /// Its name in weight files.
    pub name: String,
    /// Its sizes, as PyTorch orders them: out, in, height, width.
    pub shape: Vec<usize>,
    /// What it is for.
    pub role: Role,
}

impl TensorSpec {
    /// Numbers in it.
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A network's description: it has a text, and says which tensors the network has.
pub trait Describe: Clone + PartialEq + Debug + Display + FromStr<Err = ParseError> {
    /// All tensors of the network, in the order of its layers.
    fn tensor_specs(&self) -> Vec<TensorSpec>;
}

impl Describe for Spec {
    fn tensor_specs(&self) -> Vec<TensorSpec> {
        Spec::tensor_specs(self)
    }
}

/// What is added to a variance before its root is taken.
pub const EPSILON: f32 = 1e-5;

/// The name of a tower's convolution with its normalisation, numbered from 0.
pub(crate) fn block_name(index: usize) -> String {
    format!("tower.{index}")
}

impl Spec {
    /// All tensors of the network, in the order of its layers.
    ///
    /// ```
    /// use ludens_nn::Spec;
    /// let names: Vec<String> = Spec::value(9, 7, 5, 32, 1).tensor_specs().into_iter().map(|s| s.name).collect();
    /// assert_eq!(names[0], "stem.conv.weight");
    /// assert_eq!(names[5..], ["value.linear.weight", "value.linear.bias"]);
    /// ```
    pub fn tensor_specs(&self) -> Vec<TensorSpec> {
        let mut specs = Vec::new();
        if let Tower::Valid(valid) = self.tower {
            return self.valid_tensor_specs(valid);
        }
        normalised(&mut specs, "stem", self.channels, self.planes, self.kernel);
        for index in 0..self.convolutions() {
            normalised(&mut specs, &block_name(index), self.channels, self.channels, 3);
        }
        let mut base = self.cells() * self.channels;
        if self.shared > 0 {
            linear(&mut specs, "shared", self.shared, base);
            base = self.shared;
        }
        for (name, head, outputs) in
            [("policy", self.policy, self.actions), ("value", self.value, 1)]
        {
            match head {
                None => {}
                Some(Head::Cells) => {
                    let shape = vec![1, self.channels, 1, 1];
                    specs.push(tensor(
                        format!("{name}.conv.weight"),
                        shape,
                        Role::Factors(self.channels),
                    ));
                    specs.push(tensor(format!("{name}.conv.bias"), vec![1], Role::Bias));
                }
                Some(Head::Pooled) => {
                    linear(&mut specs, &format!("{name}.linear"), outputs, self.channels);
                }
                Some(Head::Dense) => {
                    linear(&mut specs, &format!("{name}.linear"), outputs, base);
                }
                Some(Head::Reduced { planes, hidden }) => {
                    normalised(&mut specs, &format!("{name}.reduce"), planes, self.channels, 1);
                    let mut inputs = planes * self.cells();
                    if hidden > 0 {
                        linear(&mut specs, &format!("{name}.hidden"), hidden, inputs);
                        inputs = hidden;
                    }
                    linear(&mut specs, &format!("{name}.linear"), outputs, inputs);
                }
            }
        }
        specs
    }

    /// The tensors of valid convolutions and what follows them.
    fn valid_tensor_specs(&self, valid: Valid) -> Vec<TensorSpec> {
        let mut specs = Vec::new();
        let mut layer = |name: String, shape: Vec<usize>| {
            let (fan, outputs) = (shape[1..].iter().product(), shape[0]);
            specs.push(tensor(format!("{name}.weight"), shape, Role::Uniform(fan)));
            specs.push(tensor(format!("{name}.bias"), vec![outputs], Role::Uniform(fan)));
        };
        for (index, stage) in valid.stages(self).into_iter().enumerate() {
            let shape = vec![stage.outputs, stage.inputs, stage.kernel, stage.kernel];
            layer(convolution_name(index), shape);
        }
        let mut inputs = valid.flat(self);
        for (index, units) in valid.units().enumerate() {
            layer(dense_name(index), vec![units, inputs]);
            inputs = units;
        }
        for (name, head, outputs) in
            [("policy", self.policy, self.actions), ("value", self.value, 1)]
        {
            if head.is_some() {
                layer(format!("{name}.linear"), vec![outputs, inputs]);
            }
        }
        specs
    }

    /// Whether a tower's convolution ends a residual block.
    pub(crate) fn ends_block(&self, index: usize) -> bool {
        matches!(self.tower, Tower::Residual(_)) && index % 2 == 1
    }
}

fn tensor(name: String, shape: Vec<usize>, role: Role) -> TensorSpec {
    TensorSpec { name, shape, role }
}

fn normalised(
    specs: &mut Vec<TensorSpec>,
    name: &str,
    outputs: usize,
    inputs: usize,
    kernel: usize,
) {
    let shape = vec![outputs, inputs, kernel, kernel];
    let fan = inputs * kernel * kernel;
    specs.push(tensor(format!("{name}.conv.weight"), shape, Role::Factors(fan)));
    for (part, role) in [
        ("weight", Role::Gain),
        ("bias", Role::Bias),
        ("running_mean", Role::Mean),
        ("running_var", Role::Variance),
    ] {
        specs.push(tensor(format!("{name}.norm.{part}"), vec![outputs], role));
    }
}

fn linear(specs: &mut Vec<TensorSpec>, name: &str, outputs: usize, inputs: usize) {
    let shape = vec![outputs, inputs];
    specs.push(tensor(format!("{name}.weight"), shape, Role::Factors(inputs)));
    specs.push(tensor(format!("{name}.bias"), vec![outputs], Role::Bias));
}

/// The tensors of a network: exactly those that its description asks for.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights<S = Spec> {
    spec: S,
    tensors: BTreeMap<String, Vec<f32>>,
}

impl<S: Describe> Weights<S> {
    /// Fresh weights: He's normal distribution for factors, Glorot's uniform one for those of
    /// graph networks, PyTorch's for those of valid convolutions, normalisations that do nothing.
    pub fn random(spec: S, rng: &mut Rng) -> Self {
        let fill = |tensor: &TensorSpec, rng: &mut Rng| match tensor.role {
            Role::Factors(fan) => {
                let deviation = (2.0 / fan as f64).sqrt();
                (0..tensor.len()).map(|_| (deviation * normal(rng)) as f32).collect()
            }
            Role::Uniform(fan) => {
                let most = 1.0 / (fan as f64).sqrt();
                (0..tensor.len()).map(|_| (most * (2.0 * rng.unit() - 1.0)) as f32).collect()
            }
            Role::Messages(inputs, outputs) => {
                let most = (6.0 / (inputs + outputs) as f64).sqrt();
                (0..tensor.len()).map(|_| (most * (2.0 * rng.unit() - 1.0)) as f32).collect()
            }
            Role::Bias | Role::Mean => vec![0.0; tensor.len()],
            Role::Gain | Role::Variance => vec![1.0; tensor.len()],
        };
        let tensors = spec.tensor_specs().into_iter().map(|tensor| {
            let numbers = fill(&tensor, rng);
            (tensor.name, numbers)
        });
        let tensors = tensors.collect();
        Weights { spec, tensors }
    }

    /// The same with biases drawn by Glorot's uniform distribution over the sizes of their tensors;
    /// those of one number each stay as they are.
    #[must_use]
    pub fn with_random_biases(mut self, rng: &mut Rng) -> Self {
        for slot in self.spec.tensor_specs() {
            let (Role::Bias, &[rows, columns]) = (slot.role, &slot.shape[..]) else { continue };
            let most = (6.0 / (rows + columns) as f64).sqrt();
            let bias = self.get_mut(&slot.name);
            bias.iter_mut().for_each(|x| *x = (most * (2.0 * rng.unit() - 1.0)) as f32);
        }
        self
    }

    /// The weights of these tensors.
    ///
    /// # Errors
    /// When one is missing, has another length, is not finite or does not belong here, or
    /// when a variance is below 0.
    pub fn new(spec: S, tensors: BTreeMap<String, Vec<f32>>) -> Result<Self, Error> {
        let wrong = |what: String| Err(Error::Weights { what });
        let specs = spec.tensor_specs();
        for expected in &specs {
            let name = &expected.name;
            let Some(tensor) = tensors.get(name) else {
                return wrong(format!("no tensor '{name}', which {spec} has"));
            };
            if tensor.len() != expected.len() {
                let (found, expected) = (tensor.len(), expected.len());
                return wrong(format!("tensor '{name}' has {found} numbers, expected {expected}"));
            }
            let usable = |x: &f32| x.is_finite() && (expected.role != Role::Variance || *x >= 0.0);
            if let Some(x) = tensor.iter().find(|x| !usable(x)) {
                return wrong(format!("tensor '{name}' holds {x}, expected usable numbers"));
            }
        }
        if let Some(name) = tensors.keys().find(|name| specs.iter().all(|s| s.name != **name)) {
            return wrong(format!("a tensor '{name}', which {spec} does not have"));
        }
        Ok(Weights { spec, tensors })
    }

    /// The network they are for.
    pub fn spec(&self) -> &S {
        &self.spec
    }

    /// A tensor.
    ///
    /// # Panics
    /// When the network has none of this name.
    pub fn get(&self, name: &str) -> &[f32] {
        self.tensors.get(name).expect("a tensor of the network")
    }

    /// A tensor to change.
    ///
    /// # Panics
    /// When the network has none of this name.
    pub fn get_mut(&mut self, name: &str) -> &mut [f32] {
        self.tensors.get_mut(name).expect("a tensor of the network")
    }
}

/// A standard normal number.
fn normal(rng: &mut Rng) -> f64 {
    // Box and Muller's; 1 - unit is above 0.
    let radius = (-2.0 * (1.0 - rng.unit()).ln()).sqrt();
    radius * (std::f64::consts::TAU * rng.unit()).cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn biases_of_every_relation_are_drawn() {
        let spec = crate::GraphSpec::sevn();
        let plain = Weights::random(spec.clone(), &mut Rng::new(1));
        let drawn = plain.clone().with_random_biases(&mut Rng::new(2));
        for slot in spec.tensor_specs() {
            if slot.role != Role::Bias {
                assert_eq!(plain.get(&slot.name), drawn.get(&slot.name));
                continue;
            }
            // 7 relations and the node itself.
            let most = (6.0 / (8 + slot.shape[1]) as f32).sqrt();
            let bias = drawn.get(&slot.name);
            assert!(plain.get(&slot.name).iter().all(|x| *x == 0.0));
            assert!(bias.iter().all(|x| x.abs() <= most));
            assert!(bias.iter().any(|x| *x > most / 2.0) && bias.iter().any(|x| *x < -most / 2.0));
        }
        let cells = Weights::random(Spec::residual(3, 3, 2, 4, 1, 9), &mut Rng::new(1));
        assert_eq!(cells.clone().with_random_biases(&mut Rng::new(2)), cells);
    }

    #[test]
    fn tensors_are_checked() {
        let spec = Spec::residual(3, 3, 2, 4, 1, 9);
        let good = Weights::random(spec, &mut Rng::new(1));
        type Tensors = BTreeMap<String, Vec<f32>>;
        let message = |change: &dyn Fn(&mut Tensors)| {
            let mut tensors = good.tensors.clone();
            change(&mut tensors);
            Weights::new(spec, tensors).map(|_| ()).map_err(|error| error.to_string())
        };
        assert_eq!(message(&|_| {}), Ok(()));
        let missing = message(&|t| drop(t.remove("stem.norm.bias")));
        assert!(missing.unwrap_err().starts_with("no tensor 'stem.norm.bias'"));
        let longer = message(&|t| t.get_mut("tower.1.norm.bias").unwrap().push(0.0));
        assert_eq!(longer.unwrap_err(), "tensor 'tower.1.norm.bias' has 5 numbers, expected 4");
        let nan = message(&|t| t.get_mut("value.linear.bias").unwrap()[0] = f32::NAN);
        assert_eq!(
            nan.unwrap_err(),
            "tensor 'value.linear.bias' holds NaN, expected usable numbers"
        );
        let more = message(&|t| drop(t.insert("extra".to_owned(), vec![])));
        assert!(more.unwrap_err().starts_with("a tensor 'extra'"));
    }
}
