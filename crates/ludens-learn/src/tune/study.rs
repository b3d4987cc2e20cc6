//! Trials in a SQLite file.
//!
//! The table `trials` has a row per trial: its number, its state (`running` or `done`), the loss, the
//! seconds it took, and a column per setting. A table `about` names what is tuned. A trial that was
//! interrupted is started again with the same settings.

use std::path::Path;

use ludens_core::Rng;
use rusqlite::types::Value as SqlValue;
use rusqlite::{Connection, params, params_from_iter};

use super::{Dimension, suggest};
use crate::{Error, renamed};

/// Its name in the folder of a run.
pub(super) const FILE: &str = "trials.sqlite";

/// A trial that is done.
#[derive(Clone, PartialEq, Debug)]
pub struct Trial {
    /// Its number, from 1.
    pub number: u64,
    /// The settings, in the order of the dimensions.
    pub values: Vec<f64>,
    /// What came of it; not finite when learning failed.
    pub loss: f64,
    /// How long it took.
    pub seconds: f64,
}

/// Trials of one recipe on one folder.
pub struct Study {
    connection: Connection,
    space: &'static [Dimension],
    seed: u64,
}

impl Study {
    /// Opens the study of a folder, or starts one. `about` says what is tuned of a recipe, with all
    /// settings that are not.
    ///
    /// # Errors
    /// When the file cannot be used or is about something else.
    pub fn open(
        folder: &Path,
        recipe: &str,
        about: &str,
        space: &'static [Dimension],
        seed: u64,
    ) -> Result<Study, Error> {
        let connection = Connection::open(folder.join(FILE))?;
        let columns: String =
            space.iter().map(|dimension| format!(", {} REAL NOT NULL", dimension.name)).collect();
        connection.execute_batch(&format!(
            "PRAGMA journal_mode = WAL;
             CREATE TABLE IF NOT EXISTS about (what TEXT NOT NULL, seed INTEGER NOT NULL);
             CREATE TABLE IF NOT EXISTS trials (
                 number INTEGER PRIMARY KEY, state TEXT NOT NULL, loss REAL, seconds REAL{columns});"
        ))?;
        let found = connection.query_row("SELECT what, seed FROM about", [], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)? as u64))
        });
        match found {
            Ok((found, its)) if (&*present(recipe, &found), its) == (about, seed) => {}
            Ok((other, its)) => {
                let folder = folder.display();
                return Err(Error::Run(format!(
                    "{folder} holds trials of {other} with seed {its}, expected {about} with seed {seed}"
                )));
            }
            Err(rusqlite::Error::QueryReturnedNoRows) => {
                let insert = "INSERT INTO about VALUES (?1, ?2)";
                connection.execute(insert, params![about, seed as i64])?;
            }
            Err(error) => return Err(error.into()),
        }
        Ok(Study { connection, space, seed })
    }

    /// All trials that are done, in order.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn done(&self) -> Result<Vec<Trial>, Error> {
        let columns = self.columns();
        let mut query = self.connection.prepare(&format!(
            "SELECT number, loss, seconds{columns} FROM trials WHERE state = 'done' ORDER BY number"
        ))?;
        let rows = query.query_map([], |row| {
            let values = (0..self.space.len()).map(|column| row.get(3 + column));
            Ok(Trial {
                number: row.get::<_, i64>(0)? as u64,
                values: values.collect::<Result<_, _>>()?,
                loss: row.get::<_, Option<f64>>(1)?.unwrap_or(f64::NAN),
                seconds: row.get::<_, Option<f64>>(2)?.unwrap_or(0.0),
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The next trial: one that was interrupted, or a new one. It is noted as running.
    ///
    /// # Errors
    /// When the file cannot be used.
    pub fn next(&self) -> Result<(u64, Vec<f64>), Error> {
        let columns = self.columns();
        let running = self.connection.query_row(
            &format!("SELECT number{columns} FROM trials WHERE state = 'running' ORDER BY number"),
            [],
            |row| {
                let values = (0..self.space.len()).map(|column| row.get(1 + column));
                Ok((row.get::<_, i64>(0)? as u64, values.collect::<Result<Vec<f64>, _>>()?))
            },
        );
        match running {
            Err(rusqlite::Error::QueryReturnedNoRows) => {}
            found => return Ok(found?),
        }
        let done = self.done()?;
        let number = done.last().map_or(1, |trial| trial.number + 1);
        let known: Vec<(Vec<f64>, f64)> =
            done.into_iter().map(|trial| (trial.values, trial.loss)).collect();
        let values = suggest(self.space, &known, &mut Rng::stream(self.seed, number));
        // As numbers, for a trial that is started again has them from here: a text may lose digits.
        let slots: String = (2..2 + values.len()).map(|number| format!(", ?{number}")).collect();
        let row = [SqlValue::from(number as i64)].into_iter();
        self.connection.execute(
            &format!("INSERT INTO trials VALUES (?1, 'running', NULL, NULL{slots})"),
            params_from_iter(row.chain(values.iter().map(|value| SqlValue::from(*value)))),
        )?;
        Ok((number, values))
    }

    /// Notes what came of a trial.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn finish(&self, number: u64, loss: f64, seconds: f64) -> Result<(), Error> {
        let loss = Some(loss).filter(|loss| loss.is_finite());
        self.connection.execute(
            "UPDATE trials SET state = 'done', loss = ?2, seconds = ?3 WHERE number = ?1",
            params![number as i64, loss, seconds],
        )?;
        Ok(())
    }

    /// The names of the settings, each after a comma.
    fn columns(&self) -> String {
        self.space.iter().map(|dimension| format!(", {}", dimension.name)).collect()
    }
}

/// What a study is about, with the present names of settings and without the engine, which 0.1.0
/// named, too.
fn present(recipe: &str, about: &str) -> String {
    let Some((game, settings)) = about.split_once(' ') else { return about.to_owned() };
    let settings = settings.split(',').filter(|setting| !setting.starts_with("engine="));
    let settings = settings.map(|setting| match setting.split_once('=') {
        Some((key, value)) => format!("{}={value}", renamed(recipe, key).unwrap_or(key)),
        None => setting.to_owned(),
    });
    format!("{game} {}", settings.collect::<Vec<_>>().join(","))
}

#[cfg(test)]
mod tests {
    use super::super::Domain;
    use super::*;

    #[test]
    fn trials_go_on_after_an_interruption() {
        const SPACE: &[Dimension] = &[
            Dimension { name: "rate", domain: Domain::Log(1e-6, 1e-2) },
            Dimension { name: "batch", domain: Domain::Choice(&[32.0, 64.0]) },
        ];
        let open = |folder: &tempfile::TempDir, about| {
            Study::open(folder.path(), "supervised", about, SPACE, 5)
        };
        let loss = |values: &[f64]| values[0].log10().abs();
        let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let whole = open(&one, "former channels=8,kind=both").unwrap();
        for _ in 0..12 {
            let (number, values) = whole.next().unwrap();
            whole.finish(number, loss(&values), 1.0).unwrap();
        }
        for round in 0..12 {
            let study = open(&two, "former channels=8,kind=both").unwrap();
            let (number, values) = study.next().unwrap();
            // Interrupted: the same comes again.
            assert_eq!(study.next().unwrap(), (number, values.clone()));
            assert_eq!(number, round + 1);
            study.finish(number, loss(&values), 1.0).unwrap();
        }
        let study = open(&two, "former channels=8,kind=both").unwrap();
        assert_eq!(study.done().unwrap(), whole.done().unwrap());
        let (number, _) = study.next().unwrap();
        study.finish(number, f64::NAN, 1.0).unwrap();
        assert!(study.done().unwrap().last().unwrap().loss.is_nan());
        // As 0.1.0 wrote it.
        let old = "UPDATE about SET what = 'former w=8,kind=both,engine=own'";
        study.connection.execute(old, []).unwrap();
        assert!(open(&two, "former channels=8,kind=both").is_ok());
        assert!(open(&two, "former channels=4,kind=both").is_err());
    }
}
