//! AlphaZero: a network plays against itself with a tree search and learns what the search found.
//! Games of one player are learned in the same way, with a search of their own ([`Tree`]).
//!
//! An [`AlphaZero`] runs in iterations. In each, all threads play games with the network as it is
//! ([`Games`]), many side by side so that positions are evaluated in batches; one thread first
//! teaches the next network ([`Learner`]) from the games of the iterations before. Full searches teach the
//! policy, fast ones only make moves (playout-cap randomisation); results, blended with the
//! searches' values, teach the value; where a [`Referee`] knows best play, that does. What a run comes
//! to follows from its seed and settings, however many threads play.
//!
//! - D. Silver et al., A general reinforcement learning algorithm that masters chess, shogi, and Go
//!   through self-play, Science 362, 2018.
//! - I. Danihelka et al., Policy improvement by planning with Gumbel, ICLR 2022.
//! - D. Wu, Accelerating self-play learning in Go, 2019.

mod config;
mod game;
mod graphs;
mod learner;
mod mix;
mod planes;
mod playing;
mod recipe;
mod self_play;
mod tree;

pub use config::{AlphaZeroConfig, BiasStart, LossKind, OptimizerKind};
pub use game::{Referee, Sample, SearchedMove, SelfPlay};
pub use graphs::GraphLearner;
pub use learner::Learner;
pub use mix::BaseMix;
pub use planes::PlaneLearner;
pub use playing::play_block;
pub use recipe::{AlphaZero, Iteration, Setup, games_played, open};
pub use self_play::Games;
pub use tree::Tree;
