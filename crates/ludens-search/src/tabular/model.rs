//! The transitions of a game written down, and the two classic iterations on them.

use std::ops::ControlFlow;

use ludens_core::{Reward, Solo, Starts, Symmetric};

use super::{ByKey, ExactTable, ExactValue, Unsolved, after_key, starts, state_key};

/// Bytes that a position with its afterstates takes, about.
const POSITION: usize = 256;
/// Positions between looks at whether to stop.
const PATIENCE: usize = 1 << 12;
/// No game is longer: more sweeps than this do not converge because it does not end.
const MOST_SWEEPS: usize = 1 << 20;

/// A finite decision process: every position with its moves, every afterstate with its
/// outcomes, by number.
pub struct Model {
    states: Vec<Entry>,
    afters: Vec<Entry>,
    /// The afterstate and the reward of every move.
    moves: Vec<(u32, Reward)>,
    /// The position, its probability and the reward of every outcome.
    outcomes: Vec<(u32, f64, Reward)>,
    /// The positions a game starts with, their probabilities, and what they count.
    starts: Vec<(u32, f64, f64)>,
}

/// Where the moves or outcomes of something begin; they end where the next ones begin.
struct Entry {
    key: u64,
    images: u32,
    begin: u32,
}

/// What an iteration came to.
#[derive(Clone, PartialEq, Debug)]
pub struct Solved {
    /// The values.
    pub table: ExactTable,
    /// Passes over all positions.
    pub sweeps: usize,
    /// Times the policy was changed; 0 for value iteration, which has none.
    pub improvements: usize,
}

impl Model {
    /// The transitions of a variant, within a number of bytes.
    ///
    /// # Errors
    /// When there are too many, or `stopped` said so.
    pub fn new<G: Solo + Starts + Symmetric>(
        variant: &G::Variant,
        memory: usize,
        stopped: &dyn Fn() -> bool,
    ) -> Result<Model, Unsolved> {
        let most = (memory / POSITION).min(u32::MAX as usize / 64);
        let needed = (most + 1).saturating_mul(POSITION).max(memory + 1);
        let too_large = Unsolved::TooLarge { found: most as u64, memory, needed };
        let symmetries = G::symmetries(variant);
        let mut model = Model {
            states: Vec::new(),
            afters: Vec::new(),
            moves: Vec::new(),
            outcomes: Vec::new(),
            starts: Vec::new(),
        };
        let (mut indices, mut after_indices) = (ByKey::default(), ByKey::default());
        // Positions by number; those behind `states` wait for their moves.
        let mut queue: Vec<G> = Vec::new();
        let index_of = |position: G, queue: &mut Vec<G>, indices: &mut ByKey<u32>| {
            *indices.entry(state_key(&position).key).or_insert_with(|| {
                queue.push(position);
                queue.len() as u32 - 1
            })
        };
        for (start, p) in starts::<G>(variant, most).ok_or(too_large)? {
            let score = start.score().unwrap_or(0) as f64;
            model.starts.push((index_of(start, &mut queue, &mut indices), p, score));
        }
        while let Some(&position) = queue.get(model.states.len()) {
            if queue.len() > most {
                return Err(too_large);
            }
            if model.states.len().is_multiple_of(PATIENCE) && stopped() {
                return Err(Unsolved::Stopped);
            }
            let shared = state_key(&position);
            let begin = model.moves.len() as u32;
            model.states.push(Entry { key: shared.key, images: shared.images, begin });
            position.children(|_, after, reward| {
                let shared = after_key::<G>(symmetries, &after);
                let number = *after_indices.entry(shared.key).or_insert_with(|| {
                    let begin = model.outcomes.len() as u32;
                    model.afters.push(Entry { key: shared.key, images: shared.images, begin });
                    let _ = G::outcomes(&after, |chance, p| {
                        let (next, bonus) = G::apply_outcome(&after, chance);
                        model.outcomes.push((index_of(next, &mut queue, &mut indices), p, bonus));
                        ControlFlow::Continue(())
                    });
                    model.afters.len() as u32 - 1
                });
                model.moves.push((number, reward));
            });
        }
        Ok(model)
    }

    fn moves_of(&self, state: usize) -> &[(u32, Reward)] {
        let end = self.states.get(state + 1).map_or(self.moves.len(), |next| next.begin as usize);
        &self.moves[self.states[state].begin as usize..end]
    }

