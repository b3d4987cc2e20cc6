//! `ludens perft`: node counts.

use std::time::Instant;

use serde_json::json;

use crate::args::PerftArgs;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::Output;
use crate::source;

pub(crate) fn run(args: &PerftArgs, out: &mut Output) -> anyhow::Result<()> {
    let table = source::table(&args.game, &args.position, out.common.seed.unwrap_or(0))?;
    interrupt::install();
    let begin = Instant::now();
    let counted = table.perft(usize::from(args.depth), &interrupt::requested);
    let seconds = begin.elapsed().as_secs_f64();
    let (counts, complete) = match counted {
        Ok(counts) => (counts, true),
        Err(counts) => (counts, false),
    };
    if out.common.json {
        out.json(&json!({
            "game": table.spec(),
            "position": table.position(),
            "depth": counts.len(),
            "counts": counts,
            "time_ms": (seconds * 1e3).round() as u64,
        }))?;
    } else {
        for (i, count) in counts.iter().enumerate() {
            out.line(&format!("{:>3} {count}", i + 1))?;
        }
        let nodes = counts.last().copied().unwrap_or(0) as f64;
        out.detail(&format!("{seconds:.3} s, {:.1} M leaves/s", nodes / seconds / 1e6));
    }
    if complete { Ok(()) } else { Err(Failure::Interrupted.into()) }
}
