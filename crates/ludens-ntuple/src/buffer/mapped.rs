//! Arrays in memory mapped from the system.

use std::io::ErrorKind;
use std::marker::PhantomData;

use memmap2::MmapMut;

use super::{Atomic, check};
use crate::Error;

/// A huge page.
const HUGE: usize = 2 << 20;

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
        let bytes = check::<T>(len, what)?;
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
