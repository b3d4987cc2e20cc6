//! Agents and programs against each other: who they are, how a game is played, and the line
//! protocol that programs speak (`docs/protocol.md`).

mod contestant;
mod engine;
mod entrants;
mod program;
mod referee;
mod words;

pub(crate) use contestant::Seated;
pub use contestant::{Asked, Contestant, Forfeit};
pub use engine::{Engine, HELLO, READY};
pub use entrants::{Entry, entries};
pub use program::Program;
pub use referee::{Match, opening};
pub use words::words;
