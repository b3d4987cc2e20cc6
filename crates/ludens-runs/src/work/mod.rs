//! Work that can be split: a specification, from which every unit follows by its number.
//!
//! | work | unit | command |
//! |---|---|---|
//! | [`SuiteWork`] | one run of one board | `ludens eval GAME --suite S` |
//! | [`EpisodesWork`] | one whole game | `ludens eval GAME --agent A --games N` |
//! | [`ContestWork`] | an opening, with both sides | `ludens arena GAME AGENT AGENT` |
//! | [`SelfPlayWork`] | a block of games of self-play | `ludens selfplay --run DIR` |
//!
//! An [`Executor`] differs from others in where units run, never in what comes out: all units here
//! ([`Local`]), each [`Shard`] of them in a file and [`merge`] of all files afterwards ([`Shards`]), or
//! shards as tasks of a cluster. With budgets of nodes the results are the same, times aside.

mod contest;
mod done;
mod episodes;
mod executor;
mod merge;
mod self_play;
mod stored_games;
mod suite;

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use ludens_arena::contest::ContestProgress;
use ludens_arena::store::StoredShard;
use ludens_arena::{Progress, Reuse, Shard, Store};
use ludens_core::ParseError;
use ludens_learn::cpu_time;
use serde::{Deserialize, Serialize};

use crate::playing::GamesProgress;

pub use contest::{ContestDone, ContestWork};
pub use done::Done;
pub use episodes::EpisodesWork;
pub use executor::{Executor, Local, Resources, Shards};
pub use merge::{Merged, merge};
pub use self_play::{SelfPlayDone, SelfPlayWork};
pub use stored_games::StoredGames;
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
    /// Games of self-play by a network.
    SelfPlay(SelfPlayWork),
}

/// How many units are done, of how many.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Units {
    /// Those done.
    pub done: usize,
    /// All of the shard.
    pub total: usize,
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
                "the specification of an evaluation, a contest or self-play",
            )
        })
    }

    /// How many units there are.
    ///
    /// # Errors
    /// When the specification is wrong.
    pub fn units(&self) -> Result<usize, WorkError> {
        match self {
            Work::Suite(work) => work.units(),
            Work::Episodes(work) => Ok(work.games as usize),
            Work::Contest(work) => work.units(),
            Work::SelfPlay(work) => Ok(work.units()),
        }
    }

    /// Does the units of a shard that the store lacks. Whether none is missing.
    ///
    /// # Errors
    /// When the specification is wrong or the store fails.
    pub fn run(
        &self,
        execution: &mut Execution<'_>,
        progress: &mut dyn FnMut(Units),
    ) -> Result<bool, WorkError> {
        match self {
            Work::Suite(work) => {
                let mut report =
                    |p: &Progress<'_>| progress(Units { done: p.done, total: p.total });
                Ok(work.run(execution, &mut report)?.evaluated.is_complete())
            }
            Work::Episodes(work) => {
                let units = |p: &GamesProgress| (p.games as usize, p.total as usize);
                work.run(execution, &mut |p| {
                    let (done, total) = units(p);
                    progress(Units { done, total });
                })
            }
            Work::Contest(work) => {
                let mut report = |p: &ContestProgress<'_>| {
                    progress(Units { done: p.done / 2, total: p.total / 2 });
                };
                Ok(work.run(execution, &mut report)?.contested.is_complete())
            }
            Work::SelfPlay(work) => work.run(execution, progress),
        }
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
    /// The network of self-play, as in its file; of no matter to other work.
    pub network: &'a [u8],
    /// Ends it; what is done is kept.
    pub stop: &'a AtomicBool,
}

impl<'a> Execution<'a> {
    /// All units one after the other, without tables; results of the same program count.
    pub fn new(store: &'a mut Store, program: &'a str, stop: &'a AtomicBool) -> Self {
        let (reuse, shard) = (Reuse::Same, Shard::WHOLE);
        Execution { store, program, reuse, shard, workers: 1, memory: 0, network: &[], stop }
    }
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
    /// Whole games, or self-play.
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
