//! Results on disk: one SQLite file that several programs may use at once.
//!
//! Every result is one transaction, so a killed program loses at most the run
//! it was in. A file that is something else, damaged, or of a newer version is
//! refused before anything is written to it.

mod check;
mod games;
mod rows;
mod schema;
mod shards;

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Row, ToSql, params};
use serde::Serialize;

use crate::metrics::statistics_json;
use crate::run::finite;
use crate::{Error, RunResult, Suite};

use rows::{ResultRow, SELECT_RESULTS, fault, now, number, read_evaluation, read_result, whole};

pub use check::Checked;
pub use games::{KeptGame, KeptScore, NewGame, Pairing, PairingId, StoredPairing};
pub use shards::{KeptEpisode, StoredShard};

/// The budget of runs without a limit.
pub const NO_LIMIT: &str = "none";

/// Whose stored results and games count again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Reuse {
    /// Those of the same program, build for build.
    #[default]
    Same,
    /// Those of any program, the newest first.
    Any,
}

/// How long to wait for another program that is writing.
const PATIENCE: Duration = Duration::from_secs(20);

/// What was run: everything results depend on, apart from case, run and seed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Evaluation {
    /// The game with its variant.
    pub game: String,
    /// The solver with its parameters.
    pub solver: String,
    /// What a run may spend.
    pub budget: String,
    /// Threads per run.
    pub threads: usize,
    /// What ran it, with its build, so that results of another are not taken for this one's.
    pub program: String,
    /// The suite's name.
    pub suite: String,
    /// The suite's [hash](crate::Suite::hash).
    pub suite_hash: String,
}

/// What tells evaluations apart, in the order of the columns.
struct Key<'a> {
    evaluation: &'a Evaluation,
    threads: i64,
}

impl<'a> Key<'a> {
    fn of(evaluation: &'a Evaluation) -> Self {
        Key { evaluation, threads: whole(evaluation.threads as u64) }
    }

    fn values(&self) -> [&dyn ToSql; 7] {
        let e = self.evaluation;
        [&e.game, &e.solver, &e.budget, &self.threads, &e.program, &e.suite, &e.suite_hash]
    }
}

/// Names an evaluation within its store.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EvaluationId(i64);

impl EvaluationId {
    /// The number of its row.
    pub fn number(self) -> i64 {
        self.0
    }
}

/// An evaluation as the store lists it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredEvaluation {
    /// Its name in this store.
    pub id: EvaluationId,
    /// What was run.
    pub evaluation: Evaluation,
    /// Seconds since 1970, when it was first started.
    pub started: i64,
    /// How many results there are.
    pub results: usize,
}

/// An open result store.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    connection: Connection,
}

