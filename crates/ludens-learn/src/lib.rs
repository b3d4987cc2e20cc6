//! Learners, a folder per recipe: temporal differences with n-tuple networks, imitation
//! with neural networks ([`supervised`]), and policy gradients ([`ppo`]).
//!
//! [`td`] reads top to bottom: a [`TdConfig`] says what to learn and how, a
//! [`Trainer`] plays and learns block by block, a [`run`] keeps it in a folder.
//! Games come through [`Cells`](ludens_core::Cells); nothing here knows one.

mod clock;
mod error;
pub mod folder;
pub mod ppo;
pub mod run;
pub mod supervised;
pub mod td;
pub mod tensorboard;
pub mod tune;

pub use clock::cpu_time;
pub use error::Error;
pub use td::{Tally, TdConfig, Trainer};
