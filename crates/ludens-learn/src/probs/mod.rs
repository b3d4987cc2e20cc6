//! PROBS: predict results of beam search.
//!
//! Two networks, V for positions and Q for moves. In every iteration Q plays games with noise, V learns
//! their results, a [`beam_search`](ludens_search::probs::beam_search) from every position finds values of its moves by both
//! networks, and Q learns these; the games are then forgotten. Algorithms 1 and 2 of the paper, step by
//! step. Players must alternate.
//!
//! - The PROBS paper (2024), sections 3 and 6.

mod config;
mod networks;
mod playing;
mod recipe;
mod self_play;

pub use config::{NetKind, ProbsConfig, QLoss};
pub use networks::NetworkLearner;
pub use playing::play_block;
pub use recipe::{Probs, STATE, open};
