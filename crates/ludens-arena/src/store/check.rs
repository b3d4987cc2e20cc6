//! What the store holds, row by row, for who checks it.

use std::ops::ControlFlow;

use rusqlite::Row;

use super::games::{KeptGame, PairingId, SELECT_GAMES, read_game};
use super::{EvaluationId, SELECT_RESULTS, Store, read_result};
use crate::{Error, RunResult};

/// A row by its number; what is wrong with it, where it cannot be read.
pub type Checked<T> = (i64, Result<T, String>);

impl Store {
    /// What SQLite finds wrong with pages, indices and references between tables; nothing when
    /// all is sound.
    ///
    /// # Errors
    /// When the store cannot be read at all.
    pub fn integrity(&self) -> Result<Vec<String>, Error> {
        let listed = |pragma: &str, read: fn(&Row<'_>) -> rusqlite::Result<String>| {
            let mut statement = self.connection.prepare(pragma)?;
            statement.query_map([], read)?.collect::<rusqlite::Result<Vec<String>>>()
        };
        let wrong = || {
            let mut wrong = listed("PRAGMA integrity_check", |row| row.get(0))?;
            wrong.retain(|text| text != "ok");
            wrong.extend(listed("PRAGMA foreign_key_check", |row| {
                let (table, id, parent): (String, Option<i64>, String) =
                    (row.get(0)?, row.get(1)?, row.get(2)?);
                let id = id.map_or_else(String::new, |id| format!(" {id}"));
                Ok(format!("{table}{id} belongs to no {parent}"))
            })?);
            Ok(wrong)
        };
        wrong().map_err(|error| self.fault(error))
    }

    /// The board of a case, where it was kept.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn board(&self, suite_hash: &str, case: &str) -> Result<Option<String>, Error> {
        use rusqlite::OptionalExtension;
        self.connection
            .prepare_cached("SELECT position FROM board WHERE suite_hash = ?1 AND case_id = ?2")
            .and_then(|mut statement| {
                statement.query_row([suite_hash, case], |row| row.get(0)).optional()
            })
            .map_err(|error| self.fault(error))
    }

    /// Hands over every result of an evaluation, until `f` breaks.
    ///
    /// # Errors
    /// When the store cannot be read at all.
    pub fn each_result(
        &self,
        id: EvaluationId,
        f: &mut dyn FnMut(Checked<RunResult>) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let query = format!("{SELECT_RESULTS} WHERE evaluation = ?1 ORDER BY id");
        self.each(&query, id.0, f, |row| {
            let read = read_result(row).map_err(|error| error.to_string());
            (row.get(13), read.and_then(|row| row.whole()))
        })
    }

    /// Hands over every game of a pairing, until `f` breaks.
    ///
    /// # Errors
    /// When the store cannot be read at all.
    pub fn each_game(
        &self,
        id: PairingId,
        f: &mut dyn FnMut(Checked<KeptGame>) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let query = format!("{SELECT_GAMES} WHERE pairing = ?1 ORDER BY id");
        self.each(&query, id.number(), f, |row| {
            let read = read_game(row).map_err(|error| error.to_string());
            (row.get(9), read.and_then(|row| row.whole()))
        })
    }

    fn each<T>(
        &self,
        query: &str,
        of: i64,
        f: &mut dyn FnMut(Checked<T>) -> ControlFlow<()>,
        read: impl Fn(&Row<'_>) -> (rusqlite::Result<i64>, Result<T, String>),
    ) -> Result<(), Error> {
        let mut walk = || {
            let mut statement = self.connection.prepare(query)?;
            let mut rows = statement.query([of])?;
            while let Some(row) = rows.next()? {
                let (id, read) = read(row);
                if f((id?, read)).is_break() {
                    break;
                }
            }
            Ok(())
        };
        walk().map_err(|error| self.fault(error))
    }
}
