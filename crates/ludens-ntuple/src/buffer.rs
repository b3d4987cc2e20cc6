//! Large arrays of atomics, in huge pages where the system has them.

use std::io::ErrorKind;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64};

use ludens_core::memory::available;
use memmap2::MmapMut;

use crate::Error;

/// A huge page.
const HUGE: usize = 2 << 20;

/// Numbers that memory from the system can be used as.
///
/// # Safety
/// Any bytes must be a valid value, and `HUGE` a multiple of the alignment.
#[expect(unsafe_code, reason = "the buffer relies on it")]
pub(crate) unsafe trait Atomic: Sync + Send {}

macro_rules! atomic {
    ($($number:ty),*) => { $(
        // SAFETY: integers of 2 to 8 bytes.
        #[expect(unsafe_code, reason = "the buffer relies on it")]
        unsafe impl Atomic for $number {}
    )* };
}

atomic!(AtomicU16, AtomicU32, AtomicU64);

/// An array that begins at a huge page.
pub(crate) struct Buffer<T> {
    map: MmapMut,
    begin: usize,
    len: usize,
    items: PhantomData<T>,
}

impl<T: Atomic> Buffer<T> {
    /// An array of zeros. Memory is taken only when it is written to, but there
    /// must be enough of it: `what` is named where there is not.
    pub(crate) fn zeroed(len: usize, huge: bool, what: &'static str) -> Result<Self, Error> {
        // What no number of bytes can say is refused like what no system has.
        let bytes = len.saturating_mul(size_of::<T>());
        if let Some(free) = available().filter(|&free| bytes as u64 > free) {
            return Err(Error::Memory { what, needed: bytes as u64, free });
        }
        let mapped = bytes.checked_add(HUGE).ok_or_else(|| ErrorKind::OutOfMemory.into());
        let map = mapped
            .and_then(MmapMut::map_anon)
            .map_err(|source| Error::Map { bytes: bytes as u64, source })?;
        #[cfg(target_os = "linux")]
        if huge {
            // Systems without huge pages refuse; ordinary ones do as well.
            let _ = map.advise(memmap2::Advice::HugePage);
        }
        #[cfg(not(target_os = "linux"))]
        let _ = huge;
        let begin = map.as_ptr().align_offset(HUGE);
        Ok(Buffer { map, begin, len, items: PhantomData })
    }

    /// All items.
    #[inline(always)]
    #[expect(unsafe_code, reason = "tables are many gigabytes of mapped memory, used as atomics")]
    pub(crate) fn items(&self) -> &[T] {
        let bytes = self.map.as_ptr().wrapping_add(self.begin);
        // SAFETY: the mapping has room for `len` items after `begin`, which is below
        // `HUGE`; the address is a multiple of `HUGE`, so aligned for every item; the
        // bytes are initialised and any bytes are a valid integer; the mapping lives
        // as long as `self` and is only ever seen through these shared atomics.
        unsafe { std::slice::from_raw_parts(bytes.cast::<T>(), self.len) }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;

    #[test]
    fn items_are_zero_aligned_and_their_own() {
        let buffer: Buffer<AtomicU32> = Buffer::zeroed(5000, true, "a test").unwrap();
        assert_eq!(buffer.items().as_ptr() as usize % HUGE, 0);
        assert!(buffer.items().iter().all(|item| item.load(Ordering::Relaxed) == 0));
        for (i, item) in buffer.items().iter().enumerate() {
            item.store(i as u32, Ordering::Relaxed);
        }
        let right = |(i, item): (usize, &AtomicU32)| item.load(Ordering::Relaxed) == i as u32;
        assert!(buffer.items().iter().enumerate().all(right));
    }

    /// The bytes of so many items, counted round, would be 8.
    #[test]
    fn sizes_that_wrap_around_are_refused() {
        let refused = Buffer::<AtomicU64>::zeroed(usize::MAX / 8 + 2, false, "the table");
        assert!(matches!(refused, Err(Error::Memory { .. } | Error::Map { .. })));
    }

    #[test]
    fn too_much_is_refused_before_it_is_taken() {
        if available().is_none() {
            eprintln!("skipped: the system does not tell its free memory");
            return;
        }
        let refused = Buffer::<AtomicU64>::zeroed(1 << 50, false, "the table");
        let message = refused.err().expect("nobody has so much").to_string();
        assert!(message.starts_with("the table needs 8589934592 MiB of memory"), "{message}");
    }
}
