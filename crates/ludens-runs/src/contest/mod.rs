//! Agents and programs against each other: who they are, how a game is played, and the line
//! protocol that programs speak (`docs/protocol.md`).

mod engine;
mod entries;
mod process;
mod program;
mod referee;
mod words;

pub use engine::{Engine, HELLO, READY};
pub use entries::{COMMAND, Entry, Maker, entries, entries_with};
pub use ludens_engine::contestant::{Asked, Contestant, Forfeit};
pub use program::{MARGIN, Program};
pub(crate) use referee::{MOST_MOVES, score};
pub use referee::{Match, opening};
pub use words::words;
