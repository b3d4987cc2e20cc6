//! Temporal-difference learning with n-tuple networks: values of afterstates, of positions,
//! or of moves (Q-learning), see [`Learn`].
//!
//! Episodes are played greedily by the network as it is, or by a tree search; when one
//! ends, the value of each of its turns moves towards what followed it: rewards and the
//! value of a later turn, or what the search found. Episodes come in *blocks*. Within a block each thread plays several
//! episodes in turns, so that the tables of one are fetched while another is thought
//! about; between blocks nothing is under way, so a block is where runs are saved.
//! An episode's randomness depends on the seed and its number alone. With one thread, a run
//! that is stopped after a block and resumed is equal bit by bit to one that was not.
//!
//! - M. Szubert, W. Jaśkowski, Temporal difference learning of n-tuple networks for the
//!   game 2048, CIG 2014: afterstates, n-tuples.
//! - W. Jaśkowski, Mastering 2048 with delayed temporal coherence learning, multistage
//!   weight promotion, redundant encoding and carousel shaping, IEEE Trans. Games 10 (2018).
//! - K. Matsuzaki, Developing a 2048 player with backward temporal coherence learning
//!   and restart, ACG 2017: the order of updates, restarts.
//! - H. Guei, On reinforcement learning for the game of 2048, dissertation, 2023:
//!   optimistic initial values, two-phase learning.

mod arrivals;
mod block;
mod config;
mod episode;
mod explore;
mod recipe;
mod schedule;
mod stage;
mod starts;
mod tally;
mod trainer;
mod update;
mod values;

pub use arrivals::ARRIVALS;
pub use config::{Learn, Method, Order, Rectify, TdConfig};
pub use explore::{Exploration, Scale};
pub use recipe::{MODEL, open, snapshot_name};
pub use schedule::Schedule;
pub use tally::Tally;
pub use trainer::{Learnable, Trainer};
