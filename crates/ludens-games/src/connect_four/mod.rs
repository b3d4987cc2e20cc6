//! Connect Four on seven columns of six.
//!
//! One bit per cell in columns of seven bits, lowest cell first; the seventh
//! bit of a column stays empty so that lines do not run over its top:
//!
//! ```text
//!  5 12 19 26 33 40 47
//!  4 11 18 25 32 39 46
//!  3 10 17 24 31 38 45
//!  2  9 16 23 30 37 44
//!  1  8 15 22 29 36 43
//!  0  7 14 21 28 35 42
//! ```

pub mod book;
mod cells;
mod notation;
pub mod solver;
mod static_eval;
#[cfg(test)]
mod tests;
mod threats;

use crate::action_list::action_list;
use ludens_core::bits::{mix_all, nth_bit, pext};
use ludens_core::{
    Deterministic, Duel, FixedActions, Game, GameResult, NoVariant, Player, Playout, Position,
    Reward, Rng, Starts, Sym, Symmetric, ZeroSum, deterministic,
};

const COLUMNS: u32 = 7;
const ROWS: u32 = 6;
/// Bits from one column to the next.
const STRIDE: u32 = ROWS + 1;
/// The lowest cell of every column.
const BOTTOM: u64 = 0x0408_1020_4081;
/// The highest cell of every column.
const TOP: u64 = BOTTOM << (ROWS - 1);
/// All cells.
const BOARD: u64 = BOTTOM * ((1 << ROWS) - 1);

/// A Connect Four position. Player one has moved when the number of stones is odd.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct ConnectFour {
    /// The stones of the player to move.
    own: u64,
    /// The stones of both.
    all: u64,
}

/// A column to drop a stone into, from 0 at the left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Column(pub u8);

/// The open columns, left to right.
#[derive(Clone, Copy, Debug)]
pub struct Columns(u8);

action_list!(
    Columns,
    Column,
    next: |list| {
        if list.0 == 0 {
            return None;
        }
        let column = list.0.trailing_zeros() as u8;
        list.0 &= list.0 - 1;
        Some(Column(column))
    },
    left: |list| list.0.count_ones()
);

/// Whether a set of stones holds four in a line.
#[inline]
fn has_four(stones: u64) -> bool {
    let line = |shift: u32| {
        let pairs = stones & (stones >> shift);
        pairs & (pairs >> (2 * shift))
    };
    line(1) | line(STRIDE) | line(STRIDE - 1) | line(STRIDE + 1) != 0
}

/// The stones that are part of four in a line.
fn fours(stones: u64) -> u64 {
    let line = |shift: u32| {
        let pairs = stones & (stones >> shift);
        let first = pairs & (pairs >> (2 * shift));
        first | first << shift | first << (2 * shift) | first << (3 * shift)
    };
    line(1) | line(STRIDE) | line(STRIDE - 1) | line(STRIDE + 1)
}

impl ConnectFour {
    /// The stones of the player who moved last.
    #[inline]
    fn other(&self) -> u64 {
        self.own ^ self.all
    }

    /// The lowest free cell of every open column.
    #[inline]
    fn open_cells(all: u64) -> u64 {
        (all + BOTTOM) & BOARD
    }

    /// Drops a stone onto a free cell.
    #[inline]
    fn drop_on(&self, cell: u64) -> (Self, Reward) {
        let next = ConnectFour { own: self.other(), all: self.all | cell };
        let reward = if has_four(self.own | cell) { self.to_move().sign() } else { 0 };
        (next, reward)
    }

    /// The stones of the player to move and those of the opponent: bit `7 * column + row`,
    /// rows from the bottom.
    ///
    /// ```
    /// use ludens_core::{NoVariant, Notation};
    /// use ludens_games::ConnectFour;
    /// assert_eq!(ConnectFour::parse(&NoVariant, "22")?.sides(), [1 << 7, 1 << 8]);
    /// # Ok::<(), ludens_core::ParseError>(())
    /// ```
    #[inline]
    pub fn sides(&self) -> [u64; 2] {
        [self.own, self.other()]
    }

    /// How many stones lie on the board.
    ///
    /// ```
    /// use ludens_games::ConnectFour;
    /// assert_eq!(ConnectFour::default().stone_count(), 0);
    /// ```
    #[inline]
    pub fn stone_count(&self) -> i32 {
        self.all.count_ones() as i32
    }

    /// The stones of each player.
    fn stones(&self) -> [u64; 2] {
        self.to_move().by_player([self.own, self.other()])
    }
}

impl Position for ConnectFour {
    #[inline]
    fn key(&self) -> u64 {
        mix_all(&[self.own, self.all])
    }
}

