//! Togyzkumalak: two rows of nine pits with nine balls each.
//!
//! Everything is seen by the player to move and packed into bytes, so that
//! sowing is three additions: a word for pits 1 to 8 of each player, and a
//! third with both pits 9 and both stores. Pits 9 can lie apart because a
//! tuzdyk is never one of them.

mod motion;
mod notation;
mod sowing;
mod static_eval;
#[cfg(test)]
mod tests;

use crate::action_list::action_list;
use ludens_core::bits::{mix_all, nth_bit};
use ludens_core::{
    Deterministic, Duel, FixedActions, Game, GameResult, NoVariant, Player, Playout, Position,
    Reward, Rng, Starts, Sym, Symmetric, ZeroSum, deterministic,
};

use sowing::SOWINGS;

/// Pits of a player.
const PITS: usize = 9;
/// The index of pit 9.
const NINE: usize = 8;
/// Balls in the game.
const BALLS: u32 = 162;
/// The balls that win at once.
const ENOUGH: u32 = BALLS / 2 + 1;
/// The lowest bit of every byte.
const ONES: u64 = 0x0101_0101_0101_0101;

/// The lowest bits of the bytes of [`Togyzkumalak::rest`].
const OWN_NINE: u32 = 0;
const OPP_NINE: u32 = 8;
const OWN_STORE: u32 = 16;
const OPP_STORE: u32 = 24;

/// A Togyzkumalak position.
///
/// ```
/// use ludens_core::{Game, Notation};
/// use ludens_games::Togyzkumalak;
/// let start = Togyzkumalak::default();
/// let (next, _) = start.apply(start.parse_action("9")?);
/// assert_eq!(next.text(), "9,9,9,9,9,9,9,9,1/10,10,10,10,10,10,10,0,9/10,0/-,-/2");
/// # Ok::<(), ludens_core::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Togyzkumalak {
    /// Pits 1 to 8 of the player to move, a byte each, pit 1 lowest.
    own: u64,
    /// Pits 1 to 8 of the opponent.
    opp: u64,
    /// A byte each from the lowest: pit 9 of the player to move and of the
    /// opponent, the store of the player to move and of the opponent.
    rest: u32,
    /// The number (1 to 8) of the opponent's pit that is the tuzdyk of the
    /// player to move, then the other way round; 0 for none.
    tuzdyks: [u8; 2],
    /// The player to move.
    side: Player,
}

impl Default for Togyzkumalak {
    /// The start position: nine balls in every pit.
    fn default() -> Self {
        Togyzkumalak {
            own: 9 * ONES,
            opp: 9 * ONES,
            rest: 9 << OWN_NINE | 9 << OPP_NINE,
            tuzdyks: [0; 2],
            side: Player::One,
        }
    }
}

/// A pit of the player to move, from 0 for pit 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pit(pub u8);

impl Pit {
    /// The pit of a bit of [`Pits`].
    #[inline]
    fn of_bit(bit: u64) -> Pit {
        Pit((bit.trailing_zeros() as u8).div_ceil(8))
    }
}

/// The pits that hold balls, pit 1 first: bit 8k for pit k + 1, but bit 57 for
/// pit 9.
#[derive(Clone, Copy, Debug)]
pub struct Pits(u64);

action_list!(
    Pits,
    Pit,
    next: |list| {
        if list.0 == 0 {
            return None;
        }
        let bit = list.0 & list.0.wrapping_neg();
        list.0 ^= bit;
        Some(Pit::of_bit(bit))
    },
    left: |list| list.0.count_ones()
);

/// The byte of a tuzdyk in its row of pits; 0 for none.
#[inline]
fn tuzdyk_mask(number: u8) -> u64 {
    if number == 0 { 0 } else { 0xFF << (8 * (u32::from(number) - 1)) }
}

/// The sum of the bytes, which is below 256.
#[inline]
fn sum(bytes: u64) -> u32 {
    (bytes.wrapping_mul(ONES) >> 56) as u32
}

/// One of the bytes of [`Togyzkumalak::rest`].
#[inline]
fn byte(rest: u32, at: u32) -> u32 {
    rest >> at & 0xFF
}

