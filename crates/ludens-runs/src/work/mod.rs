//! Work that can be split: a specification, from which every unit follows by its number.
//!
//! | work | unit | command |
//! |---|---|---|
//! | [`SuiteWork`] | one run of one board | `ludens eval GAME --suite S` |
//! | [`EpisodesWork`] | one whole game | `ludens eval GAME --agent A --games N` |
//! | [`ContestWork`] | an opening, with both sides | `ludens arena GAME AGENT AGENT` |
//!
//! Executors differ in where units run, never in what comes out: all units here (`local`), one
//! [`Shard`] of them into a store of its own and [`merge`] of all stores afterwards (`shards`), or
//! shards as tasks of a cluster. With budgets of nodes the results are the same, times aside.

mod contest;
mod episodes;
mod merge;
mod suite;

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use ludens_arena::store::StoredShard;
use ludens_arena::{Reuse, Shard, Store};
use ludens_core::ParseError;
use ludens_learn::cpu_time;
use serde::{Deserialize, Serialize};

pub use contest::{ContestDone, ContestWork};
pub use episodes::EpisodesWork;
pub use merge::{Merged, merge};
pub use suite::{SuiteDone, SuiteWork};

/// What to do. Its JSON is what the shards of one work have in common.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "work", rename_all = "lowercase")]
pub enum Work {
    /// A solver or an agent over a suite of boards.
    Suite(SuiteWork),
    /// Whole games by an agent.
    Episodes(EpisodesWork),
    /// Agents against each other.
    Contest(ContestWork),
}

impl Work {
    /// As the store keeps it.
    pub fn text(&self) -> String {
        serde_json::to_string(self).expect("plain values are JSON")
    }

    /// The work of a text.
    ///
    /// # Errors
    /// When it is none that this version knows.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        serde_json::from_str(text).map_err(|error| {
            ParseError::new(
                "work",
                error.to_string(),
                "the specification of an evaluation or contest",
            )
        })
    }
}

/// Where and how units run.
pub struct Execution<'a> {
    /// What is done already, and what keeps results.
    pub store: &'a mut Store,
    /// Name, version and build of the program that results are kept under.
    pub program: &'a str,
    /// Whose stored results count.
    pub reuse: Reuse,
    /// Which units.
    pub shard: Shard,
    /// Units at the same time.
    pub workers: usize,
    /// Bytes for the tables of all of them.
    pub memory: usize,
    /// Ends it; what is done is kept.
    pub stop: &'a AtomicBool,
}

/// Why work failed.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    /// The specification is wrong.
    #[error("{0}")]
    Spec(#[from] ParseError),
    /// The suite cannot be read.
    #[error("{0}")]
    Suite(ludens_arena::Error),
    /// An evaluation, a contest or the store.
    #[error("{0}")]
    Arena(#[from] ludens_arena::Error),
    /// Whole games.
    #[error("{0}")]
    Episodes(#[from] ludens_learn::Error),
    /// Shards do not make a whole.
    #[error("{0}")]
    Shards(String),
    /// A run failed.
    #[error("{0}")]
    Failed(String),
}

impl WorkError {
    /// Whether what was asked for is wrong, rather than what happened.
    pub fn is_usage(&self) -> bool {
        match self {
            WorkError::Spec(_) | WorkError::Suite(_) => true,
            WorkError::Arena(error) => matches!(error, ludens_arena::Error::Plan(_)),
            WorkError::Episodes(error) => error.is_usage(),
            WorkError::Shards(_) | WorkError::Failed(_) => false,
        }
    }
}

/// Measures a shard and enters it as done.
pub struct ShardClock {
    start: Instant,
    cpu: Option<std::time::Duration>,
}

impl ShardClock {
    /// Starts now.
    pub fn start() -> Self {
        ShardClock { start: Instant::now(), cpu: cpu_time() }
    }

    /// Enters a shard whose units are all in the store.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn finish(
        self,
        work: &Work,
        units: usize,
        execution: &mut Execution<'_>,
    ) -> Result<StoredShard, WorkError> {
        let seconds = self.start.elapsed().as_secs_f64();
        let spent = cpu_time().zip(self.cpu).map(|(now, then)| (now - then).as_secs_f64());
        let done = StoredShard {
            work: work.text(),
            program: execution.program.to_owned(),
            shard: execution.shard,
            units,
            seconds,
            cpu_seconds: spent.unwrap_or(seconds),
        };
        execution.store.finish_shard(&done)?;
        Ok(done)
    }
}
