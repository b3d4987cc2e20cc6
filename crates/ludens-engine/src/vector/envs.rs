//! The one implementation of [`VectorEnv`].

use ludens_core::error::quote;
use ludens_core::platform::thread;
use ludens_core::{Agent, Batch, Budget, Context, ParseError, Player, Rng};

use super::lane::{Lane, Rules};
use super::{Buffers, IllegalAction, VectorEnv, VectorOptions};
use crate::HUMAN;
use crate::agents::Seat;
use crate::analysis::Request;
use crate::environment::{Node, State};
use crate::form::{Form, Registered};

/// The most environments: more would need more memory than any machine has.
const MOST: usize = 1 << 24;

/// Games of `G` stepped together.
pub(crate) struct Envs<G: Registered> {
    form: Form<G>,
    rules: Rules<G>,
    threads: usize,
    positions: Vec<G>,
    rngs: Vec<Rng>,
    steps: Vec<u32>,
    ended: Vec<bool>,
    sampler: Rng,
    opponent: Option<Opponent<G>>,
}

/// An agent that plays for the other player.
struct Opponent<G: Registered> {
    agent: Box<dyn Agent<G>>,
    player: Player,
    rngs: Vec<Rng>,
}

impl<G: Registered> Envs<G> {
    pub(crate) fn new(
        form: Form<G>,
        variant: G::Variant,
        options: &VectorOptions,
    ) -> Result<Self, ParseError> {
        let n = options.num_envs;
        if !(1..=MOST).contains(&n) {
            return Err(ParseError::new("num_envs", n.to_string(), format!("1 to {MOST}")));
        }
        if options.max_episode_steps == Some(0) {
            return Err(ParseError::new("max_episode_steps", "0", "at least 1"));
        }
        let start = options.start.as_deref().map(|text| G::parse(&variant, text)).transpose()?;
        if start.is_some_and(|start| start.is_over()) {
            let expected = "a position with a move to make";
            return Err(ParseError::new("start", "the end of the game", expected));
        }
        let opponent = match &options.opponent {
            None => None,
            Some(text) if G::PLAYERS == 1 => {
                return Err(ParseError::new("opponent", quote(text), "none: one player only"));
            }
            Some(text) => {
                let Some(agent) = Seat::parse(text, &variant, form.agents)?.agent else {
                    let expected = "one that plays by itself";
                    return Err(ParseError::new("opponent", format!("'{HUMAN}'"), expected));
                };
                let rngs = vec![Rng::new(0); n];
                Some(Opponent { agent, player: options.player.opponent(), rngs })
            }
        };
        let rules = Rules {
            variant,
            start,
            autoreset: options.autoreset,
            illegal: options.illegal_action,
            most_steps: options.max_episode_steps.unwrap_or(u32::MAX),
            size: G::shape(&variant).iter().product(),
            actions: G::action_count(&variant),
        };
        let mut envs = Envs {
            form,
            rules,
            threads: if opponent.is_some() { 1 } else { options.threads.clamp(1, n) },
            positions: vec![G::start(&variant, &mut Rng::new(0)); n],
            rngs: vec![Rng::new(0); n],
            steps: vec![0; n],
            ended: vec![true; n],
            sampler: Rng::new(0),
            opponent,
        };
        envs.seed(0, None);
        Ok(envs)
    }

    /// Starts the episodes of a seed where `mask` says so.
    fn seed(&mut self, seed: u64, mask: Option<&[bool]>) {
        for env in 0..self.positions.len() {
            if mask.is_none_or(|mask| mask[env]) {
                let seed = seed.wrapping_add(env as u64);
                let drawn = || G::start(&self.rules.variant, &mut Rng::stream(seed, 0));
                self.positions[env] = self.rules.start.unwrap_or_else(drawn);
                self.rngs[env] = Rng::stream(seed, 1);
                if let Some(opponent) = &mut self.opponent {
                    opponent.rngs[env] = Rng::stream(seed, 2);
                }
                (self.steps[env], self.ended[env]) = (0, false);
            }
        }
    }

    fn lane<'a>(
        &'a mut self,
        out: &'a mut Buffers<'_>,
    ) -> (Lane<'a, G>, Option<&'a mut Opponent<G>>) {
        let lane = Lane {
            positions: &mut self.positions,
            rngs: &mut self.rngs,
            steps: &mut self.steps,
            ended: &mut self.ended,
            out: out.reborrow(),
        };
        (lane, self.opponent.as_mut())
    }

    fn check_actions(&self, actions: &[i64]) -> Result<(), ParseError> {
        let n = self.positions.len();
        if actions.len() != n {
            let found = format!("{} numbers", actions.len());
            return Err(ParseError::new("actions", found, n.to_string()));
        }
        if self.rules.illegal != IllegalAction::Raise {
            return Ok(());
        }
        for (env, (&action, position)) in actions.iter().zip(&self.positions).enumerate() {
            let number = usize::try_from(action).ok();
            if !self.ended[env] && number.and_then(|number| position.numbered(number)).is_none() {
                return Err(illegal(env, action));
            }
        }
        Ok(())
    }

    fn check(&self, out: &Buffers<'_>) -> Result<(), ParseError> {
        out.check(self.positions.len(), self.rules.size, self.rules.actions)
    }
}

/// An illegal action where that is an error.
#[cold]
fn illegal(env: usize, action: i64) -> ParseError {
    let expected = "the number of a legal action, see the mask";
    ParseError::new(format!("environment {env}, action"), action.to_string(), expected)
}