impl Togyzkumalak {
    /// The balls in pit `index` (from 0) of the player to move.
    #[inline]
    fn own_balls(&self, index: usize) -> u32 {
        // Both are read so that the choice costs no branch; pit 9 is not in the word.
        let low = self.own >> ((8 * index) & 63) & 0xFF;
        if index == NINE { byte(self.rest, OWN_NINE) } else { low as u32 }
    }

    /// The balls in each pit of the player to move and of the opponent, pit 1 first.
    ///
    /// ```
    /// use ludens_games::Togyzkumalak;
    /// assert_eq!(Togyzkumalak::default().pits(), [[9; 9]; 2]);
    /// ```
    pub fn pits(&self) -> [[u8; PITS]; 2] {
        let row = |word: u64, nine: u32| {
            let mut pits = [nine as u8; PITS];
            pits[..NINE].copy_from_slice(&word.to_le_bytes());
            pits
        };
        [row(self.own, byte(self.rest, OWN_NINE)), row(self.opp, byte(self.rest, OPP_NINE))]
    }

    /// The balls that the player to move and the opponent have in store.
    pub fn collected_balls(&self) -> [u32; 2] {
        [byte(self.rest, OWN_STORE), byte(self.rest, OPP_STORE)]
    }

    /// The index in the opponent's row of the pit that is the tuzdyk of the player to move, then the
    /// other way round.
    pub fn tuzdyk_pits(&self) -> [Option<usize>; 2] {
        self.tuzdyks.map(|number| usize::from(number).checked_sub(1))
    }

    /// The pits of the player to move that hold balls.
    #[inline]
    fn filled(&self) -> u64 {
        let low_bits = 0x7F * ONES;
        let low = (((self.own & low_bits) + low_bits) | self.own) >> 7 & ONES;
        low | u64::from(byte(self.rest, OWN_NINE) != 0) << 57
    }

    /// Whether a player has enough balls to win.
    #[inline]
    fn is_won(&self) -> bool {
        // Lifts the sign bit of a store's byte exactly when it holds enough.
        let lift = (0x80 - ENOUGH) << OWN_STORE | (0x80 - ENOUGH) << OPP_STORE;
        (self.rest + lift) & (0x80 << OWN_STORE | 0x80 << OPP_STORE) != 0
    }

    /// Plays a pit that holds balls, and says whether that ends the game.
    #[inline(always)]
    fn play(&self, Pit(pit): Pit) -> (Self, bool) {
        // 1. Sow.
        let sowing = &SOWINGS[usize::from(pit)][self.own_balls(usize::from(pit)) as usize];
        let mut own = self.own.wrapping_add(sowing.own);
        let mut opp = self.opp.wrapping_add(sowing.opp);
        let mut rest = self.rest.wrapping_add(sowing.nines);
        let mut tuzdyks = self.tuzdyks;

        // 2. Balls in a tuzdyk go to its owner.
        let mine = opp & tuzdyk_mask(tuzdyks[0]);
        let theirs = own & tuzdyk_mask(tuzdyks[1]);
        opp ^= mine;
        own ^= theirs;
        rest += sum(mine) << OWN_STORE | sum(theirs) << OPP_STORE;

        // 3. The pit of the last ball. A tuzdyk is empty again, and an even 0 is
        //    captured in vain.
        let last = sowing.last;
        let pits = if last.nine { u64::from(rest >> OPP_NINE) } else { opp >> last.shift };
        let balls = u32::from(pits as u8 | last.own);
        let number = last.shift / 8 + 1;
        let becomes_tuzdyk = balls == 3 && tuzdyks[0] == 0 && !last.nine && tuzdyks[1] != number;
        if becomes_tuzdyk {
            tuzdyks[0] = number;
        }
        let captured = if balls % 2 == 0 || becomes_tuzdyk { balls } else { 0 };
        rest += captured << OWN_STORE;
        if last.nine {
            rest -= captured << OPP_NINE;
        } else {
            opp -= u64::from(captured) << last.shift;
        }

        // 4. The opponent is to move.
        let next = Togyzkumalak {
            own: opp,
            opp: own,
            rest: (rest & 0x00FF_00FF) << 8 | rest >> 8 & 0x00FF_00FF,
            tuzdyks: [tuzdyks[1], tuzdyks[0]],
            side: self.side.opponent(),
        };
        let won = next.is_won();
        if next.filled() == 0 && !won {
            return (next.collected(), true);
        }
        (next, won)
    }

