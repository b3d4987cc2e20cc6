//! Values of actions: Q-learning. Targets take the best action of a position, whichever was
//! made in it.

use ludens_core::{Cells, FixedActions, Rng};
use ludens_ntuple::{NTupleEvaluator, Network, Probe};

use super::super::episode::{Child, Step};
use super::{ValueFunction, best};

/// By the network's value of each action.
pub(in super::super) struct Actions<'a> {
    network: &'a Network,
    evaluator: NTupleEvaluator<&'a Network>,
}

impl<'a> Actions<'a> {
    pub(in super::super) fn new(network: &'a Network) -> Self {
        Actions { network, evaluator: NTupleEvaluator::new(network) }
    }
}

impl<G: Cells + FixedActions> ValueFunction<G> for Actions<'_> {
    /// The number of the action.
    type Note = usize;
    /// The position with the number of the action that was made.
    type Item = (G, usize);
    const BEFORE: bool = true;

    fn note(position: &G, action: G::Action) -> usize {
        position.action_index(action)
    }

    fn prepare(&mut self, _: &mut [Child<G, usize>]) {}

    fn weigh(&mut self, position: &G, children: &mut [Child<G, usize>], _: &mut Rng) -> usize {
        for child in &mut *children {
            child.value = self.evaluator.action(position, child.note);
        }
        best(children)
    }

    fn item(position: &G, child: &Child<G, usize>, _: f32) -> (G, usize) {
        (*position, child.note)
    }

    fn probe(&self, step: &Step<G, (G, usize)>, probe: &mut Probe) {
        let (position, action) = step.item;
        self.network.probe_action::<G>(&position.shown(), action, probe);
    }

    fn value(&mut self, step: &Step<G, (G, usize)>) -> f32 {
        self.evaluator.position(&step.item.0)
    }

    fn learned(&mut self, step: &Step<G, (G, usize)>, _: f32) -> f32 {
        self.evaluator.position(&step.item.0)
    }
}
