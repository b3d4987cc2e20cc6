//! Rows of the store as values.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use rusqlite::{ErrorCode, Row};

use super::{Evaluation, EvaluationId, StoredEvaluation};
use crate::metrics::statistics_of;
use crate::{Error, EvalResult, RunResult};

/// The columns that [`read_result`] reads.
pub(super) const SELECT_RESULTS: &str =
    "SELECT case_id, run, seed, value, length, proven, bound, nodes,
    millis, line, curve, statistics, failure, id FROM result";

/// A result whose curve and statistics are still text.
pub(super) struct ResultRow {
    pub(super) result: RunResult,
    curve: String,
    statistics: Option<String>,
}

impl ResultRow {
    /// The whole result; the error says what cannot be read.
    pub(super) fn whole(self) -> Result<RunResult, String> {
        let ResultRow { mut result, curve, statistics } = self;
        result.outcome.curve = serde_json::from_str(&curve)
            .map_err(|_| format!("the curve of case {}", result.case))?;
        if let Some(statistics) = statistics {
            let wrong = || format!("the statistics of case {}", result.case);
            result.outcome.statistics = Some(statistics_of(&statistics).ok_or_else(wrong)?);
        }
        Ok(result)
    }
}

pub(super) fn read_result(row: &Row<'_>) -> rusqlite::Result<ResultRow> {
    let outcome = EvalResult {
        value: row.get(3)?,
        length: number(row, 4)?,
        proven: row.get(5)?,
        bound: row.get(6)?,
        nodes: number(row, 7)?,
        millis: row.get(8)?,
        line: row.get(9)?,
        curve: Vec::new(),
        statistics: None,
        failure: row.get(12)?,
    };
    let result =
        RunResult { case: row.get(0)?, run: number(row, 1)?, seed: number(row, 2)?, outcome };
    Ok(ResultRow { result, curve: row.get(10)?, statistics: row.get(11)? })
}

pub(super) fn read_evaluation(row: &Row<'_>) -> rusqlite::Result<StoredEvaluation> {
    let evaluation = Evaluation {
        game: row.get(1)?,
        solver: row.get(2)?,
        budget: row.get(3)?,
        threads: number(row, 4)?,
        program: row.get(5)?,
        suite: row.get(6)?,
        suite_hash: row.get(7)?,
    };
    Ok(StoredEvaluation {
        id: EvaluationId(row.get(0)?),
        evaluation,
        started: row.get(8)?,
        results: number(row, 9)?,
    })
}

/// A column that holds no negative number.
pub(super) fn number<N: TryFrom<i64>>(row: &Row<'_>, column: usize) -> rusqlite::Result<N> {
    let value: i64 = row.get(column)?;
    N::try_from(value).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(column, value))
}

/// SQLite's integers are signed. Counts never come near the end.
pub(super) fn whole(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

pub(super) fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| whole(since.as_secs()))
}

/// An error of SQLite, told apart into damage and everything else.
pub(super) fn fault(path: &Path, error: rusqlite::Error) -> Error {
    let (path, detail) = (path.to_owned(), error.to_string());
    match error {
        rusqlite::Error::IntegralValueOutOfRange(..)
        | rusqlite::Error::InvalidColumnType(..)
        | rusqlite::Error::FromSqlConversionFailure(..) => Error::DamagedStore { path, detail },
        _ => match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt) => Error::DamagedStore { path, detail },
            Some(ErrorCode::NotADatabase) => Error::ForeignStore { path, detail },
            _ => Error::Store { path, source: error },
        },
    }
}
