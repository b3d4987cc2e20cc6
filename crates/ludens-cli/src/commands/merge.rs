//! `ludens merge`: the shards of an evaluation or a contest, joined.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ludens_runs::arena::{Reuse, Shard, Store};
use ludens_runs::work::{Execution, Work, WorkError, merge};

use crate::args::MergeArgs;
use crate::commands::eval::failure;
use crate::commands::{arena, episodes, eval};
use crate::failure::Failure;
use crate::output::Output;

/// Prints what the whole command would have printed on one machine, times aside.
pub(crate) fn run(args: &MergeArgs, out: &mut Output) -> anyhow::Result<()> {
    let mut store = match &args.store {
        Some(path) => Store::open(path)?,
        None => Store::in_memory()?,
    };
    let merged = merge(&args.shards, &mut store).map_err(failure)?;
    // Everything is there already: nothing is run here.
    let stop = AtomicBool::new(true);
    let mut execution = Execution {
        store: &mut store,
        program: &merged.program,
        reuse: Reuse::Same,
        shard: Shard::WHOLE,
        workers: 1,
        memory: 0,
        stop: &stop,
    };
    let missing = |done: usize, total: usize| {
        let why = "the suite, a network or a program is another one here than it was there";
        failure(WorkError::Shards(format!("{done} of {total} results fit: {why}")))
    };
    match &merged.work {
        Work::Suite(work) => {
            let mut done = work.run(&mut execution, &mut |_| {}).map_err(failure)?;
            if !done.evaluated.is_complete() {
                return Err(missing(done.evaluated.results.len(), done.units).into());
            }
            done.evaluated.reused = 0;
            eval::print((args.csv.as_deref(), args.plot.as_deref()), &done, out)
        }
        Work::Contest(work) => {
            let mut done = work.run(&mut execution, &mut |_| {}).map_err(failure)?;
            if !done.contested.is_complete() {
                return Err(missing(done.contested.games.len(), 2 * done.units).into());
            }
            done.contested.reused = 0;
            arena::print(&done, Duration::from_secs_f64(merged.seconds.max(0.0)), out)
        }
        Work::Episodes(work) => {
            let played = work.stored(&execution, merged.seconds, merged.cpu_seconds);
            let none = || Failure::Failed("no games were played".to_owned());
            episodes::print(&played.map_err(failure)?.ok_or_else(none)?, out)
        }
    }
}
