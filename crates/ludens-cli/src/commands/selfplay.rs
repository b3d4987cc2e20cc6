//! `ludens selfplay`: the games that the next iteration of a run learns from.

use ludens_runs::work::{Execution, SelfPlayDone, SelfPlayWork, ShardClock, Units, Work};
use serde_json::Value;

use crate::args::SelfPlayArgs;
use crate::commands::solve::threads;
use crate::commands::work::{WorkContext, failure, finish_shard, store_or_memory};
use crate::failure::Failure;
use crate::output::Output;

pub(crate) fn run(args: &SelfPlayArgs, out: &mut Output) -> anyhow::Result<()> {
    let (own, network) = SelfPlayWork::of_run(&args.run, args.block).map_err(failure)?;
    let work = Work::SelfPlay(own.clone());
    let mut context = WorkContext::new(store_or_memory(args.store.as_deref())?, threads(out))?;
    let shard = args.shard.shard.unwrap_or_default();
    let mut execution = Execution { shard, network: &network, ..context.execution() };
    let status = out.status();
    let mut report =
        |units: Units| status.show(format_args!("{} of {} blocks", units.done, units.total));
    let clock = ShardClock::start();
    let complete = own.run(&mut execution, &mut report);
    status.clear();
    let (complete, units) = (complete.map_err(failure)?, own.units());
    if args.shard.shard.is_some() {
        return finish_shard(&work, units, complete, clock, &mut execution, out);
    }
    if !complete {
        return Err(Failure::Interrupted.into());
    }
    clock.finish(&work, units, &mut execution).map_err(failure)?;
    print(&own.stored(&execution).map_err(failure)?, out)
}

/// What the games came to.
pub(crate) fn print(done: &SelfPlayDone, out: &mut Output) -> anyhow::Result<()> {
    let document = done.json();
    if out.common.json {
        return out.json(&document);
    }
    let number = |name: &str| document[name].as_f64().unwrap_or_default();
    let text = |name: &str| document[name].as_str().map(str::to_owned).unwrap_or_default();
    out.line(&format!(
        "{}: {} games from number {} on, {:.1} moves a game",
        text("game"),
        document["games"],
        document["first"],
        number("mean_length")
    ))?;
    if document["first_wins"] != Value::Null {
        let (wins, draws) = (100.0 * number("first_wins"), 100.0 * number("draws"));
        out.line(&format!("first player won {wins:.1} %, draws {draws:.1} %"))?;
    }
    out.line(&format!("hash of the games {}", text("hash")))
}
