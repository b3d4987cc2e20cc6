//! Requests and replies as JSON lines: requests run side by side and are told
//! apart by their `id`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use ludens_core::ParseError;
use ludens_core::error::quote;
use serde_json::{Map, Value, json};

use super::desk::{Desk, Event, Ticket};
use super::fields::{Fields, shown};
use super::request::{Request, Terms};

/// Bytes of an `id` at most.
const LONGEST_ID: usize = 200;

/// Writes one line; calls never overlap.
type Writer = Box<dyn FnMut(&Value) + Send>;

/// What all requests of one conversation share.
struct Shared {
    /// The requests under way.
    open: HashMap<String, Ticket>,
    write: Writer,
}

/// A conversation in lines.
pub struct Lines {
    desk: Desk,
    terms: Terms,
    shared: Arc<Mutex<Shared>>,
}

impl Lines {
    /// A conversation with `workers` searches at once; `write` gets every line.
    pub fn new(workers: usize, terms: Terms, write: impl FnMut(&Value) + Send + 'static) -> Self {
        let shared = Shared { open: HashMap::new(), write: Box::new(write) };
        Lines { desk: Desk::new(workers, usize::MAX), terms, shared: Arc::new(Mutex::new(shared)) }
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
        for ticket in lock(&self.shared).open.values() {
            ticket.stop();
        }
    }

    /// Waits for the last reply.
    pub fn finish(self) {
        self.desk.finish();
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
        let request = Request::read(fields, &self.terms)?;
        self.begin(name, request)
    }

    fn terminate(&self, id: &Value, target: &str) -> Result<(), ParseError> {
        let mut shared = lock(&self.shared);
        match shared.open.get(target) {
            Some(ticket) => ticket.stop(),
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

    fn begin(&self, name: String, request: Request) -> Result<(), ParseError> {
        let mut shared = lock(&self.shared);
        if shared.open.contains_key(&name) {
            return Err(ParseError::new("id", quote(&name), "one that no open request has"));
        }
        let (key, hearing) = (name.clone(), Arc::clone(&self.shared));
        let listener = Box::new(move |event: Event| {
            let last = !matches!(event, Event::Report(_));
            let line = line_of(&json!(key), event);
            let mut shared = lock(&hearing);
            if last {
                shared.open.remove(&key);
            }
            (shared.write)(&line);
        });
        // The lock is held until the ticket is entered, so that a search that
        // ends at once finds its entry.
        let ticket = self.desk.submit(request.work(), listener).expect("this queue has no end");
        shared.open.insert(name, ticket);
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
