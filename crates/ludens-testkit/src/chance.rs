//! Nature: outcomes, their probabilities, and sampling.

use std::collections::HashMap;
use std::ops::ControlFlow;

use ludens_core::{Game, Rng};

use crate::Sample;
use crate::statistics::{chi_square_fits, enough_draws};

pub(crate) fn check<G: Game>(sample: &Sample<G>) {
    for after in sample.afterstates() {
        let outcomes = list::<G>(&after);
        let sum: f64 = outcomes.iter().map(|(_, p)| p).sum();
        assert!((sum - 1.0).abs() < 1e-9, "outcomes of {after:?} sum to {sum}");
        assert!(outcomes.iter().all(|&(_, p)| p > 0.0), "an impossible outcome of {after:?}");
        let distinct: HashMap<G::Chance, f64> = outcomes.iter().copied().collect();
        assert_eq!(distinct.len(), outcomes.len(), "an outcome of {after:?} is listed twice");
        if !G::is_chance(&after) {
            assert_eq!(outcomes.len(), 1, "{after:?} has outcomes but no chance");
        }
    }
    for after in sample.afterstates().filter(G::is_chance).step_by(11).take(30) {
        sampling_matches::<G>(&after);
    }
}

/// The outcomes of an afterstate with their probabilities.
pub(crate) fn list<G: Game>(after: &G::After) -> Vec<(G::Chance, f64)> {
    let mut outcomes = Vec::new();
    let flow = G::outcomes(after, |chance, p| {
        outcomes.push((chance, p));
        ControlFlow::Continue(())
    });
    assert!(flow.is_continue(), "outcomes broke off by itself for {after:?}");
    outcomes
}

fn sampling_matches<G: Game>(after: &G::After) {
    let outcomes = list::<G>(after);
    let index: HashMap<G::Chance, usize> = outcomes.iter().map(|&(c, _)| c).zip(0..).collect();
    let probabilities: Vec<f64> = outcomes.iter().map(|&(_, p)| p).collect();
    let mut counts = vec![0u64; outcomes.len()];
    let mut rng = Rng::new(8);
    for _ in 0..enough_draws(&probabilities) {
        let chance = G::sample(after, &mut rng);
        let at = *index
            .get(&chance)
            .unwrap_or_else(|| panic!("an unlisted outcome {chance:?} of {after:?}"));
        counts[at] += 1;
    }
    let fits = chi_square_fits(&counts, &probabilities);
    assert!(fits, "sampling of {after:?}: {counts:?}");
}
