//! Analyses of positions for people.

use ludens_core::SearchStatistics;
use ludens_engine::analysis::{Analysis, Details, MoveAnalysis, Progress, Solved, TableFacts};
use ludens_engine::{Objective, Table};
use ludens_runs::arena::statistics::{Rate, Summary};

use crate::draw::{Board, removes};
use crate::output::Output;

/// Prints what was found out about a position.
pub(crate) fn analysis(
    table: &dyn Table,
    analysis: &Analysis,
    explained: bool,
    out: &mut Output,
) -> anyhow::Result<()> {
    match &analysis.details {
        Details::Line(solved) => line(table, solved, explained, out),
        Details::Bounds { unit } => bounds(analysis, unit, out),
        Details::Costs { optimum } => costs(analysis, *optimum, out),
        Details::Table(facts) => exact(table, analysis, facts, out),
        Details::Episodes { scores, reached } => valued(analysis, scores, reached, out),
        Details::None => valued(analysis, &[], &[], out),
    }
}

/// What a bound means, such as `at least 11 moves`.
fn bound_text(objective: Objective, bound: i64) -> String {
    match objective {
        Objective::FewestMoves => format!("at least {} moves", -bound),
        _ => format!("at most {bound} points"),
    }
}

/// The value of a line, such as `11 moves` or `3127 points`.
fn value_text(objective: Objective, solved: &Solved) -> String {
    let moves = solved.moves.len();
    match (objective, solved.cleared) {
        (Objective::FewestMoves, _) => format!("{moves} moves"),
        (_, true) => format!("{} points, cleared in {moves} moves", solved.value),
        (_, false) => format!("{} points in {moves} moves", solved.value),
    }
}

/// How far a solver has come, in one line.
pub(crate) fn progress_line(objective: Objective, progress: &Progress) -> String {
    let mut parts = vec![format!("{:.1} s", progress.time.as_secs_f64())];
    parts.extend(progress.improved.as_ref().map(|solved| value_text(objective, solved)));
    parts.extend(progress.bound.map(|bound| bound_text(objective, bound)));
    parts.push(format!("{} positions", progress.nodes));
    parts.push(progress.stage.clone());
    parts.join(" | ")
}

/// The best line of a puzzle.
fn line(
    table: &dyn Table,
    solved: &Solved,
    explained: bool,
    out: &mut Output,
) -> anyhow::Result<()> {
    let objective = table.objective();
    if explained {
        explain(table, solved, out)?;
    }
    let moves: Vec<&str> = solved.moves.iter().map(|m| m.text.as_str()).collect();
    out.line(&moves.join(" "))?;
    let known = match solved.bound {
        _ if solved.proven => "proven best".to_owned(),
        Some(bound) => bound_text(objective, bound),
        None => "not proven".to_owned(),
    };
    let unfinished = if solved.finished { "" } else { ", not finished" };
    out.line(&format!(
        "{}{unfinished} ({known}); {}, {:.2} s, {} positions",
        value_text(objective, solved),
        solved.solver,
        solved.time.as_secs_f64(),
        solved.nodes,
    ))?;
    match &solved.statistics {
        Some(found) if out.common.verbose => out.text(&statistics(found)),
        _ => Ok(()),
    }
}

/// What each move costs, the cheapest first.
fn costs(analysis: &Analysis, optimum: (u32, u32), out: &mut Output) -> anyhow::Result<()> {
    let span = |low: i64, high: i64| match low == high {
        true => low.to_string(),
        false => format!("{low} to {high}"),
    };
    for one in &analysis.moves {
        let cost = one.bounds.map_or("?".to_owned(), |(low, high)| span(low.into(), high.into()));
        out.line(&format!("{:<10} {cost}", one.action.text))?;
    }
    out.line(&format!(
        "moves lost by each move; at best {} moves; {}, {:.2} s, {} positions",
        span(optimum.0.into(), optimum.1.into()),
        analysis.method,
        analysis.time.as_secs_f64(),
        analysis.nodes,
    ))
}

/// What a tree search did, for `--verbose`.
fn statistics(s: &SearchStatistics) -> String {
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
    let few = table.objective().is_fewest_moves();
    for (i, step) in solved.moves.iter().enumerate() {
        out.line(&format!("{}. {} ({})", i + 1, step.text, removes(step, few)))?;
        out.text(&Board::new(&here.view(), |cell| step.cells.contains(&cell)).ansi())?;
        here.play(&step.text)?;
    }
    out.text(&Board::new(&here.view(), |_| false).ansi())
}

