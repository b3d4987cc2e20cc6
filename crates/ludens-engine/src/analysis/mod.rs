//! One analysis of a position: a [`Request`] names a solver or an agent and what it may cost, an
//! [`Analysis`] is what it found. Command line, JSON lines, web server and others share it.
//!
//! In JSON ([`Task`], `docs/analysis.md`), a request is read from [`Fields`] within [`Limits`]; a
//! [`JobQueue`] runs it and gives reports and exactly one reply. [`Lines`] is the form with one
//! JSON document per line.

pub(crate) mod agent;
pub(crate) mod costs;
pub(crate) mod expectimax;
mod fields;
mod lines;
pub(crate) mod optima;
mod plain;
mod position;
pub(crate) mod prover;
mod queue;
mod read;
mod report;
mod request;
pub(crate) mod solver;
pub(crate) mod tabular;

pub use fields::Fields;
pub use lines::Lines;
pub use position::{POSITION_FIELDS, PositionInput, random_plies, read_position};
pub use queue::{Busy, Event, EventCallback, Job, JobHandle, JobQueue};
pub use read::{Limits, Task, check_agent};
pub use report::{
    Analysis, Details, MoveAnalysis, NamedWay, Progress, Report, Solved, Step, TableFacts,
};
pub use request::{AnalysisError, Analyzer, Callback, DEFAULT_TIME, Method, Request, Search};
