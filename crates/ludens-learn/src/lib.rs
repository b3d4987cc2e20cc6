//! Learners, a folder per recipe: temporal differences with n-tuple networks ([`td`]), imitation of an
//! expert ([`supervised`]), policy gradients ([`ppo`]), and self-play ([`alphazero`], [`probs`]);
//! [`tune`] finds settings.
//!
//! Each is a [`Recipe`]: it learns in steps and saves itself to a [`RunDir`]. [`drive`] is the one loop
//! that runs them all. Games come through the traits of `ludens-core`; nothing here knows one, and
//! defaults per game are handed in.

mod actors;
pub mod alphazero;
mod clock;
mod effort;
mod ema;
mod error;
mod limited;
pub mod ppo;
pub mod probs;
mod recipe;
mod run_dir;
mod settings;
pub mod supervised;
pub mod td;
pub mod tune;

pub use actors::{Actors, GamesPlayed, GamesWanted, of_games};
pub use clock::cpu_time;
pub use error::Error;
pub use limited::Limited;
pub use recipe::{Opened, Plots, Progress, Recipe, Report, Step, drive, no_plots};
pub use run_dir::{
    CHECKPOINT, FolderLock, MODEL, Run, RunConfig, RunDir, RunRequest, game_of, renamed,
};
pub use settings::Settings;
pub use td::{Tally, TdConfig, Trainer};
