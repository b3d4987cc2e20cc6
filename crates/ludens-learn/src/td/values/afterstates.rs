//! Values of afterstates: a move's value is its reward and that of where it leads.

use ludens_core::{Cells, Rng};
use ludens_ntuple::{Network, Probe};

use super::super::episode::{Child, Step};
use super::{ValueFunction, best};

/// By the network's value of each afterstate.
pub(in super::super) struct Afterstates<'a> {
    network: &'a Network,
    probe: Probe,
}

impl<'a> Afterstates<'a> {
    pub(in super::super) fn new(network: &'a Network) -> Self {
        Afterstates { network, probe: Probe::default() }
    }
}

impl<G: Cells> ValueFunction<G> for Afterstates<'_> {
    type Note = ();
    type Item = ();
    const BEFORE: bool = false;

    #[inline(always)]
    fn note(_: &G, _: G::Action) {}

    #[inline(always)]
    fn prepare(&mut self, children: &mut [Child<G, ()>]) {
        for child in children {
            self.network.probe::<G>(&child.after, &mut child.probe);
            self.network.prefetch(&child.probe);
        }
    }

    #[inline(always)]
    fn weigh(&mut self, _: &G, children: &mut [Child<G, ()>], _: &mut Rng) -> usize {
        for child in &mut *children {
            child.value = child.reward + self.network.value(&child.probe);
        }
        best(children)
    }

    #[inline(always)]
    fn item(_: &G, _: &Child<G, ()>, _: f32) {}

    #[inline(always)]
    fn probe(&self, step: &Step<G, ()>, probe: &mut Probe) {
        self.network.probe::<G>(&step.after, probe);
    }

    fn value(&mut self, step: &Step<G, ()>) -> f32 {
        self.network.probe::<G>(&step.after, &mut self.probe);
        self.network.value(&self.probe)
    }

    #[inline(always)]
    fn learned(&mut self, _: &Step<G, ()>, learned: f32) -> f32 {
        learned
    }
}
