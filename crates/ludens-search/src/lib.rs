//! Searches for any game that has the capabilities they ask for. No game is
//! known here: what a search must know about one is a trait of `ludens-core`
//! implemented in that game's folder.
//!
//! Every search is a [`ludens_core::Solver`]: it keeps to the budget of its
//! context, tells its progress, stops when asked, and with one thread and a node
//! budget gives the same result every time.

mod greedy;
pub mod mcts;

pub use greedy::Greedy;
pub use mcts::Mcts;
