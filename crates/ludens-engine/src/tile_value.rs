//! What values the afterstates of sliding games.

use std::sync::Arc;

use ludens_core::AfterValue;
use ludens_ntuple::{NTupleEvaluator, Network};

use crate::custom::Custom;
use crate::sliding::Sliding;

/// A network, the caller's own evaluator, or nothing: then only rewards within sight count.
#[derive(Clone)]
#[expect(
    clippy::large_enum_variant,
    reason = "one per agent; a box would be a step more per value"
)]
pub(crate) enum TileValue {
    Network(Option<NTupleEvaluator>),
    Custom(Custom),
}

impl TileValue {
    /// A network, where there is one.
    pub(crate) fn of(network: Option<Arc<Network>>) -> Self {
        TileValue::Network(network.map(NTupleEvaluator::new))
    }
}

impl<G: Sliding> AfterValue<G> for TileValue {
    #[inline]
    fn value(&mut self, after: &G::After) -> f32 {
        match self {
            TileValue::Network(network) => AfterValue::<G>::value(network, after),
            TileValue::Custom(own) => asked::<G>(own, &[*after])[0],
        }
    }

    #[inline]
    fn values(&mut self, afters: &[G::After], out: &mut Vec<f32>) {
        match self {
            TileValue::Network(network) => AfterValue::<G>::values(network, afters, out),
            TileValue::Custom(own) => out.extend(asked::<G>(own, afters)),
        }
    }
}

/// What an evaluator says of afterstates: the board, as observations of positions show it.
fn asked<G: Sliding>(own: &Custom, afters: &[G::After]) -> Vec<f32> {
    let shape = [4, 4, G::PLANES];
    let told = own.values(afters, shape, |after, out| G::planes(after, G::PLANES, out));
    told.unwrap_or_else(|| vec![0.0; afters.len()])
}
