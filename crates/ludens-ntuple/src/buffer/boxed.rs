//! Arrays where memory cannot be mapped.

use std::io::ErrorKind;

use super::{Atomic, check};
use crate::Error;

/// An array.
pub(crate) struct Buffer<T>(Box<[T]>);

impl<T: Atomic> Buffer<T> {
    /// An array of zeros, of which there must be enough: `what` is named where there is not.
    pub(crate) fn zeroed(len: usize, _huge: bool, what: &'static str) -> Result<Self, Error> {
        let bytes = check::<T>(len, what)? as u64;
        let mut items = Vec::new();
        let short = |_| Error::Map { bytes, source: ErrorKind::OutOfMemory.into() };
        items.try_reserve_exact(len).map_err(short)?;
        items.resize_with(len, T::default);
        Ok(Buffer(items.into_boxed_slice()))
    }

    /// All items.
    #[inline(always)]
    pub(crate) fn items(&self) -> &[T] {
        &self.0
    }
}
