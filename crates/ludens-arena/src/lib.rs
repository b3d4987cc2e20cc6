//! Measures solvers: suites of boards, evaluations that can be interrupted and
//! resumed, their statistics, a store of results, tables and plots.
//!
//! Nothing here knows a game or a search. Boards are texts, results are
//! [`Outcome`]s, and what turns the one into the other is a [`Runner`], written
//! where names and types meet.
//!
//! A [`Suite`] is read from a file or made from a seed; [`evaluate`] runs a
//! solver on it and keeps each [`RunResult`] in a [`Store`]; [`statistics`] sums
//! them up; [`export`] and [`plot`] show them.

pub mod error;
pub mod eval;
pub mod export;
pub mod outcome;
pub mod plot;
pub mod solve;
pub mod statistics;
pub mod store;
pub mod suite;

pub use error::Error;
pub use eval::{Evaluated, Plan, Progress, evaluate};
pub use outcome::{CurvePoint, Job, Measure, Outcome, RunResult, Runner};
pub use solve::solve;
pub use statistics::{SuiteSummary, Summary};
pub use store::{Evaluation, Store};
pub use suite::{Case, Suite};
