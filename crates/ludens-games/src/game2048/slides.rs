//! All four slides of a board at once, without a table.
//!
//! The board is turned four ways so that each slide goes to the left. Its sixteen rows of four
//! nibbles are the sixteen words of a vector: gaps are closed and equal neighbours merged in all
//! of them by the same few steps. A table of rows would take a quarter of the second-level cache,
//! which learning needs for its entries.

#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "calls of functions for processors with AVX2")
)]

use crate::tiles::nibbles::ONES;

/// The boards after the slides, by their indices, and a quarter of what each is paid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct AllSlides {
    pub(super) boards: [u64; 4],
    pub(super) quarters: [u64; 4],
}

/// All slides of a 4x4 board. `None` where the processor has no AVX2, and for boards with a
/// tile 32768: two of them merge into a tile that is no nibble.
#[inline(always)]
pub(super) fn all_slides(board: u64) -> Option<AllSlides> {
    if board & board >> 1 & board >> 2 & board >> 3 & ONES != 0 {
        return None;
    }
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has what the function needs.
        return Some(unsafe { x86::all_slides(board) });
    }
    None
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::AllSlides;
    use crate::tiles::nibbles::transpose;

    /// A quarter of a new tile by its index, twice: the lower bytes, and the upper ones.
    const QUARTERS: [[u8; 32]; 2] = {
        let mut quarters = [[0; 32]; 2];
        let mut i = 0;
        while i < 32 {
            if i % 16 >= 2 {
                [quarters[0][i], quarters[1][i]] = (1u16 << (i % 16 - 2)).to_le_bytes();
            }
            i += 1;
        }
        quarters
    };

    /// Bytes of the two boards in the middle in reverse order.
    const REVERSED: [u8; 32] = {
        let mut order = [0; 32];
        let mut i = 0;
        while i < 32 {
            let middle = i >= 8 && i < 24;
            order[i] = if middle { (i ^ 7) % 16 } else { i % 16 } as u8;
            i += 1;
        }
        order
    };

    #[inline]
    #[target_feature(enable = "avx2")]
    fn load(bytes: &[u8; 32]) -> __m256i {
        // SAFETY: the array has the 32 bytes that are read; no alignment is needed.
        unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn stored(x: __m256i) -> [u64; 4] {
        let mut out = [0; 4];
        // SAFETY: the array has the 32 bytes that are written; no alignment is needed.
        unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), x) };
        out
    }

    /// The half turn of the two boards in the middle.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn half_turns(x: __m256i) -> __m256i {
        let x = _mm256_shuffle_epi8(x, load(&REVERSED));
        let low = _mm256_set1_epi8(0x0F);
        let up = _mm256_slli_epi64::<4>(_mm256_and_si256(x, low));
        let down = _mm256_and_si256(_mm256_srli_epi64::<4>(x), low);
        _mm256_blend_epi32::<0b0011_1100>(x, _mm256_or_si256(up, down))
    }

    /// The first and the third board with rows and columns exchanged, as
    /// [`transpose`] does it.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn transposes(x: __m256i) -> __m256i {
        let and = |x, mask: u64| _mm256_and_si256(x, _mm256_set1_epi64x(mask as i64));
        let or = |a, b, c| _mm256_or_si256(_mm256_or_si256(a, b), c);
        let (off, far) = (0x0000_F0F0_0000_F0F0, 0x0000_0000_FF00_FF00);
        let y = or(
            and(x, 0xF0F0_0F0F_F0F0_0F0F),
            _mm256_slli_epi64::<12>(and(x, off)),
            and(_mm256_srli_epi64::<12>(x), off),
        );
        let y = or(
            and(y, 0xFF00_FF00_00FF_00FF),
            _mm256_slli_epi64::<24>(and(y, far)),
            and(_mm256_srli_epi64::<24>(y), far),
        );
        _mm256_blend_epi32::<0b0011_0011>(x, y)
    }

    /// Where a nibble of `mask` is 0: all bits of the row.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn is_zero(rows: __m256i, mask: i16) -> __m256i {
        let nibble = _mm256_and_si256(rows, _mm256_set1_epi16(mask));
        _mm256_cmpeq_epi16(nibble, _mm256_setzero_si256())
    }

    /// Moves what is above the nibbles of `kept` down by one, in the rows where `moves` is set.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn drop_above(rows: __m256i, kept: i16, moves: __m256i) -> __m256i {
        let moving = _mm256_andnot_si256(_mm256_set1_epi16(kept), moves);
        let change = _mm256_xor_si256(rows, _mm256_srli_epi16::<4>(rows));
        _mm256_xor_si256(rows, _mm256_and_si256(change, moving))
    }

    /// Merges the tile at the nibble of `mask` with an equal one above it. The rows, and in
    /// those that merged the bits of `mask`.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn merge(rows: __m256i, mask: i16) -> (__m256i, __m256i) {
        let differ = _mm256_xor_si256(rows, _mm256_srli_epi16::<4>(rows));
        let merges = _mm256_andnot_si256(is_zero(rows, mask), is_zero(differ, mask));
        let lowest = mask & -mask;
        let one = _mm256_and_si256(merges, _mm256_set1_epi16(lowest));
        let rows = _mm256_add_epi16(drop_above(rows, lowest - 1, merges), one);
        (rows, _mm256_and_si256(merges, _mm256_set1_epi16(mask)))
    }

    /// [`all_slides`](super::all_slides) of a board without a tile 32768.
    #[target_feature(enable = "avx2")]
    pub(super) fn all_slides(board: u64) -> AllSlides {
        let (board, transposed) = (board as i64, transpose(board) as i64);
        // Up, right, down and left, the last of the four arguments first.
        let rows = half_turns(_mm256_set_epi64x(board, transposed, board, transposed));
        let rows = drop_above(rows, 0x00FF, is_zero(rows, 0x0F00));
        let rows = drop_above(rows, 0x000F, is_zero(rows, 0x00F0));
        let rows = drop_above(rows, 0, is_zero(rows, 0x000F));
        // Where two have merged, what comes next is one nibble lower: so a tile just made is
        // never looked at again.
        let (rows, first) = merge(rows, 0x000F);
        let (rows, second) = merge(rows, 0x00F0);
        let (rows, third) = merge(rows, 0x0F00);
        // A row makes two tiles at most, and never at the first and the third nibble: one
        // goes to each byte.
        let made = |at| _mm256_and_si256(rows, at);
        let outer = _mm256_or_si256(made(first), _mm256_srli_epi16::<8>(made(third)));
        let indices = _mm256_or_si256(outer, _mm256_slli_epi16::<4>(made(second)));
        let [lower, upper] = QUARTERS.each_ref().map(|quarters| {
            let bytes = _mm256_shuffle_epi8(load(quarters), indices);
            _mm256_sad_epu8(bytes, _mm256_setzero_si256())
        });
        let quarters = _mm256_add_epi64(lower, _mm256_slli_epi64::<8>(upper));
        AllSlides { boards: stored(transposes(half_turns(rows))), quarters: stored(quarters) }
    }
}
