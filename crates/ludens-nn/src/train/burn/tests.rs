//! Burn against this crate's own code: gradients, statistics, learning, and what networks say.

use ludens_core::Rng;

use super::*;
use crate::graph::reference as graph_reference;
use crate::reference::lively;
use crate::simd::Level;
use crate::train::machine::Machine;
use crate::train::pass::{self, By, Pool};
use crate::train::tests::{batch, specs, weighted};
use crate::train::{Adam, graph};
use crate::{
    Engine, Graph, GraphNetwork, GraphScratch, GraphSpec, Head, Network, Outputs, Range, Scratch,
    Spec, Trainer,
};

const MACHINE: Machine = Machine { level: Level::PORTABLE, threads: 1 };

/// Kinds of networks beyond those that all gradients are checked on.
fn more_specs() -> Vec<Spec> {
    let reduced = |planes, hidden| Some(Head::Reduced { planes, hidden });
    let plain = Spec::policy(3, 5, 3, 8, 3);
    vec![
        Spec { policy: Some(Head::Pooled), actions: 4, value: reduced(3, 0), ..plain },
        Spec { policy: reduced(2, 7), actions: 6, value: Some(Head::Pooled), ..plain },
        Spec { value: Some(Head::Dense), range: Range::Unit, shared: 12, kernel: 1, ..plain },
        Spec { policy: Some(Head::Cells), actions: 12, ..Spec::residual(3, 4, 2, 6, 1, 5) },
        Spec::residual(4, 4, 2, 5, 0, 3),
        Spec::value(1, 1, 2, 3, 3),
    ]
}

fn all_specs() -> Vec<Spec> {
    [specs(), more_specs()].concat()
}

/// Fails where numbers differ by more than a share of the largest one.
fn alike(found: &[f32], expected: &[f32], share: f32, about: &str) {
    assert_eq!(found.len(), expected.len(), "{about}");
    let largest = expected.iter().fold(0.0, |most: f32, x| most.max(x.abs()));
    for (found, expected) in found.iter().zip(expected) {
        let difference = (found - expected).abs();
        assert!(difference <= share * largest + 1e-6, "{about}: {found}, expected {expected}");
    }
}

fn alike_outputs(found: &Outputs, expected: &Outputs, about: &str) {
    alike(&found.policy, &expected.policy, 1e-4, about);
    alike(&found.values, &expected.values, 1e-4, about);
}

fn alike_gradients(found: &Gradients, expected: &Gradients, about: &str) {
    assert!(found.keys().eq(expected.keys()), "{about}");
    for (name, expected) in expected {
        alike(&found[name], expected, 1e-4, &format!("{about} {name}"));
    }
}

/// A loss that keeps what the network said.
fn keeping(seen: &mut Outputs) -> impl FnOnce(&Outputs, &mut Outputs) -> f32 + '_ {
    |out, slope| {
        seen.clone_from(out);
        weighted(out, slope)
    }
}

#[test]
fn boards_have_the_same_outputs_gradients_and_statistics() {
    for (number, spec) in all_specs().into_iter().enumerate() {
        let weights = lively(spec, number as u64 + 30);
        let inputs = batch(&spec, 6, &mut Rng::new(number as u64));
        for by in [By::Batch, By::Running] {
            let about = format!("{spec} {by:?}");
            let [mut own, mut theirs] = [Outputs::default(), Outputs::default()];
            let (expected_loss, expected, expected_statistics) = pass::gradients(
                &weights,
                MACHINE,
                by,
                &mut Pool::default(),
                &inputs,
                keeping(&mut own),
            );
            let (loss, found, statistics) =
                boards::gradients(&weights, &processor(), by, &inputs, keeping(&mut theirs));
            alike(&[loss], &[expected_loss], 1e-4, &about);
            alike_outputs(&theirs, &own, &about);
            alike_gradients(&found, &expected, &about);
            let names = |all: &pass::Statistics| all.iter().map(|(name, _)| name.clone()).collect();
            let (names, expected_names): (Vec<_>, Vec<_>) =
                (names(&statistics), names(&expected_statistics));
            assert_eq!(names, expected_names, "{about}");
            for ((name, found), (_, expected)) in statistics.iter().zip(&expected_statistics) {
                alike(&found[0], &expected[0], 1e-4, &format!("{about} mean of {name}"));
                alike(&found[1], &expected[1], 1e-4, &format!("{about} variance of {name}"));
            }
        }
    }
}

