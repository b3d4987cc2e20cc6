//! `ludens solve` of games for two: the exact values of all moves.

use ludens_engine::judge::{Judged, judged_json};
use ludens_engine::{SolveRequest, Table};

use crate::args::SolveArgs;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::Output;

/// Proves the values of positions as far as the limits allow.
pub(crate) fn positions(
    tables: &[Box<dyn Table>],
    args: &SolveArgs,
    mut request: SolveRequest,
    out: &mut Output,
) -> anyhow::Result<()> {
    let limited =
        args.budget.time.is_some() || args.budget.nodes.is_some() || args.budget.ru.is_some();
    if !limited {
        // Each game has a time of its own.
        request.budget.time = None;
    }
    interrupt::install();
    let mut unproven = 0;
    for table in tables {
        let judged = table.judge(&request, &interrupt::REQUESTED)?;
        if out.common.json {
            out.json(&judged_json(&**table, &judged))?;
        } else {
            print(&judged, out)?;
        }
        unproven += usize::from(judged.value().is_none() && !judged.moves.is_empty());
        if interrupt::requested() {
            return Err(Failure::Interrupted.into());
        }
    }
    if unproven > 0 {
        return Err(Failure::Limit("the limit came before the proof".to_owned()).into());
    }
    Ok(())
}

fn print(judged: &Judged, out: &mut Output) -> anyhow::Result<()> {
    let Some((low, high)) = judged.bounds() else { return out.line("the game is over") };
    let best: Vec<&str> = judged.best().map(|m| m.action.text.as_str()).collect();
    let result = match (low.signum(), high.signum()) {
        (1, _) => "won",
        (0, 0) => "drawn",
        (_, -1) => "lost",
        _ => "open",
    };
    let between = |low: i32, high: i32| match low == high {
        true => low.to_string(),
        false => format!("{low} to {high}"),
    };
    out.line(&format!(
        "{result}, {} {}; best: {}",
        judged.unit,
        between(low, high),
        best.join(" ")
    ))?;
    for m in &judged.moves {
        out.line(&format!("  {:<8} {:>10}", m.action.text, between(m.low, m.high)))?;
    }
    let seconds = judged.time.as_secs_f64();
    out.line(&format!("{}, {seconds:.2} s, {} positions", judged.solver, judged.nodes))
}
