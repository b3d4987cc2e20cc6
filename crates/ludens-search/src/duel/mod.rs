//! Searches for two players: UCT and its relatives, alpha-beta, look-ahead.
//!
//! One loop serves all tree searches: *gather* positions at the edge of the tree, let an
//! [`Evaluator`](ludens_core::Evaluator) judge them, *apply* what it says to all nodes on
//! the way. [`Rollouts`] judges by random games, which makes the search UCT. Positions
//! whose outcome is proven are backed up as such and not visited again.
//!
//! Limits: games without chance; positions reached in several ways have several nodes.
//!
//! - L. Kocsis, C. Szepesvári, Bandit based Monte-Carlo planning, ECML 2006.
//! - M. Winands, Y. Björnsson, J.-T. Saito, Monte-Carlo tree search solver, CG 2008.
//! - The Sevn text (2021), sections 2.2 and 3.4.2.

mod agent;
mod alphabeta;
mod lookahead;
mod memory;
mod outcomes;
mod outline;
pub mod puct;
mod rollouts;
mod search;
pub(crate) mod tree;

#[cfg(test)]
mod tests;

pub use agent::TreeAgent;
pub use alphabeta::{AlphaBeta, Verdict};
pub use lookahead::LookAhead;
pub use outcomes::{Outcomes, Span};
pub use rollouts::Rollouts;
pub use search::{Rule, TreeSearch};
