//! Work that waits its turn: a few workers, a bounded queue, and a ticket to stop it.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::JoinHandle;

use ludens_core::ParseError;
use serde_json::Value;

/// What is heard of a piece of work: any number of reports, then exactly one
/// reply or failure.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// How far it has come.
    Report(Value),
    /// Its result.
    Done(Value),
    /// Why there is none.
    Failed(String),
}

/// A piece of work: told when to stop and whom to tell of progress.
pub type Work = Box<
    dyn FnOnce(&AtomicBool, &mut (dyn FnMut(Value) + Send)) -> Result<Value, ParseError> + Send,
>;

/// Who hears of it, on the worker's thread.
pub type Listener = Box<dyn FnMut(Event) + Send>;

/// There are as many pieces of work waiting as may.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Busy;

/// Stops a piece of work when it is told to or dropped.
#[derive(Debug)]
pub struct Ticket(Arc<AtomicBool>);

impl Ticket {
    /// Asks the work to end with what it has.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.stop();
    }
}

struct Job {
    work: Work,
    listener: Listener,
    stop: Arc<AtomicBool>,
}

struct Queue {
    waiting: VecDeque<Job>,
    open: bool,
}

struct Shared {
    queue: Mutex<Queue>,
    news: Condvar,
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().expect("no thread panics with the queue")
    }
}

/// A few workers and what waits for them. A panicking piece of work fails alone.
///
/// ```
/// use std::sync::mpsc;
/// use ludens_engine::analysis::{Desk, Event};
/// let desk = Desk::new(1, 8);
/// let (send, hear) = mpsc::channel();
/// let listener = Box::new(move |event| send.send(event).unwrap());
/// let ticket = desk.submit(Box::new(|_, _| Ok(7.into())), listener).unwrap();
/// assert_eq!(hear.recv().unwrap(), Event::Done(7.into()));
/// # drop(ticket);
/// ```
pub struct Desk {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
    most: usize,
}

impl Desk {
    /// A desk with that many workers, where at most `most` pieces of work wait.
    pub fn new(workers: usize, most: usize) -> Self {
        let queue = Mutex::new(Queue { waiting: VecDeque::new(), open: true });
        let shared = Arc::new(Shared { queue, news: Condvar::new() });
        let worker = |_| {
            let shared = Arc::clone(&shared);
            std::thread::spawn(move || work(&shared))
        };
        let workers = (0..workers.max(1)).map(worker).collect();
        Desk { shared, workers, most }
    }

    /// Hands in work. Dropping the ticket stops it.
    ///
    /// # Errors
    /// When too much is waiting; the work is then not done at all.
    pub fn submit(&self, work: Work, listener: Listener) -> Result<Ticket, Busy> {
        let stop = Arc::new(AtomicBool::new(false));
        let mut queue = self.shared.queue();
        // What nobody wants any more makes room.
        if queue.waiting.len() >= self.most {
            let (gone, waiting) =
                queue.waiting.drain(..).partition(|job| job.stop.load(Ordering::Relaxed));
            queue.waiting = waiting;
            drop::<VecDeque<Job>>(gone);
        }
        if queue.waiting.len() >= self.most {
            return Err(Busy);
        }
        queue.waiting.push_back(Job { work, listener, stop: Arc::clone(&stop) });
        self.shared.news.notify_one();
        Ok(Ticket(stop))
    }

    /// Waits until everything that was handed in is done.
    pub fn finish(mut self) {
        self.shared.queue().open = false;
        self.shared.news.notify_all();
        for worker in self.workers.drain(..) {
            worker.join().expect("workers outlive what they do");
        }
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let mut queue = self.shared.queue();
        queue.open = false;
        self.shared.news.notify_all();
    }
}

fn work(shared: &Shared) {
    loop {
        let mut queue = shared.queue();
        let job = loop {
            match queue.waiting.pop_front() {
                Some(job) => break job,
                None if !queue.open => return,
                None => queue = shared.news.wait(queue).expect("no thread panics with the queue"),
            }
        };
        drop(queue);
        let Job { work, mut listener, stop } = job;
        let event = if stop.load(Ordering::Relaxed) {
            Event::Failed("search: found it stopped before it began".to_owned())
        } else {
            let mut report = |value| listener(Event::Report(value));
            match catch_unwind(AssertUnwindSafe(|| work(&stop, &mut report))) {
                Ok(Ok(value)) => Event::Done(value),
                Ok(Err(error)) => Event::Failed(error.to_string()),
                Err(_) => Event::Failed("search: found a fault of its own; it ended".to_owned()),
            }
        };
        // A listener that panics costs its own event, not the worker.
        let _ = catch_unwind(AssertUnwindSafe(|| listener(event)));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, channel};
    use std::time::Duration;

    use serde_json::json;

    use super::*;

    fn heard() -> (Listener, Receiver<Event>) {
        let (send, hear) = channel();
        (Box::new(move |event| drop(send.send(event))), hear)
    }

    fn until_stopped() -> Work {
        Box::new(|stop, report| {
            report(json!("begun"));
            while !stop.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(1));
            }
            Ok(json!("stopped"))
        })
    }

    #[test]
    fn a_panic_fails_alone() {
        let desk = Desk::new(1, 4);
        let (listener, hear) = heard();
        let first = desk.submit(Box::new(|_, _| panic!("on purpose")), listener).unwrap();
        assert!(matches!(hear.recv().unwrap(), Event::Failed(_)));
        let (listener, hear) = heard();
        let second = desk.submit(Box::new(|_, _| Ok(json!(1))), listener).unwrap();
        assert_eq!(hear.recv().unwrap(), Event::Done(json!(1)));
        drop((first, second));
    }

    #[test]
    fn the_queue_is_bounded_and_stopped_work_makes_room() {
        let desk = Desk::new(1, 1);
        let (listener, hear) = heard();
        let running = desk.submit(until_stopped(), listener).unwrap();
        assert_eq!(hear.recv().unwrap(), Event::Report(json!("begun")));
        let waiting = desk.submit(until_stopped(), heard().0).unwrap();
        assert_eq!(desk.submit(until_stopped(), heard().0).err(), Some(Busy));
        drop(waiting);
        let (listener, last) = heard();
        let third = desk.submit(Box::new(|_, _| Ok(json!(3))), listener).unwrap();
        drop(running);
        assert_eq!(hear.recv().unwrap(), Event::Done(json!("stopped")));
        assert_eq!(last.recv().unwrap(), Event::Done(json!(3)));
        drop(third);
    }

    #[test]
    fn finishing_waits_for_everything() {
        let desk = Desk::new(2, 100);
        let (send, hear) = channel();
        let tickets: Vec<Ticket> = (0..20)
            .map(|i| {
                let send = send.clone();
                let listener: Listener = Box::new(move |event| drop(send.send(event)));
                desk.submit(Box::new(move |_, _| Ok(json!(i))), listener).unwrap()
            })
            .collect();
        desk.finish();
        assert_eq!(hear.try_iter().count(), 20);
        drop(tickets);
    }
}
