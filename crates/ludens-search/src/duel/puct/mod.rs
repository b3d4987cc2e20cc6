//! PUCT: tree search with an evaluator that knows likely moves, as AlphaZero has it.
//!
//! A [`Puct`] is driven from outside: [`gather`](Puct::gather) names positions at the edge of the tree,
//! someone judges them, [`apply`](Puct::apply) enters the verdicts. So one tree can be grown in batches,
//! with virtual losses that send the walks of a batch different ways, and many trees can share the
//! batches of one evaluator. [`PuctAgent`] is the loop around one tree.
//!
//! Ends of the game are seen one move ahead when a position is added, and everything that follows
//! from them is proven and not searched again.
//!
//! - D. Silver et al., A general reinforcement learning algorithm that masters chess, shogi, and Go
//!   through self-play, Science 362, 2018.
//! - I. Danihelka et al., Policy improvement by planning with Gumbel, ICLR 2022.
//! - D. Wu, Accelerating self-play learning in Go, 2019.

mod agent;
mod config;
mod gumbel;
mod reuse;
mod search;
#[cfg(test)]
mod tests;
mod verdict;

pub use agent::{PriorAgent, PuctAgent};
pub use config::{Gumbel, Noise, PuctConfig, Root};
pub use search::Puct;
