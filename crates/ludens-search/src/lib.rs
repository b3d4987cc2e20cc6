//! Searches for any game that has the capabilities they ask for. No game is
//! known here: what a search must know about one is a trait of `ludens-core`
//! implemented in that game's folder.
//!
//! Every search is a [`ludens_core::Solver`]: it keeps to the budget of its
//! context, reports its progress, stops when asked, and with one thread and a node
//! budget gives the same result every time.

#[cfg(test)]
mod allocation_tests;
mod anneal;
mod astar;
mod beam;
#[cfg(test)]
mod best_first_tests;
mod by_budget;
pub mod duel;
mod exact;
pub mod expectimax;
mod greedy;
mod idastar;
pub mod mcts;
mod minimax;
pub mod nested;
mod outline;
mod policy;
mod polish;
mod position_index;
pub mod probs;
pub mod tabular;
mod team;
mod then_prove;
mod transposition;
pub mod tree;
mod watch;

use ludens_core::Deterministic;

/// Tests count allocations.
#[cfg(test)]
#[global_allocator]
static ALLOCATOR: ludens_testkit::CountingAllocator = ludens_testkit::CountingAllocator;

pub use anneal::{Anneal, Changes};
pub use astar::AStar;
pub use beam::{Beam, ByBound, ByLength, Ceiling, Rounds, Unbounded};
pub use by_budget::ByBudget;
pub use exact::{DEFAULT_WIDTH, Exact, reaches_end};
pub use expectimax::Expectimax;
pub use greedy::Greedy;
pub use idastar::IdaStar;
pub use mcts::Mcts;
pub use minimax::Minimax;
pub use policy::BestChild;
pub use polish::Polish;
pub use then_prove::ThenProve;
pub use tree::StochasticMcts;

/// The value of a line.
fn replay<G: Deterministic>(position: &G, line: &[G::Action]) -> i64 {
    let play = |(here, value): (G, i64), &action: &G::Action| {
        let (next, reward) = here.apply(action);
        (next, value + i64::from(reward))
    };
    line.iter().fold((*position, 0), play).1
}
