//! Values of afterstates that learn from a search: moves are made by tree search, and targets
//! take what it found of a position instead of the network's value of the best move.
//!
//! H. Guei, On reinforcement learning for the game of 2048, dissertation, 2023, section 4.3.4.

use ludens_core::{Cells, FixedActions, Rng, Solo};
use ludens_ntuple::{NTupleEvaluator, Network, Probe};
use ludens_search::StochasticMcts;
use ludens_search::tree::{ChanceSampling, Range};

use super::super::config::TdConfig;
use super::super::episode::{Child, Step};
use super::ValueFunction;

/// By a tree search that values afterstates with the network.
pub(in super::super) struct Searched<'a, G: Solo> {
    network: &'a Network,
    search: StochasticMcts<G, NTupleEvaluator<&'a Network>>,
}

impl<'a, G: Solo + Cells + FixedActions> Searched<'a, G> {
    pub(in super::super) fn new(network: &'a Network, config: &TdConfig) -> Self {
        let mut search = StochasticMcts::new(NTupleEvaluator::new(network), config.mcts);
        search.exploration = config.mcts_c as f32;
        // As in the dissertation; means of outcomes that are chosen evenly have no rare ones at first.
        search.outcomes = ChanceSampling::Random;
        search.norm = config.mcts_norm.map_or(Range::Root, |norm| Range::Fixed(norm as f32));
        Searched { network, search }
    }
}

impl<G: Solo + Cells + FixedActions> ValueFunction<G> for Searched<'_, G> {
    type Note = ();
    /// The value that the search found for the move, with what nature paid before.
    type Item = f32;
    const BEFORE: bool = false;

    fn note(_: &G, _: G::Action) {}

    fn prepare(&mut self, _: &mut [Child<G, ()>]) {}

    fn weigh(&mut self, position: &G, children: &mut [Child<G, ()>], rng: &mut Rng) -> usize {
        let visited = self.search.search(position, rng);
        let mut best = 0;
        for (i, (child, found)) in children.iter_mut().zip(&visited).enumerate() {
            child.value = found.value;
            let most = &visited[best];
            if (found.visits, found.value) > (most.visits, most.value) {
                best = i;
            }
        }
        best
    }

    fn item(_: &G, child: &Child<G, ()>, bonus: f32) -> f32 {
        child.value + bonus
    }

    fn probe(&self, step: &Step<G, f32>, probe: &mut Probe) {
        self.network.probe::<G>(&step.after, probe);
    }

    fn value(&mut self, step: &Step<G, f32>) -> f32 {
        step.item - step.reward
    }

    fn learned(&mut self, step: &Step<G, f32>, _: f32) -> f32 {
        step.item - step.reward
    }
}
