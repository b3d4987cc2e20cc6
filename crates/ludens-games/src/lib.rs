//! The games of Ludens, one folder each: `mod.rs` holds the state and its
//! rules, `notation.rs` text and drawing, `tests.rs` the conformance line and
//! what is particular to the game.
//!
//! Games see only `ludens-core`; searches never see a game by name.

pub mod connect_four;

pub use connect_four::ConnectFour;
