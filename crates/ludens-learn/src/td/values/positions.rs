//! Values of positions: a move's value is its reward and the mean of what nature makes of it.

use ludens_core::{Cells, FixedActions, Rng};
use ludens_ntuple::{NTupleEvaluator, Network, Probe};

use super::super::episode::{Child, Step};
use super::{ValueFunction, best};

/// By the network's value of each position that may follow.
pub(in super::super) struct Positions<'a> {
    network: &'a Network,
    evaluator: NTupleEvaluator<&'a Network>,
}

impl<'a> Positions<'a> {
    pub(in super::super) fn new(network: &'a Network) -> Self {
        Positions { network, evaluator: NTupleEvaluator::new(network) }
    }
}

impl<G: Cells + FixedActions> ValueFunction<G> for Positions<'_> {
    type Note = ();
    type Item = G;
    const BEFORE: bool = true;

    fn note(_: &G, _: G::Action) {}

    fn prepare(&mut self, _: &mut [Child<G, ()>]) {}

    fn weigh(&mut self, _: &G, children: &mut [Child<G, ()>], _: &mut Rng) -> usize {
        for child in &mut *children {
            child.value = child.reward + self.evaluator.expected::<G>(&child.after);
        }
        best(children)
    }

    fn item(position: &G, _: &Child<G, ()>, _: f32) -> G {
        *position
    }

    fn probe(&self, step: &Step<G, G>, probe: &mut Probe) {
        self.network.probe::<G>(&step.item.shown(), probe);
    }

    fn value(&mut self, step: &Step<G, G>) -> f32 {
        self.evaluator.position(&step.item)
    }

    fn learned(&mut self, _: &Step<G, G>, learned: f32) -> f32 {
        learned
    }
}
