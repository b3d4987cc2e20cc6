//! Searches for two players without chance that go through all moves: alpha-beta, proofs of who
//! wins, look-ahead, players of limited skill; the UCT of Clark (2021). Other tree searches by samples
//! are in [`tree`](crate::tree).

mod alphabeta;
mod alphabeta_agent;
mod level;
mod lookahead;
mod move_order;
mod proof;
mod visit_uct;
mod ways;

pub use alphabeta::{AlphaBeta, SearchResult};
pub use level::{LevelAgent, Skill};
pub use lookahead::LookAhead;
pub use proof::{ProofSearch, Span};
pub use visit_uct::VisitUct;
