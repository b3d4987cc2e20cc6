//! Every position and afterstate a small game can reach.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use ludens_core::{Game, SoloPuzzle, Starts};

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

/// The best total from a position of a small puzzle, by trying everything; `known` are the totals of
/// positions that were tried before.
pub fn best_total<G: SoloPuzzle>(position: &G, known: &mut HashMap<G, i64>) -> i64 {
    if let Some(&total) = known.get(position) {
        return total;
    }
    let mut best: Option<i64> = None;
    position.children(|_, next, reward| {
        best = best.max(Some(i64::from(reward) + best_total(&next, known)));
    });
    *known.entry(*position).or_insert(best.unwrap_or(0))
}
