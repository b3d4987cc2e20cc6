//! A network as the evaluation of a search.

use std::ops::{ControlFlow, Deref};
use std::sync::Arc;

use ludens_core::{AfterValue, Cells, FixedActions};

use crate::{Network, Probe, Subject};

/// How many afterstates' entries are asked for before the first are summed up.
const AHEAD: usize = 4;

/// Values afterstates by a network that many searches may share. A network of positions or
/// of actions values an afterstate by the mean of what may follow it: of positions,
/// or of the best action of each.
#[derive(Clone)]
pub struct NTupleEvaluator<N = Arc<Network>> {
    network: N,
    probes: [Probe; AHEAD],
}

impl<N: Deref<Target = Network>> NTupleEvaluator<N> {
    /// The evaluation by a network.
    pub fn new(network: N) -> Self {
        NTupleEvaluator { network, probes: Default::default() }
    }

    /// The value of a position: by its own value, by its best action, or by its best move and
    /// the afterstate it leads to. 0 where the game is over.
    pub fn position<G: Cells + FixedActions>(&mut self, position: &G) -> f32 {
        let mut best: Option<f32> = None;
        let mut offer = |value: f32| best = Some(best.map_or(value, |most| most.max(value)));
        match self.network.form().subject {
            Subject::Afterstates => position.children(|_, after, reward| {
                offer(reward as f32 + self.after::<G>(&after));
            }),
            Subject::Positions if position.is_over() => {}
            Subject::Positions => offer(self.after::<G>(&position.shown())),
            Subject::Actions => {
                for action in position.actions() {
                    offer(self.action(position, position.action_index(action)));
                }
            }
        }
        best.unwrap_or(0.0)
    }

    /// The value of an action, by a network of actions; it is given by its number.
    ///
    /// # Panics
    /// When the network values something else.
    pub fn action<G: Cells>(&mut self, position: &G, action: usize) -> f32 {
        let probe = &mut self.probes[0];
        self.network.probe_action::<G>(&position.shown(), action, probe);
        self.network.value(probe)
    }

    /// What nature and positions make of an afterstate, the mean of all outcomes.
    pub fn expected<G: Cells + FixedActions>(&mut self, after: &G::After) -> f32 {
        let mut mean = 0.0;
        let _ = G::outcomes(after, |outcome, p| {
            let (position, bonus) = G::apply_outcome(after, outcome);
            mean += p * f64::from(bonus as f32 + self.position(&position));
            ControlFlow::Continue(())
        });
        mean as f32
    }

    #[inline]
    fn after<G: Cells>(&mut self, after: &G::After) -> f32 {
        let probe = &mut self.probes[0];
        self.network.probe::<G>(after, probe);
        self.network.value(probe)
    }
}

impl<G: Cells + FixedActions, N: Deref<Target = Network>> AfterValue<G> for NTupleEvaluator<N> {
    #[inline]
    fn value(&mut self, after: &G::After) -> f32 {
        match self.network.form().subject {
            Subject::Afterstates => self.after::<G>(after),
            Subject::Positions | Subject::Actions => self.expected::<G>(after),
        }
    }

    /// The entries of the next afterstates are on their way while those of one are summed up.
    #[inline]
    fn values(&mut self, afters: &[G::After], out: &mut Vec<f32>) {
        let network = &*self.network;
        if network.form().subject != Subject::Afterstates {
            out.extend(afters.iter().map(|after| self.expected::<G>(after)));
            return;
        }
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
