//! All look-ups of a board of sixteen nibbles at once.
//!
//! The board's nibbles become bytes, one per cell. A look-up of up to eight cells
//! is a shuffle that brings its cells' bytes together; a multiply-and-add joins each
//! pair of bytes to one, and packing gives the look-up's 32 bits. Nothing depends on
//! how many cells a tuple has, where they are, or which symmetries there are.
//!
//! 16 look-ups take two shuffles with AVX-512, four with AVX2, eight without.

#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "vector loads and stores; the indices are the inner loop")
)]

/// Look-ups come in groups of so many.
pub(crate) const GROUP: usize = 16;

/// Says that no cell belongs there: the result is 0.
const NONE: u8 = 0x80;

/// The bits that [`spread`] changes first, and then.
const FIRST: i32 = 0x3FF0;
const SECOND: i32 = 0x03F0;

/// Where the entry with this index is in its table. A cache line holds the values of
/// the first cell; which line it is decides where in the cache it goes. Cells hold
/// small numbers most of the time, so without this a part of the cache would hold nearly
/// all: the upper bits are mixed into those that choose the place. Each bit comes
/// from a higher one, so no index leaves its table and no two meet.
#[inline(always)]
pub(crate) fn spread(index: u32) -> u32 {
    let index = index ^ index >> 10 & FIRST as u32;
    index ^ index >> 6 & SECOND as u32
}

/// What the processor can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Level {
    /// Nothing special.
    Portable,
    #[cfg(target_arch = "x86_64")]
    Ssse3,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Level {
    /// All this processor has, the best last.
    pub(crate) fn available() -> Vec<Level> {
        #[cfg_attr(not(target_arch = "x86_64"), expect(unused_mut))]
        let mut levels = vec![Level::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("ssse3") {
                levels.push(Level::Ssse3);
            }
            if is_x86_feature_detected!("avx2") {
                levels.push(Level::Avx2);
            }
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") {
                levels.push(Level::Avx512);
            }
        }
        levels
    }
}

/// Sixteen look-ups.
#[repr(align(64))]
struct Group {
    /// For every four look-ups the cells of the first two, eight bytes each.
    first: [[u8; 16]; 4],
    /// The cells of the other two.
    second: [[u8; 16]; 4],
    /// Where the tables of the look-ups begin.
    tables: [u32; GROUP],
}

/// The shuffles of a layout.
pub(crate) struct Shuffles {
    groups: Vec<Group>,
    level: Level,
}

impl Shuffles {
    /// The shuffles of look-ups, each the beginning of its table and its cells.
    pub(crate) fn new(lookups: &[(u32, Vec<u8>)]) -> Self {
        let group = |lookups: &[(u32, Vec<u8>)]| {
            let mut group =
                Group { first: [[NONE; 16]; 4], second: [[NONE; 16]; 4], tables: [0; GROUP] };
            for (i, (table, cells)) in lookups.iter().enumerate() {
                group.tables[i] = *table;
                let pairs = if i % 4 < 2 { &mut group.first } else { &mut group.second };
                pairs[i / 4][i % 2 * 8..][..cells.len()].copy_from_slice(cells);
            }
            group
        };
        Shuffles {
            groups: lookups.chunks(GROUP).map(group).collect(),
            level: *Level::available().last().expect("there is always the portable one"),
        }
    }

    /// Writes the place of every look-up; `begin` is added to all.
    #[inline(always)]
    pub(crate) fn places(&self, word: u64, begin: u32, out: &mut [u32]) {
        debug_assert_eq!(out.len(), self.groups.len() * GROUP);
        self.places_at(self.level, word, begin, out);
    }

