//! Where a player may place a disc, and what it turns over.
//!
//! The eight directions are four axes, each walked up (towards higher bits)
//! and down. All four are worked out side by side in arrays of four words, so
//! that the compiler uses one 256-bit register for them where it is allowed
//! AVX2, and plain 64-bit ones elsewhere: one source for both.

/// One word per axis.
type Axes = [u64; 4];

/// Bits from one cell to the next along each axis.
const STEP: [u32; 4] = [1, 7, 8, 9];

/// Cells that can lie between two others on each axis, as far as the left and
/// right edges go: a line that runs over an edge meets one of the others.
const INNER: Axes = {
    let columns_b_to_g = 0x7E7E_7E7E_7E7E_7E7E;
    [columns_b_to_g, columns_b_to_g, !0, columns_b_to_g]
};

#[inline(always)]
fn union(f: impl Fn(usize) -> u64) -> u64 {
    let axes: Axes = [f(0), f(1), f(2), f(3)];
    axes[0] | axes[1] | axes[2] | axes[3]
}

/// The unbroken runs of `opp` that begin next to a cell of `from` on one axis,
/// upwards and downwards.
#[inline(always)]
fn runs(from: u64, opp: u64, axis: usize) -> (u64, u64) {
    let step = STEP[axis];
    let opp = opp & INNER[axis];
    // A run has at most six discs: two by single steps, four by double ones.
    let (mut up, mut down) = (opp & (from << step), opp & (from >> step));
    up |= opp & (up << step);
    down |= opp & (down >> step);
    let (pairs_up, pairs_down) = (opp & (opp << step), opp & (opp >> step));
    up |= pairs_up & (up << (2 * step));
    down |= pairs_down & (down >> (2 * step));
    up |= pairs_up & (up << (2 * step));
    down |= pairs_down & (down >> (2 * step));
    (up, down)
}

/// The cells where the owner of `own` may place a disc.
#[inline(always)]
pub(super) fn mobility(own: u64, opp: u64) -> u64 {
    let beyond = union(|axis| {
        let (up, down) = runs(own, opp, axis);
        up << STEP[axis] | down >> STEP[axis]
    });
    beyond & !(own | opp)
}

/// The discs of `opp` that a disc of `own` placed on an empty `cell` turns over.
#[inline(always)]
pub(super) fn flips(own: u64, opp: u64, cell: u64) -> u64 {
    union(|axis| {
        let (up, down) = runs(cell, opp, axis);
        let closed_up = own & (up << STEP[axis]) != 0;
        let closed_down = own & (down >> STEP[axis]) != 0;
        (if closed_up { up } else { 0 }) | (if closed_down { down } else { 0 })
    })
}
