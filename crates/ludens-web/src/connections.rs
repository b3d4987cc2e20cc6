//! Connections: how many there are, and how long a request may take to arrive.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::reply::Refusal;

/// Connections at once; more wait to be accepted. Systems often allow 1,024 open files.
const CONNECTIONS: usize = 980;
/// Bytes of a body at most: a whole recorded game fits.
pub(crate) const LONGEST_BODY: usize = 2 << 20;
/// A longer body is read so far, so that whoever sends it reads why it is refused.
const LONGEST_REFUSED: usize = 16 << 20;
/// How long nothing is accepted when that failed, as when no more files may be open.
const PAUSE: Duration = Duration::from_millis(50);

/// Serves until the process ends. A connection whose next request has no whole head after
/// `patience` is closed.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    patience: Duration,
) -> io::Result<()> {
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(patience);
    let open = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let permit = Arc::clone(&open).acquire_owned().await.map_err(io::Error::other)?;
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        let service = TowerToHyperService::new(router.clone());
        let connection = builder.serve_connection(TokioIo::new(stream), service);
        tokio::spawn(async move {
            // A connection that breaks or is too slow concerns nobody else.
            let _ = connection.await;
            drop(permit);
        });
    }
}

/// Reads the whole body of a request before anything is done with it.
pub(crate) async fn whole_body(
    State(patience): State<Duration>,
    request: Request,
    next: Next,
) -> Response {
    let (parts, body) = request.into_parts();
    let bytes = match tokio::time::timeout(patience, read(body)).await {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(refusal)) => return refusal.into_response(),
        Err(_) => {
            let error = format!("body: found only a part after {patience:?}, expected all");
            return Refusal::new(StatusCode::REQUEST_TIMEOUT, error).into_response();
        }
    };
    next.run(Request::from_parts(parts, Body::from(bytes))).await
}

async fn read(body: Body) -> Result<Vec<u8>, Refusal> {
    let (mut bytes, mut length) = (Vec::new(), 0);
    let mut parts = body.into_data_stream();
    while let Some(part) = parts.next().await {
        let part = part.map_err(|_| {
            Refusal::new(StatusCode::BAD_REQUEST, "body: found only a part, expected all")
        })?;
        length += part.len();
        if length <= LONGEST_BODY {
            bytes.extend_from_slice(&part);
        } else if length > LONGEST_REFUSED {
            break;
        } else {
            bytes = Vec::new();
        }
    }
    if length <= LONGEST_BODY {
        return Ok(bytes);
    }
    let error = format!("body: found more than {LONGEST_BODY} bytes, expected no more");
    Err(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, error))
}

/// Answers a method that a path does not have.
pub(crate) async fn wrong_method() -> Refusal {
    let error = "method: found one that this path does not have, expected that of the description";
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, error)
}
