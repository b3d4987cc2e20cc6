//! One tree search, made of parts that can be exchanged.
//!
//! A [`TreeSearch`] is driven from outside: [`gather`](TreeSearch::gather) names positions at the edge
//! of the tree, an [`Evaluator`](ludens_core::Evaluator) evaluates them, [`apply`](TreeSearch::apply)
//! backs the values up. So one tree can be grown in batches, with virtual losses that send the
//! simulations of a batch different ways, and many trees can share the batches of one evaluator.
//! Random games ([`Rollouts`]), n-tuple networks and neural networks are all evaluators.
//!
//! | part | choices |
//! |---|---|
//! | what is backed up | [`Results`] of two players, [`Returns`] (rewards to come) of one or two |
//! | [`Selection`] | UCB1, square root, PUCT, PUCT with first-play urgency or plain |
//! | [`Range`] of values | fixed, the best move of the root, least and largest value of the tree |
//! | [`Solver`] | off, proofs, proofs whose results replace values |
//! | chance nodes | outcomes balanced or drawn ([`ChanceSampling`]) |
//! | [`Root`] | plain, Dirichlet noise, Gumbel with sequential halving |
//!
//! Named searches are compositions: [`TreeConfig::uct`], [`TreeConfig::puct`],
//! [`TreeConfig::stochastic`]. [`TreeAgent`] is the loop around one tree, or several on threads;
//! [`StochasticMcts`] the one of games with chance and afterstate values.
//!
//! Limits: positions reached in several ways have several nodes. Puzzles have a search of their own
//! in [`mcts`](crate::mcts): it keys nodes by position, keeps score distributions, and looks for the
//! best line instead of the best mean.
//!
//! - L. Kocsis, C. Szepesvári, Bandit based Monte-Carlo planning, ECML 2006.
//! - M. Winands, Y. Björnsson, J.-T. Saito, Monte-Carlo tree search solver, CG 2008.
//! - D. Silver et al., A general reinforcement learning algorithm that masters chess, shogi, and Go
//!   through self-play, Science 362, 2018.
//! - D. Wu, Accelerating self-play learning in Go, 2019.
//! - J. Schrittwieser et al., Mastering Atari, Go, chess and shogi by planning with a learned model,
//!   Nature 588, 2020 (values by their range).
//! - M. Clark, Mastering Sevn using reinforcement learning, 2021, sections 2.2 and 3.4.2.
//! - I. Danihelka et al., Policy improvement by planning with Gumbel, ICLR 2022.

mod agent;
mod arena;
mod backup;
mod config;
mod grow;
mod gumbel;
mod report;
mod rollouts;
mod search;
mod select;
mod stochastic;

#[cfg(test)]
mod tests;

pub use agent::{PriorAgent, TreeAgent};
pub use backup::{Backup, Results, Returns};
pub use config::{
    ChanceSampling, Gumbel, Noise, PuctConfig, Range, Root, Selection, Solver, TreeConfig,
};
pub use rollouts::Rollouts;
pub use search::TreeSearch;
pub use stochastic::{StochasticMcts, Strength, Visited};
