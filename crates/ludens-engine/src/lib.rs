//! Names resolve here, once: `sevn:base=5` becomes a [`GameHandle`], a position
//! text becomes a [`Table`], and everything behind it is static dispatch again.
//!
//! ```
//! let game = ludens_engine::game("connect-four").unwrap();
//! let mut table = game.parse("4453").unwrap();
//! table.play("4").unwrap();
//! assert_eq!(table.position(), "......./......./......./...X.../...O.../..OXX..");
//! ```

pub mod advise;
pub mod agents;
pub mod analysis;
mod catalogue;
pub mod contestant;
mod duels;
pub mod episodes;
pub mod exact;
pub mod former;
pub mod framework;
mod handle;
pub mod json;
pub mod judge;
mod mcts;
mod modelled;
mod nets;
mod neural;
mod opinion;
pub mod parameters;
mod perfect;
mod session;
pub mod sheet;
pub mod signature;
pub mod sliding;
mod solve;
mod solvers;
mod table;

pub use agents::{AgentEntry, AgentInfo, AgentList, AgentMaker, HUMAN, Named, common_agents};
pub use catalogue::{Visitor, game, games, variant_of, visit_all};
pub use handle::{Form, GameHandle, GameInfo, Registered};
pub use nets::former_values;
pub use opinion::{ConsideredMove, Grown, Opinion, OpinionSink, Question};
pub use session::Session;
pub use solve::{
    Made, Maker, Solvable, SolveProgress, SolveRequest, SolveSink, Solved, SolverEntry, SolverInfo,
};
pub use table::{Legal, Played, Table, Turn};
