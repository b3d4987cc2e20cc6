//! Gradients of graph networks against differences of the loss.

use ludens_core::Rng;

use super::graph::gradients;
use super::machine::Machine;
use super::tests::{share, weighted};
use super::*;
use crate::graph::reference::{PlainGraph, graphs, lively, specs};
use crate::{GraphNetwork, GraphScratch};

fn plain_loss(plain: &PlainGraph, graphs: &[Graph]) -> f64 {
    let results: Vec<_> = graphs.iter().map(|graph| plain.run(graph)).collect();
    let policy = results.iter().flat_map(|(policy, _)| policy);
    let outputs = policy.chain(results.iter().map(|(_, value)| value)).enumerate();
    outputs.map(|(i, x)| share(i, *x).0).sum()
}

#[test]
fn gradients_are_slopes_of_the_loss() {
    const STEP: f64 = 1e-6;
    let mut rng = Rng::new(3);
    for spec in specs() {
        let weights = lively(spec.clone(), &mut rng);
        let plain = PlainGraph::new(&weights);
        let graphs = graphs(&spec, 6, &mut rng);
        for level in Level::available() {
            let [one, two] = [1, 2]
                .map(|threads| gradients(&weights, Machine { level, threads }, &graphs, weighted));
            assert_eq!(one, two, "threads matter");
            let (loss, found) = one;
            let expected = plain_loss(&plain, &graphs);
            assert!((f64::from(loss) - expected).abs() < 1e-4 * expected.abs().max(1.0), "{spec}");
            for tensor in learned(&spec) {
                let name = tensor.name;
                assert_eq!(found[&name].len(), weights.get(&name).len(), "{spec} {name}");
                let direction: Vec<f64> =
                    found[&name].iter().map(|_| 2.0 * rng.unit() - 1.0).collect();
                let at = |step: f64| {
                    let mut moved = plain.clone();
                    let numbers = moved.tensors.get_mut(&name).unwrap().iter_mut().zip(&direction);
                    numbers.for_each(|(x, d)| *x += step * d);
                    plain_loss(&moved, &graphs)
                };
                let expected = (at(STEP) - at(-STEP)) / (2.0 * STEP);
                let pairs = found[&name].iter().zip(&direction);
                let along: f64 = pairs.map(|(g, d)| f64::from(*g) * d).sum();
                // Where two messages differ in the last digits only, single precision may have
                // taken the other one.
                assert!(
                    (along - expected).abs() < 5e-3 * expected.abs().max(1.0),
                    "{spec} {level:?} {name}: {along}, expected {expected}"
                );
            }
        }
    }
}

#[test]
fn a_graph_network_learns_and_resumes() {
    let mut rng = Rng::new(5);
    let spec = GraphSpec::new(7, vec![3, 16, 8, 2]).unwrap();
    let graphs = graphs(&spec, 8, &mut rng);
    let mut trainer = Trainer::new(Weights::random(spec, &mut rng)).threads(2);
    let adam = Adam { rate: 1e-2, ..Adam::default() };
    let step = |trainer: &mut Trainer<GraphSpec>| {
        trainer.step_graphs(&adam, &graphs, |out, slope| {
            let targets = (0..8).map(|i| if i % 2 == 0 { 0.5 } else { -0.5 });
            let values = out.values.iter().zip(targets).zip(&mut slope.values);
            values.map(|((value, target), slope)| value_loss(*value, target, 1.0, slope)).sum()
        })
    };
    let first = step(&mut trainer);
    for _ in 0..150 {
        step(&mut trainer);
    }
    let mut resumed =
        Trainer::resume(trainer.weights().clone(), trainer.state(), trainer.steps()).unwrap();
    let last = step(&mut trainer);
    assert!(last < first / 10.0, "{first} {last}");
    assert_eq!(step(&mut resumed), last);
    // What learns is what runs.
    let network = GraphNetwork::new(trainer.weights());
    let mut logits = Vec::new();
    let value = network.run(&mut GraphScratch::default(), &graphs[0], &mut logits);
    assert!((value - 0.5).abs() < 0.5, "{value}");
}
