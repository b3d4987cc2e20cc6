//! `ludens merge`: the shards of an evaluation, a contest or self-play, joined.

use ludens_runs::work::{Done, merge};

use crate::args::MergeArgs;
use crate::commands::work::{failure, store_or_memory};
use crate::commands::{arena, episodes, eval, selfplay};
use crate::failure::Failure;
use crate::output::Output;

/// Prints what the whole command would have printed on one machine, times aside.
pub(crate) fn run(args: &MergeArgs, out: &mut Output) -> anyhow::Result<()> {
    let mut store = store_or_memory(args.store.as_deref())?;
    let merged = merge(&args.shards, &mut store).map_err(failure)?;
    let done = merged.done(&mut store).map_err(failure)?;
    let files = (args.csv.as_deref(), args.plot.as_deref());
    if !matches!(done, Done::Suite(_)) && files != (None, None) {
        let message = "--csv and --plot: found shards without a suite of boards, expected those of `eval --suite`";
        return Err(Failure::Usage(message.to_owned()).into());
    }
    match done {
        Done::Suite(done) => eval::print(files, &done, out),
        Done::Contest(done, time) => arena::print(&done, time, out),
        Done::Episodes(played) => episodes::print(&played, out),
        Done::SelfPlay(done) => selfplay::print(&done, out),
    }
}
