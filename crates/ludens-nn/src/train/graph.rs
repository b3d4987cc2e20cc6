//! One batch of graphs forward and backward.
//!
//! Where the largest message wins, its slope goes back to that one alone: the way forward notes
//! for every number which message it is from.

use super::kernels::Correlate;
use super::layer::{Form, Layer, total};
use super::machine::{Machine, PARTS};
use super::pass::Gradients;
use crate::buffer::Buffer;
use crate::graph::{Choose, layer_names};
use crate::simd::Vectors;
use crate::{Graph, GraphSpec, Outputs, Weights};

/// A graph, as it was on the way forward.
struct Tape {
    /// The numbers of the nodes before every layer, and after the last.
    numbers: Vec<Buffer>,
    /// The messages that the numbers after every layer are from.
    origins: Vec<Vec<u32>>,
}

/// Sums of a layer's gradients: for every relation the factors, input after input with all
/// outputs of a row together, then the bias.
type Sums = Vec<Vec<Buffer>>;

/// The layers, relation by relation, a node's message to itself last.
struct Layers {
    machine: Machine,
    kinds: Vec<Vec<Layer>>,
}

/// The loss of a batch and its gradients.
pub(super) fn gradients(
    weights: &Weights<GraphSpec>,
    machine: Machine,
    graphs: &[Graph],
    loss: impl FnOnce(&Outputs, &mut Outputs) -> f32,
) -> (f32, Gradients) {
    let spec = weights.spec();
    let layers = Layers::pack(weights, machine);
    let tapes = machine.each(graphs.iter().collect(), |graph| layers.forward(graph));

    let mut outputs = Outputs::default();
    for (graph, tape) in graphs.iter().zip(&tapes) {
        let rows = tape.rows(graph);
        outputs.policy.extend(rows.clone().skip(graph.nodes() - graph.actions()).map(|row| row[1]));
        let sum: f32 = rows.map(|row| row[0].tanh()).sum();
        outputs.values.push(sum / graph.nodes().max(1) as f32);
    }
    let mut slopes = outputs.clone();
    slopes.policy.fill(0.0);
    slopes.values.fill(0.0);
    let result = loss(&outputs, &mut slopes);

    // Backward in parts that do not depend on the threads.
    let mut policy = slopes.policy.as_slice();
    let mut jobs = Vec::new();
    for ((graph, tape), value) in graphs.iter().zip(&tapes).zip(&slopes.values) {
        let (mine, rest) = policy.split_at(graph.actions());
        jobs.push((graph, tape, mine, *value));
        policy = rest;
    }
    let parts = jobs.chunks(jobs.len().div_ceil(PARTS)).collect();
    let sums = machine.each(parts, |jobs: &[_]| {
        let mut sums = layers.sums();
        for &(graph, tape, policy, value) in jobs {
            layers.backward(graph, tape, policy, value, &mut sums);
        }
        sums
    });
    (result, layers.gradients(spec, sums))
}

impl Tape {
    /// What the nodes have in the end.
    fn rows<'a>(&'a self, graph: &Graph) -> impl Iterator<Item = &'a [f32]> + Clone + use<'a> {
        let last = self.numbers.last().expect("the features at least");
        last.chunks_exact((last.len() / graph.nodes().max(1)).max(1))
    }
}

impl Layers {
    fn pack(weights: &Weights<GraphSpec>, machine: Machine) -> Layers {
        // Graphs are shared between threads; what is done for one is done by one.
        let single = Machine { threads: 1, ..machine };
        let layers = weights.spec().layers().enumerate().map(|(index, [inputs, outputs])| {
            let [factors, bias] = layer_names(index).map(|name| weights.get(&name));
            let kinds = factors.chunks_exact(outputs * inputs).zip(bias.chunks_exact(outputs));
            let form = Form::Rows(inputs);
            kinds
                .map(|(factors, bias)| Layer::pack(single, form, outputs, factors, Some(bias)))
                .collect()
        });
        Layers { machine, kinds: layers.collect() }
    }

