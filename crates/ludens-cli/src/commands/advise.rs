//! Sliding games: `ludens eval GAME --agent A` and `ludens solve` of positions.

use std::io::{IsTerminal, Write};

use ludens_engine::Table;
use ludens_engine::advise::{Advised, Asked, DEFAULT, advise};
use ludens_runs::arena::statistics::{Rate, Summary};
use ludens_runs::playing::{Games, GamesProgress, evaluate};
use ludens_runs::train::TrainError;
use serde_json::{Map, Value, json};

use crate::args::{EvalArgs, SolveArgs};
use crate::commands::solve::{budget, threads};
use crate::failure::Failure;
use crate::interrupt;
use crate::output::Output;

fn failure(error: TrainError) -> Failure {
    if error.is_usage() {
        Failure::Usage(error.to_string())
    } else {
        Failure::Failed(error.to_string())
    }
}

/// Whole games by an agent.
pub(crate) fn games(args: &EvalArgs, agent: &str, out: &mut Output) -> anyhow::Result<()> {
    interrupt::install();
    let asked = Games {
        game: &args.game,
        agent,
        count: args.games,
        seed: out.common.seed.unwrap_or(0),
        threads: threads(out),
    };
    let live = !out.common.quiet && std::io::stderr().is_terminal();
    let mut tell = |progress: &GamesProgress| {
        if live {
            let GamesProgress { games, total, mean, left } = progress;
            let left = left.as_secs();
            let line = format!("{games} of {total} games, mean {mean:.0}, {left} s left");
            let _ = write!(std::io::stderr(), "\r\x1b[K{line}");
        }
    };
    let played = evaluate(&asked, &interrupt::REQUESTED, &mut tell).map_err(failure)?;
    if live {
        let _ = write!(std::io::stderr(), "\r\x1b[K");
    }
    if let Some(played) = &played {
        if out.common.json {
            out.json(&played.json)?;
        } else {
            let scores = &played.scores;
            let within = scores.interval().map_or(String::new(), |(low, high)| {
                format!(" (95 % interval {low:.0} to {high:.0})")
            });
            out.line(&format!("{} games, mean {:.0}{within}", scores.count, scores.mean))?;
            out.line(&format!("median {:.0}, best {:.0}", scores.median, scores.max))?;
            for (tile, rate) in played.rates.iter().take(6) {
                let share = 100.0 * rate.share().unwrap_or(0.0);
                let (low, high) = rate.interval().unwrap_or((0.0, 1.0));
                let (low, high) = (100.0 * low, 100.0 * high);
                out.line(&format!("{tile:>8}: {share:5.1} % ({low:.1} to {high:.1})"))?;
            }
            out.line(&format!("{:.0} moves/s", played.moves_per_s))?;
        }
    }
    if interrupt::requested() { Err(Failure::Interrupted.into()) } else { Ok(()) }
}

/// The values of all moves of positions.
pub(crate) fn positions(
    tables: &[Box<dyn Table>],
    args: &SolveArgs,
    out: &mut Output,
) -> anyhow::Result<()> {
    let solver = args.solver.as_deref().unwrap_or(DEFAULT);
    interrupt::install();
    for table in tables {
        let (game, position) = (table.spec(), table.position());
        let question = Asked {
            game: &game,
            position: &position,
            solver,
            budget: budget(&args.budget, false),
            seed: out.common.seed.unwrap_or(0),
        };
        let found = advise(&question, &interrupt::REQUESTED)?;
        if out.common.json {
            out.json(&advised_json(&question, &found))?;
        } else {
            print(&found, out)?;
        }
        if interrupt::requested() {
            return Err(Failure::Interrupted.into());
        }
    }
    Ok(())
}

fn advised_json(question: &Asked<'_>, found: &Advised) -> Value {
    let values: Map<_, _> =
        found.values.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
    let line: Vec<Value> =
        found.line.iter().map(|(action, chance)| json!([action, chance])).collect();
    let scores = Summary::of(&found.scores);
    let chance = |&(tile, hits): &(u64, usize)| {
        let rate = Rate { hits, total: found.scores.len() };
        (tile.to_string(), json!({"rate": rate.share(), "interval": rate.interval()}))
    };
    let chances: Option<Map<_, _>> =
        scores.as_ref().map(|_| found.reached.iter().map(chance).collect());
    let played = scores.map(
        |scores| json!({"games": scores.count, "mean": scores.mean, "interval": scores.interval()}),
    );
    json!({
        "game": question.game,
        "position": question.position,
        "best": found.best,
        "values": values,
        "expected": found.expected,
        "line": line,
        "chances": chances,
        "played_on": played,
        "ply": found.ply,
        "solver": question.solver,
        "seed": question.seed,
        "time_ms": found.time.as_millis() as u64,
        "nodes": found.nodes,
    })
}

fn print(found: &Advised, out: &mut Output) -> anyhow::Result<()> {
    out.line(&found.best.clone().unwrap_or_else(|| "the game is over".to_owned()))?;
    for (name, value) in &found.values {
        let value = value.map_or("illegal".to_owned(), |value| format!("{value:.0}"));
        out.line(&format!("  {name:<6} {value:>10}"))?;
    }
    if !found.line.is_empty() {
        let line: Vec<String> =
            found.line.iter().map(|(action, chance)| format!("{action} ({chance})")).collect();
        out.line(&format!("line: {}", line.join(", ")))?;
    }
    if let Some(scores) = Summary::of(&found.scores) {
        out.line(&format!(
            "still to come: {:.0} by the search; {:.0} on average of {} games played on",
            found.expected, scores.mean, scores.count
        ))?;
        for &(tile, hits) in &found.reached {
            let rate = Rate { hits, total: found.scores.len() };
            let share = 100.0 * rate.share().unwrap_or(0.0);
            let (low, high) = rate.interval().unwrap_or((0.0, 1.0));
            let (low, high) = (100.0 * low, 100.0 * high);
            out.line(&format!("{tile:>8}: {share:5.1} % ({low:.1} to {high:.1})"))?;
        }
    }
    let seconds = found.time.as_secs_f64();
    out.line(&format!("{} ply, {seconds:.2} s, {} positions", found.ply, found.nodes))
}
