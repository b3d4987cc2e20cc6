//! Measures solvers and agents: suites of boards, evaluations that can be interrupted and
//! resumed, their statistics, a store of results, tables and plots.
//!
//! Nothing here knows a game or a search. Boards are strings, results are
//! [`EvalResult`]s, and what turns the one into the other is a [`Runner`], written
//! where names and types meet.
//!
//! A [`Suite`] is read from a file or made from a seed; [`evaluate`] runs a
//! solver on it and keeps each [`RunResult`] in a [`Store`]; [`statistics`] sums
//! them up; [`export`] and [`plot`] show them. A [`contest`] plays agents against each other
//! and rates them.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use ludens_arena::{Case, EvalResult, Job, Measure, Plan, Reuse, Shard, Store, Suite};
//! use ludens_arena::{SuiteSummary, evaluate, export};
//!
//! let suite = Suite::random(7, 20, |rng| rng.below(100).to_string())?;
//! // A "solver" of numbers.
//! let runner = |case: &Case, job: &Job<'_>| {
//!     let number: i64 = case.position.parse().unwrap_or(0);
//!     EvalResult { value: Some(number + (job.seed % 10) as i64), ..EvalResult::default() }
//! };
//! let plan = Plan {
//!     game: "numbers", solver: "plus", budget: "none", program: "docs",
//!     reuse: Reuse::Same, suite: &suite, runs: 5, seed: 1, workers: 2, threads: 1,
//!     shard: Shard::WHOLE,
//! };
//! let (mut store, stop) = (Store::in_memory()?, AtomicBool::new(false));
//! let done = evaluate(&plan, &runner, &mut store, &stop, &mut |progress| {
//!     assert!(progress.done <= progress.total);
//! })?;
//! let summary = SuiteSummary::of(&suite, Measure::Score, &done.results).expect("all solved");
//! let json = export::summary_json(&done.evaluation, &summary);
//! assert_eq!(json["boards"], 20);
//! # Ok::<(), ludens_arena::Error>(())
//! ```

pub mod contest;
pub mod error;
pub mod eval;
pub mod export;
pub mod fingerprint;
pub mod metrics;
pub mod plot;
mod resume;
pub mod run;
pub mod shard;
pub mod statistics;
pub mod store;
pub mod suite;
pub mod worker_pool;

pub use error::Error;
pub use eval::{Evaluated, Plan, Progress, evaluate};
pub use metrics::SearchMeans;
pub use run::{CurvePoint, EvalResult, Job, Measure, RunResult, Runner};
pub use shard::Shard;
pub use statistics::{SuiteSummary, Summary};
pub use store::{Evaluation, Pairing, Reuse, Store};
pub use suite::{Case, Suite};