    /// The balls of the opponent's pits put into the opponent's store.
    #[cold]
    fn collected(&self) -> Self {
        let balls = sum(self.opp) + byte(self.rest, OPP_NINE);
        let rest = (self.rest & !(0xFF << OPP_NINE)) + (balls << OPP_STORE);
        Togyzkumalak { opp: 0, rest, ..*self }
    }

    /// The stores of player one and of player two.
    fn stores(&self) -> [u32; 2] {
        self.side.by_player([byte(self.rest, OWN_STORE), byte(self.rest, OPP_STORE)])
    }

    /// Who has more balls in store.
    fn leader(&self) -> GameResult {
        GameResult::of_counts(self.stores())
    }
}

impl Position for Togyzkumalak {
    #[inline]
    fn key(&self) -> u64 {
        let [mine, theirs] = self.tuzdyks.map(u64::from);
        let last = u64::from(self.rest) | mine << 32 | theirs << 40 | (self.side as u64) << 48;
        mix_all(&[self.own, self.opp, last])
    }
}

impl Game for Togyzkumalak {
    deterministic!(players: 2, variant: NoVariant, action: Pit, actions: Pits);

    fn variant(&self) -> NoVariant {
        NoVariant
    }

    fn start(_: &NoVariant, _: &mut Rng) -> Self {
        Togyzkumalak::default()
    }

    #[inline]
    fn to_move(&self) -> Player {
        self.side
    }

    #[inline]
    fn actions(&self) -> Pits {
        Pits(if self.is_won() { 0 } else { self.filled() })
    }

    #[inline]
    fn is_legal(&self, Pit(pit): Pit) -> bool {
        let pit = usize::from(pit);
        pit < PITS && self.own_balls(pit) != 0 && !self.is_won()
    }

    #[inline]
    fn apply(&self, action: Pit) -> (Self, Reward) {
        debug_assert!(self.is_legal(action), "{action:?} in {self:?}");
        let (next, over) = self.play(action);
        (next, if over { next.leader().value() } else { 0 })
    }

    #[inline]
    fn step(&self, rng: &mut Rng) -> Option<(Pit, Self, Reward)> {
        let Pits(filled) = self.actions();
        if filled == 0 {
            return None;
        }
        let pit = Pit::of_bit(nth_bit(filled, rng.below(filled.count_ones())));
        let (next, reward) = self.apply(pit);
        Some((pit, next, reward))
    }

    fn playout(&self, rng: &mut Rng) -> Playout<Self> {
        let mut playout = Playout { end: *self, moves: 0, total: 0 };
        if self.is_over() {
            return playout;
        }
        loop {
            let filled = playout.end.filled();
            let pit = Pit::of_bit(nth_bit(filled, rng.below(filled.count_ones())));
            let (next, over) = playout.end.play(pit);
            playout.end = next;
            playout.moves += 1;
            if over {
                break;
            }
        }
        playout.total = i64::from(playout.end.leader().value());
        playout
    }

    fn score(&self) -> Option<i64> {
        Some(self.outcome().map_or(0, |outcome| i64::from(outcome.value())))
    }
}

impl Deterministic for Togyzkumalak {}
impl ZeroSum for Togyzkumalak {}

impl Duel for Togyzkumalak {
    fn outcome(&self) -> Option<GameResult> {
        self.is_over().then(|| self.leader())
    }
}

impl Starts for Togyzkumalak {
    fn starts(_: &NoVariant, mut f: impl FnMut(Self, f64)) {
        f(Togyzkumalak::default(), 1.0);
    }
}

impl FixedActions for Togyzkumalak {
    fn action_space(_: &NoVariant) -> usize {
        PITS
    }

    fn action_index(&self, action: Pit) -> usize {
        usize::from(action.0)
    }

    fn action_of_index(&self, index: usize) -> Option<Pit> {
        (index < PITS).then_some(Pit(index as u8))
    }
}

impl Symmetric for Togyzkumalak {
    fn symmetries(_: &NoVariant) -> u32 {
        1
    }

    fn map(&self, _: Sym) -> Self {
        *self
    }

    fn map_action(&self, action: Pit, _: Sym) -> Pit {
        action
    }

    fn map_after(after: &Self, _: Sym) -> Self {
        *after
    }

    fn map_chance(_: &Self, (): (), _: Sym) {}
}
