//! Proximal policy optimisation: a network that learns by playing, for any game of one player.
//!
//! Several games are played side by side, moves drawn from the network's policy ([`ParallelGames`]).
//! After some moves of each the advantages of what was done over what was expected are estimated
//! ([`advantages`]), and policy and value are moved a little towards them ([`Ppo`]); then it
//! goes on.
//!
//! References: J. Schulman et al., Proximal policy optimization algorithms, 2017; J. Schulman
//! et al., High-dimensional continuous control using generalized advantage estimation, ICLR
//! 2016; Urheim (2025), 3.3 and 5.4.

mod checkpoint;
mod config;
mod recipe;
mod rollout;

pub use config::{Mask, PpoConfig};
pub use recipe::{Ppo, open};
pub use rollout::{OpenGame, ParallelGames, Rollouts, Transition, advantages};
