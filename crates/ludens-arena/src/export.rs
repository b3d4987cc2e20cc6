//! Results and summaries as CSV and JSON.
//!
//! CSV follows RFC 4180: a header, lines ended by CR LF, fields quoted where
//! they must be. Numbers are written so that they read back as the same value;
//! what is not known is an empty field in CSV and `null` in JSON.

use std::io::Write;
use std::path::Path;

use ludens_core::file::atomic_write;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::{Error, Evaluation, RunResult, SuiteSummary};

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

/// The columns of [`results_csv`]: what was run, the result, and from `iterations` on what the
/// tree searches did that keep statistics.
const COLUMNS: [&str; 28] = [
    "game",
    "solver",
    "budget",
    "threads",
    "program",
    "suite",
    "suite_hash",
    "case",
    "run",
    "seed",
    "value",
    "length",
    "proven",
    "bound",
    "nodes",
    "time_ms",
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

/// A line per run, with what was run in the first columns. Lines of play and curves are left
/// out: the store has them.
pub fn results_csv(evaluation: &Evaluation, results: &[RunResult]) -> String {
    let row = |result: &RunResult| {
        let mut fields = object(evaluation);
        fields.append(&mut object(result));
        if let Some(Value::Object(mut statistics)) = fields.remove("statistics") {
            fields.append(&mut statistics);
        }
        let field = |column: &&str| fields.get(*column).map_or_else(String::new, plain);
        COLUMNS.iter().map(field).collect::<Vec<_>>()
    };
    csv(&COLUMNS, results.iter().map(row))
}

/// What was run and its summary.
pub fn summary_json(evaluation: &Evaluation, summary: &SuiteSummary) -> Value {
    let mut document = object(evaluation);
    document.append(&mut object(summary));
    document.insert("sd".to_owned(), json!(summary.over_runs.sd));
    document.insert("interval".to_owned(), json!(summary.over_boards.interval()));
    if let Some(against) = &summary.against {
        document["best_known"]["reached"] = json!(against.reached());
    }
    Value::Object(document)
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

/// The fields of a structure.
fn object(value: impl Serialize) -> Map<String, Value> {
    match json!(value) {
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