    /// Rows of messages by relation: the senders, with the number of the first message. A node's
    /// messages to itself have the first numbers.
    fn messages(graph: &Graph) -> impl Iterator<Item = (std::ops::Range<usize>, usize)> + '_ {
        let mut next = graph.nodes();
        let relations = (0..graph.relations()).map(move |relation| {
            let senders = graph.senders(relation);
            next += senders.len();
            (senders.clone(), next - senders.len())
        });
        relations.chain(std::iter::once((0..graph.nodes(), 0)))
    }

    fn forward(&self, graph: &Graph) -> Tape {
        let nodes = graph.nodes();
        let mut features = Buffer::zeros(graph.features().len());
        features.copy_from_slice(graph.features());
        let mut tape = Tape { numbers: vec![features], origins: Vec::new() };
        for (index, kinds) in self.kinds.iter().enumerate() {
            let (own, relations) = kinds.split_last().expect("a message to itself at least");
            let stride = own.stride();
            let mut out = Buffer::zeros(nodes * stride);
            let mut origins: Vec<u32> =
                (0..nodes as u32).flat_map(|node| std::iter::repeat_n(node, stride)).collect();
            let input = tape.numbers.last().expect("the features at least");
            let width = input.len() / nodes.max(1);
            if nodes > 0 {
                own.forward([1, 1], input, &mut out);
            }
            let (mut best, mut origin) = (vec![0.0; stride], vec![0; stride]);
            let rows = Layers::messages(graph);
            for ((relation, layer), (senders, number)) in relations.iter().enumerate().zip(rows) {
                if senders.is_empty() {
                    continue;
                }
                let mut messages = Buffer::zeros(senders.len() * stride);
                let input = &input[senders.start * width..senders.end * width];
                layer.forward([1, 1], input, &mut messages);
                self.machine.level.run(Choose {
                    bundles: graph.bundles(relation),
                    ends: graph.ends(),
                    first: senders.start,
                    number: number as u32,
                    messages: &messages,
                    out: &mut out,
                    origins: &mut origins,
                    best: &mut best,
                    origin: &mut origin,
                });
            }
            if index + 1 < self.kinds.len() {
                out.iter_mut().for_each(|x| *x = x.max(0.0));
            }
            tape.numbers.push(out);
            tape.origins.push(origins);
        }
        tape
    }

    /// Sums of gradients, all 0.
    fn sums(&self) -> Sums {
        let zeros = |layer: &Layer| {
            let (_, inputs) = layer.form.inputs(self.machine.level);
            Buffer::zeros((inputs + 1) * layer.stride())
        };
        self.kinds.iter().map(|kinds| kinds.iter().map(zeros).collect()).collect()
    }

    /// Adds the gradients of a graph, whose outputs have these slopes.
    fn backward(&self, graph: &Graph, tape: &Tape, policy: &[f32], value: f32, sums: &mut Sums) {
        let nodes = graph.nodes();
        let Some(last) = tape.numbers.last().filter(|_| nodes > 0) else { return };
        let stride = last.len() / nodes;
        let mut slope = Buffer::zeros(last.len());
        for (slope, row) in slope.chunks_exact_mut(stride).zip(last.chunks_exact(stride)) {
            slope[0] = value / nodes as f32 * (1.0 - row[0].tanh().powi(2));
        }
        let actions = slope.chunks_exact_mut(stride).skip(nodes - graph.actions());
        actions.zip(policy).for_each(|(slope, policy)| slope[1] = *policy);
        let all: usize = Layers::messages(graph).map(|(senders, _)| senders.len()).sum();
        for (index, kinds) in self.kinds.iter().enumerate().rev() {
            let (input, out) = (&tape.numbers[index], &tape.numbers[index + 1]);
            let (width, stride) = (input.len() / nodes, out.len() / nodes);
            // What was cut off has no slope; the rest goes to the message it is from.
            let cut = index + 1 < self.kinds.len();
            let mut messages = Buffer::zeros(all * stride);
            let numbers = slope.iter().zip(&**out).zip(&tape.origins[index]).enumerate();
            for (at, ((slope, x), origin)) in numbers {
                if !cut || *x > 0.0 {
                    messages[*origin as usize * stride + at % stride] += slope;
                }
            }
            let mut below = Buffer::zeros(if index > 0 { input.len() } else { 0 });
            let rows = Layers::messages(graph).zip(kinds).zip(&mut sums[index]);
            for (((senders, first), layer), sums) in rows {
                if senders.is_empty() {
                    continue;
                }
                let slope = &messages[first * stride..(first + senders.len()) * stride];
                let input = &input[senders.start * width..senders.end * width];
                self.collect(layer, input, width, slope, sums);
                if index > 0 {
                    let mut part = Buffer::zeros(senders.len() * width);
                    layer.backward([1, 1], slope, &mut part);
                    let below = &mut below[senders.start * width..senders.end * width];
                    below.iter_mut().zip(&*part).for_each(|(sum, x)| *sum += x);
                }
            }
            slope = below;
        }
    }

    /// Adds the gradients of one relation's factors and bias.
    fn collect(
        &self,
        layer: &Layer,
        input: &[f32],
        stride: usize,
        slope: &[f32],
        sums: &mut [f32],
    ) {
        let (_, depth) = layer.form.inputs(self.machine.level);
        let width = layer.stride();
        let (gradient, bias) = sums.split_at_mut(depth * width);
        let (taps, rows, cols) = (1, 1, 1);
        self.machine.level.run(Correlate {
            taps,
            rows,
            cols,
            input,
            depth,
            stride,
            slope,
            width,
            gradient,
        });
        for row in slope.chunks_exact(width) {
            bias.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
        }
    }

    /// The parts' sums in the tensors' order.
    fn gradients(&self, spec: &GraphSpec, parts: Vec<Sums>) -> Gradients {
        let mut parts: Vec<_> = parts.into_iter().map(|part| part.into_iter()).collect();
        let mut gradients = Gradients::new();
        for (index, [inputs, outputs]) in spec.layers().enumerate() {
            let mut layer: Vec<_> =
                parts.iter_mut().filter_map(Iterator::next).map(Vec::into_iter).collect();
            let (mut factors, mut biases) = (Vec::new(), Vec::new());
            for kind in &self.kinds[index] {
                let sums = total(layer.iter_mut().filter_map(Iterator::next).collect());
                let width = kind.stride();
                for output in 0..outputs {
                    factors.extend((0..inputs).map(|input| sums[input * width + output]));
                }
                biases.extend_from_slice(&sums[inputs * width..][..outputs]);
            }
            let [weight, bias] = layer_names(index);
            gradients.insert(weight, factors);
            gradients.insert(bias, biases);
        }
        gradients
    }
}
