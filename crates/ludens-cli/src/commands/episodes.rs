//! `ludens eval GAME --agent A --games N`: whole games by an agent.

use std::io::{IsTerminal, Write};

use ludens_runs::arena::{Reuse, Store};
use ludens_runs::playing::{Games, GamesProgress, Played, evaluate};
use ludens_runs::work::{EpisodesWork, Execution, ShardClock, Work, WorkError};

use crate::args::EvalArgs;
use crate::commands::eval::{failure, finish_shard, store_path};
use crate::commands::solve::threads;
use crate::failure::Failure;
use crate::output::Output;
use crate::{interrupt, program};

/// Whole games by an agent.
pub(crate) fn games(args: &EvalArgs, agent: &str, out: &mut Output) -> anyhow::Result<()> {
    interrupt::install();
    let shard = args.shard.shard.unwrap_or_default();
    let (seed, threads) = (out.common.seed.unwrap_or(0), threads(out));
    let live = !out.common.quiet && std::io::stderr().is_terminal();
    let mut tell = |progress: &GamesProgress| {
        if live {
            let GamesProgress { games, total, mean, left } = progress;
            let left = left.as_secs();
            let line = format!("{games} of {total} games, mean {mean:.0}, {left} s left");
            let _ = write!(std::io::stderr(), "\r\x1b[K{line}");
        }
    };
    let played = if args.shard.shard.is_some() {
        let program = program::name()?;
        let mut store = Store::open(&store_path(args.store.as_deref())?)?;
        let mut execution = Execution {
            store: &mut store,
            program: &program,
            reuse: Reuse::Same,
            shard,
            workers: threads,
            memory: 0,
            network: &[],
            stop: &interrupt::REQUESTED,
        };
        let (game, agent) = (args.game.clone(), agent.to_owned());
        let work = EpisodesWork { game, agent, games: args.games, seed };
        let clock = ShardClock::start();
        let complete = work.run(&mut execution, &mut tell).map_err(failure)?;
        let units = args.games as usize;
        return finish_shard(&Work::Episodes(work), units, complete, clock, &mut execution, out);
    } else {
        let asked = Games { game: &args.game, agent, count: args.games, seed, threads, shard };
        let played = evaluate(&asked, &interrupt::REQUESTED, &mut tell);
        played.map_err(|error| failure(WorkError::from(error)))?
    };
    if live {
        let _ = write!(std::io::stderr(), "\r\x1b[K");
    }
    if let Some(played) = &played {
        print(played, out)?;
    }
    if interrupt::requested() { Err(Failure::Interrupted.into()) } else { Ok(()) }
}

/// What the games came to.
pub(crate) fn print(played: &Played, out: &mut Output) -> anyhow::Result<()> {
    if out.common.json {
        return out.json(&played.json);
    }
    let scores = &played.scores;
    let within = scores
        .interval()
        .map_or(String::new(), |(low, high)| format!(" (95 % interval {low:.0} to {high:.0})"));
    out.line(&format!("{} games, mean {:.0}{within}", scores.count, scores.mean))?;
    out.line(&format!("median {:.0}, best {:.0}", scores.median, scores.max))?;
    for (tile, rate) in played.rates.iter().take(6) {
        let share = 100.0 * rate.share().unwrap_or(0.0);
        let (low, high) = rate.interval().unwrap_or((0.0, 1.0));
        let (low, high) = (100.0 * low, 100.0 * high);
        out.line(&format!("{tile:>8}: {share:5.1} % ({low:.1} to {high:.1})"))?;
    }
    out.line(&format!("{:.0} moves/s", played.moves_per_s))
}
