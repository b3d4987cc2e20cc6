//! Requests and replies as JSON lines: requests run side by side and are told
//! apart by their `id`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use ludens_core::ParseError;
use ludens_core::error::quote;
use serde_json::{Map, Value, json};

use super::fields::{Fields, shown};
use super::queue::{Event, JobHandle, JobQueue};
use super::read::{Limits, Task};

/// Bytes of an `id` at most.
const LONGEST_ID: usize = 200;

/// Writes one line; calls never overlap.
type Writer = Box<dyn FnMut(&Value) + Send>;

/// What all requests of one conversation share.
struct Shared {
    /// The requests under way.
    open: HashMap<String, JobHandle>,
    write: Writer,
}

/// A conversation in lines.
pub struct Lines {
    queue: JobQueue,
    limits: Limits,
    shared: Arc<Mutex<Shared>>,
}

impl Lines {
    /// A conversation with `workers` searches at once; `write` gets every line.
    pub fn new(workers: usize, limits: Limits, write: impl FnMut(&Value) + Send + 'static) -> Self {
        let shared = Shared { open: HashMap::new(), write: Box::new(write) };
        Lines {
            queue: JobQueue::new(workers, usize::MAX),
            limits,
            shared: Arc::new(Mutex::new(shared)),
        }
    }

    /// Takes a line: a request, or `{"terminate": ID}`. Whatever it is, one final
    /// line answers it: `done` or `error`.
    pub fn take(&self, line: &str) {
        let mut id = Value::Null;
        if let Err(error) = self.accept(line, &mut id) {
            self.refuse(&id, &error.to_string());
        }
    }

    /// Answers something that was no line of text.
    pub fn refuse(&self, id: &Value, error: &str) {
        let event = Event::Failed(error.to_owned());
        (lock(&self.shared).write)(&line_of(id, event));
    }

    /// Asks everything under way to end with what it has.
    pub fn stop_all(&self) {
        for handle in lock(&self.shared).open.values() {
            handle.stop();
        }
    }

    /// Waits for the last reply.
    pub fn finish(self) {
        self.queue.finish();
    }

    fn accept(&self, line: &str, id: &mut Value) -> Result<(), ParseError> {
        let mut fields = Fields::parse(line)?;
        let name = match fields.take("id") {
            Some(Value::String(text)) if text.len() <= LONGEST_ID => Some(text),
            None => None,
            Some(other) => {
                return Err(ParseError::new("id", shown(&other), "a text of at most 200 bytes"));
            }
        };
        *id = json!(name);
        if let Some(target) = fields.text("terminate", LONGEST_ID)? {
            fields.finish(&["id", "terminate"])?;
            return self.terminate(id, &target);
        }
        let Some(name) = name else {
            return Err(ParseError::new("id", "none", "a text that no other open request has"));
        };
        let task = Task::read(fields, &self.limits)?;
        self.start(name, task)
    }

    fn terminate(&self, id: &Value, target: &str) -> Result<(), ParseError> {
        let mut shared = lock(&self.shared);
        match shared.open.get(target) {
            Some(handle) => handle.stop(),
            None => {
                return Err(ParseError::new(
                    "terminate",
                    quote(target),
                    "the id of an open request",
                ));
            }
        }
        let reply = line_of(id, Event::Done(json!({"terminated": target})));
        (shared.write)(&reply);
        Ok(())
    }

    fn start(&self, name: String, task: Task) -> Result<(), ParseError> {
        let mut shared = lock(&self.shared);
        if shared.open.contains_key(&name) {
            return Err(ParseError::new("id", quote(&name), "one that no open request has"));
        }
        let (key, shared_events) = (name.clone(), Arc::clone(&self.shared));
        let callback = Box::new(move |event: Event| {
            let last = !matches!(event, Event::Report(_));
            let line = line_of(&json!(key), event);
            let mut shared = lock(&shared_events);
            if last {
                shared.open.remove(&key);
            }
            (shared.write)(&line);
        });
        // The lock is held until the handle is entered, so that a search that
        // ends at once finds its entry.
        let handle = self.queue.submit(task.job(), callback).expect("this queue has no end");
        shared.open.insert(name, handle);
        Ok(())
    }
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().expect("no thread panics while it writes")
}

/// The line of an event: `id`, `event`, then its own fields.
fn line_of(id: &Value, event: Event) -> Value {
    let (name, value) = match event {
        Event::Report(value) => ("progress", value),
        Event::Done(value) => ("done", value),
        Event::Failed(error) => ("error", json!({ "error": error })),
    };
    let mut line = Map::new();
    line.insert("id".into(), id.clone());
    line.insert("event".into(), json!(name));
    if let Value::Object(fields) = value {
        line.extend(fields.into_iter().filter(|(key, _)| key != "event"));
    }
    Value::Object(line)
}
