//! `POST /api/games`: a person's finished game against an agent, for the ratings.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use ludens_core::{ParseError, Record};
use ludens_runs::arena::Store;
use ludens_runs::home;
use ludens_runs::people::{LONGEST_NAME, PersonGame};
use serde_json::json;

use crate::position::fields;
use crate::reply::{Json, Refusal};
use crate::server::App;

/// Bytes of a record at most: games with winners are short.
const LONGEST_RECORD: usize = 64 << 10;

/// Checks a `record` by the rules and enters it under `name`.
pub(crate) async fn enter(State(app): State<Arc<App>>, body: Bytes) -> Result<Json, Refusal> {
    let (folder, memory) = (app.home.clone(), app.limits.memory);
    app.slowly(move || {
        let mut asked = fields(&body)?;
        // A letter has at most four bytes.
        let name = asked.text("name", 4 * LONGEST_NAME)?.unwrap_or_default();
        let text = asked.text("record", LONGEST_RECORD)?;
        asked.finish(&["name", "record"])?;
        let missing = || ParseError::new("record", "none", "a whole game");
        let record = Record::parse(&text.ok_or_else(missing)?).map_err(|e| e.within("record"))?;
        let game = PersonGame::check(&record, &name, memory)?;
        let none = "store: found no LUDENS_HOME, expected a folder for results";
        let folder = folder.ok_or_else(|| Refusal::new(StatusCode::CONFLICT, none))?;
        std::fs::create_dir_all(&folder).map_err(Refusal::fault)?;
        let mut store = Store::open(&folder.join(home::STORE)).map_err(Refusal::fault)?;
        let program = ludens_runs::program::name().map_err(Refusal::fault)?;
        let entered = game.enter(&mut store, &program).map_err(Refusal::fault)?;
        Ok(Json(json!({ "entered": entered, "name": name })))
    })
    .await
}
