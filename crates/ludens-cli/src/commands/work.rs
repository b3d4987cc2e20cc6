//! What the commands that run units of work share: the store, where units run, shards.

use std::path::{Path, PathBuf};

use ludens_runs::arena::{Reuse, Store};
use ludens_runs::work::{Execution, ShardClock, SuiteWork, Work, WorkError};
use serde_json::json;

use crate::args::{StoreArgs, SuiteArgs};
use crate::commands::solve;
use crate::failure::Failure;
use crate::output::Output;
use crate::{interrupt, program};

/// Where and how units run.
pub(crate) struct WorkContext {
    store: Store,
    program: String,
    reuse: Reuse,
    workers: usize,
    memory: usize,
}

impl WorkContext {
    /// With a store, on some workers. From now on an interrupt ends the work.
    pub(crate) fn new(store: Store, workers: usize) -> anyhow::Result<Self> {
        interrupt::install();
        Ok(WorkContext { store, program: program::name()?, reuse: Reuse::Same, workers, memory: 0 })
    }

    /// With the store that is named, or the usual one.
    pub(crate) fn stored(args: &StoreArgs, workers: usize) -> anyhow::Result<Self> {
        let store = Store::open(&store_path(args.store.as_deref())?)?;
        Ok(WorkContext { reuse: args.reuse.into(), ..WorkContext::new(store, workers)? })
    }

    /// For runs over a suite, each on the threads of `--threads`.
    pub(crate) fn of_suite(args: &SuiteArgs, out: &Output) -> anyhow::Result<Self> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let workers = args.workers.map_or(cores.div_ceil(run_threads(out)), usize::from);
        let memory = solve::memory(&args.budget)?;
        Ok(WorkContext { memory, ..WorkContext::stored(&args.results, workers)? })
    }

    /// All units.
    pub(crate) fn execution(&mut self) -> Execution<'_> {
        Execution {
            reuse: self.reuse,
            workers: self.workers,
            memory: self.memory,
            ..Execution::new(&mut self.store, &self.program, &interrupt::REQUESTED)
        }
    }
}

/// Threads of a run.
fn run_threads(out: &Output) -> usize {
    usize::from(out.common.threads.unwrap_or(1))
}

/// Work over a suite that is still to be named.
pub(crate) fn suite(args: &SuiteArgs, out: &Output) -> SuiteWork {
    let (seed, threads) = (out.common.seed.unwrap_or(0), run_threads(out));
    let work = SuiteWork { runs: args.runs, seed, threads, ..SuiteWork::default() };
    work.within(&solve::budget(&args.budget, false))
}

/// The store that is named, or one that is not kept.
pub(crate) fn store_or_memory(named: Option<&Path>) -> anyhow::Result<Store> {
    Ok(named.map_or_else(Store::in_memory, Store::open)?)
}

/// The file of results: the one named, or `results.sqlite` in the folder of
/// `LUDENS_HOME` or of the user's data.
pub(crate) fn store_path(named: Option<&Path>) -> anyhow::Result<PathBuf> {
    if let Some(path) = named {
        return Ok(path.to_owned());
    }
    let home = ludens_runs::home::folder().ok_or_else(|| {
        Failure::Usage("no LUDENS_HOME or HOME: name a file with --store".to_owned())
    })?;
    std::fs::create_dir_all(&home)
        .map_err(|e| Failure::Failed(format!("{}: {e}", home.display())))?;
    Ok(home.join(ludens_runs::home::STORE))
}

/// What a command says of wrong or failed work.
pub(crate) fn failure(error: WorkError) -> Failure {
    let text = error.to_string();
    if error.is_usage() { Failure::Usage(text) } else { Failure::Failed(text) }
}

/// Enters a shard as done and says so.
pub(crate) fn finish_shard(
    work: &Work,
    units: usize,
    complete: bool,
    clock: ShardClock,
    execution: &mut Execution<'_>,
    out: &mut Output,
) -> anyhow::Result<()> {
    if !complete {
        return Err(Failure::Interrupted.into());
    }
    let done = clock.finish(work, units, execution).map_err(failure)?;
    let own = done.shard.units(units);
    if out.common.json {
        let seconds = done.seconds;
        out.json(&json!({"shard": done.shard.to_string(), "units": own, "of": units, "seconds": seconds}))
    } else {
        out.line(&format!("shard {}: {own} of {units} units", done.shard))
    }
}
