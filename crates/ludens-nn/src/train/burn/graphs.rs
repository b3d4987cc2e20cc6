//! Graph networks on Burn's tensors.
//!
//! A batch is one graph of parts that know nothing of each other. Every node has a list of the
//! messages it gets, all lists made as long as the longest one by its own message again and again;
//! a gather and a maximum along the lists find the largest. Of equal messages one has the slope, and
//! what is gathered twice is added up on the way back, so gradients are those of the network. (A
//! scatter by maximum would save the lists, but its gradient is not defined where two messages go to
//! one node.)

use burn_tensor::activation::relu;
use burn_tensor::{Device, Int, Tensor, TensorData};

use super::{Leaves, constant, read};
use crate::graph::layer_names;
use crate::train::pass::Gradients;
use crate::{Graph, GraphSpec, Outputs, Weights};

/// The loss of a batch and its gradients.
pub(in crate::train) fn gradients(
    weights: &Weights<GraphSpec>,
    device: &Device,
    graphs: &[Graph],
    loss: impl FnOnce(&Outputs, &mut Outputs) -> f32,
) -> (f32, Gradients) {
    let leaves = Leaves::new(weights, device);
    let said = run(weights.spec(), &leaves, graphs);
    let numbers = read(vec![said.clone()]).concat();

    // All nodes say a value and a logit; here a graph's values become their mean, and the logits
    // of action nodes are chosen.
    let logits = numbers.len() / 2;
    let mut outputs = Outputs::default();
    for (from, graph) in firsts(graphs).zip(graphs) {
        let end = from + graph.nodes();
        let sum: f32 = numbers[from..end].iter().sum();
        outputs.values.push(sum / graph.nodes().max(1) as f32);
        outputs.policy.extend(&numbers[logits + end - graph.actions()..logits + end]);
    }
    let mut slopes = Outputs {
        policy: vec![0.0; outputs.policy.len()],
        values: vec![0.0; outputs.values.len()],
    };
    let result = loss(&outputs, &mut slopes);
    let mut back = vec![0.0; numbers.len()];
    let mut policy = slopes.policy.as_slice();
    for ((from, graph), value) in firsts(graphs).zip(graphs).zip(slopes.values) {
        let end = from + graph.nodes();
        back[from..end].fill(value / graph.nodes() as f32);
        let (mine, rest) = policy.split_at(graph.actions());
        back[logits + end - graph.actions()..logits + end].copy_from_slice(mine);
        policy = rest;
    }
    (result, leaves.gradients(said, back))
}

/// The number of every graph's first node among those of all.
fn firsts(graphs: &[Graph]) -> impl Iterator<Item = usize> + '_ {
    graphs.iter().scan(0, |next, graph| {
        *next += graph.nodes();
        Some(*next - graph.nodes())
    })
}

/// The values of all nodes, then their logits.
fn run(spec: &GraphSpec, leaves: &Leaves, graphs: &[Graph]) -> Tensor<1> {
    let fits =
        |graph: &Graph| [graph.relations(), graph.inputs()] == [spec.relations(), spec.inputs()];
    assert!(graphs.iter().all(|graph| graph.nodes() == 0 || fits(graph)), "the network's graphs");
    let kinds = spec.relations() + 1;
    let device = &leaves.device;
    let mut features: Vec<f32> = graphs.iter().flat_map(Graph::features).copied().collect();
    // Tensors are not empty: where no graph has nodes, there is one that no graph has.
    features.resize(features.len().max(spec.inputs()), 0.0);
    let nodes = features.len() / spec.inputs();
    let lists = messages(graphs, nodes, kinds);
    let most = lists.iter().map(Vec::len).max().unwrap_or(1);
    let padded = lists.iter().flat_map(|list| {
        list.iter().chain(std::iter::repeat(&list[0])).take(most).map(|&row| row as i32)
    });
    let rows = TensorData::new(padded.collect::<Vec<i32>>(), [nodes * most]);
    let rows = Tensor::<1, Int>::from_data(rows, device);

    let mut here = constant(features, [nodes, spec.inputs()], device);
    let last = spec.layers().len() - 1;
    for (index, [inputs, outputs]) in spec.layers().enumerate() {
        let [factors, bias] = layer_names(index);
        // The messages of all kinds at once; of a node together, kind after kind.
        let factors = leaves.get(&factors, [-1, inputs as isize]).transpose();
        let sent = here.matmul(factors) + leaves.get(&bias, [1, -1]);
        let sent = sent.reshape([nodes * kinds, outputs]);
        let got = sent.select(0, rows.clone()).reshape([nodes, most, outputs]);
        here = got.max_dim(1).reshape([nodes, outputs]);
        if index < last {
            here = relu(here);
        }
    }
    let column = |at: usize| here.clone().slice([0..nodes, at..at + 1]).reshape([-1]);
    Tensor::cat(vec![column(0).tanh(), column(1)], 0)
}

/// For every node the rows of the messages it gets, once each, its own first.
fn messages(graphs: &[Graph], nodes: usize, kinds: usize) -> Vec<Vec<usize>> {
    let mut lists: Vec<Vec<usize>> = (0..nodes).map(|node| vec![(node + 1) * kinds - 1]).collect();
    for (from, graph) in firsts(graphs).zip(graphs) {
        for relation in 0..graph.relations() {
            for [source, target] in graph.edges(relation) {
                let list = &mut lists[from + usize::from(target)];
                let row = (from + usize::from(source)) * kinds + relation;
                if !list.contains(&row) {
                    list.push(row);
                }
            }
        }
    }
    lists
}
