//! Whether the system gives threads, asked before they are needed.

use std::io;
use std::sync::{Arc, Mutex, mpsc};
use std::thread;

/// Starts `count` threads at once and lets them end.
///
/// Starting a thread deep inside a search can only panic when the system refuses; a program asks
/// here first, and can say so.
///
/// ```
/// ludens_core::platform::thread::check(2).unwrap();
/// ```
///
/// # Errors
/// When the system gives fewer, because of its limits on processes or memory.
pub fn check(count: usize) -> io::Result<()> {
    let (release, wait) = mpsc::channel::<()>();
    let wait = Arc::new(Mutex::new(wait));
    let mut started = Vec::with_capacity(count);
    let refused = (0..count).find_map(|_| {
        let wait = Arc::clone(&wait);
        // Ends when the sender is dropped; the lock queues the others behind the first.
        let idle = move || drop(wait.lock().map(|wait| wait.recv()));
        thread::Builder::new().spawn(idle).map(|thread| started.push(thread)).err()
    });
    drop(release);
    for thread in started {
        // They do nothing that could panic.
        let _ = thread.join();
    }
    match refused {
        None => Ok(()),
        Some(error) => Err(io::Error::new(
            error.kind(),
            format!("the system gives less than {count} threads: {error}"),
        )),
    }
}