    /// The same with what a level has.
    #[inline(always)]
    pub(crate) fn places_at(&self, level: Level, word: u64, begin: u32, out: &mut [u32]) {
        match level {
            Level::Portable => self.portable(word, begin, out),
            // SAFETY: a level other than the portable one comes from `available`, so
            // the processor has what the function needs.
            #[cfg(target_arch = "x86_64")]
            Level::Ssse3 => unsafe { self.ssse3(word, begin, out) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Level::Avx2 => unsafe { self.avx2(word, begin, out) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Level::Avx512 => unsafe { self.avx512(word, begin, out) },
        }
    }

    fn portable(&self, word: u64, begin: u32, out: &mut [u32]) {
        for (group, out) in self.groups.iter().zip(out.as_chunks_mut::<GROUP>().0) {
            for (i, place) in out.iter_mut().enumerate() {
                let pairs = if i % 4 < 2 { &group.first } else { &group.second };
                let cells = &pairs[i / 4][i % 2 * 8..][..8];
                let index = cells.iter().rev().fold(0, |index, &cell| {
                    let nibble = if cell == NONE { 0 } else { word >> (4 * cell) & 0xF };
                    index << 4 | nibble as u32
                });
                *place = spread(index).wrapping_add(group.tables[i]).wrapping_add(begin);
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::{FIRST, GROUP, SECOND, Shuffles};

    /// The nibbles of a word as bytes.
    #[inline]
    #[target_feature(enable = "ssse3")]
    fn bytes(word: u64) -> __m128i {
        let word = _mm_cvtsi64_si128(word as i64);
        let low = _mm_set1_epi8(0x0F);
        let even = _mm_and_si128(word, low);
        let odd = _mm_and_si128(_mm_srli_epi16::<4>(word), low);
        _mm_unpacklo_epi8(even, odd)
    }

    impl Shuffles {
        #[target_feature(enable = "ssse3")]
        pub(super) fn ssse3(&self, word: u64, begin: u32, out: &mut [u32]) {
            let board = bytes(word);
            let join = _mm_set1_epi16(0x1001);
            let begin = _mm_set1_epi32(begin as i32);
            let out = out.as_chunks_mut::<GROUP>().0;
            for i in 0..self.groups.len().min(out.len()) {
                let (group, out) = (&self.groups[i], &mut out[i]);
                for part in 0..4 {
                    let (pairs, places) = (part, 4 * part);
                    // SAFETY: each slice has the 16 bytes that are read; no alignment is needed.
                    let (first, second, tables) = unsafe {
                        (
                            _mm_loadu_si128(group.first[pairs..][..1].as_ptr().cast()),
                            _mm_loadu_si128(group.second[pairs..][..1].as_ptr().cast()),
                            _mm_loadu_si128(group.tables[places..][..4].as_ptr().cast()),
                        )
                    };
                    let first = _mm_maddubs_epi16(_mm_shuffle_epi8(board, first), join);
                    let second = _mm_maddubs_epi16(_mm_shuffle_epi8(board, second), join);
                    let index = _mm_packus_epi16(first, second);
                    let high = _mm_and_si128(_mm_srli_epi32::<10>(index), _mm_set1_epi32(FIRST));
                    let index = _mm_xor_si128(index, high);
                    let high = _mm_and_si128(_mm_srli_epi32::<6>(index), _mm_set1_epi32(SECOND));
                    let index = _mm_xor_si128(index, high);
                    let sum = _mm_add_epi32(_mm_add_epi32(index, tables), begin);
                    let out = out[places..][..4].as_mut_ptr();
                    // SAFETY: the slice has the 16 bytes that are written; no alignment is needed.
                    unsafe { _mm_storeu_si128(out.cast(), sum) };
                }
            }
        }

        #[target_feature(enable = "avx2")]
        pub(super) fn avx2(&self, word: u64, begin: u32, out: &mut [u32]) {
            let board = _mm256_broadcastsi128_si256(bytes(word));
            let join = _mm256_set1_epi16(0x1001);
            let begin = _mm256_set1_epi32(begin as i32);
            let out = out.as_chunks_mut::<GROUP>().0;
            for i in 0..self.groups.len().min(out.len()) {
                let (group, out) = (&self.groups[i], &mut out[i]);
                for part in 0..2 {
                    let (pairs, places) = (2 * part, 8 * part);
                    // SAFETY: each slice has the 32 bytes that are read; no alignment is needed.
                    let (first, second, tables) = unsafe {
                        (
                            _mm256_loadu_si256(group.first[pairs..][..2].as_ptr().cast()),
                            _mm256_loadu_si256(group.second[pairs..][..2].as_ptr().cast()),
                            _mm256_loadu_si256(group.tables[places..][..8].as_ptr().cast()),
                        )
                    };
                    let first = _mm256_maddubs_epi16(_mm256_shuffle_epi8(board, first), join);
                    let second = _mm256_maddubs_epi16(_mm256_shuffle_epi8(board, second), join);
                    let index = _mm256_packus_epi16(first, second);
                    let high =
                        _mm256_and_si256(_mm256_srli_epi32::<10>(index), _mm256_set1_epi32(FIRST));
                    let index = _mm256_xor_si256(index, high);
                    let high =
                        _mm256_and_si256(_mm256_srli_epi32::<6>(index), _mm256_set1_epi32(SECOND));
                    let index = _mm256_xor_si256(index, high);
                    let sum = _mm256_add_epi32(_mm256_add_epi32(index, tables), begin);
                    let out = out[places..][..8].as_mut_ptr();
                    // SAFETY: the slice has the 32 bytes that are written; no alignment is needed.
                    unsafe { _mm256_storeu_si256(out.cast(), sum) };
                }
            }
        }

        #[target_feature(enable = "avx512f,avx512bw")]
        pub(super) fn avx512(&self, word: u64, begin: u32, out: &mut [u32]) {
            let board = _mm512_broadcast_i32x4(bytes(word));
            let join = _mm512_set1_epi16(0x1001);
            let begin = _mm512_set1_epi32(begin as i32);
            let out = out.as_chunks_mut::<GROUP>().0;
            for i in 0..self.groups.len().min(out.len()) {
                let (group, out) = (&self.groups[i], &mut out[i]);
                // SAFETY: each array has the 64 bytes that are read; no alignment is needed.
                let (first, second, tables) = unsafe {
                    (
                        _mm512_loadu_si512(group.first.as_ptr().cast()),
                        _mm512_loadu_si512(group.second.as_ptr().cast()),
                        _mm512_loadu_si512(group.tables.as_ptr().cast()),
                    )
                };
                let first = _mm512_maddubs_epi16(_mm512_shuffle_epi8(board, first), join);
                let second = _mm512_maddubs_epi16(_mm512_shuffle_epi8(board, second), join);
                let index = _mm512_packus_epi16(first, second);
                let high =
                    _mm512_and_si512(_mm512_srli_epi32::<10>(index), _mm512_set1_epi32(FIRST));
                let index = _mm512_xor_si512(index, high);
                let high =
                    _mm512_and_si512(_mm512_srli_epi32::<6>(index), _mm512_set1_epi32(SECOND));
                let index = _mm512_xor_si512(index, high);
                let sum = _mm512_add_epi32(_mm512_add_epi32(index, tables), begin);
                // SAFETY: the array has the 64 bytes that are written; no alignment is needed.
                unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), sum) };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use ludens_core::Rng;

    use super::*;

    #[test]
    fn spreading_keeps_indices_apart_and_in_their_tables() {
        for cells in 2..=5 {
            let size = 1 << (4 * cells);
            let mut seen = vec![false; size];
            for index in 0..size as u32 {
                let place = spread(index);
                assert_eq!(place >> 14, index >> 14);
                assert!(!std::mem::replace(&mut seen[place as usize], true));
            }
        }
    }

    #[test]
    fn all_levels_agree() {
        let mut rng = Rng::new(3);
        let lookups: Vec<(u32, Vec<u8>)> = (0..37)
            .map(|_| {
                let mut cells: Vec<u8> = (0..16).collect();
                rng.shuffle(&mut cells);
                cells.truncate(2 + rng.below(7) as usize);
                (rng.next_u32() >> 1, cells)
            })
            .collect();
        let shuffles = Shuffles::new(&lookups);
        assert_eq!(shuffles.groups.len(), 3);
        for _ in 0..200 {
            let (word, begin) = (rng.next_u64(), rng.next_u32() >> 1);
            let mut expected = vec![0; 48];
            shuffles.places_at(Level::Portable, word, begin, &mut expected);
            for level in Level::available() {
                let mut found = vec![0; 48];
                shuffles.places_at(level, word, begin, &mut found);
                assert_eq!(found, expected, "{level:?}");
            }
        }
    }
}
