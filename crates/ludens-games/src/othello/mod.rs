//! Othello on eight by eight.
//!
//! One bit per cell, row by row from the top left corner: a1 is bit 0, h1 bit
//! 7, a2 bit 8, h8 bit 63. Rows count from the top, as on printed boards.

mod cells;
pub mod endgame;
mod lines;
mod notation;
mod static_eval;
#[cfg(test)]
mod tests;

use crate::action_list::action_list;
use ludens_core::bits::{mix_all, nth_bit};
use ludens_core::{
    Deterministic, Duel, FixedActions, Game, GameResult, NoVariant, Player, Playout, Position,
    Reward, Rng, Starts, Sym, Symmetric, ZeroSum, deterministic,
};

use lines::{flips, mobility};

const CELLS: u32 = 64;

/// An Othello position. Player one is black (X), player two white (O).
///
/// ```
/// use ludens_core::{Game, NoVariant, Notation};
/// use ludens_games::Othello;
/// let position = Othello::parse(&NoVariant, "f5d6c3")?;
/// let moves: Vec<String> = position.actions().map(|a| position.action_text(a)).collect();
/// assert_eq!(moves, ["d3", "f3", "f4", "g5"]);
/// # Ok::<(), ludens_core::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Othello {
    /// The discs of the player to move.
    own: u64,
    /// The discs of the opponent.
    opp: u64,
    /// The player to move.
    side: Player,
}

impl Default for Othello {
    /// The start position: white on d4 and e5, black on e4 and d5, black to move.
    fn default() -> Self {
        let white = 1 << 27 | 1 << 36;
        let black = 1 << 28 | 1 << 35;
        Othello { own: black, opp: white, side: Player::One }
    }
}

/// A cell to place a disc on, row by row from a1 = 0 to h8 = 63, or the pass.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(pub u8);

impl Square {
    /// No disc: the only move of a player who can turn nothing over while the
    /// opponent can.
    pub const PASS: Square = Square(CELLS as u8);
}

/// The legal moves: cells from a1 on, or the pass alone.
#[derive(Clone, Copy, Debug)]
pub struct Squares {
    cells: u64,
    pass: bool,
}

action_list!(
    Squares,
    Square,
    next: |list| {
        if list.cells == 0 {
            return std::mem::take(&mut list.pass).then_some(Square::PASS);
        }
        let cell = list.cells.trailing_zeros() as u8;
        list.cells &= list.cells - 1;
        Some(Square(cell))
    },
    left: |list| list.cells.count_ones() + u32::from(list.pass)
);

impl Othello {
    /// The discs of player one and of player two.
    fn discs(&self) -> [u64; 2] {
        self.side.by_player([self.own, self.opp])
    }

    /// The discs of the player to move and those of the opponent: bit `8 * row + column`,
    /// rows from the top.
    #[inline]
    pub fn sides(&self) -> [u64; 2] {
        [self.own, self.opp]
    }

    /// The cells that the player to move, and the opponent if it were to move, could place
    /// a disc on.
    ///
    /// ```
    /// use ludens_games::Othello;
    /// let [own, opponent] = Othello::default().openings();
    /// assert_eq!((own.count_ones(), opponent.count_ones(), own & opponent), (4, 4, 0));
    /// ```
    #[inline]
    pub fn openings(&self) -> [u64; 2] {
        [self.open_cells(), self.passed().open_cells()]
    }

    /// The cells the player to move may place a disc on.
    #[inline]
    fn open_cells(&self) -> u64 {
        mobility(self.own, self.opp)
    }

    /// The same discs with the other player to move.
    #[inline]
    fn passed(&self) -> Self {
        Othello { own: self.opp, opp: self.own, side: self.side.opponent() }
    }

    /// Places a disc on a cell that turns something over.
    #[inline]
    fn place(&self, cell: u64) -> (Self, Reward) {
        let turned = flips(self.own, self.opp, cell);
        let next = Othello {
            own: self.opp ^ turned,
            opp: self.own | turned | cell,
            side: self.side.opponent(),
        };
        (next, next.outcome().map_or(0, GameResult::value))
    }

    /// Who has more discs.
    fn leader(&self) -> GameResult {
        GameResult::of_counts(self.discs().map(u64::count_ones))
    }

    /// Plays at random to the end; the mobility of a position is found once.
    #[inline(always)]
    fn random_game(&self, rng: &mut Rng) -> Playout<Self> {
        let Othello { mut own, mut opp, side } = *self;
        let mut moves = 0;
        let mut open = mobility(own, opp);
        loop {
            if open == 0 {
                open = mobility(opp, own);
                if open == 0 {
                    break;
                }
                (own, opp) = (opp, own);
                moves += 1;
            }
            let cell = nth_bit(open, rng.below(open.count_ones()));
            let turned = flips(own, opp, cell);
            (own, opp) = (opp ^ turned, own | turned | cell);
            moves += 1;
            open = mobility(own, opp);
        }
        // Passes are moves, so the players alternate strictly.
        let side = if moves % 2 == 0 { side } else { side.opponent() };
        let end = Othello { own, opp, side };
        let total = if moves == 0 { 0 } else { i64::from(end.leader().value()) };
        Playout { end, moves, total }
    }

