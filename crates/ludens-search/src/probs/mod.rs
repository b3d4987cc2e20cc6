//! Searches of PROBS: best-first beams by a network of action values, Q, and one of position
//! values, V.
//!
//! Limits: deterministic games of two players with winners.

mod agent;
mod beam;
mod games;

pub use agent::ProbsAgent;
pub use beam::beam_search;
pub use games::beam_search_games;
