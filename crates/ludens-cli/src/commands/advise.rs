//! Learned networks at play: `ludens eval GAME --agent A` and `ludens solve` of games
//! with chance.

use ludens_core::error::quote;
use ludens_registry::Table;
use ludens_registry::advise::{Games, advise, evaluate};
use ludens_registry::train::TrainError;
use serde_json::{Map, json};

use crate::args::{EvalArgs, SolveArgs};
use crate::commands::solve::budget;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::Output;

fn failure(error: TrainError) -> Failure {
    if error.is_usage() {
        Failure::Usage(error.to_string())
    } else {
        Failure::Failed(error.to_string())
    }
}

/// Whole games by an agent.
pub(crate) fn games(args: &EvalArgs, agent: &str, out: &mut Output) -> anyhow::Result<()> {
    interrupt::install();
    let asked = Games {
        game: &args.game,
        agent,
        count: args.games,
        seed: out.common.seed.unwrap_or(0),
        threads: usize::from(out.common.threads.unwrap_or(1)),
    };
    let played = evaluate(&asked, &interrupt::REQUESTED).map_err(failure)?;
    if let Some(played) = &played {
        if out.common.json {
            out.json(&played.json)?;
        } else {
            let scores = &played.scores;
            let within = scores.interval().map_or(String::new(), |(low, high)| {
                format!(" (95 % interval {low:.0} to {high:.0})")
            });
            out.line(&format!("{} games, mean {:.0}{within}", scores.count, scores.mean))?;
            out.line(&format!("median {:.0}, best {:.0}", scores.median, scores.max))?;
            for (tile, rate) in played.rates.iter().take(6) {
                let share = 100.0 * rate.share().unwrap_or(0.0);
                let (low, high) = rate.interval().unwrap_or((0.0, 1.0));
                let (low, high) = (100.0 * low, 100.0 * high);
                out.line(&format!("{tile:>8}: {share:5.1} % ({low:.1} to {high:.1})"))?;
            }
            out.line(&format!("{:.0} moves/s", played.moves_per_s))?;
        }
    }
    if interrupt::requested() { Err(Failure::Interrupted.into()) } else { Ok(()) }
}

/// The values of all moves of positions.
pub(crate) fn positions(
    tables: &[Box<dyn Table>],
    args: &SolveArgs,
    out: &mut Output,
) -> anyhow::Result<()> {
    let agent = args.solver.as_deref().ok_or_else(|| {
        let expected = "expected --solver ntuple:model=DIR[,ply=N] with a run of `ludens train`";
        Failure::Usage(format!("solver: found none for {}, {expected}", quote(&args.game)))
    })?;
    interrupt::install();
    for table in tables {
        let (game, position) = (table.spec(), table.position());
        let found =
            advise(&game, &position, agent, budget(&args.budget, false), &interrupt::REQUESTED)
                .map_err(failure)?;
        if out.common.json {
            let values: Map<_, _> =
                found.values.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
            out.json(&json!({
                "game": game,
                "position": position,
                "best": found.best,
                "values": values,
                "ply": found.ply,
                "solver": agent,
                "time_ms": found.time.as_millis() as u64,
                "nodes": found.nodes,
            }))?;
        } else {
            out.line(&found.best.clone().unwrap_or_else(|| "the game is over".to_owned()))?;
            for (name, value) in &found.values {
                let value = value.map_or("illegal".to_owned(), |value| format!("{value:.0}"));
                out.line(&format!("  {name:<6} {value:>10}"))?;
            }
            let seconds = found.time.as_secs_f64();
            out.line(&format!("{} ply, {seconds:.2} s, {} positions", found.ply, found.nodes))?;
        }
        if interrupt::requested() {
            return Err(Failure::Interrupted.into());
        }
    }
    Ok(())
}