/// The exact values of the moves of a game for two.
fn bounds(analysis: &Analysis, unit: &str, out: &mut Output) -> anyhow::Result<()> {
    let Some((low, high)) = analysis.bounds() else { return out.line("the game is over") };
    let best: Vec<&str> = analysis.best_moves().map(|one| one.action.text.as_str()).collect();
    let result = match (low.signum(), high.signum()) {
        (1, _) => "won",
        (0, 0) => "drawn",
        (_, -1) => "lost",
        _ => "open",
    };
    let between = |(low, high): (i32, i32)| match low == high {
        true => low.to_string(),
        false => format!("{low} to {high}"),
    };
    out.line(&format!("{result}, {unit} {}; best: {}", between((low, high)), best.join(" ")))?;
    for one in &analysis.moves {
        let value = one.bounds.map_or_else(String::new, between);
        out.line(&format!("  {:<8} {value:>10}", one.action.text))?;
    }
    spent(analysis, out)
}

/// The values of all moves by a search, and what games played on came to.
fn valued(
    analysis: &Analysis,
    scores: &[f64],
    reached: &[(u64, usize)],
    out: &mut Output,
) -> anyhow::Result<()> {
    let over = || "the game is over".to_owned();
    out.line(&analysis.best.as_ref().map_or_else(over, |best| best.text.clone()))?;
    values(&analysis.moves, 10, 0, out)?;
    if !analysis.line.is_empty() {
        let steps: Vec<String> = analysis
            .line
            .iter()
            .map(|step| match &step.chance {
                Some(chance) => format!("{} ({chance})", step.action),
                None => step.action.clone(),
            })
            .collect();
        out.line(&format!("line: {}", steps.join(", ")))?;
    }
    if let Some(summary) = Summary::of(scores) {
        out.line(&format!(
            "still to come: {:.0} by the search; {:.0} on average of {} games played on",
            analysis.value.unwrap_or(0.0),
            summary.mean,
            summary.count
        ))?;
        for &(tile, hits) in reached {
            let rate = Rate { hits, total: scores.len() };
            let share = 100.0 * rate.share().unwrap_or(0.0);
            let (low, high) = rate.interval().unwrap_or((0.0, 1.0));
            let (low, high) = (100.0 * low, 100.0 * high);
            out.line(&format!("{tile:>8}: {share:5.1} % ({low:.1} to {high:.1})"))?;
        }
    }
    let seconds = analysis.time.as_secs_f64();
    out.line(&format!("{} ply, {seconds:.2} s, {} positions", analysis.depth, analysis.nodes))
}

/// One line per move with its value.
fn values(
    moves: &[MoveAnalysis],
    width: usize,
    digits: usize,
    out: &mut Output,
) -> anyhow::Result<()> {
    for one in moves {
        let value = one.value.unwrap_or(0.0);
        out.line(&format!("  {:<6} {value:>width$.digits$}", one.action.text))?;
    }
    Ok(())
}

/// Exact values by a table.
fn exact(
    table: &dyn Table,
    analysis: &Analysis,
    facts: &TableFacts,
    out: &mut Output,
) -> anyhow::Result<()> {
    match (facts.range, analysis.value) {
        (Some((worst, best)), Some(expected)) => {
            if let Some(best) = &analysis.best {
                out.line(&best.text)?;
            }
            values(&analysis.moves, 16, 6, out)?;
            out.line(&format!("expected {expected:.6}, best {best}, worst {worst}"))?;
        }
        _ => {
            let kind = if facts.afterstate { "afterstate" } else { "position" };
            out.line(&format!("unreachable: no play from a start leads to this {kind}"))?;
        }
    }
    out.line(&format!(
        "{}: {} positions, {} afterstates, {:.6} expected from the start; {}, {:.2} s",
        table.spec(),
        facts.positions,
        facts.afterstates,
        facts.start,
        analysis.method,
        analysis.time.as_secs_f64(),
    ))
}

/// The method with what it took.
fn spent(analysis: &Analysis, out: &mut Output) -> anyhow::Result<()> {
    let seconds = analysis.time.as_secs_f64();
    out.line(&format!("{}, {seconds:.2} s, {} positions", analysis.method, analysis.nodes))
}
