//! `ludens eval`: a solver or an agent over a suite of boards.

use std::path::Path;

use ludens_runs::arena::plot::{Labels, LinePlot, Series};
use ludens_runs::arena::statistics::{Axis, grid, mean_curve};
use ludens_runs::arena::{Evaluated, Progress, RunResult, SuiteSummary, export};
use ludens_runs::work::{Execution, ShardClock, SuiteDone, SuiteWork, Work};

use crate::args::EvalArgs;
use crate::commands::episodes;
use crate::commands::work::{self, WorkContext, failure, finish_shard};
use crate::failure::Failure;
use crate::interrupt;
use crate::output::Output;

pub(crate) fn run(args: &EvalArgs, out: &mut Output) -> anyhow::Result<()> {
    let Some(suite) = &args.suite else {
        return episodes::games(args, args.agent.as_deref().unwrap_or_default(), out);
    };
    let work = SuiteWork {
        game: args.game.clone(),
        suite: suite.clone(),
        solver: args.solver.clone(),
        agent: args.agent.clone(),
        ..work::suite(&args.runs, out)
    };
    let mut context = WorkContext::of_suite(&args.runs, out)?;
    let shard = args.shard.shard.unwrap_or_default();
    let mut execution = Execution { shard, ..context.execution() };
    let status = out.status();
    let mut report = |progress: &Progress<'_>| status.show(progress_line(progress));
    let clock = ShardClock::start();
    let done = work.run(&mut execution, &mut report);
    status.clear();
    let done = done.map_err(failure)?;
    if args.shard.shard.is_some() {
        let complete = done.evaluated.is_complete();
        return finish_shard(&Work::Suite(work), done.units, complete, clock, &mut execution, out);
    }
    let files = (args.csv.as_deref(), args.plot.as_deref());
    print(files, &done, out)
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
    let document = out.common.json.then(|| whole.json()).flatten();
    match SuiteSummary::of(suite, *measure, &done.results) {
        Some(_) if let Some(document) = &document => out.json(document)?,
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
