//! An allocator that adds up bytes, to show that searches keep within their memory.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// Adds up the bytes of all threads. Install it in a test binary with `#[global_allocator]`.
#[derive(Clone, Copy, Debug, Default)]
pub struct PeakAllocator;

impl PeakAllocator {
    /// What `f` gives, and how many bytes there were at most while it ran besides those before.
    /// Only one thread at a time may ask.
    pub fn peak<T>(f: impl FnOnce() -> T) -> (T, usize) {
        let before = LIVE.load(Relaxed);
        PEAK.store(before, Relaxed);
        let done = f();
        (done, PEAK.load(Relaxed).saturating_sub(before))
    }

    fn took(bytes: usize) {
        PEAK.fetch_max(LIVE.fetch_add(bytes, Relaxed) + bytes, Relaxed);
    }
}

// SAFETY: every call is passed on to the system allocator unchanged; adding up touches only
// atomics.
#[expect(unsafe_code, reason = "a global allocator is an unsafe trait")]
unsafe impl GlobalAlloc for PeakAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        PeakAllocator::took(layout.size());
        // SAFETY: the caller keeps the contract of `GlobalAlloc::alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        PeakAllocator::took(layout.size());
        // SAFETY: the caller keeps the contract of `GlobalAlloc::alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        LIVE.fetch_sub(layout.size(), Relaxed);
        PeakAllocator::took(size);
        // SAFETY: the caller keeps the contract of `GlobalAlloc::realloc`.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller keeps the contract of `GlobalAlloc::dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}
