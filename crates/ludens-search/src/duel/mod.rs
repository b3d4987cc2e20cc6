//! Searches for two players without chance that go through all moves: alpha-beta, proofs of who
//! wins, look-ahead. Tree searches by samples are in [`tree`](crate::tree).

mod alphabeta;
mod alphabeta_agent;
mod lookahead;
mod move_order;
mod proof;

pub use alphabeta::{AlphaBeta, SearchResult};
pub use lookahead::LookAhead;
pub use proof::{ProofSearch, Span};
