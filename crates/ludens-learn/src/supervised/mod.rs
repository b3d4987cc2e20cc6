//! Imitation: networks that learn from an expert's games.
//!
//! A solver plays games from random starts ([`generate`]); they are kept in a SQLite file
//! ([`Games`]), their ends made optimal by an exact solver. The positions on their lines,
//! each once and split by game ([`samples`]), teach a policy the expert's moves or a value
//! what was still to come ([`Supervised`]). After every epoch the network is measured on
//! the games for validation; learning ends when that gets no better.

mod config;
mod expert;
mod measure;
mod open;
mod recipe;
mod samples;
mod tuning;

pub use config::{Expert, Heads, Schedule, SupervisedConfig};
pub use expert::{ExpertGame, Experts, GAMES, Games, Plan, generate};
pub use measure::{Measure, measure};
pub use open::{GameExperts, open, played};
pub use recipe::Supervised;
pub use samples::{Sample, Split, samples};
pub use tuning::trial;
