//! A network as the evaluation of a search.

use std::sync::Arc;

use ludens_core::{AfterValue, Cells};

use crate::{Network, Probe};

/// How many afterstates' entries are asked for before the first are summed up.
const AHEAD: usize = 4;

/// Values afterstates by a network that many searches may share.
#[derive(Clone)]
pub struct Judge {
    network: Arc<Network>,
    probes: [Probe; AHEAD],
}

impl Judge {
    /// The evaluation by a network.
    pub fn new(network: Arc<Network>) -> Self {
        Judge { network, probes: Default::default() }
    }
}

impl<G: Cells> AfterValue<G> for Judge {
    #[inline]
    fn value(&mut self, after: &G::After) -> f32 {
        let probe = &mut self.probes[0];
        self.network.probe::<G>(after, probe);
        self.network.value(probe)
    }

    /// The entries of the next afterstates are on their way while those of one are summed up.
    #[inline]
    fn values(&mut self, afters: &[G::After], out: &mut Vec<f32>) {
        let network = &*self.network;
        for (i, after) in afters.iter().enumerate() {
            let probe = &mut self.probes[i % AHEAD];
            if i >= AHEAD {
                out.push(network.value(probe));
            }
            network.probe::<G>(after, probe);
            network.prefetch(probe);
        }
        for i in afters.len().saturating_sub(AHEAD)..afters.len() {
            out.push(network.value(&self.probes[i % AHEAD]));
        }
    }
}
