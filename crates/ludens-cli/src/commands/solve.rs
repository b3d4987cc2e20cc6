//! `ludens solve`: the best line of a puzzle, the values of a position's moves.

use ludens_core::Budget;
use ludens_engine::analysis::{
    Analysis, AnalysisError, DEFAULT_TIME, Details, Method, Report, Request,
};
use ludens_engine::{Objective, Table, json};

use crate::args::{BudgetArgs, SolveArgs};
use crate::commands::print;
use crate::failure::Failure;
use crate::output::Output;
use crate::{interrupt, source, units};

pub(crate) fn run(args: &SolveArgs, out: &mut Output) -> anyhow::Result<()> {
    let seed = out.common.seed.unwrap_or(0);
    let (tables, afterstate) = positions(args, seed)?;
    let wins = tables.iter().any(|table| table.objective() == Objective::Win);
    let mut request = Request {
        method: Method::Solver(solver(args)?),
        prove: args.prove,
        afterstate,
        budget: budget(&args.budget, args.prove || wins),
        seed,
        threads: threads(out),
        memory: memory(&args.budget)?,
        ..Request::default()
    };
    // A table knows nothing of time or nodes.
    if args.table.is_some() {
        request.prove = true;
    }
    interrupt::install();
    let mut unproven = 0;
    for table in &tables {
        let analysis = analyze(&**table, &request, args.stream, out)?;
        if out.common.json {
            let (game, position) = (table.spec(), table.position());
            let objective = table.objective();
            out.json(&json::analysis(&game, &position, objective, seed, &analysis))?;
        } else {
            print::analysis(&**table, &analysis, args.explain, out)?;
        }
        unproven += usize::from(!analysis.proven && wants_proof(&analysis, args.prove));
        if interrupt::requested() {
            return Err(Failure::Interrupted.into());
        }
    }
    if unproven > 0 {
        return Err(Failure::Limit("the limit came before the proof".to_owned()).into());
    }
    Ok(())
}

/// Whether an analysis without a proof is not what was asked for.
fn wants_proof(analysis: &Analysis, prove: bool) -> bool {
    match analysis.details {
        // In games for two, exact values are all there is to solve.
        Details::Bounds { .. } => !analysis.moves.is_empty(),
        // What cannot be reached has no value, and that is known.
        Details::Table(_) => false,
        _ => prove,
    }
}

/// Positions to analyse.
type Tables = Vec<Box<dyn Table>>;

/// The positions, and the afterstate that a text is where it is no position.
fn positions(args: &SolveArgs, seed: u64) -> anyhow::Result<(Tables, Option<String>)> {
    let error = match source::tables(&args.game, &args.position, seed) {
        Ok(tables) => return Ok((tables, None)),
        Err(error) => error,
    };
    // The mark of an afterstate, or a letter where it tells what comes next.
    let text = args.position.position.as_deref().filter(|_| args.prove);
    let text = text.map(source::position_text).transpose()?;
    let marked = |text: &String| text.contains('*') || text.contains(char::is_alphabetic);
    match text.filter(marked) {
        Some(text) => Ok((vec![ludens_engine::game(&args.game)?.start(seed)], Some(text))),
        None => Err(error),
    }
}

/// The solver with the file of its table, if one is named.
fn solver(args: &SolveArgs) -> Result<Option<String>, Failure> {
    let Some(table) = &args.table else { return Ok(args.solver.clone()) };
    let solver = args.solver.as_deref().unwrap_or("retrograde");
    if !args.prove {
        return Err(Failure::Usage("--table: expected it with --exact".to_owned()));
    }
    let separator = if solver.contains(':') { ',' } else { ':' };
    Ok(Some(format!("{solver}{separator}table={}", table.display())))
}

/// The limits that were asked for; some time if none was.
pub(crate) fn budget(args: &BudgetArgs, prove: bool) -> Budget {
    let unlimited = args.time.is_none() && args.nodes.is_none() && args.ru.is_none();
    let time = if unlimited && !prove { Some(DEFAULT_TIME) } else { args.time };
    Budget { time, nodes: args.nodes, units: args.ru }
}

/// The memory that was asked for, which must be there, or half of the machine's.
pub(super) fn memory(args: &BudgetArgs) -> Result<usize, Failure> {
    let Some(bytes) = args.memory else { return Ok(units::default_memory()) };
    match units::machine_memory().filter(|&most| bytes > most) {
        None => Ok(bytes),
        Some(most) => Err(Failure::Usage(format!(
            "--memory: found {} MiB, expected at most the {} MiB that the machine has",
            bytes >> 20,
            most >> 20
        ))),
    }
}

/// The threads that were asked for, or all cores.
pub(super) fn threads(out: &Output) -> usize {
    match out.common.threads {
        Some(threads) => usize::from(threads),
        None => std::thread::available_parallelism().map_or(1, usize::from),
    }
}

/// Analyses one position, with its progress on the screen or as JSON lines.
fn analyze(
    table: &dyn Table,
    request: &Request,
    stream: bool,
    out: &mut Output,
) -> anyhow::Result<Analysis> {
    let objective = table.objective();
    let (status, json_only) = (out.status(), out.common.json);
    let mut callback = |report: Report| {
        let Report::Progress(progress) = report else { return };
        if stream {
            // A line that cannot be written is reported at the end: the search goes on.
            let _ = out.json(&json::progress(objective, &progress));
        } else if !json_only {
            status.show(print::progress_line(objective, &progress));
        }
    };
    let found = table.analyze(request, &interrupt::REQUESTED, &mut callback);
    if !json_only {
        status.clear();
    }
    Ok(found.map_err(|error| match error {
        AnalysisError::Limit(_) if interrupt::requested() => Failure::Interrupted,
        // A puzzle of which not even a line was found is not solved; a table that is too large
        // stopped at its limit.
        AnalysisError::Limit(message) if request.prove => Failure::Limit(message),
        AnalysisError::Limit(message) | AnalysisError::Failed(message) => Failure::Failed(message),
        AnalysisError::Request(error) => Failure::Usage(error.to_string()),
    })?)
}