impl Game for ConnectFour {
    deterministic!(players: 2, variant: NoVariant, action: Column, actions: Columns);

    fn variant(&self) -> NoVariant {
        NoVariant
    }

    fn start(_: &NoVariant, _: &mut Rng) -> Self {
        ConnectFour::default()
    }

    #[inline]
    fn to_move(&self) -> Player {
        if self.all.count_ones().is_multiple_of(2) { Player::One } else { Player::Two }
    }

    #[inline]
    fn actions(&self) -> Columns {
        if has_four(self.other()) { Columns(0) } else { Columns(pext(!self.all, TOP) as u8) }
    }

    #[inline]
    fn is_legal(&self, action: Column) -> bool {
        u32::from(action.0) < COLUMNS
            && self.all >> (u32::from(action.0) * STRIDE + ROWS - 1) & 1 == 0
            && !has_four(self.other())
    }

    #[inline]
    fn apply(&self, action: Column) -> (Self, Reward) {
        debug_assert!(self.is_legal(action), "{action:?} in {self:?}");
        let column = ((1 << ROWS) - 1) << (u32::from(action.0) * STRIDE);
        self.drop_on(Self::open_cells(self.all) & column)
    }

    #[inline]
    fn step(&self, rng: &mut Rng) -> Option<(Column, Self, Reward)> {
        let open = Self::open_cells(self.all);
        if open == 0 || has_four(self.other()) {
            return None;
        }
        let cell = nth_bit(open, rng.below(open.count_ones()));
        let (next, reward) = self.drop_on(cell);
        Some((Column((cell.trailing_zeros() / STRIDE) as u8), next, reward))
    }

    /// One loop without the look-back at the last move that `step` needs.
    fn playout(&self, rng: &mut Rng) -> Playout<Self> {
        let mut playout = Playout { end: *self, moves: 0, total: 0 };
        if has_four(self.other()) {
            return playout;
        }
        let ConnectFour { mut own, mut all } = *self;
        loop {
            let open = Self::open_cells(all);
            if open == 0 {
                break;
            }
            let cell = nth_bit(open, rng.below(open.count_ones()));
            own |= cell;
            all |= cell;
            playout.moves += 1;
            let won = has_four(own);
            own ^= all;
            if won {
                // The winner is who has just moved: the other one is to move.
                playout.total = -i64::from(ConnectFour { own, all }.to_move().sign());
                break;
            }
        }
        playout.end = ConnectFour { own, all };
        playout
    }

    fn score(&self) -> Option<i64> {
        Some(self.outcome().map_or(0, |outcome| i64::from(outcome.value())))
    }
}

impl Deterministic for ConnectFour {}
impl ZeroSum for ConnectFour {}

impl Duel for ConnectFour {
    fn outcome(&self) -> Option<GameResult> {
        if has_four(self.other()) {
            Some(GameResult::Win(self.to_move().opponent()))
        } else if self.all == BOARD {
            Some(GameResult::Draw)
        } else {
            None
        }
    }
}

impl Starts for ConnectFour {
    fn starts(_: &NoVariant, mut f: impl FnMut(Self, f64)) {
        f(ConnectFour::default(), 1.0);
    }
}

impl FixedActions for ConnectFour {
    fn action_space(_: &NoVariant) -> usize {
        COLUMNS as usize
    }

    fn action_index(&self, action: Column) -> usize {
        usize::from(action.0)
    }

    fn action_of_index(&self, index: usize) -> Option<Column> {
        (index < COLUMNS as usize).then_some(Column(index as u8))
    }
}

/// Left and right exchanged.
fn mirror(stones: u64) -> u64 {
    (0..COLUMNS)
        .map(|c| (stones >> (c * STRIDE) & ((1 << STRIDE) - 1)) << ((COLUMNS - 1 - c) * STRIDE))
        .fold(0, |all, column| all | column)
}

impl Symmetric for ConnectFour {
    fn symmetries(_: &NoVariant) -> u32 {
        2
    }

    fn map(&self, sym: Sym) -> Self {
        match sym {
            Sym::IDENTITY => *self,
            _ => ConnectFour { own: mirror(self.own), all: mirror(self.all) },
        }
    }

    fn map_action(&self, action: Column, sym: Sym) -> Column {
        match sym {
            Sym::IDENTITY => action,
            _ => Column(COLUMNS as u8 - 1 - action.0),
        }
    }

    fn map_after(after: &Self, sym: Sym) -> Self {
        after.map(sym)
    }

    fn map_chance(_: &Self, (): (), _: Sym) {}
}
