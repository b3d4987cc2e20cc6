//! All look-ups of a board of sixteen nibbles at once.
//!
//! An entry's index has the lowest bits of all its cells lowest, then their second
//! bits, and so on. Cells hold small numbers most of the time, and from move to move
//! small numbers change most: so entries used at about the same time lie in few
//! cache lines, and a line holds what four cells can be.
//!
//! Each cell's number is *dealt* once, its four bits to the four bytes of a word. A
//! look-up joins the words of its cells, each shifted by its position in the tuple;
//! the bytes are then moved together, since tuples have fewer than eight cells. Nothing
//! depends on where cells are or which symmetries there are.

#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "vector loads and stores; the indices are the inner loop")
)]

use ludens_core::platform::simd::{InstructionSet, Level};

/// Look-ups per group.
pub(crate) const GROUP: usize = 16;

/// The bits of every number, one to a byte.
const DEALT: [u32; 16] = {
    let mut dealt = [0; 16];
    let mut number = 0;
    while number < 16 {
        let n = number as u32;
        dealt[number] = n & 1 | (n >> 1 & 1) << 8 | (n >> 2 & 1) << 16 | (n >> 3) << 24;
        number += 1;
    }
    dealt
};

/// Bytes 0 and 2 of a word.
const EVEN: u32 = 0x00FF_00FF;
/// The lower half of a word.
const LOW: u32 = 0x0000_FFFF;

/// Sixteen look-ups.
#[repr(align(64))]
struct Group {
    /// By position in the tuple, the cell of every look-up there; any where it has none.
    cells: [[u32; GROUP]; 8],
    /// The positions that any look-up has.
    positions: usize,
    /// The bits that positions of the look-up give.
    mask: [u32; GROUP],
    /// By how many bits each byte moves towards the one below.
    gap: [u32; GROUP],
    /// Changed bits of the index: without, equal indices of all tables would be
    /// kept in the same few lines of the cache.
    salt: [u32; GROUP],
    /// Where the tables of the look-ups begin.
    tables: [u32; GROUP],
}

impl Group {
    fn new(lookups: &[Lookup]) -> Self {
        let mut group = Group {
            cells: [[0; GROUP]; 8],
            positions: 0,
            mask: [0; GROUP],
            gap: [0; GROUP],
            salt: [0; GROUP],
            tables: [0; GROUP],
        };
        for (i, Lookup { begin, table, cells }) in lookups.iter().enumerate() {
            let len = cells.len() as u32;
            group.tables[i] = *begin;
            group.positions = group.positions.max(cells.len());
            group.mask[i] = ((1 << len) - 1) * 0x0101_0101;
            group.gap[i] = 8 - len;
            group.salt[i] = salt(*table, len);
            // The last cells first: what the named layouts have there differs most
            // between the moves of a position.
            for (position, cell) in cells.iter().cycle().skip(cells.len() - 2).enumerate() {
                if position == cells.len() {
                    break;
                }
                group.cells[position][i] = u32::from(*cell);
            }
        }
        group
    }

    /// The index of look-up `i` of a board.
    #[inline(always)]
    fn index(&self, word: u64, i: usize) -> u32 {
        let mut index = 0;
        for (position, cells) in self.cells[..self.positions].iter().enumerate() {
            index |= DEALT[(word >> (4 * cells[i]) & 0xF) as usize] << position;
        }
        index &= self.mask[i];
        index = index & EVEN | (index & !EVEN) >> self.gap[i];
        index = index & LOW | (index & !LOW) >> (2 * self.gap[i]);
        (index ^ self.salt[i]).wrapping_add(self.tables[i])
    }
}

/// What is exclusive-ored into the indices of a table with tuples of `len` cells.
pub(crate) fn salt(table: u32, len: u32) -> u32 {
    // Odd in units of lines, so that tables differ in the first-level cache and in the second.
    let all = (1u64 << (4 * len)) - 1;
    ((u64::from(table) * 4112) & all) as u32
}

/// A look-up: where its table begins, which table it is, and its cells.
#[derive(Clone, Debug)]
pub(crate) struct Lookup {
    pub(crate) begin: u32,
    pub(crate) table: u32,
    pub(crate) cells: Vec<u8>,
}

/// The look-ups of a layout.
pub(crate) struct Shuffles {
    groups: Vec<Group>,
    level: Level,
}

impl Shuffles {
    /// The look-ups of a layout, in groups.
    pub(crate) fn new(lookups: &[Lookup]) -> Self {
        Shuffles { groups: lookups.chunks(GROUP).map(Group::new).collect(), level: Level::best() }
    }

