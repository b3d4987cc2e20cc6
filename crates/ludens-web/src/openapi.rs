//! `/api/openapi.json`: the API, described.

use axum::http::header;
use axum::response::IntoResponse;
use serde_json::Value;

const DOCUMENT: &str = include_str!("openapi.json");

/// The description of the API.
pub fn document() -> Value {
    serde_json::from_str(DOCUMENT).expect("the document is JSON, which a test reads")
}

pub(crate) async fn serve() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], DOCUMENT)
}
