//! Threads, where there are any.
//!
//! [`scope`], [`Scope`] and [`ScopedJoinHandle`] are those of [`std::thread`]. Where a target has
//! no threads, `spawn` does the work at once and on the calling thread: work must not wait for
//! work that is spawned later.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::thread::{Scope, ScopedJoinHandle, scope};

#[cfg(any(test, all(target_family = "wasm", target_os = "unknown")))]
#[cfg_attr(test, expect(unreachable_pub, reason = "tests reach it from inside"))]
mod inline;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use inline::{Scope, ScopedJoinHandle, scope};

mod check;
pub use check::check;

/// Whether work can run on other threads.
pub const SUPPORTED: bool = !cfg!(all(target_family = "wasm", target_os = "unknown"));

/// How many threads can run at once; 1 where nobody knows.
pub fn available_parallelism() -> usize {
    if !SUPPORTED {
        return 1;
    }
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// `threads`, but at least 1, and 1 where there are no others.
pub fn at_most(threads: usize) -> usize {
    if SUPPORTED { threads.max(1) } else { 1 }
}

/// Does `work` on every item, each on a thread of its own and the first on the calling one. The
/// results are in the order of the items. A panic of one of them goes on here.
///
/// ```
/// let lengths = ludens_core::platform::thread::map(["a", "bb", "ccc"], str::len);
/// assert_eq!(lengths, [1, 2, 3]);
/// ```
pub fn map<T: Send, R: Send>(
    items: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let mut items = items.into_iter();
    let Some(first) = items.next() else { return Vec::new() };
    let work = &work;
    scope(|scope| {
        let others: Vec<_> = items.map(|item| scope.spawn(move || work(item))).collect();
        let mut results = Vec::with_capacity(1 + others.len());
        results.push(work(first));
        results.extend(others.into_iter().map(join));
        results
    })
}

/// What a thread returned; its panic goes on here.
pub fn join<T>(handle: ScopedJoinHandle<'_, T>) -> T {
    handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_items() {
        assert_eq!(map(0..9, |i| i * i), [0, 1, 4, 9, 16, 25, 36, 49, 64]);
        assert_eq!(map([], |i: u8| i), []);
    }

    #[test]
    #[should_panic(expected = "seven")]
    fn panics_go_on() {
        map(0..9, |i| assert_ne!(i, 7, "seven"));
    }

    /// What stands in for threads borrows and returns as they do.
    #[test]
    fn without_threads_work_is_done_at_once() {
        let done = AtomicUsize::new(0);
        let mut numbers = [1, 2, 3];
        let sum: usize = inline::scope(|scope| {
            let handles: Vec<_> = numbers
                .iter_mut()
                .map(|number| {
                    scope.spawn(|| {
                        *number *= 2;
                        done.fetch_add(1, Relaxed)
                    })
                })
                .collect();
            assert_eq!(done.load(Relaxed), 3);
            handles.into_iter().map(|handle| handle.join().unwrap()).sum()
        });
        assert_eq!((sum, numbers), (3, [2, 4, 6]));
    }
}
