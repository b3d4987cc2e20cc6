//! The published tables and figures of the texts, measured again.
//!
//! An [`Experiment`] is a table or figure of a text: its published figures, and
//! a function that measures ours. [`all`] lists them, [`find`] finds them by
//! name, [`run`] measures one at a [`Size`] and gives a [`Report`] with each
//! published figure beside ours.
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
pub mod watch;

pub use error::Error;
pub use experiment::{Experiment, all, find, run};
pub use lab::{Settings, Size};
pub use report::{Figure, Part, Report, Row, Section, Tolerance, Verdict};
