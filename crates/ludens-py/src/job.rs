//! Work in the background, asked for news from time to time.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pyo3::prelude::*;
use serde_json::Value;

use crate::fault::{self, failed, usage};

/// Why a job has no result.
pub(crate) enum Fault {
    /// Bad input.
    Usage(String),
    /// Anything else.
    Failed(String),
}

/// News of a job.
enum Event {
    News(String),
    Done(Result<String, Fault>),
}

/// Tells what a job has to say.
#[derive(Clone)]
pub(crate) struct Teller(Sender<Event>);

impl Teller {
    /// Tells something; nobody may be listening any more.
    pub(crate) fn tell(&self, value: &Value) {
        let _ = self.0.send(Event::News(value.to_string()));
    }
}

/// A search, an evaluation, a contest or a training that runs on threads of its own.
#[pyclass(module = "ludens._core", frozen)]
pub(crate) struct Job {
    events: Mutex<Receiver<Event>>,
    stop: Arc<AtomicBool>,
}

impl Job {
    /// Starts work. `stop` asks it to end with the best it has.
    pub(crate) fn spawn(
        work: impl FnOnce(&AtomicBool, Teller) -> Result<Value, Fault> + Send + 'static,
    ) -> Job {
        let (sender, receiver) = channel();
        let stop = Arc::new(AtomicBool::new(false));
        let asked = Arc::clone(&stop);
        std::thread::spawn(move || {
            let teller = Teller(sender.clone());
            let done = catch_unwind(AssertUnwindSafe(|| work(&asked, teller)));
            let done = done.unwrap_or_else(|panic| Err(Fault::Failed(fault::panic_text(&*panic))));
            let _ = sender.send(Event::Done(done.map(|value| value.to_string())));
        });
        Job { events: Mutex::new(receiver), stop }
    }
}

#[pymethods]
impl Job {
    /// Waits for news: `(kind, json)` where kind is `"news"` or `"done"`, or `None` when nothing
    /// came within so many seconds.
    fn poll(&self, py: Python<'_>, seconds: f64) -> PyResult<Option<(&'static str, String)>> {
        let most = Duration::from_secs_f64(if seconds.is_finite() {
            seconds.clamp(0.0, 3600.0)
        } else {
            0.0
        });
        let event = py.detach(|| {
            self.events.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(most)
        });
        match event {
            Ok(Event::News(text)) => Ok(Some(("news", text))),
            Ok(Event::Done(Ok(text))) => Ok(Some(("done", text))),
            Ok(Event::Done(Err(Fault::Usage(text)))) => Err(usage(text)),
            Ok(Event::Done(Err(Fault::Failed(text)))) => Err(failed(text)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(failed("the job has ended already")),
        }
    }

    /// Asks it to end with the best it has.
    fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// Nobody will ask for news any more.
impl Drop for Job {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}
