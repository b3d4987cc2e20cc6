//! Some of the environments: the loops that one thread runs.

use ludens_core::Rng;

use super::{Autoreset, Buffers, IllegalAction};
use crate::environment::Environment;

/// What all environments have in common.
#[derive(Clone, Copy)]
pub(super) struct Rules<G: Environment> {
    pub(super) variant: G::Variant,
    pub(super) start: Option<G>,
    pub(super) autoreset: Autoreset,
    pub(super) illegal: IllegalAction,
    pub(super) most_steps: u32,
    /// Numbers of an observation.
    pub(super) size: usize,
    /// Numbers of actions.
    pub(super) actions: usize,
}

/// Neighbouring environments, one array per field.
pub(super) struct Lane<'a, G> {
    pub(super) positions: &'a mut [G],
    pub(super) rngs: &'a mut [Rng],
    pub(super) steps: &'a mut [u32],
    pub(super) ended: &'a mut [bool],
    pub(super) out: Buffers<'a>,
}

impl<'a, G: Environment> Lane<'a, G> {
    /// The first `n` environments, and the rest.
    pub(super) fn split(self, n: usize, rules: &Rules<G>) -> (Lane<'a, G>, Lane<'a, G>) {
        let (positions, positions_left) = self.positions.split_at_mut(n);
        let (rngs, rngs_left) = self.rngs.split_at_mut(n);
        let (steps, steps_left) = self.steps.split_at_mut(n);
        let (ended, ended_left) = self.ended.split_at_mut(n);
        let (out, out_left) = self.out.split(n, rules.size, rules.actions);
        (
            Lane { positions, rngs, steps, ended, out },
            Lane {
                positions: positions_left,
                rngs: rngs_left,
                steps: steps_left,
                ended: ended_left,
                out: out_left,
            },
        )
    }

    /// Steps all of them, where nobody plays in between.
    pub(super) fn step(&mut self, actions: &[i64], rules: &Rules<G>) {
        for (env, &action) in actions.iter().enumerate() {
            self.act(env, action, rules);
            self.finish(env, rules);
            self.show(env, rules);
        }
    }

    /// Plays an action, or begins the next episode where the last one has ended.
    #[inline]
    pub(super) fn act(&mut self, env: usize, action: i64, rules: &Rules<G>) {
        self.out.rewards[env] = 0.0;
        if self.ended[env] {
            if rules.autoreset == Autoreset::NextStep {
                (self.out.terminated[env], self.out.truncated[env]) = (false, false);
                self.restart(env, rules);
            }
            return;
        }
        (self.out.terminated[env], self.out.truncated[env]) = (false, false);
        self.steps[env] += 1;
        let position = self.positions[env];
        let legal = usize::try_from(action).ok().and_then(|number| position.numbered(number));
        match legal {
            Some(action) => {
                let reward = self.play(env, action);
                self.out.rewards[env] = reward * position.to_move().sign() as f32;
            }
            None if rules.illegal == IllegalAction::Lose => {
                self.out.rewards[env] = position.forfeit() as f32;
                self.out.terminated[env] = true;
            }
            None => {}
        }
    }

    /// Plays an action and lets nature act. Gives player one's reward.
    #[inline]
    pub(super) fn play(&mut self, env: usize, action: G::Action) -> f32 {
        let (after, reward) = self.positions[env].apply(action);
        let chance = G::sample(&after, &mut self.rngs[env]);
        let (next, bonus) = G::apply_outcome(&after, chance);
        self.positions[env] = next;
        self.out.terminated[env] = next.is_over();
        (reward + bonus) as f32
    }

    /// Sees whether the episode has ended.
    #[inline]
    pub(super) fn finish(&mut self, env: usize, rules: &Rules<G>) {
        if self.ended[env] {
            return;
        }
        let terminated = self.out.terminated[env];
        self.out.truncated[env] = !terminated && self.steps[env] >= rules.most_steps;
        if !terminated && !self.out.truncated[env] {
            return;
        }
        if rules.autoreset == Autoreset::SameStep {
            if !self.out.final_observations.is_empty() {
                let out = &mut self.out.final_observations[env * rules.size..][..rules.size];
                out.fill(0.0);
                self.positions[env].observe(out);
            }
            self.restart(env, rules);
        } else {
            self.ended[env] = true;
        }
    }

    /// Starts an episode with the environment's own generator.
    pub(super) fn restart(&mut self, env: usize, rules: &Rules<G>) {
        let rng = &mut self.rngs[env];
        self.positions[env] = rules.start.unwrap_or_else(|| G::start(&rules.variant, rng));
        self.steps[env] = 0;
        self.ended[env] = false;
    }

    /// Writes what there is to see.
    #[inline]
    pub(super) fn show(&mut self, env: usize, rules: &Rules<G>) {
        let position = &self.positions[env];
        let second = G::PLAYERS == 2 && position.to_move().index() == 1;
        self.out.to_move[env] = i8::from(second);
        if !self.out.masks.is_empty() {
            let out = &mut self.out.masks[env * rules.actions..][..rules.actions];
            let ignored = self.ended[env] && rules.autoreset == Autoreset::NextStep;
            out.fill(i8::from(ignored));
            if !self.ended[env] {
                position.mask(out);
            }
        }
        if !self.out.observations.is_empty() {
            let out = &mut self.out.observations[env * rules.size..][..rules.size];
            out.fill(0.0);
            position.observe(out);
        }
    }
}