    /// [`random_game`](Othello::random_game) compiled for newer processors.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn random_game_avx2(&self, rng: &mut Rng) -> Playout<Self> {
        self.random_game(rng)
    }
}

impl Position for Othello {
    #[inline]
    fn key(&self) -> u64 {
        mix_all(&[self.own, self.opp, self.side as u64])
    }
}

impl Game for Othello {
    deterministic!(players: 2, variant: NoVariant, action: Square, actions: Squares);

    fn variant(&self) -> NoVariant {
        NoVariant
    }

    fn start(_: &NoVariant, _: &mut Rng) -> Self {
        Othello::default()
    }

    #[inline]
    fn to_move(&self) -> Player {
        self.side
    }

    #[inline]
    fn actions(&self) -> Squares {
        let cells = self.open_cells();
        Squares { cells, pass: cells == 0 && self.passed().open_cells() != 0 }
    }

    fn is_legal(&self, action: Square) -> bool {
        match action {
            Square::PASS => self.open_cells() == 0 && self.passed().open_cells() != 0,
            Square(cell) if u32::from(cell) < CELLS => {
                let cell = 1 << cell;
                (self.own | self.opp) & cell == 0 && flips(self.own, self.opp, cell) != 0
            }
            _ => false,
        }
    }

    #[inline]
    fn apply(&self, action: Square) -> (Self, Reward) {
        debug_assert!(self.is_legal(action), "{action:?} in {self:?}");
        if action == Square::PASS { (self.passed(), 0) } else { self.place(1 << action.0) }
    }

    #[inline]
    fn step(&self, rng: &mut Rng) -> Option<(Square, Self, Reward)> {
        let open = self.open_cells();
        if open == 0 {
            let passed = self.passed();
            return (passed.open_cells() != 0).then_some((Square::PASS, passed, 0));
        }
        let cell = nth_bit(open, rng.below(open.count_ones()));
        let (next, reward) = self.place(cell);
        Some((Square(cell.trailing_zeros() as u8), next, reward))
    }

    fn playout(&self, rng: &mut Rng) -> Playout<Self> {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
        {
            #[expect(unsafe_code, reason = "four axes in one register save half the work")]
            // SAFETY: the processor has all features the function is compiled for.
            return unsafe { self.random_game_avx2(rng) };
        }
        self.random_game(rng)
    }

    fn score(&self) -> Option<i64> {
        Some(self.outcome().map_or(0, |outcome| i64::from(outcome.value())))
    }
}

impl Deterministic for Othello {}
impl ZeroSum for Othello {}

impl Duel for Othello {
    #[inline]
    fn outcome(&self) -> Option<GameResult> {
        (self.open_cells() == 0 && self.passed().open_cells() == 0).then(|| self.leader())
    }
}

impl Starts for Othello {
    fn starts(_: &NoVariant, mut f: impl FnMut(Self, f64)) {
        f(Othello::default(), 1.0);
    }
}

impl FixedActions for Othello {
    fn action_space(_: &NoVariant) -> usize {
        CELLS as usize + 1
    }

    fn action_index(&self, action: Square) -> usize {
        usize::from(action.0)
    }

    fn action_of_index(&self, index: usize) -> Option<Square> {
        (index <= CELLS as usize).then_some(Square(index as u8))
    }
}

/// Rows and columns exchanged.
fn transpose(mut board: u64) -> u64 {
    // Exchanges ever smaller blocks across the diagonal: 4x4, 2x2, single cells.
    for (shift, upper_right) in
        [(28, 0x0000_0000_F0F0_F0F0), (14, 0x0000_CCCC_0000_CCCC), (7, 0x00AA_00AA_00AA_00AA)]
    {
        let changed = (board ^ (board >> shift)) & upper_right;
        board ^= changed | changed << shift;
    }
    board
}

/// A set of cells under a symmetry: bit 0 of the symmetry exchanges left and right,
/// bit 1 top and bottom, bit 2 then rows and columns.
fn map_cells(mut board: u64, Sym(sym): Sym) -> u64 {
    if sym & 1 != 0 {
        board = board.reverse_bits().swap_bytes();
    }
    if sym & 2 != 0 {
        board = board.swap_bytes();
    }
    if sym & 4 != 0 {
        board = transpose(board);
    }
    board
}

impl Symmetric for Othello {
    fn symmetries(_: &NoVariant) -> u32 {
        8
    }

    fn map(&self, sym: Sym) -> Self {
        Othello { own: map_cells(self.own, sym), opp: map_cells(self.opp, sym), side: self.side }
    }

    fn map_action(&self, action: Square, sym: Sym) -> Square {
        match action {
            Square::PASS => Square::PASS,
            Square(cell) => Square(map_cells(1 << cell, sym).trailing_zeros() as u8),
        }
    }

    fn map_after(after: &Self, sym: Sym) -> Self {
        after.map(sym)
    }

    fn map_chance(_: &Self, (): (), _: Sym) {}
}
