//! Learners. One recipe so far: temporal differences with n-tuple networks.
//!
//! [`td`] reads top to bottom: a [`TdConfig`] says what to learn and how, a
//! [`Trainer`] plays and learns block by block, a [`run`] keeps it in a folder.
//! Games come through [`Cells`](ludens_core::Cells); nothing here knows one.

mod clock;
mod error;
pub mod run;
pub mod td;

pub use clock::cpu_time;
pub use error::Error;
pub use td::{Tally, TdConfig, Trainer};
