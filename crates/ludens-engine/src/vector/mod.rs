//! Many games of one kind stepped together: the environment behind every adapter for learners.
//!
//! Environment `i` of a seed plays the game that a [`Table`](crate::Table) of seed `seed + i`
//! would: the same start, the same luck. Later episodes go on with the same generator. Steps
//! allocate nothing unless there are threads or an opponent.
//!
//! ```
//! use ludens_engine::vector::{Buffers, VectorOptions};
//!
//! let game = ludens_engine::game("connect-four").unwrap();
//! let mut envs = game.vector(&VectorOptions { num_envs: 2, ..VectorOptions::default() }).unwrap();
//! let mut memory = Buffers::memory(&*envs);
//! envs.reset(Some(0), None, &mut memory.buffers()).unwrap();
//! envs.step(&[3, 0], &mut memory.buffers()).unwrap();
//! assert_eq!((memory.rewards, memory.to_move), (vec![0.0, 0.0], vec![1, 1]));
//! ```

mod buffers;
mod envs;
mod lane;
#[cfg(test)]
mod tests;

use ludens_core::{ParseError, Player};

pub use buffers::{Buffers, Memory};
pub(crate) use envs::Envs;

use crate::environment::State;

/// When an environment that has ended starts its next episode, as Gymnasium's vector
/// environments name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Autoreset {
    /// The step after the end ignores its action and shows the new start.
    #[default]
    NextStep,
    /// The step that ends an episode shows the new start; the end is in
    /// [`Buffers::final_observations`].
    SameStep,
    /// Only when it is told to.
    Disabled,
}

/// What an illegal action does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum IllegalAction {
    /// The episode ends with [`forfeit`](crate::environment::Environment::forfeit) as the reward.
    #[default]
    Lose,
    /// Nothing, and the reward is 0; the step counts.
    Noop,
    /// The call fails, and no environment moves.
    Raise,
}

/// How a [`VectorEnv`] is made.
#[derive(Clone, PartialEq, Debug)]
pub struct VectorOptions {
    /// How many environments, at least 1.
    pub num_envs: usize,
    /// When the next episode begins.
    pub autoreset: Autoreset,
    /// What an illegal action does.
    pub illegal_action: IllegalAction,
    /// Steps after which an episode is cut off.
    pub max_episode_steps: Option<u32>,
    /// Threads, at least 1. An opponent plays on one.
    pub threads: usize,
    /// An agent that plays for the other player; both players step without.
    pub opponent: Option<String>,
    /// Which player steps where there is an opponent.
    pub player: Player,
    /// The position that every episode starts with; seeded starts without.
    pub start: Option<String>,
}

impl Default for VectorOptions {
    fn default() -> Self {
        VectorOptions {
            num_envs: 1,
            autoreset: Autoreset::default(),
            illegal_action: IllegalAction::default(),
            max_episode_steps: None,
            threads: 1,
            opponent: None,
            player: Player::One,
            start: None,
        }
    }
}

/// Many games of one kind stepped together.
pub trait VectorEnv: Send {
    /// How many environments there are.
    fn num_envs(&self) -> usize;

    /// How many numbers of actions there are.
    fn action_count(&self) -> usize;

    /// Rows, columns and planes of an observation.
    fn observation_shape(&self) -> [usize; 3];

    /// Starts episodes: with a seed that of `seed + i`, otherwise the next of each generator.
    /// Only where `mask` says so, if there is one.
    ///
    /// # Errors
    /// When a buffer has the wrong length.
    fn reset(
        &mut self,
        seed: Option<u64>,
        mask: Option<&[bool]>,
        out: &mut Buffers<'_>,
    ) -> Result<(), ParseError>;

    /// One action in each environment, for the player to move. Rewards are those of the player
    /// who moved, or of the learner where there is an opponent.
    ///
    /// # Errors
    /// When a buffer has the wrong length, or an action is illegal where that is an error.
    fn step(&mut self, actions: &[i64], out: &mut Buffers<'_>) -> Result<(), ParseError>;

    /// A legal action of each environment, all equally likely; 0 where an episode has ended.
    ///
    /// # Errors
    /// When the buffer has the wrong length.
    fn sample(&mut self, actions: &mut [i64]) -> Result<(), ParseError>;

    /// Seeds the generator of [`sample`](VectorEnv::sample).
    fn seed_sampling(&mut self, seed: u64);

    /// The position of an environment; `None` where there is no such one.
    fn state(&self, env: usize) -> Option<Box<dyn State>>;

    /// Whether the last step of an environment ended its episode.
    fn ended(&self, env: usize) -> bool;
}
