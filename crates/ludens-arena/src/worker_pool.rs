//! A pool of workers that take numbered tasks in order and report to one thread.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// How often `stop` is read.
const POLL: Duration = Duration::from_millis(5);

/// Does the tasks `0..count` on some threads. `make_worker` runs on each of them and makes what
/// it keeps between its tasks. `on_result` gets every result on this thread, so that it needs no
/// lock, with `None` for a task that panicked, and ends the work by `false`. `stop` ends it
/// within a few milliseconds: tasks under way get `true` in their flag, and their results are
/// dropped.
pub fn run<R: Send, W: FnMut(usize, &AtomicBool) -> R>(
    count: usize,
    workers: usize,
    stop: &AtomicBool,
    make_worker: impl Fn() -> W + Sync,
    mut on_result: impl FnMut(usize, Option<R>) -> bool,
) {
    let (next, halt) = (AtomicUsize::new(0), AtomicBool::new(stop.load(Ordering::Relaxed)));
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..workers.min(count) {
            let (sender, next, halt, make_worker) = (sender.clone(), &next, &halt, &make_worker);
            scope.spawn(move || {
                let mut worker = make_worker();
                while !halt.load(Ordering::Relaxed) {
                    let task = next.fetch_add(1, Ordering::Relaxed);
                    if task >= count {
                        return;
                    }
                    let done = catch_unwind(AssertUnwindSafe(|| worker(task, halt)));
                    // A task that was cut short has not had its budget. One that ended just
                    // before is dropped as well: the two look alike.
                    match done {
                        Ok(_) if halt.load(Ordering::Relaxed) => return,
                        Ok(_) => {}
                        Err(_) => halt.store(true, Ordering::Relaxed),
                    }
                    if sender.send((task, done.ok())).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        loop {
            if stop.load(Ordering::Relaxed) {
                halt.store(true, Ordering::Relaxed);
            }
            match receiver.recv_timeout(POLL) {
                Ok((task, result)) => {
                    if !on_result(task, result) {
                        halt.store(true, Ordering::Relaxed);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_task_is_done_once_and_workers_keep_what_they_have() {
        let stop = AtomicBool::new(false);
        let made = AtomicUsize::new(0);
        let mut seen = vec![0; 100];
        let make_worker = || {
            made.fetch_add(1, Ordering::Relaxed);
            let mut own = 0;
            move |task: usize, _: &AtomicBool| {
                own += 1;
                (task * 2, own)
            }
        };
        let mut most = 0;
        run(100, 3, &stop, make_worker, |task, result| {
            let (double, own) = result.unwrap();
            assert_eq!(double, 2 * task);
            most = most.max(own);
            seen[task] += 1;
            true
        });
        assert!(seen.iter().all(|&count| count == 1));
        assert_eq!(made.load(Ordering::Relaxed), 3);
        assert!(most >= 34, "some worker did a third of the tasks: {most}");
    }

    #[test]
    fn it_ends_early() {
        let stop = AtomicBool::new(false);
        let mut taken = 0;
        let slow = || |_: usize, _: &AtomicBool| std::thread::sleep(Duration::from_millis(1));
        run(10_000, 2, &stop, slow, |_, _| {
            taken += 1;
            taken < 5
        });
        assert!((5..20).contains(&taken), "{taken}");
        let panics = || |task: usize, _: &AtomicBool| assert!(task != 3, "on purpose");
        let mut failed = Vec::new();
        run(10, 1, &stop, panics, |task, result: Option<()>| {
            failed.extend(result.is_none().then_some(task));
            true
        });
        assert_eq!(failed, [3]);
        stop.store(true, Ordering::Relaxed);
        run(10, 1, &stop, || |_: usize, _: &AtomicBool| (), |_, _| panic!("nothing was started"));
    }
}
