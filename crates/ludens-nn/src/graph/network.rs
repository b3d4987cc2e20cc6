//! A graph network ready to run.

use super::spec::layer_names;
use super::{Graph, GraphSpec, Relay};
use crate::Weights;
use crate::buffer::Buffer;
use crate::kernels::{Matrix, Multiply, Then};
use crate::simd::{Level, Vectors};

/// A graph network to evaluate positions with. Shared by threads; each has a [`GraphScratch`].
///
/// ```
/// use ludens_core::Rng;
/// use ludens_nn::{Graph, GraphNetwork, GraphScratch, GraphSpec, Weights};
/// let spec: GraphSpec = "graph:relations=1,widths=1-8-2".parse().unwrap();
/// let network = GraphNetwork::new(&Weights::random(spec, &mut Rng::new(1)));
/// let mut graph = Graph::new(1, 1);
/// let tile = graph.node(&[0.5]);
/// let action = graph.action(&[0.0]);
/// graph.connect(0, &[tile], &[action]);
/// let mut logits = Vec::new();
/// let value = network.run(&mut GraphScratch::default(), &graph, &mut logits);
/// assert!(value.abs() <= 1.0 && logits.len() == 1);
/// ```
pub struct GraphNetwork {
    spec: GraphSpec,
    level: Level,
    /// Layer by layer, relation by relation, a node's message to itself last.
    layers: Vec<Vec<Matrix>>,
}

/// Scratch buffers of one thread.
#[derive(Clone, Default)]
pub struct GraphScratch {
    here: Buffer,
    there: Buffer,
    messages: Buffer,
    best: Buffer,
}

impl GraphNetwork {
    /// Prepares weights for the best instructions of this processor.
    pub fn new(weights: &Weights<GraphSpec>) -> GraphNetwork {
        GraphNetwork::with_level(weights, Level::best())
    }

    pub(crate) fn with_level(weights: &Weights<GraphSpec>, level: Level) -> GraphNetwork {
        let spec = weights.spec().clone();
        let layers = spec.layers().enumerate().map(|(index, [inputs, outputs])| {
            let [factors, bias] = layer_names(index).map(|name| weights.get(&name));
            let kinds = factors.chunks_exact(outputs * inputs).zip(bias.chunks_exact(outputs));
            let pack = |(factors, bias): (&[f32], &[f32])| {
                let factor = |output: usize, input: usize| factors[output * inputs + input];
                Matrix::pack(level, outputs, inputs, |output| bias[output], factor)
            };
            kinds.map(pack).collect()
        });
        let layers = layers.collect();
        GraphNetwork { spec, level, layers }
    }

    /// What it is.
    pub fn spec(&self) -> &GraphSpec {
        &self.spec
    }

    /// Evaluates a graph: gives the value, 0 for a graph without nodes, and replaces `logits` by
    /// one number per action node.
    ///
    /// # Panics
    /// When the graph has other relations or numbers than the network.
    pub fn run(&self, scratch: &mut GraphScratch, graph: &Graph, logits: &mut Vec<f32>) -> f32 {
        assert_eq!(graph.relations(), self.spec.relations(), "the network's relations");
        assert_eq!(graph.inputs(), self.spec.inputs(), "the network's numbers of a node");
        let (level, nodes) = (self.level, graph.nodes());
        let GraphScratch { here, there, messages, best } = scratch;
        here.grow(graph.features().len());
        here[..graph.features().len()].copy_from_slice(graph.features());
        let mut width = graph.inputs();
        for (index, kinds) in self.layers.iter().enumerate() {
            let (own, relations) = kinds.split_last().expect("a message to itself at least");
            let stride = own.outputs;
            there.grow(nodes * stride);
            best.grow(stride);
            let out = &mut there[..nodes * stride];
            self.multiply(own, &here[..nodes * width], width, out);
            for (relation, matrix) in relations.iter().enumerate() {
                let senders = graph.senders(relation);
                let rows = senders.len() * stride;
                messages.grow(rows);
                let input = &here[senders.start * width..senders.end * width];
                self.multiply(matrix, input, width, &mut messages[..rows]);
                level.run(Relay {
                    bundles: graph.bundles(relation),
                    ends: graph.ends(),
                    first: senders.start,
                    messages: &messages[..rows],
                    out,
                    best: &mut best[..stride],
                });
            }
            if index + 1 < self.layers.len() {
                out.iter_mut().for_each(|x| *x = x.max(0.0));
            }
            std::mem::swap(here, there);
            width = stride;
        }
        let rows = || here[..nodes * width].chunks_exact(width);
        logits.clear();
        logits.extend(rows().skip(nodes - graph.actions()).map(|row| row[1]));
        rows().map(|row| row[0].tanh()).sum::<f32>() / nodes.max(1) as f32
    }

    fn multiply(&self, matrix: &Matrix, input: &[f32], stride: usize, output: &mut [f32]) {
        self.level.run(Multiply { matrix, input, stride, output, then: Then::Keep });
    }
}
