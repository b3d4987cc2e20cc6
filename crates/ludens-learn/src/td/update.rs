//! What is learned from one episode.

use ludens_core::Cells;
use ludens_ntuple::{Coherence, Network, Probe};

use super::config::Rectify;
use super::episode::Step;
use super::values::ValueFunction;

/// How many turns ahead their tables are asked for.
const AHEAD: usize = 4;

/// What learning needs besides the episode.
pub(super) struct Updater<'a> {
    pub(super) network: &'a Network,
    /// Rates of entries, while they are used.
    pub(super) coherence: Option<&'a Coherence>,
    pub(super) alpha: f32,
    pub(super) backward: bool,
    pub(super) steps: usize,
    pub(super) lambda: f32,
    pub(super) rectify: Rectify,
    /// The only stage whose entries are moved, if not all are.
    pub(super) only: Option<usize>,
}

/// Memory that is used again from episode to episode.
#[derive(Default)]
pub(super) struct Scratch {
    ring: [Probe; AHEAD],
    values: Vec<f32>,
}

impl Updater<'_> {
    /// Moves the value of a probe towards a target. The new value.
    #[inline(always)]
    fn adjust(&self, probe: &Probe, target: f32) -> f32 {
        let value = self.network.value(probe);
        if self.rectify == Rectify::Relu && value < 0.0 {
            return value;
        }
        if self.only.is_some_and(|stage| self.network.stage_of(probe) != stage) {
            return value;
        }
        let step = self.alpha * (target - value) / self.network.lookups() as f32;
        match self.coherence {
            None => self.network.add(probe, step),
            Some(coherence) => coherence.adjust(self.network, probe, step),
        }
    }

    /// A value as targets take it.
    #[inline(always)]
    fn rectified(&self, value: f32) -> f32 {
        if self.rectify == Rectify::None { value } else { value.max(0.0) }
    }

    #[inline(always)]
    fn fetch<G: Cells, K: ValueFunction<G>>(
        &self,
        kind: &K,
        step: &Step<G, K::Item>,
        probe: &mut Probe,
    ) {
        kind.probe(step, probe);
        self.network.prefetch(probe);
        if let Some(coherence) = self.coherence {
            coherence.prefetch(probe);
        }
    }

    /// Learns from a whole episode; `last` is what was paid after its last valued thing.
    pub(super) fn learn<G: Cells, K: ValueFunction<G>>(
        &self,
        kind: &mut K,
        path: &[Step<G, K::Item>],
        last: f32,
        scratch: &mut Scratch,
    ) {
        match (self.backward, self.steps) {
            (true, 1) => self.backward_one(kind, path, last, &mut scratch.ring),
            (true, _) => self.backward_many(kind, path, last, scratch),
            (false, _) => self.forward(kind, path, last, scratch),
        }
    }

    /// Each target is a reward and the value just learned for what followed.
    fn backward_one<G: Cells, K: ValueFunction<G>>(
        &self,
        kind: &mut K,
        path: &[Step<G, K::Item>],
        last: f32,
        ring: &mut [Probe; AHEAD],
    ) {
        for (t, step) in path.iter().enumerate().rev().take(AHEAD - 1) {
            self.fetch(kind, step, &mut ring[t % AHEAD]);
        }
        let mut target = last;
        for (t, step) in path.iter().enumerate().rev() {
            if let Some(ahead) = t.checked_sub(AHEAD - 1) {
                self.fetch(kind, &path[ahead], &mut ring[ahead % AHEAD]);
            }
            let learned = self.adjust(&ring[t % AHEAD], target);
            target = step.reward + self.rectified(kind.learned(step, learned));
        }
    }

    fn backward_many<G: Cells, K: ValueFunction<G>>(
        &self,
        kind: &mut K,
        path: &[Step<G, K::Item>],
        last: f32,
        scratch: &mut Scratch,
    ) {
        let Scratch { ring: [probe, ..], values } = scratch;
        values.clear();
        values.resize(path.len(), 0.0);
        for (t, step) in path.iter().enumerate().rev() {
            let target = self.target(path, last, t, |later| values[later]);
            kind.probe(step, probe);
            let learned = self.adjust(probe, target);
            values[t] = self.rectified(kind.learned(step, learned));
        }
    }

    fn forward<G: Cells, K: ValueFunction<G>>(
        &self,
        kind: &mut K,
        path: &[Step<G, K::Item>],
        last: f32,
        scratch: &mut Scratch,
    ) {
        let [probe, ..] = &mut scratch.ring;
        for (t, step) in path.iter().enumerate() {
            let target =
                self.target(path, last, t, |later| self.rectified(kind.value(&path[later])));
            kind.probe(step, probe);
            self.adjust(probe, target);
        }
    }

    /// The truncated lambda-return of turn `t`.
    fn target<G: Cells, I>(
        &self,
        path: &[Step<G, I>],
        last: f32,
        t: usize,
        mut value: impl FnMut(usize) -> f32,
    ) -> f32 {
        let end = t + self.steps;
        // What follows the last turn is the end, worth what is paid until there.
        let (mut target, longest) =
            if end < path.len() { (value(end), end) } else { (last, path.len() - 1) };
        for later in (t + 1..=longest).rev() {
            if later < end.min(path.len()) {
                target = self.lambda * target + (1.0 - self.lambda) * value(later);
            }
            target += path[later].reward;
        }
        target
    }
}

#[cfg(test)]
mod tests {
    use ludens_core::{Game, Rng};
    use ludens_games::Game2048;
    use ludens_ntuple::Spec;

