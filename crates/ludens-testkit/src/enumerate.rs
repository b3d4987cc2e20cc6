//! Every position and afterstate a small game can reach.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use ludens_core::{Game, Starts};

/// What [`enumerate`] found.
#[derive(Clone, Debug)]
pub struct Reachable<G: Game> {
    /// All reachable positions, finished ones included.
    pub positions: HashSet<G>,
    /// All reachable afterstates.
    pub afterstates: HashSet<G::After>,
}

/// The start positions of a variant, each once, with their probabilities.
pub(crate) fn starts<G: Starts>(variant: &G::Variant) -> HashMap<G, f64> {
    let mut starts = HashMap::new();
    G::starts(variant, |position, p| *starts.entry(position).or_insert(0.0) += p);
    starts
}

/// All that can be reached from the starts of a variant.
///
/// # Panics
/// When there are more than `limit` positions.
pub fn enumerate<G: Starts>(variant: &G::Variant, limit: usize) -> Reachable<G> {
    let mut positions: HashSet<G> = starts::<G>(variant).into_keys().collect();
    let mut afterstates = HashSet::new();
    let mut open: Vec<G> = positions.iter().copied().collect();
    while let Some(position) = open.pop() {
        assert!(positions.len() <= limit, "more than {limit} positions");
        position.children(|_, after, _| {
            if !afterstates.insert(after) {
                return;
            }
            let _ = G::outcomes(&after, |chance, _| {
                let (next, _) = G::apply_outcome(&after, chance);
                if positions.insert(next) {
                    open.push(next);
                }
                ControlFlow::Continue(())
            });
        });
    }
    Reachable { positions, afterstates }
}
