//! Results and summaries as CSV and JSON.
//!
//! CSV follows RFC 4180: a header, lines ended by CR LF, fields quoted where
//! they must be. Numbers are written so that they read back as the same value;
//! what is not known is an empty field in CSV and `null` in JSON.

use std::io::Write;
use std::path::Path;

use ludens_core::file::atomic_write;
use serde_json::{Map, Value, json};

use crate::figures::{means_json, statistics_json};
use crate::statistics::{AgainstBestKnown, CurveMean, Paired, Rate};
use crate::{Error, Evaluation, Measure, RunResult, SuiteSummary, Summary};

/// A table as CSV.
pub fn csv<R, F>(header: &[&str], rows: impl IntoIterator<Item = R>) -> String
where
    R: IntoIterator<Item = F>,
    F: AsRef<str>,
{
    let mut text = String::new();
    line(&mut text, header);
    for row in rows {
        line(&mut text, row);
    }
    text
}

fn line<F: AsRef<str>>(text: &mut String, fields: impl IntoIterator<Item = F>) {
    for (i, field) in fields.into_iter().enumerate() {
        let field = field.as_ref();
        if i > 0 {
            text.push(',');
        }
        if field.contains(['"', ',', '\r', '\n']) {
            text.push('"');
            text.push_str(&field.replace('"', "\"\""));
            text.push('"');
        } else {
            text.push_str(field);
        }
    }
    text.push_str("\r\n");
}

/// What was run: the first columns of results and summaries.
const EVALUATION_COLUMNS: [&str; 7] =
    ["game", "solver", "budget", "threads", "program", "suite", "suite_hash"];

/// The other columns of [`results_csv`], in the order of the JSON fields; those from
/// `iterations` on are of the tree searches that keep statistics.
const RESULT_COLUMNS: [&str; 21] = [
    "case",
    "run",
    "seed",
    "value",
    "length",
    "proven",
    "bound",
    "nodes",
    "millis",
    "failure",
    "iterations",
    "simulations",
    "game_length",
    "tree_nodes",
    "terminal_nodes",
    "average_depth",
    "maximum_depth",
    "hits",
    "suboptimal_hits",
    "hit_depth",
    "units",
];

/// A line per run, with what was run in the first columns; lines of play and
/// curves are only in the JSON.
pub fn results_csv(evaluation: &Evaluation, results: &[RunResult]) -> String {
    let columns = [&EVALUATION_COLUMNS[..], &RESULT_COLUMNS].concat();
    let row = |result: &RunResult| {
        let mut fields = evaluation_json(evaluation);
        fields.append(&mut result_json(result));
        if let Some(Value::Object(mut statistics)) = fields.remove("statistics") {
            fields.append(&mut statistics);
        }
        let field = |column: &&str| fields.get(*column).map_or_else(String::new, plain);
        columns.iter().map(field).collect::<Vec<_>>()
    };
    csv(&columns, results.iter().map(row))
}

/// What was run and the list of its results, with lines and curves; a point of a
/// curve is `[millis, nodes, value]`.
pub fn results_json(evaluation: &Evaluation, results: &[RunResult]) -> Value {
    let mut document = evaluation_json(evaluation);
    let results = results.iter().map(|result| Value::Object(result_json(result))).collect();
    document.insert("results".to_owned(), Value::Array(results));
    Value::Object(document)
}

fn evaluation_json(evaluation: &Evaluation) -> Map<String, Value> {
    object(json!({
        "game": evaluation.game,
        "solver": evaluation.solver,
        "budget": evaluation.budget,
        "threads": evaluation.threads,
        "program": evaluation.program,
        "suite": evaluation.suite,
        "suite_hash": evaluation.suite_hash,
    }))
}

fn result_json(result: &RunResult) -> Map<String, Value> {
    let outcome = &result.outcome;
    let point = |p: &crate::CurvePoint| json!([p.millis, p.nodes, p.value]);
    object(json!({
        "case": result.case,
        "run": result.run,
        "seed": result.seed,
        "value": outcome.value,
        "length": outcome.length,
        "proven": outcome.proven,
        "bound": outcome.bound,
        "nodes": outcome.nodes,
        "millis": outcome.millis,
        "failure": outcome.failure,
        "line": outcome.line,
        "curve": outcome.curve.iter().map(point).collect::<Vec<_>>(),
        "statistics": outcome.statistics.as_ref().map(statistics_json),
    }))
}