    use super::super::values::Afterstates;
    use super::*;

    /// An episode of random moves.
    fn path() -> Vec<Step<Game2048, ()>> {
        let mut rng = Rng::new(8);
        let mut position = Game2048::start(&Default::default(), &mut rng);
        let mut path = Vec::new();
        while let Some((_, after, reward)) = position.step(&mut rng) {
            path.push(Step { after, reward: reward as f32, item: () });
            position = Game2048::apply_outcome(&after, Game2048::sample(&after, &mut rng)).0;
        }
        path
    }

    fn updater(network: &Network, backward: bool, steps: usize, lambda: f32) -> Updater<'_> {
        let (coherence, rectify) = (None, Rectify::None);
        Updater { network, coherence, alpha: 0.1, backward, steps, lambda, rectify, only: None }
    }

    #[test]
    fn targets_are_lambda_returns() {
        let network = Network::new::<Game2048>(&Default::default(), &Spec::new("re")).unwrap();
        let path = path();
        let value = |t: usize| (t * t % 37) as f32;
        let rewards = |from: usize, to: usize| -> f32 {
            path[from..to.min(path.len())].iter().map(|step| step.reward).sum()
        };
        // The n-step return, by its definition.
        let plain = |t: usize, n: usize| {
            let tail = if t + n < path.len() { value(t + n) } else { 5.0 };
            rewards(t + 1, t + n + 1) + tail
        };
        for (steps, lambda) in [(1, 0.0), (1, 1.0), (3, 1.0), (5, 0.5), (4, 0.0), (1000, 0.9)] {
            let updater = updater(&network, true, steps, lambda);
            for t in [0, 3, path.len() - 4, path.len() - 2, path.len() - 1] {
                let left = steps.min(path.len() - t);
                let mut expected = 0.0;
                let mut weight = 1.0;
                for n in 1..left {
                    expected += (1.0 - lambda) * weight * plain(t, n);
                    weight *= lambda;
                }
                expected += weight * plain(t, left);
                let found = updater.target(&path, 5.0, t, value);
                assert!(
                    (found - expected).abs() < 0.05,
                    "{steps} {lambda} {t}: {found} {expected}"
                );
            }
        }
    }

    #[test]
    fn one_step_backward_is_the_general_form() {
        let path = path();
        let variant = Default::default();
        let networks: Vec<Network> =
            (0..2).map(|_| Network::new::<Game2048>(&variant, &Spec::new("re")).unwrap()).collect();
        let mut scratch = Scratch::default();
        for _ in 0..3 {
            let fast = updater(&networks[0], true, 1, 0.0);
            fast.learn(&mut Afterstates::new(&networks[0]), &path, 0.0, &mut scratch);
            let general = updater(&networks[1], true, 1, 0.0);
            let kind = &mut Afterstates::new(&networks[1]);
            general.backward_many(kind, &path, 0.0, &mut scratch);
        }
        let mut probe = Probe::default();
        for step in &path {
            networks[0].probe::<Game2048>(&step.after, &mut probe);
            assert_eq!(networks[0].value(&probe).to_bits(), networks[1].value(&probe).to_bits());
        }
    }

    #[test]
    fn all_orders_learn_what_an_episode_was_worth() {
        let path = path();
        let total: f32 = path[1..].iter().map(|step| step.reward).sum();
        for (backward, steps, lambda) in [(true, 1, 0.0), (true, 3, 1.0), (false, 2, 0.5)] {
            let network = Network::new::<Game2048>(&Default::default(), &Spec::new("re")).unwrap();
            let updater = updater(&network, backward, steps, lambda);
            let (mut kind, mut scratch) = (Afterstates::new(&network), Scratch::default());
            for _ in 0..3000 {
                updater.learn(&mut kind, &path, 0.0, &mut scratch);
            }
            let mut probe = Probe::default();
            network.probe::<Game2048>(&path[0].after, &mut probe);
            let value = network.value(&probe);
            assert!((value - total).abs() < 0.05 * total, "{value} {total}");
        }
    }

    #[test]
    fn values_below_0_are_rectified() {
        let path = path();
        let outcome = |rectify: Rectify| {
            let spec = Spec { initial: -900.0, ..Spec::new("re") };
            let network = Network::new::<Game2048>(&Default::default(), &spec).unwrap();
            let updater = Updater { rectify, ..updater(&network, false, 1, 0.0) };
            let mut probe = Probe::default();
            network.probe::<Game2048>(&path[5].after, &mut probe);
            let outcome = updater.rectified(updater.adjust(&probe, 50.0));
            let value = network.value(&probe);
            // The target of an afterstate whose successor is valued below 0.
            let kind = &mut Afterstates::new(&network);
            updater.forward(kind, &path[6..8], 0.0, &mut Scratch::default());
            network.probe::<Game2048>(&path[6].after, &mut probe);
            (outcome, value, network.value(&probe))
        };
        let (plain, target, relu) =
            (outcome(Rectify::None), outcome(Rectify::Target), outcome(Rectify::Relu));
        assert!(plain.0 < 0.0 && plain.1 > -890.0 && plain.1 < 0.0, "{plain:?}");
        assert!(target.0 == 0.0 && target.1 == plain.1, "{target:?}");
        assert!(target.2 > plain.2 + 10.0, "{target:?} {plain:?}");
        assert!(relu.0 == 0.0 && (relu.1 + 900.0).abs() < 0.1, "{relu:?}");
        assert!((relu.2 + 900.0).abs() < 0.1, "{relu:?}");
    }
}
