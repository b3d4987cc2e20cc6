//! `ludens arena`: agents against each other.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use ludens_engine::game;
use ludens_runs::arena::contest::{ContestProgress, Elo, Rating, Sprt, SprtDecision, Tally};
use ludens_runs::work::{ContestDone, ContestWork, Execution, ShardClock, Work};
use serde_json::json;

use crate::args::ArenaArgs;
use crate::commands::watch;
use crate::commands::work::{WorkContext, failure, finish_shard};
use crate::failure::Failure;
use crate::interrupt;
use crate::output::Output;

pub(crate) fn run(args: &ArenaArgs, out: &mut Output) -> anyhow::Result<()> {
    let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let work = ContestWork {
        game: args.game.clone(),
        agents: args.agents.clone(),
        games: args.games,
        plies: args.plies,
        time_ms: args.time.map(millis),
        margin_ms: Some(millis(args.margin)),
        seed: out.common.seed.unwrap_or(0),
        sprt: args.sprt,
        anchor: args.anchor.clone(),
    };
    if let Some(folder) = &args.watch {
        let handle = game(&args.game)?;
        work.check(&*handle)?;
        return watch::run(args, folder, work.plies_of(&*handle), out);
    }
    let mut context = WorkContext::stored(&args.results, workers(args, out))?;
    let shard = args.shard.shard.unwrap_or_default();
    let mut execution = Execution { shard, ..context.execution() };
    let status = out.status();
    let mut report = |progress: &ContestProgress<'_>| status.show(progress_line(progress));
    let (begin, clock) = (Instant::now(), ShardClock::start());
    let done = work.run(&mut execution, &mut report);
    status.clear();
    let done = done.map_err(failure)?;
    if args.shard.shard.is_some() {
        let complete = done.contested.is_complete();
        return finish_shard(
            &Work::Contest(work),
            done.units,
            complete,
            clock,
            &mut execution,
            out,
        );
    }
    print(&done, begin.elapsed(), out)?;
    if interrupt::requested() && !done.contested.is_complete() {
        return Err(Failure::Interrupted.into());
    }
    Ok(())
}

/// Everything, in the form that was asked for.
pub(crate) fn print(done: &ContestDone, time: Duration, out: &mut Output) -> anyhow::Result<()> {
    if !out.common.json {
        return out.text(&table(done));
    }
    let mut document = done.json();
    document["time_ms"] = json!(time.as_millis() as u64);
    out.json(&document)
}

/// Games at the same time.
pub(super) fn workers(args: &ArenaArgs, out: &Output) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    args.workers.or(out.common.threads).map_or(cores, usize::from)
}

fn progress_line(progress: &ContestProgress<'_>) -> String {
    let Tally { wins, draws, losses, .. } = progress.first;
    let left = progress
        .left
        .map_or_else(String::new, |left| format!(", {:.0} s left", left.as_secs_f64()));
    let (done, total) = (progress.done, progress.total);
    format!("{done} of {total} games, first against second +{wins} ={draws} -{losses}{left}")
}

/// Everything as text.
fn table(whole: &ContestDone) -> String {
    let ContestDone { players, contested: done, standings, .. } = whole;
    let mut text = String::new();
    let _ = writeln!(
        text,
        "{}, {} of {} games ({} from the store), {}",
        whole.game,
        done.games.len(),
        done.total,
        done.reused,
        whole.terms
    );
    if done.of_others > 0 {
        let _ = writeln!(text, "{} games from the store are of other builds", done.of_others);
    }
    if done.left_aside > 0 {
        let left = done.left_aside;
        let _ = writeln!(text, "{left} games of other builds were left aside (--reuse any)");
    }
    let name = |player: usize| players[player].name.as_str();
    let width = players.iter().map(|e| e.name.chars().count()).max().unwrap_or(0).max(5);
    text.push('\n');
    for duel in &standings.duels {
        let Tally { wins, draws, losses, .. } = duel.tally;
        let elo = elo_text(duel.tally.elo().unwrap_or_default());
        let _ = writeln!(
            text,
            "{} - {}: +{wins} ={draws} -{losses}, Elo {elo}",
            name(duel.one),
            name(duel.two)
        );
    }
    if let Some(sprt) = &whole.sprt {
        let pairs = standings.duels.first().map_or([0; 5], |duel| duel.tally.pairs);
        let decision = match done.decision {
            Some(SprtDecision::AcceptH1) => format!("better by {} or more", sprt.elo1),
            Some(SprtDecision::AcceptH0) => format!("not better by more than {}", sprt.elo0),
            None => "no answer yet".to_owned(),
        };
        let (llr, bound) = (sprt.llr(&pairs), Sprt::bound());
        let _ = writeln!(
            text,
            "SPRT {},{}: {decision} (LLR {llr:.2} of {bound:.2})",
            sprt.elo0, sprt.elo1
        );
    }
    text.push('\n');
    let _ = writeln!(
        text,
        "{:width$}  {:>6}  {:>22}  {:>22}",
        "agent", "score", "Elo (95 %)", "ms per move (95 %)"
    );
    for (i, rating) in standings.ratings.iter().enumerate() {
        let share =
            standings.totals[i].share().map_or("-".to_owned(), |s| format!("{:.1}%", 100.0 * s));
        let elo = match rating {
            Rating::Rated(elo) => elo_text(*elo),
            other => other.note().unwrap_or_default().to_owned(),
        };
        let times = &standings.times[i];
        let times = format!("{:.2} ({:.2})", times.mean, times.p95);
        let _ = writeln!(text, "{:width$}  {share:>6}  {elo:>22}  {times:>22}", name(i));
    }
    if players.len() > 2 {
        text.push_str(&cross_table(whole, width));
    }
    for forfeit in &standings.forfeits {
        let (who, reason, games) = (name(forfeit.player), &forfeit.reason, forfeit.games);
        let _ = writeln!(text, "{who} lost {games} games: {reason}");
    }
    text
}

/// Points of everybody against everybody.
fn cross_table(whole: &ContestDone, width: usize) -> String {
    let ContestDone { players, standings, .. } = whole;
    let mut text = format!("\n{:width$}", "");
    let all = 0..players.len();
    for i in all.clone() {
        let _ = write!(text, " {:>11}", i + 1);
    }
    text.push('\n');
    for one in all.clone() {
        let _ = write!(text, "{:width$}", players[one].name);
        for two in all.clone() {
            let tally = standings.duels.iter().find_map(|duel| match (duel.one, duel.two) {
                pair if pair == (one, two) => Some(duel.tally),
                pair if pair == (two, one) => Some(duel.tally.flipped()),
                _ => None,
            });
            let cell = tally.map_or("-".to_owned(), |tally| {
                let points = tally.wins as f64 + 0.5 * tally.draws as f64;
                format!("{points}/{}", tally.games())
            });
            let _ = write!(text, " {cell:>11}");
        }
        text.push('\n');
    }
    text
}

fn elo_text(elo: Elo) -> String {
    let end = |end: Option<f64>, none: &str| end.map_or(none.to_owned(), |e| format!("{e:.0}"));
    let (low, high) = (end(elo.low, "-inf"), end(elo.high, "inf"));
    match elo.value {
        Some(value) => format!("{value:.0} ({low} to {high})"),
        None => format!("({low} to {high})"),
    }
}