#[test]
fn networks_say_what_burn_says() {
    for (number, spec) in all_specs().into_iter().enumerate() {
        let weights = lively(spec, number as u64 + 40);
        let inputs = batch(&spec, 9, &mut Rng::new(number as u64));
        let (mut expected, mut found) = (Outputs::default(), Outputs::default());
        Network::new(&weights).run(&mut Scratch::default(), &inputs, &mut expected);
        boards::gradients(&weights, &processor(), By::Running, &inputs, keeping(&mut found));
        alike_outputs(&found, &expected, &spec.to_string());
    }
}

/// Random graphs have many edges twice and many sources of one target; the others are positions of
/// Sevn.
#[test]
fn graphs_have_the_same_outputs_and_gradients() {
    let mut rng = Rng::new(8);
    for spec in graph_reference::specs() {
        let weights = graph_reference::lively(spec.clone(), &mut rng);
        let mut graphs = graph_reference::graphs(&spec, 6, &mut rng);
        graphs.insert(2, Graph::new(spec.inputs(), spec.relations()));
        let about = spec.to_string();
        let [mut own, mut theirs] = [Outputs::default(), Outputs::default()];
        let (expected_loss, expected) =
            graph::gradients(&weights, MACHINE, &graphs, keeping(&mut own));
        let (loss, found) =
            graphs::gradients(&weights, &processor(), &graphs, keeping(&mut theirs));
        alike(&[loss], &[expected_loss], 1e-4, &about);
        alike_outputs(&theirs, &own, &about);
        alike_gradients(&found, &expected, &about);

        let network = GraphNetwork::new(&weights);
        let mut logits = Vec::new();
        let value = network.run(&mut GraphScratch::default(), &graphs[0], &mut logits);
        alike(&theirs.values[..1], &[value], 1e-4, &about);
        alike(&theirs.policy[..logits.len()], &logits, 1e-4, &about);
    }
}

#[test]
fn graphs_without_nodes_teach_nothing() {
    let spec = GraphSpec::sevn();
    let weights = graph_reference::lively(spec, &mut Rng::new(1));
    let mut seen = Outputs::default();
    let (_, found) =
        graphs::gradients(&weights, &processor(), &[Graph::default()], keeping(&mut seen));
    assert_eq!(seen, Outputs { policy: vec![], values: vec![0.0] });
    assert!(found.values().flatten().all(|slope| *slope == 0.0));
}

/// Steps of all kinds; the third trainer changes its engine on the way.
#[test]
fn learning_goes_the_same_way() {
    let adam = Adam { rate: 1e-3, decay: 1e-4, ..Adam::default() };
    for (number, spec) in
        [Spec::residual(3, 4, 2, 6, 1, 5), Spec::policy(4, 3, 3, 9, 2)].into_iter().enumerate()
    {
        let weights = lively(spec, number as u64 + 50);
        let inputs = batch(&spec, 16, &mut Rng::new(number as u64));
        let learn = |trainer: &mut Trainer| {
            for _ in 0..4 {
                trainer.step(&adam, &inputs, weighted);
            }
            trainer.step_frozen(&adam, &inputs, weighted);
            trainer.observe(&inputs, 0.5);
        };
        let mut own = Trainer::new(weights.clone());
        let mut theirs = Trainer::new(weights.clone()).engine(Engine::Burn).unwrap();
        [&mut own, &mut theirs].into_iter().for_each(learn);
        let resumed = Trainer::resume(theirs.weights().clone(), theirs.state(), theirs.steps());
        let mut resumed = resumed.unwrap();
        [&mut own, &mut theirs, &mut resumed].into_iter().for_each(learn);
        for tensor in spec.tensor_specs() {
            let (expected, before) = (own.weights().get(&tensor.name), weights.get(&tensor.name));
            assert_ne!(expected, before, "{spec} {} learned nothing", tensor.name);
            for trainer in [&theirs, &resumed] {
                let found = trainer.weights().get(&tensor.name);
                alike(found, expected, 1e-3, &format!("{spec} {}", tensor.name));
            }
        }
    }
}

#[test]
fn learning_from_graphs_goes_the_same_way() {
    let mut rng = Rng::new(9);
    let spec = GraphSpec::new(7, vec![3, 12, 8, 2]).unwrap();
    let weights = graph_reference::lively(spec.clone(), &mut rng);
    let graphs = graph_reference::graphs(&spec, 8, &mut rng);
    let mut own = Trainer::new(weights.clone());
    let mut theirs = Trainer::new(weights).engine(Engine::Burn).unwrap();
    for _ in 0..4 {
        for trainer in [&mut own, &mut theirs] {
            trainer.step_graphs(&Adam { rate: 1e-3, ..Adam::default() }, &graphs, weighted);
        }
    }
    for tensor in spec.tensor_specs() {
        let (found, expected) =
            (theirs.weights().get(&tensor.name), own.weights().get(&tensor.name));
        alike(found, expected, 1e-3, &tensor.name);
    }
}
