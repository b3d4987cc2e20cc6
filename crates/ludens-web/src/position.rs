//! `/api/position` and `/api/record`: the rules, asked by the page. The server
//! keeps no games: every request says where it is.

use axum::body::Bytes;
use axum::http::StatusCode;
use ludens_core::{ParseError, error::quote};
use ludens_engine::analysis::{Fields, POSITION_FIELDS, PositionInput, read_position};
use ludens_engine::sheet::sheet;
use serde_json::json;

use crate::reply::{Json, Refusal};

/// Bytes of a player's name at most.
const LONGEST_NAME: usize = 100;

/// The JSON object of a body.
pub(crate) fn fields(body: &Bytes) -> Result<Fields, Refusal> {
    let text = std::str::from_utf8(body)
        .map_err(|_| ParseError::new("request", "no UTF-8", "a JSON object"))?;
    Ok(Fields::parse(text)?)
}

/// Does something that may take a while without holding up other requests.
pub(crate) async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(_) => Err(Refusal::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "request: found a fault of the server; nothing was done",
        )),
    }
}

/// A position as the page shows it.
pub(crate) async fn read(body: Bytes) -> Result<Json, Refusal> {
    aside(move || {
        let mut fields = fields(&body)?;
        let PositionInput { table, start, trail } = read_position(&mut fields)?;
        fields.finish(POSITION_FIELDS)?;
        Ok(Json(sheet(&*table, &start, &trail)))
    })
    .await
}

/// The record of a game, as text.
pub(crate) async fn record(body: Bytes) -> Result<Json, Refusal> {
    aside(move || {
        let mut fields = fields(&body)?;
        let names = [name(&mut fields, "one")?, name(&mut fields, "two")?];
        let input = read_position(&mut fields)?;
        fields.finish(&[POSITION_FIELDS, &["one", "two"]].concat())?;
        let mut record = input.table.record();
        let [one, two] = names;
        record.one = one.unwrap_or(record.one);
        if let (Some(seat), Some(two)) = (record.two.as_mut(), two) {
            *seat = two;
        }
        Ok(Json(json!({"record": record.write()})))
    })
    .await
}

/// A name that fits on a line of a record.
fn name(fields: &mut Fields, key: &str) -> Result<Option<String>, ParseError> {
    let Some(text) = fields.text(key, LONGEST_NAME)? else { return Ok(None) };
    if text.is_empty() || text.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return Err(ParseError::new(key, quote(&text), "a name without blanks"));
    }
    Ok(Some(text))
}