impl<G: Registered> Opponent<G> {
    /// Plays in all environments until the learner is to move.
    fn play(&mut self, lane: &mut Lane<'_, G>) {
        let (stop, mut quiet) = (Request::never(), |_: &_| {});
        loop {
            let waits = |env: &usize| {
                let position = &lane.positions[*env];
                !lane.ended[*env]
                    && !lane.out.terminated[*env]
                    && !position.is_over()
                    && position.to_move() == self.player
            };
            let waiting: Vec<usize> = (0..lane.positions.len()).filter(waits).collect();
            if waiting.is_empty() {
                return;
            }
            let positions: Vec<G> = waiting.iter().map(|&env| lane.positions[env]).collect();
            let mut rngs: Vec<Rng> = waiting.iter().map(|&env| self.rngs[env].clone()).collect();
            let rng = rngs[0].clone();
            let mut context = Context::for_agent(Budget::default(), rng, 1, stop, &mut quiet);
            let mut actions = Vec::with_capacity(waiting.len());
            // The positions belong to different games, so that it cannot keep what it thought.
            self.agent.reset();
            let mut batch = Batch { positions: &positions, rngs: &mut rngs, actions: &mut actions };
            self.agent.choose_all(&mut batch, &mut context);
            for ((env, rng), action) in waiting.into_iter().zip(rngs).zip(actions) {
                self.rngs[env] = rng;
                let reward = lane.play(env, action);
                lane.out.rewards[env] += reward * self.player.opponent().sign() as f32;
            }
        }
    }
}

impl<G: Registered> VectorEnv for Envs<G> {
    fn num_envs(&self) -> usize {
        self.positions.len()
    }

    fn action_count(&self) -> usize {
        self.rules.actions
    }

    fn observation_shape(&self) -> [usize; 3] {
        G::shape(&self.rules.variant)
    }

    fn reset(
        &mut self,
        seed: Option<u64>,
        mask: Option<&[bool]>,
        out: &mut Buffers<'_>,
    ) -> Result<(), ParseError> {
        self.check(out)?;
        let (n, rules) = (self.positions.len(), self.rules);
        if let Some(found) = mask.map(<[bool]>::len).filter(|found| *found != n) {
            return Err(ParseError::new("reset_mask", format!("{found} entries"), n.to_string()));
        }
        if let Some(seed) = seed {
            self.seed(seed, mask);
        }
        let (mut lane, opponent) = self.lane(out);
        let chosen = |env: &usize| mask.is_none_or(|mask| mask[*env]);
        for env in (0..n).filter(chosen) {
            if seed.is_none() {
                lane.restart(env, &rules);
            }
            lane.out.rewards[env] = 0.0;
            (lane.out.terminated[env], lane.out.truncated[env]) = (false, false);
        }
        if let Some(opponent) = opponent {
            opponent.play(&mut lane);
        }
        (0..n).for_each(|env| lane.show(env, &rules));
        Ok(())
    }

    fn step(&mut self, actions: &[i64], out: &mut Buffers<'_>) -> Result<(), ParseError> {
        self.check(out)?;
        self.check_actions(actions)?;
        let (n, rules, threads) = (self.positions.len(), self.rules, self.threads);
        let (mut lane, opponent) = self.lane(out);
        if let Some(opponent) = opponent {
            (0..n).for_each(|env| lane.act(env, actions[env], &rules));
            opponent.play(&mut lane);
            (0..n).for_each(|env| lane.finish(env, &rules));
            // The ends of episodes that start anew in the same step are told already.
            let told: Vec<bool> = lane.out.terminated.to_vec();
            (0..n).filter(|&env| !lane.ended[env]).for_each(|env| lane.out.terminated[env] = false);
            opponent.play(&mut lane);
            lane.out.terminated.copy_from_slice(&told);
            (0..n).for_each(|env| lane.show(env, &rules));
        } else if threads == 1 {
            lane.step(actions, &rules);
        } else {
            let share = n.div_ceil(threads);
            let mut lanes = Vec::with_capacity(threads);
            for actions in actions.chunks(share) {
                let (first, rest) = lane.split(actions.len(), &rules);
                lanes.push((first, actions));
                lane = rest;
            }
            thread::map(lanes, |(mut lane, actions)| lane.step(actions, &rules));
        }
        Ok(())
    }

    fn sample(&mut self, actions: &mut [i64]) -> Result<(), ParseError> {
        let n = self.positions.len();
        if actions.len() != n {
            let found = format!("{} numbers", actions.len());
            return Err(ParseError::new("actions", found, n.to_string()));
        }
        for ((action, position), ended) in actions.iter_mut().zip(&self.positions).zip(&self.ended)
        {
            let mut legal = position.actions();
            *action = 0;
            if !ended && legal.len() > 0 {
                let place = self.sampler.below(legal.len() as u32) as usize;
                *action = legal.nth(place).map_or(0, |action| position.number(action) as i64);
            }
        }
        Ok(())
    }

    fn seed_sampling(&mut self, seed: u64) {
        self.sampler = Rng::new(seed);
    }

    fn state(&self, env: usize) -> Option<Box<dyn State>> {
        let position = self.positions.get(env)?;
        Some(Box::new(Node::new(self.form, *position)))
    }

    fn ended(&self, env: usize) -> bool {
        self.ended.get(env).copied().unwrap_or(true)
    }
}
