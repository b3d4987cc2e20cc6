//! A network as the evaluation of a search.

use std::sync::Arc;

use ludens_core::{AfterValue, Cells};

use crate::{Network, Probe};

/// Values afterstates by a network that many searches may share.
#[derive(Clone)]
pub struct Judge {
    network: Arc<Network>,
    probe: Probe,
}

impl Judge {
    /// The evaluation by a network.
    pub fn new(network: Arc<Network>) -> Self {
        Judge { network, probe: Probe::default() }
    }
}

impl<G: Cells> AfterValue<G> for Judge {
    #[inline]
    fn value(&mut self, after: &G::After) -> f32 {
        self.network.probe::<G>(after, &mut self.probe);
        self.network.value(&self.probe)
    }
}
