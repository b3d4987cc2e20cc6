//! `/api/puzzle`: the puzzle of a day. The engine makes it from the date and remembers it.

use std::sync::Arc;

use axum::extract::State;
use axum::http::Uri;
use ludens_core::ParseError;
use ludens_core::error::quote;
use ludens_engine::analysis::Fields;
use ludens_engine::{GameHandle, former, game, games, puzzle};
use serde_json::{Map, Value};

use crate::reply::{Json, Refusal};
use crate::server::App;

/// Bytes of a game and of a date at most.
const LONGEST: usize = 200;

/// The puzzle of `game` (the first with puzzles if missing) on `date` (today in Oslo if missing).
pub(crate) async fn read(State(app): State<Arc<App>>, uri: Uri) -> Result<Json, Refusal> {
    let mut asked = fields(uri.query().unwrap_or_default())?;
    let (name, date) = (asked.text("game", LONGEST)?, asked.text("date", LONGEST)?);
    // The guard has seen to that.
    asked.take("token");
    asked.finish(&["game", "date"])?;
    // A few at a time: making one may take seconds.
    app.slowly(move || {
        let handle = match name {
            Some(name) => game(&name)?,
            None => first_with_puzzles()?,
        };
        let made = handle.puzzle(&date.unwrap_or_else(former::today_in_oslo))?;
        Ok(Json(puzzle::to_json(&made)))
    })
    .await
}

fn first_with_puzzles() -> Result<Box<dyn GameHandle>, ParseError> {
    for info in games() {
        let handle = game(&info.spec())?;
        if handle.puzzle_kind().is_some() {
            return Ok(handle);
        }
    }
    Err(ParseError::new("game", "none", "the name of one"))
}

/// The pairs of a query. Neither games nor dates have letters that must be escaped.
fn fields(query: &str) -> Result<Fields, ParseError> {
    let mut pairs = Map::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        if pairs.insert(key.to_owned(), Value::from(value)).is_some() {
            return Err(ParseError::new("query", quote(key), "every name once"));
        }
    }
    Fields::of(Value::Object(pairs))
}
