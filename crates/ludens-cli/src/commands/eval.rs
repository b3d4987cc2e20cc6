//! `ludens eval`: a solver or an agent over a suite of boards.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use ludens_runs::arena::plot::{Labels, LinePlot, Series};
use ludens_runs::arena::statistics::{Axis, grid, mean_curve};
use ludens_runs::arena::{Evaluated, Progress, RunResult, Store, SuiteSummary, export};
use ludens_runs::work::{Execution, ShardClock, SuiteDone, SuiteWork, Work, WorkError};
use serde_json::json;

use crate::args::EvalArgs;
use crate::commands::{episodes, solve};
use crate::failure::Failure;
use crate::output::Output;
use crate::{interrupt, program};

pub(crate) fn run(args: &EvalArgs, out: &mut Output) -> anyhow::Result<()> {
    let Some(suite) = &args.suite else {
        return episodes::games(args, args.agent.as_deref().unwrap_or_default(), out);
    };
    let threads = usize::from(out.common.threads.unwrap_or(1));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let work = SuiteWork {
        game: args.game.clone(),
        suite: suite.clone(),
        solver: args.solver.clone(),
        agent: args.agent.clone(),
        runs: args.runs,
        seed: out.common.seed.unwrap_or(0),
        threads,
        ..SuiteWork::default()
    }
    .within(&solve::budget(&args.budget, false));
    let (memory, program) = (solve::memory(&args.budget)?, program::name()?);
    let mut store = Store::open(&store_path(args.store.as_deref())?)?;
    let mut execution = Execution {
        store: &mut store,
        program: &program,
        reuse: args.reuse.into(),
        shard: args.shard.shard.unwrap_or_default(),
        workers: args.workers.map_or(cores.div_ceil(threads), usize::from),
        memory,
        network: &[],
        stop: &interrupt::REQUESTED,
    };
    interrupt::install();
    let live = !out.common.quiet && std::io::stderr().is_terminal();
    let mut tell = |progress: &Progress<'_>| {
        if live {
            let _ = write!(std::io::stderr(), "\r\x1b[K{}", progress_line(progress));
        }
    };
    let clock = ShardClock::start();
    let done = work.run(&mut execution, &mut tell);
    if live {
        let _ = write!(std::io::stderr(), "\r\x1b[K");
    }
    let done = done.map_err(failure)?;
    if args.shard.shard.is_some() {
        let complete = done.evaluated.is_complete();
        return finish_shard(&Work::Suite(work), done.units, complete, clock, &mut execution, out);
    }
    let files = (args.csv.as_deref(), args.plot.as_deref());
    print(files, &done, out)
}

/// What a command says of wrong or failed work.
pub(crate) fn failure(error: WorkError) -> Failure {
    let text = error.to_string();
    if error.is_usage() { Failure::Usage(text) } else { Failure::Failed(text) }
}

/// Enters a shard as done and says so.
pub(crate) fn finish_shard(
    work: &Work,
    units: usize,
    complete: bool,
    clock: ShardClock,
    execution: &mut Execution<'_>,
    out: &mut Output,
) -> anyhow::Result<()> {
    if !complete {
        return Err(Failure::Interrupted.into());
    }
    let done = clock.finish(work, units, execution).map_err(failure)?;
    let own = done.shard.units(units);
    if out.common.json {
        let seconds = done.seconds;
        out.json(&json!({"shard": done.shard.to_string(), "units": own, "of": units, "seconds": seconds}))
    } else {
        out.line(&format!("shard {}: {own} of {units} units", done.shard))
    }
}

/// The file of results: the one named, or `results.sqlite` in the folder of
/// `LUDENS_HOME` or of the user's data.
pub(crate) fn store_path(named: Option<&Path>) -> anyhow::Result<PathBuf> {
    if let Some(path) = named {
        return Ok(path.to_owned());
    }
    let home = ludens_runs::home::folder().ok_or_else(|| {
        Failure::Usage("no LUDENS_HOME or HOME: name a file with --store".to_owned())
    })?;
    std::fs::create_dir_all(&home)
        .map_err(|e| Failure::Failed(format!("{}: {e}", home.display())))?;
    Ok(home.join(ludens_runs::home::STORE))
}

pub(crate) fn progress_line(progress: &Progress<'_>) -> String {
    let left = progress
        .left
        .map_or_else(String::new, |left| format!(", {:.0} s left", left.as_secs_f64()));
    format!("{} of {} runs{left}", progress.done, progress.total)
}

