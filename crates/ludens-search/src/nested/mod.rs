//! Flat and nested Monte Carlo searches: what they learn is a line or a policy,
//! never a tree.
//!
//! All share one frame (`frame.rs`): a search is a *pass* that plays from the
//! position to the end of one attempt; passes are repeated, each thread on its
//! own stream of randomness, until the budget is used up. Without a budget
//! there is one pass per thread.

mod flat;
mod frame;
mod nmcs;
mod nrpa;
mod policy;
mod rollouts;
#[cfg(test)]
mod tests;

pub use flat::{Flat, Pick};
pub use nmcs::Nmcs;
pub use nrpa::{All, Nrpa};
pub use rollouts::{LookAhead, Proportional, Uniform};