    fn outcomes_of(&self, after: usize) -> &[(u32, f64, Reward)] {
        let end = self.afters.get(after + 1).map_or(self.outcomes.len(), |n| n.begin as usize);
        &self.outcomes[self.afters[after].begin as usize..end]
    }

    /// The value of an afterstate by the values of positions.
    fn after(&self, after: usize, states: &[ExactValue]) -> ExactValue {
        let mut value = ExactValue { expected: 0.0, best: i32::MIN, worst: i32::MAX };
        for &(state, p, bonus) in self.outcomes_of(after) {
            let next = states[state as usize].after(bonus);
            value.expected += p * next.expected;
            value.best = value.best.max(next.best);
            value.worst = value.worst.min(next.worst);
        }
        value
    }

    /// The best move of a position with its value.
    fn greedy(&self, state: usize, states: &[ExactValue]) -> Option<(usize, ExactValue)> {
        let mut best: Option<(usize, ExactValue)> = None;
        for (i, &(after, reward)) in self.moves_of(state).iter().enumerate() {
            let value = self.after(after as usize, states).after(reward);
            if best.is_none_or(|(_, best)| value.beats(best)) {
                best = Some((i, value));
            }
        }
        best
    }

    /// Sweeps over all positions, those met last first, until nothing changes; `value`
    /// gives the new value of a position. The number of sweeps.
    fn sweep(
        &self,
        states: &mut [ExactValue],
        stopped: &dyn Fn() -> bool,
        value: impl Fn(usize, &[ExactValue]) -> ExactValue,
    ) -> Result<usize, Unsolved> {
        for sweep in 1..MOST_SWEEPS {
            let mut changed = false;
            for state in (0..states.len()).rev() {
                let new = value(state, states);
                changed |= new != states[state];
                states[state] = new;
                if state.is_multiple_of(PATIENCE) && stopped() {
                    return Err(Unsolved::Stopped);
                }
            }
            if !changed {
                return Ok(sweep);
            }
        }
        Err(Unsolved::Stopped)
    }

    /// Value iteration: every position takes the value of its best move by the values as
    /// they are, until nothing changes.
    ///
    /// # Errors
    /// When `stopped` said so.
    pub fn value_iteration(&self, stopped: &dyn Fn() -> bool) -> Result<Solved, Unsolved> {
        let mut states = vec![ExactValue::default(); self.states.len()];
        let sweeps = self.sweep(&mut states, stopped, |state, states| {
            self.greedy(state, states).map_or(ExactValue::default(), |(_, value)| value)
        })?;
        Ok(Solved { table: self.table(&states), sweeps, improvements: 0 })
    }

    /// Policy iteration: values a policy, at first the first move everywhere, then lets it
    /// take the best moves by these values, until it stays as it is.
    ///
    /// # Errors
    /// When `stopped` said so.
    pub fn policy_iteration(&self, stopped: &dyn Fn() -> bool) -> Result<Solved, Unsolved> {
        let mut policy = vec![0; self.states.len()];
        let mut states = vec![ExactValue::default(); self.states.len()];
        let (mut sweeps, mut improvements) = (0, 0);
        loop {
            sweeps += self.sweep(&mut states, stopped, |state, states| {
                let chosen = self.moves_of(state).get(policy[state]);
                chosen.map_or(ExactValue::default(), |&(after, reward)| {
                    self.after(after as usize, states).after(reward)
                })
            })?;
            let mut changed = false;
            for (state, chosen) in policy.iter_mut().enumerate() {
                if let Some((best, _)) = self.greedy(state, &states) {
                    changed |= best != *chosen;
                    *chosen = best;
                }
            }
            if !changed {
                return Ok(Solved { table: self.table(&states), sweeps, improvements });
            }
            improvements += 1;
        }
    }

    fn table(&self, states: &[ExactValue]) -> ExactTable {
        let value =
            |&(state, p, score): &(u32, f64, f64)| p * (states[state as usize].expected + score);
        ExactTable {
            states: self.states.iter().zip(states).map(|(e, &value)| (e.key, value)).collect(),
            afters: self
                .afters
                .iter()
                .enumerate()
                .map(|(number, entry)| (entry.key, self.after(number, states)))
                .collect(),
            positions: self.states.iter().map(|entry| u64::from(entry.images)).sum(),
            afterstates: self.afters.iter().map(|entry| u64::from(entry.images)).sum(),
            start: self.starts.iter().map(value).sum(),
        }
    }
}
