//! Where a step writes.

use ludens_core::ParseError;

use super::VectorEnv;

/// Where a step writes: one entry or row per environment. Observations and masks are written
/// where their slice is not empty.
#[derive(Debug)]
pub struct Buffers<'a> {
    /// What the player to move sees.
    pub observations: &'a mut [f32],
    /// 1 for every legal action. All 1 where the next action is ignored.
    pub masks: &'a mut [i8],
    /// What the step paid.
    pub rewards: &'a mut [f32],
    /// Whether the game ended.
    pub terminated: &'a mut [bool],
    /// Whether the episode was cut off.
    pub truncated: &'a mut [bool],
    /// 0 where player one is to move, 1 where player two is.
    pub to_move: &'a mut [i8],
    /// The last observation of the episodes that ended with
    /// [`SameStep`](super::Autoreset::SameStep); other rows stay as they are.
    pub final_observations: &'a mut [f32],
}

/// Buffers of one's own.
#[derive(Clone, PartialEq, Debug)]
#[expect(missing_docs, reason = "the fields of Buffers")]
pub struct Memory {
    pub observations: Vec<f32>,
    pub masks: Vec<i8>,
    pub rewards: Vec<f32>,
    pub terminated: Vec<bool>,
    pub truncated: Vec<bool>,
    pub to_move: Vec<i8>,
    pub final_observations: Vec<f32>,
}

impl Memory {
    /// The buffers to write to.
    pub fn buffers(&mut self) -> Buffers<'_> {
        Buffers {
            observations: &mut self.observations,
            masks: &mut self.masks,
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
            to_move: &mut self.to_move,
            final_observations: &mut self.final_observations,
        }
    }
}

impl<'a> Buffers<'a> {
    /// Memory of the right size for all of them.
    pub fn memory(envs: &dyn VectorEnv) -> Memory {
        let (n, size) = (envs.num_envs(), envs.observation_shape().iter().product::<usize>());
        Memory {
            observations: vec![0.0; n * size],
            masks: vec![0; n * envs.action_count()],
            rewards: vec![0.0; n],
            terminated: vec![false; n],
            truncated: vec![false; n],
            to_move: vec![0; n],
            final_observations: vec![0.0; n * size],
        }
    }

    /// Refuses buffers that do not fit `n` environments with observations of `size` numbers and
    /// `actions` numbers of actions.
    pub(super) fn check(&self, n: usize, size: usize, actions: usize) -> Result<(), ParseError> {
        let rows = [
            ("rewards", self.rewards.len(), n, false),
            ("terminated", self.terminated.len(), n, false),
            ("truncated", self.truncated.len(), n, false),
            ("to_move", self.to_move.len(), n, false),
            ("observations", self.observations.len(), n * size, true),
            ("masks", self.masks.len(), n * actions, true),
            ("final_observations", self.final_observations.len(), n * size, true),
        ];
        for (name, found, expected, optional) in rows {
            if found != expected && !(optional && found == 0) {
                let found = format!("{found} numbers");
                return Err(ParseError::new(format!("buffer {name}"), found, expected.to_string()));
            }
        }
        Ok(())
    }

    /// The parts of the first `n` environments, and the rest.
    pub(super) fn split(self, n: usize, size: usize, actions: usize) -> (Buffers<'a>, Self) {
        /// The first entries, none of a slice that is empty.
        fn cut<T>(slice: &mut [T], at: usize) -> (&mut [T], &mut [T]) {
            let at = at.min(slice.len());
            slice.split_at_mut(at)
        }
        let (observations, observations_left) = cut(self.observations, n * size);
        let (masks, masks_left) = cut(self.masks, n * actions);
        let (rewards, rewards_left) = cut(self.rewards, n);
        let (terminated, terminated_left) = cut(self.terminated, n);
        let (truncated, truncated_left) = cut(self.truncated, n);
        let (to_move, to_move_left) = cut(self.to_move, n);
        let (final_observations, final_left) = cut(self.final_observations, n * size);
        let first = Buffers {
            observations,
            masks,
            rewards,
            terminated,
            truncated,
            to_move,
            final_observations,
        };
        let rest = Buffers {
            observations: observations_left,
            masks: masks_left,
            rewards: rewards_left,
            terminated: terminated_left,
            truncated: truncated_left,
            to_move: to_move_left,
            final_observations: final_left,
        };
        (first, rest)
    }

    /// The same buffers for a shorter time.
    pub(super) fn reborrow(&mut self) -> Buffers<'_> {
        Buffers {
            observations: self.observations,
            masks: self.masks,
            rewards: self.rewards,
            terminated: self.terminated,
            truncated: self.truncated,
            to_move: self.to_move,
            final_observations: self.final_observations,
        }
    }
}
