//! Published tables and figures, measured again.
//!
//! An [`Experiment`] is a published table or figure: its numbers, and a function
//! that measures ours. [`all`] lists them, [`find`] finds them by
//! name, [`run`] measures one at a [`Size`] and gives a [`Report`] with each
//! published number beside ours.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use ludens_arena::Store;
//! use ludens_lab::{Settings, Size, find, run};
//!
//! let experiment = find("former-A")?.remove(0);
//! let settings = Settings { size: Size::Tiny, ..Settings::default() };
//! let (mut store, stop) = (Store::in_memory()?, AtomicBool::new(false));
//! let report = run(&experiment, &settings, &mut store, &stop, &mut |_| {})?;
//! assert_eq!(report.sections[0].rows[0].published, Some(1562.0));
//! # Ok::<(), ludens_lab::Error>(())
//! ```

pub mod checkpoints;
mod duels;
mod error;
mod experiment;
mod former;
mod lab;
mod print;
mod report;
mod runs;
mod samegame;
mod scratch;
#[cfg(test)]
mod tests;
mod tiles;

pub use error::Error;
pub use experiment::{Experiment, all, find, run};
pub use lab::{Settings, Size};
pub use report::{Agreement, Part, Plot, Report, Row, Section, Tolerance};