    /// Writes the index of every look-up; `begin` is added to all.
    ///
    /// # Panics
    /// When there is no room for whole groups, or more than that: indices would stay as they were.
    #[inline(always)]
    pub(crate) fn indices(&self, word: u64, begin: u32, out: &mut [u32]) {
        assert_eq!(out.len(), self.groups.len() * GROUP, "an index for every look-up");
        self.indices_at(self.level, word, begin, out);
    }

    /// The same with what a level has.
    #[inline(always)]
    fn indices_at(&self, level: Level, word: u64, begin: u32, out: &mut [u32]) {
        match level.set() {
            InstructionSet::Portable => self.portable(word, begin, out),
            // SAFETY: only `available` makes other levels than the portable one, and it has
            // asked the processor.
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => unsafe { self.avx2(word, begin, out) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            InstructionSet::Avx512 => unsafe { self.avx512(word, begin, out) },
        }
    }

    fn portable(&self, word: u64, begin: u32, out: &mut [u32]) {
        for (group, out) in self.groups.iter().zip(out.as_chunks_mut::<GROUP>().0) {
            for (i, index) in out.iter_mut().enumerate() {
                *index = group.index(word, i).wrapping_add(begin);
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::{DEALT, EVEN, GROUP, LOW, Shuffles};

    /// The nibbles of a word as bytes.
    #[inline]
    #[target_feature(enable = "sse2")]
    fn bytes(word: u64) -> __m128i {
        let word = _mm_cvtsi64_si128(word as i64);
        let low = _mm_set1_epi8(0x0F);
        let even = _mm_and_si128(word, low);
        let odd = _mm_and_si128(_mm_srli_epi16::<4>(word), low);
        _mm_unpacklo_epi8(even, odd)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn load8(words: &[u32]) -> __m256i {
        // SAFETY: the slice has the 32 bytes that are read; no alignment is needed.
        unsafe { _mm256_loadu_si256(words[..8].as_ptr().cast()) }
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn load16(words: &[u32; GROUP]) -> __m512i {
        // SAFETY: the array has the 64 bytes that are read; no alignment is needed.
        unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
    }

    /// The dealt bits of eight numbers.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn deal8(numbers: __m128i) -> __m256i {
        // A number is in the lowest byte of its word; copies of it at the other bytes,
        // each shifted by one more, have the bits where they belong.
        let numbers = _mm256_cvtepu8_epi32(numbers);
        let copies = _mm256_mullo_epi32(numbers, _mm256_set1_epi32(0x0020_4081));
        _mm256_and_si256(copies, _mm256_set1_epi32(0x0101_0101))
    }

    impl Shuffles {
        #[target_feature(enable = "avx2")]
        pub(super) fn avx2(&self, word: u64, begin: u32, out: &mut [u32]) {
            let board = bytes(word);
            let (first, second) = (deal8(board), deal8(_mm_unpackhi_epi64(board, board)));
            let begin = _mm256_set1_epi32(begin as i32);
            let (even, low) = (_mm256_set1_epi32(EVEN as i32), _mm256_set1_epi32(LOW as i32));
            let out = out.as_chunks_mut::<GROUP>().0;
            for (group, out) in self.groups.iter().zip(out) {
                for half in [0, 8] {
                    let mut index = _mm256_setzero_si256();
                    // The last position first: each round moves all before it up.
                    for cells in group.cells[..group.positions].iter().rev() {
                        let cells = load8(&cells[half..]);
                        let upper = _mm256_castsi256_ps(_mm256_slli_epi32::<28>(cells));
                        let word = _mm256_blendv_ps(
                            _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(first, cells)),
                            _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(second, cells)),
                            upper,
                        );
                        index = _mm256_slli_epi32::<1>(index);
                        index = _mm256_or_si256(index, _mm256_castps_si256(word));
                    }
                    index = _mm256_and_si256(index, load8(&group.mask[half..]));
                    let gap = load8(&group.gap[half..]);
                    let odd = _mm256_srlv_epi32(_mm256_andnot_si256(even, index), gap);
                    index = _mm256_or_si256(_mm256_and_si256(even, index), odd);
                    let gap = _mm256_slli_epi32::<1>(gap);
                    let high = _mm256_srlv_epi32(_mm256_andnot_si256(low, index), gap);
                    index = _mm256_or_si256(_mm256_and_si256(low, index), high);
                    index = _mm256_xor_si256(index, load8(&group.salt[half..]));
                    let tables = _mm256_add_epi32(load8(&group.tables[half..]), begin);
                    let index = _mm256_add_epi32(index, tables);
                    let out = out[half..][..8].as_mut_ptr();
                    // SAFETY: the slice has the 32 bytes that are written; no alignment is needed.
                    unsafe { _mm256_storeu_si256(out.cast(), index) };
                }
            }
        }

        #[target_feature(enable = "avx512f")]
        pub(super) fn avx512(&self, word: u64, begin: u32, out: &mut [u32]) {
            let board = _mm512_cvtepu8_epi32(bytes(word));
            // The dealt bits where every position wants them, once for all groups.
            let mut dealt = [_mm512_permutexvar_epi32(board, load16(&DEALT)); 8];
            for position in 1..8 {
                dealt[position] = _mm512_slli_epi32::<1>(dealt[position - 1]);
            }
            let begin = _mm512_set1_epi32(begin as i32);
            let (even, low) = (_mm512_set1_epi32(EVEN as i32), _mm512_set1_epi32(LOW as i32));
            let out = out.as_chunks_mut::<GROUP>().0;
            for (group, out) in self.groups.iter().zip(out) {
                let mut index = match group.positions {
                    // What the named layouts have, unrolled.
                    6 => joined(&group.cells[..6], &dealt),
                    some => joined(&group.cells[..some], &dealt),
                };
                index = _mm512_and_si512(index, load16(&group.mask));
                let gap = load16(&group.gap);
                let odd = _mm512_srlv_epi32(_mm512_andnot_si512(even, index), gap);
                index = _mm512_or_si512(_mm512_and_si512(even, index), odd);
                let gap = _mm512_slli_epi32::<1>(gap);
                let high = _mm512_srlv_epi32(_mm512_andnot_si512(low, index), gap);
                index = _mm512_or_si512(_mm512_and_si512(low, index), high);
                index = _mm512_xor_si512(index, load16(&group.salt));
                let tables = _mm512_add_epi32(load16(&group.tables), begin);
                let index = _mm512_add_epi32(index, tables);
                // SAFETY: the array has the 64 bytes that are written; no alignment is needed.
                unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), index) };
            }
        }
    }

