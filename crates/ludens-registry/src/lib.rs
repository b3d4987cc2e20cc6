//! Names resolve here, once: `sevn:base=5` becomes a [`GameHandle`], a position
//! text becomes a [`Table`], and everything behind it is static dispatch again.
//!
//! ```
//! let game = ludens_registry::game("connect-four").unwrap();
//! let mut table = game.parse("4453").unwrap();
//! table.play("4").unwrap();
//! assert_eq!(table.position(), "......./......./......./...X.../...O.../..OXX..");
//! ```

pub mod advise;
mod agents;
pub mod analysis;
mod catalogue;
pub mod contest;
pub mod curves;
mod duels;
pub mod eval;
pub mod exact;
pub mod former;
pub mod framework;
mod handle;
pub mod home;
mod imitate;
pub mod json;
pub mod judge;
mod mcts;
mod modelled;
pub mod models;
mod nets;
mod neural;
mod opinion;
mod perfect;
pub mod playing;
mod predict;
mod referees;
mod reinforce;
mod self_play;
mod session;
pub mod sheet;
mod shipped;
pub mod signature;
mod sliding;
mod solve;
mod solvers;
pub mod speed;
mod stages;
pub mod store_check;
mod table;
pub mod train;
pub mod tune;

pub use ludens_arena as arena;

pub use agents::{AgentEntry, AgentInfo, AgentList, AgentMaker, HUMAN, Named, common_agents};
pub use catalogue::{Visitor, game, games, visit_all};
pub use handle::{Form, GameHandle, GameInfo, Registered};
pub use nets::former_values;
pub use opinion::{ConsideredMove, Grown, Opinion, OpinionSink, Question};
pub use session::Session;
pub use solve::{
    Made, Maker, Solvable, SolveProgress, SolveRequest, SolveSink, Solved, SolverEntry, SolverInfo,
};
pub use table::{Legal, Played, Table, Turn};
