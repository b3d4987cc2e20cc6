//! Graph networks by plain loops over edges in double precision, to compare the fast ones with.

use std::collections::BTreeMap;

use ludens_core::{Game, Rng};
use ludens_games::Sevn;
use ludens_games::sevn::Base;

use super::spec::layer_names;
use super::{Graph, GraphEncoder, GraphNetwork, GraphScratch, GraphSpec};
use crate::simd::Level;
use crate::weights::Describe;
use crate::{SevnGraph, Weights};

/// A graph network in double precision.
#[derive(Clone)]
pub(crate) struct PlainGraph {
    spec: GraphSpec,
    pub(crate) tensors: BTreeMap<String, Vec<f64>>,
}

impl PlainGraph {
    pub(crate) fn new(weights: &Weights<GraphSpec>) -> PlainGraph {
        let spec = weights.spec().clone();
        let tensors = spec.tensor_specs().into_iter().map(|tensor| {
            let numbers = weights.get(&tensor.name).iter().map(|x| f64::from(*x)).collect();
            (tensor.name, numbers)
        });
        let tensors = tensors.collect();
        PlainGraph { spec, tensors }
    }

    /// Logits of the actions, and the value.
    pub(crate) fn run(&self, graph: &Graph) -> (Vec<f64>, f64) {
        let nodes = graph.nodes();
        let features = graph.features().chunks_exact(self.spec.inputs());
        let mut here: Vec<Vec<f64>> =
            features.map(|node| node.iter().map(|x| f64::from(*x)).collect()).collect();
        let last = self.spec.layers().len() - 1;
        for (index, [inputs, outputs]) in self.spec.layers().enumerate() {
            let [weight, bias] = layer_names(index).map(|name| &self.tensors[&name]);
            let message = |kind: usize, node: usize, output: usize| {
                let row = kind * outputs + output;
                let factors = &weight[row * inputs..(row + 1) * inputs];
                bias[row] + factors.iter().zip(&here[node]).map(|(w, x)| w * x).sum::<f64>()
            };
            let own = |node| (0..outputs).map(move |o| (node, o));
            let mut next: Vec<Vec<f64>> = (0..nodes)
                .map(|node| {
                    own(node).map(|(node, o)| message(self.spec.relations(), node, o)).collect()
                })
                .collect();
            for kind in 0..self.spec.relations() {
                for [source, target] in graph.edges(kind) {
                    for (output, x) in next[usize::from(target)].iter_mut().enumerate() {
                        *x = x.max(message(kind, usize::from(source), output));
                    }
                }
            }
            if index < last {
                next.iter_mut().flatten().for_each(|x| *x = x.max(0.0));
            }
            here = next;
        }
        let actions = here.iter().skip(nodes - graph.actions()).map(|row| row[1]).collect();
        (actions, here.iter().map(|row| row[0].tanh()).sum::<f64>() / nodes.max(1) as f64)
    }
}

/// A graph of some nodes with random edges, many of them twice.
fn random_graph(spec: &GraphSpec, rng: &mut Rng) -> Graph {
    let mut graph = Graph::new(spec.inputs(), spec.relations());
    let (tiles, actions) = (1 + rng.below(12), rng.below(6));
    for number in 0..tiles + actions {
        let features: Vec<f32> = (0..spec.inputs()).map(|_| 2.0 * rng.unit() as f32).collect();
        let _ = if number < tiles { graph.node(&features) } else { graph.action(&features) };
    }
    for relation in 0..spec.relations() {
        for _ in 0..rng.below(8) {
            let mut some = || -> Vec<u16> {
                (0..rng.below(4)).map(|_| rng.below(tiles + actions) as u16).collect()
            };
            let (sources, targets) = (some(), some());
            graph.connect(relation, &sources, &targets);
        }
    }
    graph
}

/// Graphs of a network: random ones, or those of Sevn games.
pub(crate) fn graphs(spec: &GraphSpec, count: usize, rng: &mut Rng) -> Vec<Graph> {
    if spec.relations() != SevnGraph::RELATIONS {
        return (0..count).map(|_| random_graph(spec, rng)).collect();
    }
    let mut position = Sevn::start(&Base::new(5).expect("a base"), rng);
    let one = |_| {
        let mut graph = Graph::default();
        SevnGraph.encode(&position, &mut graph);
        position = position.step(rng).map_or(position, |(_, next, _)| next);
        graph
    };
    (0..count).map(one).collect()
}

/// Weights whose biases do something.
pub(crate) fn lively(spec: GraphSpec, rng: &mut Rng) -> Weights<GraphSpec> {
    let mut weights = Weights::random(spec.clone(), rng);
    for index in 0..spec.layers().len() {
        let [_, bias] = layer_names(index);
        weights.get_mut(&bias).iter_mut().for_each(|x| *x = 0.4 * rng.unit() as f32 - 0.2);
    }
    weights
}

pub(crate) fn specs() -> Vec<GraphSpec> {
    let small = |relations, widths: &[usize]| GraphSpec::new(relations, widths.to_vec());
    let specs = [
        small(2, &[3, 9, 2]),
        small(1, &[1, 17, 5, 2]),
        small(3, &[4, 2]),
        small(7, &[3, 12, 8, 2]),
        Ok(GraphSpec::sevn()),
    ];
    specs.map(|spec| spec.expect("right descriptions")).to_vec()
}

#[test]
fn all_levels_agree_with_plain_loops() {
    let mut rng = Rng::new(7);
    for spec in specs() {
        let weights = lively(spec.clone(), &mut rng);
        let plain = PlainGraph::new(&weights);
        for graph in graphs(&spec, 20, &mut rng) {
            let (expected, expected_value) = plain.run(&graph);
            let scale = expected.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
            for level in Level::available() {
                let network = GraphNetwork::with_level(&weights, level);
                let mut logits = vec![1.0];
                let value = network.run(&mut GraphScratch::default(), &graph, &mut logits);
                assert!((f64::from(value) - expected_value).abs() < 1e-4, "{spec} {level:?}");
                assert_eq!(logits.len(), expected.len());
                for (found, expected) in logits.iter().zip(&expected) {
                    let difference = (f64::from(*found) - expected).abs();
                    assert!(difference < 1e-4 * scale, "{spec} {level:?}: {found} {expected}");
                }
            }
        }
    }
}
