//! Learners, a folder per recipe: temporal differences with n-tuple networks, imitation
//! with neural networks ([`supervised`]), policy gradients ([`ppo`]), and self-play
//! ([`alphazero`], [`probs`]).
//!
//! [`td`] reads top to bottom: a [`TdConfig`] says what to learn and how, a
//! [`Trainer`] plays and learns block by block, a [`run`] keeps it in a folder.
//! Games come through [`Cells`](ludens_core::Cells); nothing here knows one.

pub mod alphazero;
mod averaged;
mod clock;
mod config_file;
mod error;
mod folder_lock;
mod metrics;
mod network_folder;
pub mod ppo;
pub mod probs;
pub mod run;
mod run_folder;
mod settings;
pub mod supervised;
pub mod td;
pub mod tensorboard;
pub mod tune;

pub use clock::cpu_time;
pub use error::Error;
pub use folder_lock::FolderLock;
pub use network_folder::{MODEL, NetworkFolder, Stages};
pub use run_folder::{RunFolder, game_of};
pub use settings::Settings;
pub use td::{Tally, TdConfig, Trainer};
