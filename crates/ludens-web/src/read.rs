//! `/api/read`: a position from a picture, which is the body.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use ludens_core::ParseError;
use ludens_core::error::quote;
use ludens_vision::{Limits, Request, VisionError, parse_corners};

use crate::connections::LONGEST_BODY;
use crate::position::aside;
use crate::reply::{Json, Refusal};
use crate::server::App;

/// Pictures that are read at once.
pub(crate) const PICTURES: usize = 2;
/// What one picture may cost: 16 megapixels, so that it is decoded in a fraction of a second and
/// takes at most some 150 MB.
const LIMITS: Limits = Limits { bytes: LONGEST_BODY, pixels: 16_000_000 };
/// When to try again if too many are being read.
const RETRY_SECONDS: u32 = 1;

/// What was asked for in the address.
#[derive(Default)]
struct Query {
    game: Option<String>,
    method: Option<String>,
    corners: Option<String>,
}

/// The reading of a picture.
pub(crate) async fn picture(
    State(app): State<Arc<App>>,
    RawQuery(query): RawQuery,
    body: Bytes,
) -> Result<Json, Refusal> {
    let query = parse(query.as_deref().unwrap_or_default())?;
    let permit = Arc::clone(&app.pictures).try_acquire_owned().map_err(|_| {
        Refusal::busy(
            "picture: found too many being read, expected fewer; try again",
            RETRY_SECONDS,
        )
    })?;
    aside(move || {
        // Kept until the work is done, even if nobody waits for it any more.
        let _permit = permit;
        let Some(game) = &query.game else {
            return Err(ParseError::new("game", "none", "?game=NAME in the address").into());
        };
        let corners = query.corners.as_deref().map(parse_corners).transpose()?;
        let request = Request { game, method: query.method.as_deref(), corners, limits: LIMITS };
        let reading = ludens_vision::read(&request, &body).map_err(|error| {
            let status = match error {
                VisionError::NoBoard { .. } => StatusCode::UNPROCESSABLE_ENTITY,
                VisionError::Request(_) | VisionError::Image(_) => StatusCode::BAD_REQUEST,
            };
            Refusal::new(status, error.to_string())
        })?;
        Ok(Json(reading.json()))
    })
    .await
}

fn parse(query: &str) -> Result<Query, ParseError> {
    let mut found = Query::default();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        let value = decoded(value).ok_or_else(|| {
            ParseError::new(format!("parameter {}", quote(key)), quote(value), "UTF-8")
        })?;
        match key {
            "game" => found.game = Some(value),
            "method" => found.method = Some(value),
            "corners" => found.corners = Some(value),
            // The guard has looked at it.
            "token" => {}
            other => {
                return Err(ParseError::new("address", quote(other), "game, method, corners"));
            }
        }
    }
    Ok(found)
}

/// A value of an address without its percent signs.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digit = |i: usize| char::from(*after.get(i)?).to_digit(16);
        match (first, digit(0), digit(1)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push((16 * high + low) as u8);
                rest = &after[2..];
            }
            (b'%', ..) => return None,
            (b'+', ..) => {
                bytes.push(b' ');
                rest = after;
            }
            _ => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read() {
        let query = parse("game=sevn%3Abase%3D5&corners=1,2,3%2C4&token=x").unwrap();
        assert_eq!(query.game.as_deref(), Some("sevn:base=5"));
        assert_eq!(query.corners.as_deref(), Some("1,2,3,4"));
        assert!(parse("game=%f").is_err() && parse("game=%ff").is_err() && parse("cat=1").is_err());
    }
}
