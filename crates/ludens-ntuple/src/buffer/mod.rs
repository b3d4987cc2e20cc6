//! Large arrays of atomics, in huge pages where the system has them.

use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64};

use ludens_core::platform::available_memory;

use crate::Error;

#[cfg(target_family = "wasm")]
mod boxed;
#[cfg(not(target_family = "wasm"))]
mod mapped;

#[cfg(target_family = "wasm")]
pub(crate) use boxed::Buffer;
#[cfg(not(target_family = "wasm"))]
pub(crate) use mapped::Buffer;

/// Numbers that zeroed memory from the system can be used as.
///
/// # Safety
/// Any bytes must be a valid value, and a huge page a multiple of the alignment.
#[expect(unsafe_code, reason = "the buffer relies on it")]
pub(crate) unsafe trait Atomic: Default + Sync + Send {}

macro_rules! atomic {
    ($($number:ty),*) => { $(
        // SAFETY: integers of 1 to 8 bytes.
        #[expect(unsafe_code, reason = "the buffer relies on it")]
        unsafe impl Atomic for $number {}
    )* };
}

atomic!(AtomicU8, AtomicU16, AtomicU32, AtomicU64);

/// The bytes of `len` items, if there is so much memory; `what` is named where there is not.
fn check<T>(len: usize, what: &'static str) -> Result<usize, Error> {
    // What no number of bytes can say is refused like what no system has.
    let bytes = len.saturating_mul(size_of::<T>());
    match available_memory().filter(|&free| bytes as u64 > free) {
        Some(free) => Err(Error::Memory { what, needed: bytes as u64, free }),
        None => Ok(bytes),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;

    #[test]
    fn items_are_zero_and_their_own() {
        let buffer: Buffer<AtomicU32> = Buffer::zeroed(5000, true, "a test").unwrap();
        assert!(buffer.items().iter().all(|item| item.load(Ordering::Relaxed) == 0));
        for (i, item) in buffer.items().iter().enumerate() {
            item.store(i as u32, Ordering::Relaxed);
        }
        let right = |(i, item): (usize, &AtomicU32)| item.load(Ordering::Relaxed) == i as u32;
        assert!(buffer.items().iter().enumerate().all(right));
    }

    /// The number of bytes would wrap around to 8.
    #[test]
    fn sizes_that_wrap_around_are_refused() {
        let refused = Buffer::<AtomicU64>::zeroed(usize::MAX / 8 + 2, false, "the table");
        assert!(matches!(refused, Err(Error::Memory { .. } | Error::Map { .. })));
    }

    #[test]
    fn too_much_is_refused_before_it_is_taken() {
        if available_memory().is_none() {
            eprintln!("skipped: the system does not say its free memory");
            return;
        }
        let refused = Buffer::<AtomicU64>::zeroed(1 << 50, false, "the table");
        let message = refused.err().expect("nobody has so much").to_string();
        assert!(message.starts_with("the table needs 8589934592 MiB of memory"), "{message}");
    }
}
