//! The games of Ludens, one folder each: `mod.rs` holds the state and its
//! rules, `notation.rs` text and drawing, `tests.rs` the conformance line and
//! what is particular to the game.
//!
//! Games see only `ludens-core`; searches never see a game by name.

mod action_list;
mod cells;
pub mod connect_four;
pub mod former;
pub mod framework;
pub mod game2048;
pub mod game2584;
pub mod morpion;
pub mod othello;
pub mod samegame;
pub mod sevn;
pub mod threes;
pub mod tiles;
pub mod togyzkumalak;

pub use connect_four::ConnectFour;
pub use former::Former;
pub use game2048::Game2048;
pub use game2584::Game2584;
pub use morpion::Morpion;
pub use othello::Othello;
pub use samegame::SameGame;
pub use sevn::Sevn;
pub use threes::Threes;
pub use togyzkumalak::Togyzkumalak;
