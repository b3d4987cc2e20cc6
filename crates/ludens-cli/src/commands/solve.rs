//! `ludens solve`: the best line of a puzzle.

use std::io::{IsTerminal, Write};

use ludens_core::{Budget, SearchStatistics};
use ludens_engine::advise::plays;
use ludens_engine::analysis::DEFAULT_TIME;
use ludens_engine::json::{fewest_moves, progress as progress_json, solved as solved_json};
use ludens_engine::{SolveProgress, SolveRequest, Solved, Table};

use crate::args::{BudgetArgs, SolveArgs};
use crate::commands::{advise, exact, judge};
use crate::draw::{Board, removes};
use crate::failure::Failure;
use crate::output::Output;
use crate::{interrupt, source, units};

pub(crate) fn run(args: &SolveArgs, out: &mut Output) -> anyhow::Result<()> {
    let seed = out.common.seed.unwrap_or(0);
    let sliding = plays(&args.game);
    if sliding && args.prove {
        return exact::run(args, out);
    }
    if args.table.is_some() {
        let expected = "expected it with --exact in 2048, 2584 or threes";
        return Err(Failure::Usage(format!("--table: {expected}")).into());
    }
    let tables = source::tables(&args.game, &args.position, seed)?;
    if sliding {
        return advise::positions(&tables, args, out);
    }
    let request = SolveRequest {
        solver: args.solver.clone(),
        prove: args.prove,
        budget: budget(&args.budget, args.prove),
        seed,
        threads: threads(out),
        memory: memory(&args.budget)?,
    };
    if tables.iter().any(|table| table.judge_info().is_some()) {
        return judge::positions(&tables, args, request, out);
    }
    interrupt::install();
    let mut unproven = 0;
    for table in &tables {
        let found = search(&**table, &request, args.stream, out)?;
        let Some(solved) = found else {
            if interrupt::requested() {
                return Err(Failure::Interrupted.into());
            }
            return Err(Failure::Failed("no line was found within the limits".to_owned()).into());
        };
        print(&**table, &solved, args, seed, out)?;
        unproven += usize::from(args.prove && !solved.proven);
        if interrupt::requested() {
            return Err(Failure::Interrupted.into());
        }
    }
    if unproven > 0 {
        return Err(Failure::Limit("the limit came before the proof".to_owned()).into());
    }
    Ok(())
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

fn search(
    table: &dyn Table,
    request: &SolveRequest,
    stream: bool,
    out: &mut Output,
) -> anyhow::Result<Option<Solved>> {
    let few = fewest_moves(table);
    let live = !out.common.quiet && !out.common.json && std::io::stderr().is_terminal();
    let mut sink = |progress: SolveProgress| {
        if stream {
            // A line that cannot be written is told at the end: the search goes on.
            let _ = out.json(&progress_json(few, &progress));
        } else if live {
            let _ = write!(std::io::stderr(), "\r\x1b[K{}", progress_line(few, &progress));
        }
    };
    let found = table.solve(request, &interrupt::REQUESTED, &mut sink);
    if live {
        let _ = write!(std::io::stderr(), "\r\x1b[K");
    }
    Ok(found?)
}

/// What a bound means in this game, such as `at least 11 moves`.
fn bound_text(few: bool, bound: i64) -> String {
    if few { format!("at least {} moves", -bound) } else { format!("at most {bound} points") }
}

/// What a line is worth, such as `11 moves` or `3127 points`.
fn value_text(few: bool, solved: &Solved) -> String {
    let moves = solved.moves.len();
    match (few, solved.cleared) {
        (true, _) => format!("{moves} moves"),
        (false, true) => format!("{} points, cleared in {moves} moves", solved.value),
        (false, false) => format!("{} points in {moves} moves", solved.value),
    }
}

fn progress_line(few: bool, progress: &SolveProgress) -> String {
    let mut parts = vec![format!("{:.1} s", progress.time.as_secs_f64())];
    parts.extend(progress.improved.as_ref().map(|solved| value_text(few, solved)));
    parts.extend(progress.bound.map(|bound| bound_text(few, bound)));
    parts.push(format!("{} positions", progress.nodes));
    parts.push(progress.stage.clone());
    parts.join(" | ")
}

fn print(
    table: &dyn Table,
    solved: &Solved,
    args: &SolveArgs,
    seed: u64,
    out: &mut Output,
) -> anyhow::Result<()> {
    if out.common.json {
        return out.json(&solved_json(table, solved, seed));
    }
    if args.explain {
        explain(table, solved, out)?;
    }
    let few = fewest_moves(table);
    let moves: Vec<&str> = solved.moves.iter().map(|m| m.text.as_str()).collect();
    out.line(&moves.join(" "))?;
    let known = match solved.bound {
        _ if solved.proven => "proven best".to_owned(),
        Some(bound) => bound_text(few, bound),
        None => "not proven".to_owned(),
    };
    let unfinished = if solved.finished { "" } else { ", not finished" };
    out.line(&format!(
        "{}{unfinished} ({known}); {}, {:.2} s, {} positions",
        value_text(few, solved),
        solved.solver,
        solved.time.as_secs_f64(),
        solved.nodes,
    ))?;
    match &solved.statistics {
        Some(statistics) if out.common.verbose => out.text(&figures(statistics)),
        _ => Ok(()),
    }
}

/// What a tree search did, for `--verbose`.
fn figures(s: &SearchStatistics) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: String| text.push_str(&format!("{name:<28}{value}\n"));
    line("iterations, simulations", format!("{}, {}", s.iterations, s.games));
    line("mean game length", format!("{:.2}", s.game_length()));
    line("tree nodes, terminal", format!("{}, {}", s.nodes, s.terminals));
    line("depth, mean and most", format!("{:.2}, {}", s.average_depth(), s.maximum_depth()));
    if s.hits > 0 {
        let hits = format!("{}, {}, depth {:.2}", s.hits, s.suboptimal, s.hit_depth());
        line("hits, suboptimal", hits);
    }
    line("resource units", format!("{:.0}", s.units()));
    let depths: Vec<String> = s.per_depth.iter().skip(1).map(u64::to_string).collect();
    line("nodes per depth from 1", depths.join(" "));
    text
}

/// Every position of the line with the cells of the next move marked.
fn explain(table: &dyn Table, solved: &Solved, out: &mut Output) -> anyhow::Result<()> {
    let mut here = ludens_engine::game(&table.spec())?.parse(&table.position())?;
    let few = fewest_moves(table);
    for (i, step) in solved.moves.iter().enumerate() {
        out.line(&format!("{}. {} ({})", i + 1, step.text, removes(step, few)))?;
        out.text(&Board::new(&here.view(), |cell| step.cells.contains(&cell)).ansi())?;
        here.play(&step.text)?;
    }
    out.text(&Board::new(&here.view(), |_| false).ansi())
}
