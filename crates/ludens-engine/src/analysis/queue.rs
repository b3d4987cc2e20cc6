//! Jobs that wait their turn: a few workers, a bounded queue, and a handle to stop each.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::JoinHandle;

use serde_json::Value;

use super::request::AnalysisError;

/// An event of a job: any number of reports, then exactly one reply or failure.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// How far it has come.
    Report(Value),
    /// Its result.
    Done(Value),
    /// Why there is none.
    Failed(String),
}

/// A job: it gets a flag to stop at and a callback for its progress.
pub type Job = Box<
    dyn FnOnce(&AtomicBool, &mut (dyn FnMut(Value) + Send)) -> Result<Value, AnalysisError> + Send,
>;

/// Gets the events of a job, on the worker's thread.
pub type EventCallback = Box<dyn FnMut(Event) + Send>;

/// There are as many pieces of work waiting as may.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Busy;

/// Stops a piece of work when it is told to or dropped.
#[derive(Debug)]
pub struct JobHandle(Arc<AtomicBool>);

impl JobHandle {
    /// Asks the work to end with what it has.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Drop for JobHandle {
    fn drop(&mut self) {
        self.stop();
    }
}

struct Waiting {
    job: Job,
    callback: EventCallback,
    stop: Arc<AtomicBool>,
}

struct Queue {
    waiting: VecDeque<Waiting>,
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

/// A few workers and what waits for them. A job that panics fails alone.
///
/// ```
/// use std::sync::mpsc;
/// use ludens_engine::analysis::{JobQueue, Event};
/// let queue = JobQueue::new(1, 8);
/// let (send, receive) = mpsc::channel();
/// let callback = Box::new(move |event| send.send(event).unwrap());
/// let handle = queue.submit(Box::new(|_, _| Ok(7.into())), callback).unwrap();
/// assert_eq!(receive.recv().unwrap(), Event::Done(7.into()));
/// # drop(handle);
/// ```
pub struct JobQueue {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
    most: usize,
}

impl JobQueue {
    /// A queue with that many workers, where at most `most` jobs wait.
    pub fn new(workers: usize, most: usize) -> Self {
        let queue = Mutex::new(Queue { waiting: VecDeque::new(), open: true });
        let shared = Arc::new(Shared { queue, news: Condvar::new() });
        let worker = |_| {
            let shared = Arc::clone(&shared);
            std::thread::spawn(move || work(&shared))
        };
        let workers = (0..workers.max(1)).map(worker).collect();
        JobQueue { shared, workers, most }
    }

    /// Submits a job. Dropping the handle stops it.
    ///
    /// # Errors
    /// When too much is waiting; the work is then not done at all.
    pub fn submit(&self, job: Job, callback: EventCallback) -> Result<JobHandle, Busy> {
        let stop = Arc::new(AtomicBool::new(false));
        let mut queue = self.shared.queue();
        // What nobody wants any more makes room.
        if queue.waiting.len() >= self.most {
            let (gone, waiting) =
                queue.waiting.drain(..).partition(|waiting| waiting.stop.load(Ordering::Relaxed));
            queue.waiting = waiting;
            drop::<VecDeque<Waiting>>(gone);
        }
        if queue.waiting.len() >= self.most {
            return Err(Busy);
        }
        queue.waiting.push_back(Waiting { job, callback, stop: Arc::clone(&stop) });
        self.shared.news.notify_one();
        Ok(JobHandle(stop))
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

impl Drop for JobQueue {
    fn drop(&mut self) {
        let mut queue = self.shared.queue();
        queue.open = false;
        self.shared.news.notify_all();
    }
}

fn work(shared: &Shared) {
    loop {
        let mut queue = shared.queue();
        let waiting = loop {
            match queue.waiting.pop_front() {
                Some(waiting) => break waiting,
                None if !queue.open => return,
                None => queue = shared.news.wait(queue).expect("no thread panics with the queue"),
            }
        };
        drop(queue);
        let Waiting { job, mut callback, stop } = waiting;
        let event = if stop.load(Ordering::Relaxed) {
            Event::Failed("search: found it stopped before it started".to_owned())
        } else {
            let mut report = |value| callback(Event::Report(value));
            match catch_unwind(AssertUnwindSafe(|| job(&stop, &mut report))) {
                Ok(Ok(value)) => Event::Done(value),
                Ok(Err(error)) => Event::Failed(error.to_string()),
                Err(_) => Event::Failed("search: found a fault of its own; it ended".to_owned()),
            }
        };
        // A callback that panics costs its own event, not the worker.
        let _ = catch_unwind(AssertUnwindSafe(|| callback(event)));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, channel};
    use std::time::Duration;

    use serde_json::json;

    use super::*;

    fn events() -> (EventCallback, Receiver<Event>) {
        let (send, receive) = channel();
        (Box::new(move |event| drop(send.send(event))), receive)
    }

    fn until_stopped() -> Job {
        Box::new(|stop, report| {
            report(json!("started"));
            while !stop.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(1));
            }
            Ok(json!("stopped"))
        })
    }

    #[test]
    fn a_panic_fails_alone() {
        let queue = JobQueue::new(1, 4);
        let (callback, receive) = events();
        let first = queue.submit(Box::new(|_, _| panic!("on purpose")), callback).unwrap();
        assert!(matches!(receive.recv().unwrap(), Event::Failed(_)));
        let (callback, receive) = events();
        let second = queue.submit(Box::new(|_, _| Ok(json!(1))), callback).unwrap();
        assert_eq!(receive.recv().unwrap(), Event::Done(json!(1)));
        drop((first, second));
    }

    #[test]
    fn the_queue_is_bounded_and_stopped_work_makes_room() {
        let queue = JobQueue::new(1, 1);
        let (callback, receive) = events();
        let running = queue.submit(until_stopped(), callback).unwrap();
        assert_eq!(receive.recv().unwrap(), Event::Report(json!("started")));
        let waiting = queue.submit(until_stopped(), events().0).unwrap();
        assert_eq!(queue.submit(until_stopped(), events().0).err(), Some(Busy));
        drop(waiting);
        let (callback, last) = events();
        let third = queue.submit(Box::new(|_, _| Ok(json!(3))), callback).unwrap();
        drop(running);
        assert_eq!(receive.recv().unwrap(), Event::Done(json!("stopped")));
        assert_eq!(last.recv().unwrap(), Event::Done(json!(3)));
        drop(third);
    }

    #[test]
    fn finishing_waits_for_everything() {
        let queue = JobQueue::new(2, 100);
        let (send, receive) = channel();
        let handles: Vec<JobHandle> = (0..20)
            .map(|i| {
                let send = send.clone();
                let callback: EventCallback = Box::new(move |event| drop(send.send(event)));
                queue.submit(Box::new(move |_, _| Ok(json!(i))), callback).unwrap()
            })
            .collect();
        queue.finish();
        assert_eq!(receive.try_iter().count(), 20);
        drop(handles);
    }
}