impl Store {
    /// Opens a store, or makes one where there is no file or an empty one.
    ///
    /// # Errors
    /// [`Error::ForeignStore`], [`Error::DamagedStore`] or [`Error::NewerStore`]
    /// when the file cannot be used, [`Error::Store`] when it cannot be opened.
    /// The file is then as it was.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let connection = schema::open(path, PATIENCE)?;
        Ok(Store { path: path.to_owned(), connection })
    }

    /// A store that is gone when it is dropped.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub fn in_memory() -> Result<Self, Error> {
        let path = PathBuf::from(":memory:");
        let connection = schema::in_memory().map_err(|error| fault(&path, error))?;
        Ok(Store { path, connection })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The evaluation's name, if it was ever started.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn find(&self, evaluation: &Evaluation) -> Result<Option<EvaluationId>, Error> {
        let key = Key::of(evaluation);
        self.connection
            .prepare_cached(
                "SELECT id FROM evaluation WHERE game = ?1 AND solver = ?2 AND budget = ?3
                 AND threads = ?4 AND program = ?5 AND suite = ?6 AND suite_hash = ?7",
            )
            .and_then(|mut statement| {
                statement.query_row(key.values(), |row| row.get(0).map(EvaluationId)).optional()
            })
            .map_err(|error| self.fault(error))
    }

    /// The same evaluation run by other programs, the newest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn find_others(&self, evaluation: &Evaluation) -> Result<Vec<EvaluationId>, Error> {
        let key = Key::of(evaluation);
        self.connection
            .prepare_cached(
                "SELECT id FROM evaluation WHERE game = ?1 AND solver = ?2 AND budget = ?3
                 AND threads = ?4 AND program <> ?5 AND suite = ?6 AND suite_hash = ?7
                 ORDER BY id DESC",
            )
            .and_then(|mut statement| {
                let read = |row: &Row<'_>| row.get(0).map(EvaluationId);
                statement.query_map(key.values(), read)?.collect()
            })
            .map_err(|error| self.fault(error))
    }

    /// Keeps the boards of a suite, by which lines can be replayed.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn keep_boards(&mut self, suite: &Suite) -> Result<(), Error> {
        let hash = suite.hash();
        let enter = |connection: &mut Connection| {
            let count = "SELECT count(*) FROM board WHERE suite_hash = ?1";
            let there: i64 = connection.query_row(count, [&hash], |row| row.get(0))?;
            if whole(suite.cases().len() as u64) == there {
                return Ok(());
            }
            let transaction = connection.transaction()?;
            for case in suite.cases() {
                transaction
                    .prepare_cached("INSERT OR IGNORE INTO board VALUES (?1, ?2, ?3)")?
                    .execute([&hash, &case.id, &case.position])?;
            }
            transaction.commit()
        };
        enter(&mut self.connection).map_err(|error| fault(&self.path, error))
    }

    /// The evaluation's name; it is entered if it is new.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn start(&mut self, evaluation: &Evaluation) -> Result<EvaluationId, Error> {
        if let Some(id) = self.find(evaluation)? {
            return Ok(id);
        }
        let key = Key::of(evaluation);
        // Another program may enter it between the two statements: that is fine.
        self.connection
            .execute(
                "INSERT OR IGNORE INTO evaluation
                 (game, solver, budget, threads, program, suite, suite_hash, started)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, unixepoch())",
                key.values(),
            )
            .map_err(|error| self.fault(error))?;
        self.find(evaluation)?
            .ok_or_else(|| self.damaged("an evaluation vanished while it was entered"))
    }

    /// Keeps a result, at once and whole. A result of the same case, run and
    /// seed that is there already stays; whether this one was new is returned.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn insert(&mut self, id: EvaluationId, result: &RunResult) -> Result<bool, Error> {
        let outcome = &result.outcome;
        let curve = serde_json::to_string(&outcome.curve).unwrap_or_default();
        let metrics = outcome.statistics.as_ref().map(|s| statistics_json(s).to_string());
        self.connection
            .prepare_cached(
                "INSERT OR IGNORE INTO result (evaluation, case_id, run, seed, value, length,
                 proven, bound, nodes, millis, line, curve, finished, statistics, failure)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
            )
            .and_then(|mut statement| {
                statement.execute(params![
                    id.0,
                    result.case,
                    result.run,
                    whole(result.seed),
                    outcome.value,
                    whole(outcome.length as u64),
                    outcome.proven,
                    outcome.bound,
                    whole(outcome.nodes),
                    finite(outcome.millis),
                    outcome.line,
                    curve,
                    now(),
                    metrics,
                    outcome.failure
                ])
            })
            .map(|rows| rows > 0)
            .map_err(|error| self.fault(error))
    }

    /// All results of an evaluation, whatever their seeds, in the order of runs
    /// and, within a run, in the order in which they were entered.
    ///
    /// # Errors
    /// When the store cannot be read or holds something no program wrote.
    pub fn results(&self, id: EvaluationId) -> Result<Vec<RunResult>, Error> {
        let query = format!("{SELECT_RESULTS} WHERE evaluation = ?1 ORDER BY run, id");
        let rows: Vec<ResultRow> = self
            .connection
            .prepare_cached(&query)
            .and_then(|mut statement| statement.query_map([id.0], read_result)?.collect())
            .map_err(|error| self.fault(error))?;
        rows.into_iter().map(|row| row.whole().map_err(|what| self.damaged(&what))).collect()
    }

    /// All evaluations, oldest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn evaluations(&self) -> Result<Vec<StoredEvaluation>, Error> {
        self.connection
            .prepare_cached(
                "SELECT id, game, solver, budget, threads, program, suite, suite_hash, started,
                 (SELECT count(*) FROM result WHERE evaluation = e.id) FROM evaluation e ORDER BY id",
            )
            .and_then(|mut statement| statement.query_map([], read_evaluation)?.collect())
            .map_err(|error| self.fault(error))
    }

    fn fault(&self, error: rusqlite::Error) -> Error {
        fault(&self.path, error)
    }

    fn damaged(&self, detail: &str) -> Error {
        Error::DamagedStore { path: self.path.clone(), detail: detail.to_owned() }
    }
}

#[cfg(test)]
mod tests;