/// Sums up; `files` are those of the table and of the curve.
pub(crate) fn print(
    files: (Option<&Path>, Option<&Path>),
    whole: &SuiteDone,
    out: &mut Output,
) -> anyhow::Result<()> {
    let SuiteDone { suite, measure, evaluated: done, .. } = whole;
    if let Some(path) = files.0 {
        export::save(path, &export::results_csv(&done.evaluation, &done.results))?;
    }
    if let Some(path) = files.1 {
        export::save(path, &curve(whole))?;
    }
    let told = out.common.json.then(|| whole.json()).flatten();
    match SuiteSummary::of(suite, *measure, &done.results) {
        Some(_) if let Some(told) = &told => out.json(told)?,
        Some(summary) => out.text(&table(done, &summary))?,
        None if interrupt::requested() => {}
        None => {
            let message = "no run came to the end of a game within its limits";
            let none = || Failure::Failed(message.to_owned());
            return Err(failures(done).unwrap_or_else(none).into());
        }
    }
    if !done.is_complete() {
        return Err(Failure::Interrupted.into());
    }
    failures(done).map_or(Ok(()), |failed| Err(failed.into()))
}

/// What went wrong, if any run failed.
fn failures(done: &Evaluated) -> Option<Failure> {
    let failure = |run: &RunResult| Some((run.case.clone(), run.outcome.failure.clone()?));
    let mut failed = done.results.iter().filter_map(failure);
    let (case, why) = failed.next()?;
    let count = 1 + failed.count();
    let all = done.results.len();
    Some(Failure::Failed(format!("{count} of {all} runs failed; board {case}: {why}")))
}

/// Stored results that were reused, and those of other builds that were not.
fn stored(done: &Evaluated) -> String {
    let mut text = format!("{} of {}", done.reused, done.results.len());
    if done.of_others > 0 {
        text.push_str(&format!(", {} of other builds", done.of_others));
    }
    if done.left_aside > 0 {
        text.push_str(&format!("; {} of other builds left aside (--reuse any)", done.left_aside));
    }
    text
}

fn table(done: &Evaluated, summary: &SuiteSummary) -> String {
    let e = &done.evaluation;
    let mut text = format!("{} on {} with {} ({})\n", e.solver, e.suite, e.game, e.budget);
    let mut line = |name: &str, value: String| text.push_str(&format!("{name:<28}{value}\n"));
    line("boards, runs", format!("{}, {}", summary.boards, done.results.len()));
    if done.reused + done.left_aside > 0 {
        line("from the store", stored(done));
    }
    if summary.failed > 0 {
        line("failed runs", summary.failed.to_string());
    }
    let interval = summary.over_boards.interval();
    let interval =
        interval.map_or_else(String::new, |(low, high)| format!(" ({low:.3} to {high:.3})"));
    line("mean (95 % interval)", format!("{:.3}{interval}", summary.avg));
    line("mean of minima, maxima", format!("{:.3}, {:.3}", summary.min, summary.max));
    let sd = summary.over_runs.sd;
    line("sd over runs", sd.map_or_else(|| "-".to_owned(), |sd| format!("{sd:.3}")));
    let q = &summary.over_runs;
    let quartiles = [q.min, q.q1, q.median, q.q3, q.max].map(|v| v.to_string());
    line("min, quartiles, max", quartiles.join(" "));
    if let Some(against) = &summary.against {
        let counts = format!("{} {} {}", against.better, against.equal, against.worse);
        line("better, equal, worse", format!("{counts} (boards, best run against best known)"));
    }
    line("proven runs", summary.proven.to_string());
    line("mean time", format!("{:.1} ms", summary.millis.mean));
    if let Some(m) = &summary.search {
        line("simulations, tree nodes", format!("{:.1}, {:.1}", m.simulations, m.tree_nodes));
        line("depth, mean and most", format!("{:.2}, {:.2}", m.average_depth, m.maximum_depth));
        line("terminal nodes", format!("{:.1}", m.terminal_nodes));
        if let Some(depth) = m.hit_depth {
            let hits = format!("{:.1}, {:.1}, depth {depth:.2}", m.hits, m.suboptimal_hits);
            line("hits, suboptimal", hits);
        }
    }
    text
}

/// The mean best-so-far curve over time.
fn curve(whole: &SuiteDone) -> String {
    let SuiteDone { suite, measure, evaluated: done, .. } = whole;
    let longest = done.results.iter().map(|r| r.outcome.millis).fold(1.0, f64::max);
    let places = grid(longest / 1000.0, longest, 60);
    let mean = mean_curve(suite, *measure, &done.results, Axis::Millis, &places);
    let labels = Labels::new(&done.evaluation.suite, "milliseconds", "mean of the best so far");
    let series = vec![Series::of_curve(&done.evaluation.solver, &mean)];
    LinePlot { labels, log_x: true, steps: true, series, levels: Vec::new() }.to_svg()
}
