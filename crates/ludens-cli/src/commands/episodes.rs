//! `ludens eval GAME --agent A --games N`: whole games by an agent.

use ludens_runs::arena::Store;
use ludens_runs::playing::{Games, GamesProgress, Played, evaluate};
use ludens_runs::regret::{Blunder, Regret, regret};
use ludens_runs::work::{EpisodesWork, Execution, ShardClock, Work, WorkError};

use crate::args::EvalArgs;
use crate::commands::solve::{memory, threads};
use crate::commands::work::{WorkContext, failure, finish_shard, store_path};
use crate::failure::Failure;
use crate::interrupt;
use crate::output::Output;

/// Whole games by an agent.
pub(crate) fn games(args: &EvalArgs, agent: &str, out: &mut Output) -> anyhow::Result<()> {
    interrupt::install();
    let shard = args.shard.shard.unwrap_or_default();
    let (seed, threads) = (out.common.seed.unwrap_or(0), threads(out));
    let status = out.status();
    let mut report = |progress: &GamesProgress| {
        let GamesProgress { games, total, mean, left } = progress;
        let left = left.as_secs();
        status.show(format_args!("{games} of {total} games, mean {mean:.0}, {left} s left"));
    };
    let played = if args.shard.shard.is_some() {
        let store = Store::open(&store_path(args.runs.results.store.as_deref())?)?;
        let mut context = WorkContext::new(store, threads)?;
        let mut execution = Execution { shard, ..context.execution() };
        let (game, agent) = (args.game.clone(), agent.to_owned());
        let work = EpisodesWork { game, agent, games: args.games, seed };
        let clock = ShardClock::start();
        let complete = work.run(&mut execution, &mut report).map_err(failure)?;
        let units = args.games as usize;
        return finish_shard(&Work::Episodes(work), units, complete, clock, &mut execution, out);
    } else {
        let asked = Games { game: &args.game, agent, count: args.games, seed, threads, shard };
        if args.regret {
            let memory = memory(&args.runs.budget)?;
            let found = regret(&asked, memory, &interrupt::REQUESTED, &mut report);
            status.clear();
            return print_regret(found.map_err(|error| failure(WorkError::from(error)))?, out);
        }
        let played = evaluate(&asked, &interrupt::REQUESTED, &mut report);
        played.map_err(|error| failure(WorkError::from(error)))?
    };
    status.clear();
    if let Some(played) = &played {
        print(played, out)?;
    }
    if interrupt::requested() { Err(Failure::Interrupted.into()) } else { Ok(()) }
}

/// What the games came to, and what they lost.
fn print_regret(found: Option<Regret>, out: &mut Output) -> anyhow::Result<()> {
    if let Some(found) = &found {
        print(&found.played, out)?;
        if !out.common.json {
            let games = &found.games;
            let share = 100.0 * games.mean / found.optimal;
            let (low, high) = games.interval().unwrap_or((games.mean, games.mean));
            out.line(&format!(
                "regret {:.3} per game (95 % interval {low:.3} to {high:.3}), {share:.3} % of the optimal {:.3}",
                games.mean, found.optimal
            ))?;
            let optimal = 100.0 * found.optimal_moves.share().unwrap_or(1.0);
            out.line(&format!("{optimal:.3} % of the moves are optimal"))?;
            if let Some(worst) = &found.worst {
                let Blunder { position, action, regret } = worst;
                out.line(&format!("most was lost by {action} at {position}: {regret:.3}"))?;
            }
        }
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
