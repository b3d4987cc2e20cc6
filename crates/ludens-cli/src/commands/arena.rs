//! `ludens arena`: agents against each other.

use std::fmt::Write as _;
use std::io::{IsTerminal, Write};
use std::time::Instant;

use ludens_core::error::quote;
use ludens_engine::{GameHandle, game};
use ludens_runs::arena::contest::{
    ContestPlan, ContestPlayer, ContestProgress, Contested, Elo, Rating, Sprt, SprtDecision,
    Standings, Tally, contest, contest_json,
};
use ludens_runs::arena::{self, Store};
use ludens_runs::contest::{Match, entries};
use serde_json::json;

use crate::args::ArenaArgs;
use crate::commands::eval::store_path;
use crate::commands::watch;
use crate::failure::Failure;
use crate::output::Output;
use crate::{interrupt, program};

/// Random moves of an opening in games that always begin alike.
const PLIES: usize = 6;

pub(crate) fn run(args: &ArenaArgs, out: &mut Output) -> anyhow::Result<()> {
    let handle = game(&args.game)?;
    check(args, &*handle)?;
    let usual = if handle.fixed_start() { PLIES } else { 0 };
    let plies = args.plies.unwrap_or(usual);
    if let Some(folder) = &args.watch {
        return watch::run(args, folder, plies, out);
    }
    let entries = entries(&*handle, &args.agents)?;
    let players: Vec<ContestPlayer> = entries.iter().map(|entry| entry.player.clone()).collect();
    let anchor = anchor(args, &players)?;
    let (time, margin) = (args.time, args.margin);
    let rules = Match { game: &*handle, entries: &entries, plies, time, margin };
    let (spec, terms) = (handle.spec(), rules.terms());
    let workers = workers(args, out);
    let program = program::name()?;
    let plan = ContestPlan {
        game: &spec,
        players: &players,
        terms: &terms,
        program: &program,
        reuse: args.reuse.into(),
        openings: args.games / 2,
        seed: out.common.seed.unwrap_or(0),
        workers,
        sprt: args.sprt.map(|(elo0, elo1)| Sprt { elo0, elo1 }),
    };
    let mut store = Store::open(&store_path(args.store.as_deref())?)?;
    interrupt::install();
    let live = !out.common.quiet && std::io::stderr().is_terminal();
    let mut tell = |progress: &ContestProgress<'_>| {
        if live {
            let _ = write!(std::io::stderr(), "\r\x1b[K{}", progress_line(progress));
        }
    };
    let begin = Instant::now();
    let done = contest(&plan, &rules, &mut store, &interrupt::REQUESTED, &mut tell);
    if live {
        let _ = write!(std::io::stderr(), "\r\x1b[K");
    }
    let done = done.map_err(failure)?;
    let standings = Standings::of(players.len(), &done, anchor);
    if out.common.json {
        let mut told = contest_json(&plan, &done, &standings, anchor);
        told["time_ms"] = json!(begin.elapsed().as_millis() as u64);
        out.json(&told)?;
    } else {
        out.text(&table(&plan, &done, &standings))?;
    }
    if interrupt::requested() && !done.is_complete() {
        return Err(Failure::Interrupted.into());
    }
    Ok(())
}

/// Games at the same time.
pub(super) fn workers(args: &ArenaArgs, out: &Output) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    args.workers.or(out.common.threads).map_or(cores, usize::from)
}

fn check(args: &ArenaArgs, handle: &dyn GameHandle) -> Result<(), Failure> {
    let winners = handle.has_winners();
    if !winners {
        let message =
            format!("game: found {}, expected a game for two with winners", quote(&args.game));
        return Err(Failure::Usage(message));
    }
    if !args.games.is_multiple_of(2) {
        let message = format!(
            "--games: found {}, expected an even number: every opening is played twice, with sides swapped",
            args.games
        );
        return Err(Failure::Usage(message));
    }
    if args.sprt.is_some() && args.agents.len() != 2 {
        return Err(Failure::Usage("--sprt: expected two agents".to_owned()));
    }
    Ok(())
}

/// The agent that the others are compared with, by number.
fn anchor(args: &ArenaArgs, players: &[ContestPlayer]) -> Result<(usize, f64), Failure> {
    let Some((name, elo)) = &args.anchor else { return Ok((0, 0.0)) };
    let found = players.iter().position(|player| player.name == *name || player.key == *name);
    found.map(|at| (at, *elo)).ok_or_else(|| {
        let names: Vec<&str> = players.iter().map(|player| player.name.as_str()).collect();
        let message =
            format!("--anchor: found {}, expected one of: {}", quote(name), names.join(", "));
        Failure::Usage(message)
    })
}

fn failure(error: arena::Error) -> Failure {
    match error {
        arena::Error::Plan(_) => Failure::Usage(error.to_string()),
        _ => Failure::Failed(error.to_string()),
    }
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
fn table(plan: &ContestPlan<'_>, done: &Contested, standings: &Standings) -> String {
    let mut text = String::new();
    let _ = writeln!(
        text,
        "{}, {} of {} games ({} from the store), {}",
        plan.game,
        done.games.len(),
        done.total,
        done.reused,
        plan.terms
    );
    if done.of_others > 0 {
        let _ = writeln!(text, "{} games from the store are of other builds", done.of_others);
    }
    if done.left_aside > 0 {
        let left = done.left_aside;
        let _ = writeln!(text, "{left} games of other builds were left aside (--reuse any)");
    }
    let name = |player: usize| plan.players[player].name.as_str();
    let width = plan.players.iter().map(|e| e.name.chars().count()).max().unwrap_or(0).max(5);
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
    if let Some(sprt) = &plan.sprt {
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
    if plan.players.len() > 2 {
        text.push_str(&cross_table(plan, standings, width));
    }
    for forfeit in &standings.forfeits {
        let (who, reason, games) = (name(forfeit.player), &forfeit.reason, forfeit.games);
        let _ = writeln!(text, "{who} lost {games} games: {reason}");
    }
    text
}

/// Points of everybody against everybody.
fn cross_table(plan: &ContestPlan<'_>, standings: &Standings, width: usize) -> String {
    let mut text = format!("\n{:width$}", "");
    let all = 0..plan.players.len();
    for i in all.clone() {
        let _ = write!(text, " {:>11}", i + 1);
    }
    text.push('\n');
    for one in all.clone() {
        let _ = write!(text, "{:width$}", plan.players[one].name);
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
