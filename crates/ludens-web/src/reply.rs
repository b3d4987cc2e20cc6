//! JSON answers and refusals.

use axum::body::Body;
use axum::http::header::{self, HeaderValue};
use axum::http::{Response as HttpResponse, StatusCode};
use axum::response::{IntoResponse, Response};
use ludens_core::ParseError;
use serde_json::{Value, json};

/// A JSON document that is never kept by the browser.
pub(crate) struct Json(pub(crate) Value);

impl IntoResponse for Json {
    fn into_response(self) -> Response {
        let mut response = HttpResponse::new(Body::from(self.0.to_string()));
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        response
    }
}

/// Why a request is not answered: a status and `{"error": ..}`.
#[derive(Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    error: String,
    retry_after: Option<u32>,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, error: impl Into<String>) -> Self {
        Refusal { status, error: error.into(), retry_after: None }
    }

    pub(crate) fn forbidden(error: &str) -> Self {
        Refusal::new(StatusCode::FORBIDDEN, error)
    }

    /// Too much is going on; try again in so many seconds.
    pub(crate) fn busy(error: &str, seconds: u32) -> Self {
        let retry_after = Some(seconds);
        Refusal { retry_after, ..Refusal::new(StatusCode::TOO_MANY_REQUESTS, error) }
    }

    /// Something is wrong here, not with the request.
    pub(crate) fn fault(error: impl ToString) -> Self {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
    }
}

impl From<ParseError> for Refusal {
    fn from(error: ParseError) -> Self {
        Refusal::new(StatusCode::BAD_REQUEST, error.to_string())
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = Json(json!({"error": self.error})).into_response();
        *response.status_mut() = self.status;
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
