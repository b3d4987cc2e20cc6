//! Large tables, made without the whole program ending where memory is short.

use crate::platform::available_memory;

/// A table of `len` items, a power of two; half as many where they do not fit into memory, and
/// so on down to `least`, which is 0 or a power of two that always fits.
///
/// ```
/// use ludens_core::memory::table;
/// assert_eq!(table(4, 0, || 7), [7; 4]);
/// ```
pub fn table<T>(len: usize, least: usize, item: impl FnMut() -> T) -> Vec<T> {
    let (mut table, mut len) = (Vec::new(), len);
    while len > least && (exceeds::<T>(len) || table.try_reserve_exact(len).is_err()) {
        len /= 2;
    }
    table.resize_with(len, item);
    table
}

/// Whether a table would take more than half of what is left of the memory: systems promise more
/// than they have.
fn exceeds<T>(len: usize) -> bool {
    let bytes = len.saturating_mul(size_of::<T>());
    // Small tables need no look at the system.
    bytes > 1 << 28 && available_memory().is_some_and(|available| bytes as u64 > available / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_not_taken() {
        assert!(available_memory().is_none() || exceeds::<u64>(1 << 50));
        assert!(!exceeds::<u64>(1 << 20));
        assert_eq!(table(0, 0, || 7), []);
        assert_eq!(table(8, 2, || 7).len(), 8);
    }
}
