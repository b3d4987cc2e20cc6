//! `ludens eval GAME --agent A --games N`: whole games by an agent.

use std::io::{IsTerminal, Write};

use ludens_runs::playing::{Games, GamesProgress, evaluate};
use ludens_runs::train::TrainError;

use crate::args::EvalArgs;
use crate::commands::solve::threads;
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
        threads: threads(out),
    };
    let live = !out.common.quiet && std::io::stderr().is_terminal();
    let mut tell = |progress: &GamesProgress| {
        if live {
            let GamesProgress { games, total, mean, left } = progress;
            let left = left.as_secs();
            let line = format!("{games} of {total} games, mean {mean:.0}, {left} s left");
            let _ = write!(std::io::stderr(), "\r\x1b[K{line}");
        }
    };
    let played = evaluate(&asked, &interrupt::REQUESTED, &mut tell).map_err(failure)?;
    if live {
        let _ = write!(std::io::stderr(), "\r\x1b[K");
    }
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
