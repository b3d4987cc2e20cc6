//! `/api/analyze`: a search as server-sent events. When the page goes away, its
//! stream is dropped, and with it the handle that keeps the search going.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::State;
use axum::response::IntoResponse;
use axum::response::sse::{Event as Sent, KeepAlive, Sse};
use futures_util::stream::unfold;
use ludens_engine::analysis::{Event, JobHandle, Task};
use serde_json::json;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::position::{aside, fields};
use crate::reply::Refusal;
use crate::server::App;

/// Events on their way to a slow reader; reports beyond are dropped, the reply never.
const BUFFER: usize = 256;
/// A reader that has gone is noticed at the latest when this is written.
pub(crate) const HEARTBEAT: Duration = Duration::from_secs(10);
/// When to try again if too much is waiting.
const RETRY_SECONDS: u32 = 2;

/// Streams a search: `progress` events, then one `done` or `error`.
pub(crate) async fn stream(
    State(app): State<Arc<App>>,
    body: Bytes,
) -> Result<impl IntoResponse, Refusal> {
    let limits = app.limits;
    let task = aside(move || Ok(Task::read(fields(&body)?, &limits)?)).await?;
    let (send, receive) = channel(BUFFER);
    let callback = Box::new(move |event| pass(&send, event));
    let handle = app.queue.submit(task.job(), callback).map_err(|_| {
        Refusal::busy("search: found too many waiting, expected fewer; try again", RETRY_SECONDS)
    })?;
    Ok(sse(receive, handle))
}

/// Puts an event on its way. One place is kept free for the last.
fn pass(send: &Sender<Event>, event: Event) {
    let last = !matches!(event, Event::Report(_));
    if last || send.capacity() > 1 {
        // A full or closed channel is a reader that is slow or gone.
        let _ = send.try_send(event);
    }
}

fn sse(receive: Receiver<Event>, handle: JobHandle) -> impl IntoResponse {
    let events = unfold((receive, handle), |(mut receive, handle)| async move {
        let event = receive.recv().await?;
        Some((Ok::<_, Infallible>(sent(event)), (receive, handle)))
    });
    Sse::new(events).keep_alive(KeepAlive::new().interval(HEARTBEAT))
}

fn sent(event: Event) -> Sent {
    let (name, value) = match event {
        Event::Report(value) => ("progress", value),
        Event::Done(value) => ("done", value),
        Event::Failed(error) => ("error", json!({"error": error})),
    };
    Sent::default().event(name).data(value.to_string())
}
