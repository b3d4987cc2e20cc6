//! Records of games and boards of suites.

use ludens_core::Record;
use ludens_engine::game;
use ludens_runs::eval;
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::fault::{guarded, usage};

/// The boards of a suite: `(id, position, best known)`.
#[pyfunction]
pub(crate) fn suite(spec: &str, name: &str) -> PyResult<Vec<(String, String, Option<i64>)>> {
    guarded(|| {
        let handle = game(spec).map_err(usage)?;
        let suite = eval::suite(&*handle, name).map_err(usage)?;
        let case = |case: &ludens_runs::arena::Case| {
            (case.id.clone(), case.position.clone(), case.best_known)
        };
        Ok(suite.cases().iter().map(case).collect())
    })
}

/// Checks a record by the rules and gives it as JSON with the position at its end.
#[pyfunction]
pub(crate) fn replay(text: &str) -> PyResult<String> {
    guarded(|| {
        let record = Record::parse(text).map_err(usage)?;
        let table = game(&record.game).and_then(|game| game.replay(&record)).map_err(usage)?;
        let played = |m: &ludens_core::RecordedMove| json!({"action": m.action, "chance": m.chance, "reward": m.reward, "millis": m.millis});
        let moves: Value = record.moves.iter().map(played).collect();
        Ok(json!({
            "game": record.game, "one": record.one, "two": record.two, "seed": record.seed,
            "start": record.start, "moves": moves, "total": record.total(),
            "position": table.position(),
        })
        .to_string())
    })
}

/// The record of a game: moves played from a seeded start, or from a position.
#[pyfunction]
#[pyo3(signature = (spec, moves, seed = None, position = None, names = None))]
pub(crate) fn record(
    spec: &str,
    moves: Vec<String>,
    seed: Option<u64>,
    position: Option<&str>,
    names: Option<Vec<String>>,
) -> PyResult<String> {
    guarded(|| {
        let handle = game(spec).map_err(usage)?;
        let mut table = match position {
            Some(text) => handle.parse(text).map_err(usage)?,
            None => handle.start(seed.unwrap_or(0)),
        };
        if let Some(seed) = seed {
            table.reseed(seed);
        }
        for (i, text) in moves.iter().enumerate() {
            table.play(text).map_err(|e| usage(e.within(&format!("move {}", i + 1))))?;
        }
        let mut record = table.record();
        let mut names = names.unwrap_or_default().into_iter();
        record.one = names.next().unwrap_or(record.one);
        record.two = record.two.map(|two| names.next().unwrap_or(two));
        let text = record.write();
        // A name with a line break or blanks around it would not read back.
        Record::parse(&text).map_err(usage)?;
        Ok(text)
    })
}