    /// The dealt bits of the cells at every position together.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn joined(positions: &[[u32; GROUP]], dealt: &[__m512i; 8]) -> __m512i {
        let mut index = _mm512_setzero_si512();
        for (cells, dealt) in positions.iter().zip(dealt) {
            index = _mm512_or_si512(index, _mm512_permutexvar_epi32(load16(cells), *dealt));
        }
        index
    }
}

#[cfg(test)]
mod tests {
    use ludens_core::Rng;

    use super::*;

    /// Places of one table of the first cells, as files have them since format 2: a
    /// change needs a new format.
    #[test]
    fn indices_are_what_files_rely_on() {
        let index = |word: u64, table: u32, cells: usize| {
            let cells = (0..cells as u8).collect();
            let shuffles = Shuffles::new(&[Lookup { begin: 1000, table, cells }]);
            let mut out = vec![0; GROUP];
            shuffles.indices(word, 0, &mut out);
            out[0] - 1000
        };
        // The lowest bits of cells 4, 5, 0, 1, 2, 3, then their second bits.
        for (cell, bit) in [(4, 0), (5, 1), (0, 2), (1, 3), (2, 4), (3, 5)] {
            assert_eq!(index(1 << (4 * cell), 0, 6), 1 << bit);
            assert_eq!(index(8 << (4 * cell), 0, 6), 1 << (18 + bit));
        }
        assert_eq!(index(0, 3, 6), 3 * 4112);
        assert_eq!(index(0x23, 0, 2), 0b1101);
        assert_eq!(index(0x23, 1, 2), 0b1101 ^ (4112 % 256));
    }

    #[test]
    fn indices_stay_apart_and_in_their_tables() {
        for cells in 2..=5usize {
            let size = 1 << (4 * cells);
            let mut seen = vec![false; size];
            let lookup = Lookup { begin: 7, table: 5, cells: (0..cells as u8).collect() };
            let group = Group::new(&[lookup]);
            for word in 0..size as u64 {
                let index = group.index(word, 0) as usize - 7;
                assert!(!std::mem::replace(&mut seen[index], true));
            }
        }
    }

    #[test]
    fn all_levels_agree() {
        let mut rng = Rng::new(3);
        let lookups: Vec<Lookup> = (0..37)
            .map(|table| {
                let mut cells: Vec<u8> = (0..16).collect();
                rng.shuffle(&mut cells);
                cells.truncate(2 + rng.below(7) as usize);
                Lookup { begin: rng.next_u32() >> 1, table, cells }
            })
            .collect();
        let shuffles = Shuffles::new(&lookups);
        assert_eq!(shuffles.groups.len(), 3);
        for _ in 0..200 {
            let (word, begin) = (rng.next_u64(), rng.next_u32() >> 1);
            let mut expected = vec![0; 48];
            shuffles.indices_at(Level::PORTABLE, word, begin, &mut expected);
            for level in Level::available() {
                let mut found = vec![0; 48];
                shuffles.indices_at(level, word, begin, &mut found);
                // Places of look-ups that are none are never used.
                assert_eq!(found[..37], expected[..37], "{level:?}");
            }
        }
    }
}
