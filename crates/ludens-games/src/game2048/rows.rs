//! The slide of every row, looked up.

/// The entry of a row that merges two tiles 32768: the result is no nibble.
const OVERFLOW: u32 = 1 << 31;

/// For every row of four nibbles its slide to the left: the row in the lower
/// half, a quarter of the reward in the upper one.
static ROWS: [u32; 1 << 16] = {
    let mut rows = [0; 1 << 16];
    let mut row = 1;
    while row < rows.len() {
        rows[row] = entry(row, &rows);
        row += 1;
    }
    rows
};

/// The entry of a row, given those of all smaller ones.
const fn entry(row: usize, smaller: &[u32; 1 << 16]) -> u32 {
    let (first, second) = (row & 0xF, row >> 4 & 0xF);
    if first == 0 {
        return smaller[row >> 4];
    }
    if second == 0 && row > 0xF {
        return smaller[row >> 8 << 4 | first];
    }
    // The first tile stays or merges; the rest slides up to it as a row of its own.
    let merges = first == second;
    let rest = if merges { smaller[row >> 8] } else { smaller[row >> 4] };
    if rest == OVERFLOW || (merges && first == 0xF) {
        return OVERFLOW;
    }
    let first = first as u32 + merges as u32;
    let quarter = if merges { 1 << first >> 2 } else { 0 };
    first | (rest & 0xFFF) << 4 | (quarter + (rest >> 16)) << 16
}

/// All four rows of a board of nibbles slid to the left, and the reward; `None`
/// when two tiles 32768 merge.
#[inline(always)]
pub(super) fn slide_left(board: u64) -> Option<(u64, u32)> {
    let look = |row: u32| ROWS[usize::from((board >> (16 * row)) as u16)];
    let rows = [look(0), look(1), look(2), look(3)];
    if (rows[0] | rows[1] | rows[2] | rows[3]) & OVERFLOW != 0 {
        return None;
    }
    let slid = |row: usize| u64::from(rows[row] & 0xFFFF) << (16 * row);
    let quarters: u32 = rows.iter().map(|entry| entry >> 16).sum();
    Some((slid(0) | slid(1) | slid(2) | slid(3), 4 * quarters))
}
