//! Networks of version 0.1.0 stay readable: one file of each kind.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::Path;
use std::sync::Arc;

use ludens_core::{Evals, Evaluator, Game, NoVariant, Rng};
use ludens_games::{ConnectFour, Sevn};
use ludens_nn::{
    Checkpoint, ConnectFourCells, GraphEvaluator, GraphNetwork, GraphSpec, Model, NetEvaluator,
    Network, SevnGraph, Spec, Weights,
};

fn fixture(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

#[test]
fn plane_networks_and_checkpoints() {
    let path = fixture("plane.safetensors");
    let model: Model = Model::load(&path).unwrap();
    // Its description says `width`, as 0.1.0 wrote it.
    let spec = Spec::residual(6, 7, 2, 4, 1, 7);
    assert_eq!(model.weights, Weights::random(spec, &mut Rng::new(1)));
    let bytes = std::fs::read(&path).unwrap();
    assert!(bytes.windows(7).any(|part| part == b"width=4"));
    assert_eq!(Model::from_bytes("memory", &bytes).unwrap(), model);
    let network = Arc::new(Network::new(&model.weights));
    let mut evaluator = NetEvaluator::new(network, ConnectFourCells, &NoVariant).unwrap();
    let (mut evals, start) = (Evals::default(), ConnectFour::start(&NoVariant, &mut Rng::new(1)));
    evaluator.evaluate(&[start], &mut evals);
    assert_eq!(evals.priors(0).len(), 7);

    let checkpoint: Checkpoint = Checkpoint::load(&fixture("checkpoint.safetensors")).unwrap();
    assert_eq!(checkpoint.model, model);
    assert!(checkpoint.trainer().is_ok());
}

#[test]
fn graph_networks() {
    let model: Model<GraphSpec> = Model::load(&fixture("graph.safetensors")).unwrap();
    let spec = GraphSpec::new(7, vec![3, 4, 2]).unwrap();
    assert_eq!(model.weights, Weights::random(spec, &mut Rng::new(1)));
    let network = Arc::new(GraphNetwork::new(&model.weights));
    let mut evaluator = GraphEvaluator::new(network, SevnGraph).unwrap();
    let position = Sevn::start(&Default::default(), &mut Rng::new(1));
    let mut evals = Evals::default();
    evaluator.evaluate(&[position], &mut evals);
    assert_eq!(evals.priors(0).len(), position.actions().len());
}
