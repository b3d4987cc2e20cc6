//! Descriptions of graph networks.

use std::fmt;
use std::str::FromStr;

use ludens_core::params::spec;
use ludens_core::{Params, ParseError};

use crate::weights::{Describe, Role, TensorSpec};

/// A graph network: relations of its edges, and the numbers of a node before and after
/// every layer. The last two are value and policy.
///
/// ```
/// use ludens_nn::GraphSpec;
/// let spec = GraphSpec::sevn();
/// assert_eq!(spec.to_string(), "graph:relations=7,widths=3-64-64-32-32-16-8-2");
/// assert_eq!(spec.to_string().parse(), Ok(spec));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct GraphSpec {
    relations: usize,
    widths: Vec<usize>,
}

impl GraphSpec {
    /// A description.
    ///
    /// # Errors
    /// When there are no layers, one is empty or very large, or nodes do not end with two numbers.
    pub fn new(relations: usize, widths: Vec<usize>) -> Result<GraphSpec, ParseError> {
        let sized = |width: &usize| (1..=1024).contains(width);
        if !(2..=101).contains(&widths.len())
            || !widths.iter().all(sized)
            || widths.last() != Some(&2)
        {
            let expected = "2 to 101 numbers from 1 to 1024, the last one 2";
            return Err(ParseError::new("parameter widths", text(&widths), expected));
        }
        if !(1..=64).contains(&relations) {
            let found = relations.to_string();
            return Err(ParseError::new("parameter relations", found, "a number from 1 to 64"));
        }
        Ok(GraphSpec { relations, widths })
    }

    /// The network of Clark (2021): seven relations, layers of 64, 64, 32, 32, 16, 8 and 2.
    pub fn sevn() -> GraphSpec {
        GraphSpec { relations: 7, widths: vec![3, 64, 64, 32, 32, 16, 8, 2] }
    }

    /// Relations of edges, without the one from a node to itself.
    pub fn relations(&self) -> usize {
        self.relations
    }

    /// Numbers that describe a node to the network.
    pub fn inputs(&self) -> usize {
        self.widths[0]
    }

    /// Inputs and outputs of every layer.
    pub fn layers(&self) -> impl ExactSizeIterator<Item = [usize; 2]> + '_ {
        self.widths.windows(2).map(|pair| [pair[0], pair[1]])
    }
}

/// The names of a layer's factors and biases, relation after relation; a node's message to itself
/// comes after the relations.
pub(crate) fn layer_names(index: usize) -> [String; 2] {
    [format!("layers.{index}.weight"), format!("layers.{index}.bias")]
}

impl Describe for GraphSpec {
    fn tensor_specs(&self) -> Vec<TensorSpec> {
        let kinds = self.relations + 1;
        let layers = self.layers().enumerate();
        let specs = layers.flat_map(|(index, [inputs, outputs])| {
            let [weight, bias] = layer_names(index);
            let role = Role::Messages(inputs, outputs);
            [
                TensorSpec { name: weight, shape: vec![kinds, outputs, inputs], role },
                TensorSpec { name: bias, shape: vec![kinds, outputs], role: Role::Bias },
            ]
        });
        specs.collect()
    }
}

fn text(widths: &[usize]) -> String {
    widths.iter().map(ToString::to_string).collect::<Vec<_>>().join("-")
}

impl fmt::Display for GraphSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let params = [("relations", self.relations.to_string()), ("widths", text(&self.widths))];
        f.write_str(&spec("graph", &params))
    }
}

impl FromStr for GraphSpec {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<GraphSpec, ParseError> {
        let (name, mut params) = Params::split(text)?;
        if name != "graph" {
            return Err(ParseError::new("network", format!("'{name}'"), "graph"));
        }
        let relations = params.number("relations", 1, 1..=64)?;
        let widths = params.take("widths").unwrap_or_default();
        params.finish(&["relations", "widths"])?;
        let numbers = widths.split('-').map(|width| width.parse().unwrap_or(0)).collect();
        GraphSpec::new(relations, numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_descriptions_are_refused() {
        for (text, message) in [
            ("plain:rows=1", "network: found 'plain', expected graph"),
            (
                "graph:relations=2,widths=3-4",
                "parameter widths: found 3-4, expected 2 to 101 numbers from 1 to 1024, the last one 2",
            ),
            (
                "graph:relations=0,widths=3-2",
                "parameter relations: found '0', expected a number from 1 to 64",
            ),
        ] {
            assert_eq!(text.parse::<GraphSpec>().unwrap_err().to_string(), message);
        }
        for text in ["graph", "graph:widths=", "graph:widths=3-x-2", "graph:widths=2"] {
            assert!(text.parse::<GraphSpec>().is_err(), "{text}");
        }
    }
}
