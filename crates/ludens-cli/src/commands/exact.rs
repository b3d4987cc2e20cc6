//! `ludens solve GAME --exact` of sliding games: exact values of small boards.

use ludens_engine::exact::{ExactError, ExactGame, ExactQuestion, exact};
use serde_json::{Map, Value, json};

use crate::args::SolveArgs;
use crate::commands::solve::memory;
use crate::failure::Failure;
use crate::output::Output;
use crate::{interrupt, source};

pub(crate) fn run(args: &SolveArgs, out: &mut Output) -> anyhow::Result<()> {
    let text = match (&args.position.position, args.position.random) {
        (Some(text), _) => Some(source::position_text(text)?),
        (None, Some(_)) => Some(source::table(&args.game, &args.position, 0)?.position()),
        (None, None) => None,
    };
    interrupt::install();
    let question = ExactQuestion {
        game: &args.game,
        position: text.as_deref(),
        method: args.solver.as_deref(),
        memory: memory(&args.budget)?,
        table: args.table.clone(),
    };
    let solved = exact(&question, &interrupt::REQUESTED).map_err(|error| match error {
        ExactError::Usage(_) | ExactError::File(_) => Failure::Usage(error.to_string()),
        ExactError::Unsolved(_) if interrupt::requested() => Failure::Interrupted,
        ExactError::Unsolved(_) | ExactError::Foreseen { .. } => Failure::Limit(error.to_string()),
        ExactError::Write(_) => Failure::Failed(error.to_string()),
    })?;
    if out.common.json { out.json(&to_json(&solved)) } else { print(&solved, out) }
}

fn to_json(solved: &ExactGame) -> Value {
    let mut fields = Map::new();
    fields.insert("game".into(), json!(solved.game));
    if let Some(answer) = &solved.answer {
        let worth = answer.worth;
        fields.insert("position".into(), json!(answer.text));
        fields.insert("kind".into(), json!(answer.kind));
        fields.insert("reachable".into(), json!(worth.is_some()));
        fields.insert("expected".into(), json!(worth.map(|worth| worth.expected)));
        fields.insert("best".into(), json!(worth.map(|worth| worth.best)));
        fields.insert("worst".into(), json!(worth.map(|worth| worth.worst)));
        fields.insert("move".into(), json!(answer.best));
        let values: Map<_, _> = answer
            .moves
            .iter()
            .map(|(name, worth)| (name.clone(), json!(worth.map(|worth| worth.expected))))
            .collect();
        fields.insert("values".into(), json!(values));
    }
    fields.insert("start".into(), json!(solved.start));
    fields.insert("positions".into(), json!(solved.positions));
    fields.insert("afterstates".into(), json!(solved.afterstates));
    fields.insert("solver".into(), json!(solved.method));
    if let Some(sweeps) = solved.sweeps {
        fields.insert("sweeps".into(), json!(sweeps));
    }
    fields.insert("time_ms".into(), json!(solved.time.as_millis() as u64));
    Value::Object(fields)
}

fn print(solved: &ExactGame, out: &mut Output) -> anyhow::Result<()> {
    if let Some(answer) = &solved.answer {
        match answer.worth {
            None => out.line(&format!(
                "unreachable: no play from a start leads to this {}",
                answer.kind
            ))?,
            Some(worth) => {
                if let Some(best) = &answer.best {
                    out.line(best)?;
                }
                for (name, worth) in &answer.moves {
                    let text = worth
                        .map_or("illegal".to_owned(), |worth| format!("{:.6}", worth.expected));
                    out.line(&format!("  {name:<6} {text:>16}"))?;
                }
                out.line(&format!(
                    "expected {:.6}, best {}, worst {}",
                    worth.expected, worth.best, worth.worst
                ))?;
            }
        }
    }
    out.line(&format!(
        "{}: {} positions, {} afterstates, {:.6} expected from the start; {}, {:.2} s",
        solved.game,
        solved.positions,
        solved.afterstates,
        solved.start,
        solved.method,
        solved.time.as_secs_f64(),
    ))
}
