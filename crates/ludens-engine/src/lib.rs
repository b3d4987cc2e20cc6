//! Names resolve here, once: `sevn:base=5` becomes a [`GameHandle`], a position
//! text becomes a [`Table`], and everything behind it is static dispatch again.
//!
//! ```
//! let game = ludens_engine::game("connect-four").unwrap();
//! let mut table = game.parse("4453").unwrap();
//! table.play("4").unwrap();
//! assert_eq!(table.position(), "......./......./......./...X.../...O.../..OXX..");
//! ```

pub mod agents;
pub mod analysis;
mod catalogue;
mod composition;
pub mod contestant;
pub mod custom;
mod duels;
pub mod environment;
pub mod episodes;
mod form;
pub mod former;
pub mod framework;
mod handle;
mod hgsts;
pub mod json;
mod levels;
mod mcts;
mod modelled;
mod morpion;
mod nets;
mod neural;
mod objective;
pub mod parameters;
mod perfect;
pub mod puzzle;
mod session;
pub mod sheet;
pub mod signature;
pub mod sliding;
mod small_boards;
mod solvers;
mod table;
mod table_file;
mod tile_value;
pub mod vector;
mod vote;

pub use agents::{AgentEntry, AgentInfo, AgentList, AgentMaker, HUMAN, Named, common_agents};
pub use analysis::solver::{Made, Maker, Solvable, SolverEntry, SolverInfo};
pub use catalogue::{
    TileVisitor, Visitor, game, games, old_names, variant_of, visit_all, visit_tiles,
};
pub use form::{Form, GameInfo, Generator, Registered};
pub use handle::GameHandle;
pub use levels::{LEVELS, Level, TITLES};
pub use nets::former_values;
pub use objective::Objective;
pub use session::Session;
pub use small_boards::exact_table;
pub use table::{Legal, Played, Table, Turn};