/// What was run and how it came out.
pub fn summary_json(evaluation: &Evaluation, summary: &SuiteSummary) -> Value {
    let mut document = evaluation_json(evaluation);
    document.append(&mut object(json!({
        "measure": match summary.measure {
            Measure::Score => "score",
            Measure::Cost => "cost",
        },
        "boards": summary.boards,
        "runs": summary.over_runs.count + summary.unsolved,
        "unsolved": summary.unsolved,
        "failed": summary.failed,
        "proven": summary.proven,
        "min": summary.min,
        "q1": summary.q1,
        "median": summary.median,
        "q3": summary.q3,
        "max": summary.max,
        "avg": summary.avg,
        "sd": summary.over_runs.sd,
        "interval": interval(summary.over_boards.interval()),
        "total_best": summary.total_best,
        "over_boards": sample_json(&summary.over_boards),
        "over_runs": sample_json(&summary.over_runs),
        "millis": sample_json(&summary.millis),
        "nodes": sample_json(&summary.nodes),
        "best_known": summary.against.as_ref().map(against_json),
        "search": summary.search.as_ref().map(means_json),
    })));
    Value::Object(document)
}

/// A sample as JSON.
pub fn sample_json(sample: &Summary) -> Value {
    json!({
        "count": sample.count,
        "mean": sample.mean,
        "sd": sample.sd,
        "error": sample.error(),
        "interval": interval(sample.interval()),
        "min": sample.min,
        "q1": sample.q1,
        "median": sample.median,
        "q3": sample.q3,
        "max": sample.max,
    })
}

/// A paired comparison as JSON.
pub fn paired_json(paired: &Paired) -> Value {
    json!({
        "boards": paired.gain.count,
        "gain": paired.gain.mean,
        "interval": interval(paired.gain.interval()),
        "sd": paired.gain.sd,
        "better": paired.better,
        "equal": paired.equal,
        "worse": paired.worse,
    })
}

/// A share with its interval as JSON.
pub fn rate_json(rate: Rate) -> Value {
    json!({
        "hits": rate.hits,
        "total": rate.total,
        "share": rate.share(),
        "interval": interval(rate.interval()),
    })
}

fn against_json(against: &AgainstBestKnown) -> Value {
    let by_excess: Map<String, Value> = against
        .runs_by_excess
        .iter()
        .map(|(excess, runs)| (excess.to_string(), json!(runs)))
        .collect();
    json!({
        "better": against.better,
        "equal": against.equal,
        "worse": against.worse,
        "reached": rate_json(against.reached()),
        "runs_by_excess": by_excess,
        "unsolved": against.unsolved,
    })
}

/// The other columns of [`summary_csv`], which are fields of [`summary_json`].
const SUMMARY_COLUMNS: [&str; 13] = [
    "measure",
    "boards",
    "runs",
    "unsolved",
    "proven",
    "min",
    "q1",
    "median",
    "q3",
    "max",
    "avg",
    "sd",
    "total_best",
];

/// A line per evaluation, to compare solvers. The 95 % interval takes two columns.
pub fn summary_csv<'a>(
    rows: impl IntoIterator<Item = (&'a Evaluation, &'a SuiteSummary)>,
) -> String {
    let columns = [&EVALUATION_COLUMNS[..], &SUMMARY_COLUMNS].concat();
    let header = [&columns[..], &["low95", "high95"]].concat();
    let row = |(evaluation, summary): (&Evaluation, &SuiteSummary)| {
        let document = summary_json(evaluation, summary);
        let ends = [0, 1].map(|end| plain(&document["interval"][end]));
        columns.iter().map(|column| plain(&document[*column])).chain(ends).collect::<Vec<_>>()
    };
    csv(&header, rows.into_iter().map(row))
}

/// An averaged curve, a line per place; the mean is empty where a board is missing.
pub fn curve_csv(curve: &[CurveMean]) -> String {
    let row = |point: &CurveMean| {
        let mean = point.mean.map_or_else(String::new, |mean| mean.to_string());
        [point.x.to_string(), point.boards.to_string(), mean]
    };
    csv(&["x", "boards", "mean"], curve.iter().map(row))
}

/// Writes a text to a file as a whole: a reader sees the old content or the new
/// one, whatever happens in between.
///
/// # Errors
/// When the file or its folder cannot be written.
pub fn save(path: &Path, text: &str) -> Result<(), Error> {
    atomic_write(path, |file| file.write_all(text.as_bytes()))
        .map_err(|source| Error::file("write", path, source))
}

fn interval(ends: Option<(f64, f64)>) -> Value {
    ends.map_or(Value::Null, |(low, high)| json!([low, high]))
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

/// A JSON value as a field of a table.
fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests;
