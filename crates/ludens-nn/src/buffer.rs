//! Floats that begin at a cache line.

#![expect(unsafe_code, reason = "a vector that crosses a cache line costs a second load")]

use std::ops::{Deref, DerefMut};

/// Floats of a cache line.
const LINE: usize = 16;

#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([f32; LINE]);

/// A slice of floats aligned to 64 bytes.
#[derive(Clone, Default)]
pub(crate) struct Buffer {
    lines: Vec<Line>,
    len: usize,
}

impl Buffer {
    /// So many zeros.
    pub(crate) fn zeros(len: usize) -> Buffer {
        Buffer { lines: vec![Line([0.0; LINE]); len.div_ceil(LINE)], len }
    }

    /// Makes it at least so long; what is new is 0.
    pub(crate) fn grow(&mut self, len: usize) {
        if len > self.len {
            self.lines.resize(len.div_ceil(LINE), Line([0.0; LINE]));
            self.len = len;
        }
    }
}

impl Deref for Buffer {
    type Target = [f32];

    #[inline]
    fn deref(&self) -> &[f32] {
        // SAFETY: a line is LINE floats without padding, and `len` is at most LINE per line.
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), self.len) }
    }
}

impl DerefMut for Buffer {
    #[inline]
    fn deref_mut(&mut self) -> &mut [f32] {
        // SAFETY: as above, and the borrow is unique.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), self.len) }
    }
}
