//! What sowing adds to every pit, for each pit and number of balls.

use super::{BALLS, NINE, PITS};

/// The effect of sowing the balls of one pit of the player to move, as
/// differences to add to the words of [`super::Togyzkumalak`]. The balls taken
/// out are in it too: the difference of that byte is negative, but the sums
/// are right because no byte of the result leaves its range.
#[derive(Clone, Copy)]
pub(super) struct Sowing {
    pub(super) own: u64,
    pub(super) opp: u64,
    pub(super) nines: u32,
    pub(super) last: Last,
}

/// Where the last ball falls.
#[derive(Clone, Copy)]
pub(super) struct Last {
    /// Bits below that pit in the opponent's word; 0 where it is not there.
    pub(super) shift: u8,
    /// All ones if it is a pit of the player who sows: no count that matters there.
    pub(super) own: u8,
    /// Whether it is the opponent's pit 9.
    pub(super) nine: bool,
}

/// By pit and number of balls.
pub(super) static SOWINGS: [[Sowing; BALLS as usize + 1]; PITS] = {
    let nothing =
        Sowing { own: 0, opp: 0, nines: 0, last: Last { shift: 0, own: u8::MAX, nine: false } };
    let mut table = [[nothing; BALLS as usize + 1]; PITS];
    let mut pit = 0;
    while pit < PITS {
        let mut balls = 1;
        while balls <= BALLS as usize {
            table[pit][balls] = sow(pit, balls);
            balls += 1;
        }
        pit += 1;
    }
    table
};

const fn sow(pit: usize, balls: usize) -> Sowing {
    let (mut own, mut opp, mut nines) = (0u64, 0u64, 0u32);
    if pit == NINE {
        nines = nines.wrapping_sub(balls as u32);
    } else {
        own = own.wrapping_sub((balls as u64) << (8 * pit));
    }
    // A single ball leaves its pit; of more the first stays there.
    let first = if balls == 1 { pit + 1 } else { pit };
    let mut last = 0;
    let mut ball = 0;
    while ball < balls {
        last = (first + ball) % (2 * PITS);
        let (side, pit) = (last / PITS, last % PITS);
        if pit == NINE {
            nines = nines.wrapping_add(1 << (8 * side));
        } else if side == 0 {
            own = own.wrapping_add(1 << (8 * pit));
        } else {
            opp = opp.wrapping_add(1 << (8 * pit));
        }
        ball += 1;
    }
    let (side, pit) = (last / PITS, last % PITS);
    let ordinary = side == 1 && pit != NINE;
    Sowing {
        own,
        opp,
        nines,
        last: Last {
            shift: if ordinary { 8 * pit as u8 } else { 0 },
            own: if side == 0 { u8::MAX } else { 0 },
            nine: side == 1 && pit == NINE,
        },
    }
}
