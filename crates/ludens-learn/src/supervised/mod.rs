//! Imitation: networks that learn from an expert's games.
//!
//! A solver plays games from random starts ([`generate`]); they are kept in a SQLite file
//! ([`Games`]), their ends made optimal by an exact solver. The positions on their lines,
//! each once and split by game ([`samples`]), teach a policy the expert's moves or a value
//! what was still to come ([`Imitation`]). After every epoch the network is measured on
//! the games that are held back; learning ends when that gets no better.

mod config;
mod games;
mod learn;
mod measure;
mod samples;

pub use config::{Expert, Kind, Schedule, SupervisedConfig};
pub use games::{Experts, GAMES, Games, Plan, Played, generate};
pub use learn::{Epoch, Imitation};
pub use measure::{Measure, measure};
pub use samples::{Sample, Split, samples};
