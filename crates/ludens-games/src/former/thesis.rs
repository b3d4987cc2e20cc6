//! The 1,000 random boards on which a thesis of 2025 compared its solvers.
//!
//! They are numpy's `RandomState(22).randint(0, 4, (1000, 9, 7))`. For a range
//! that is a power of two, numpy's masked rejection never rejects: each number
//! is the low bits of one output of the Mersenne Twister.

use rand_mt::Mt;

use super::{Former, FormerVariant};

const BOARDS: usize = 1000;
const SEED: u32 = 22;

/// The boards in order.
///
/// ```
/// use ludens_games::former::thesis_boards;
/// assert_eq!(thesis_boards().len(), 1000);
/// ```
pub fn thesis_boards() -> impl ExactSizeIterator<Item = Former> {
    let mut twister = Mt::new(SEED);
    (0..BOARDS).map(move |_| {
        Former::from_reading_order(FormerVariant::default(), || {
            Some((twister.next_u32() & 3) as u8)
        })
    })
}

/// The board of an index below 1,000. Takes time in proportion to the index:
/// use [`thesis_boards`] for many of them.
pub fn thesis_board(index: usize) -> Option<Former> {
    thesis_boards().nth(index)
}
