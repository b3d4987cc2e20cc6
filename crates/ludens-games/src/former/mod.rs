//! Former: clear a board of shapes in as few moves as possible.
//!
//! A move removes one group: cells of one shape connected by edges, a single
//! cell included. What lies above falls down; columns never shift sideways.
//!
//! A position is a set of occupied cells and three bit planes that number the
//! shapes, one bit per cell in the order described in `grid.rs`. A board of four
//! shapes leaves the third plane empty.

/// Runs an expression with the position's grid. The daily puzzle's is a
/// constant, so that its code has constant shifts and masks.
macro_rules! with_grid {
    ($position:expr, |$grid:ident| $body:expr) => {
        if $position.variant.rows() == 9 {
            let $grid = Grid::NINE_ROWS;
            $body
        } else {
            let $grid = Grid::new($position.variant.rows());
            $body
        }
    };
}

mod alea;
#[cfg(test)]
mod board_tests;
mod cells;
mod codes;
mod daily;
mod date;
mod descent;
#[cfg(test)]
mod descent_tests;
mod evaluation;
mod grid;
#[cfg(test)]
mod model_tests;
mod models;
mod notation;
mod pruning;
#[cfg(test)]
mod reference;
mod strips;
mod symmetry;
#[cfg(test)]
mod tests;
mod thesis;
mod variant;

pub use daily::daily;
pub use date::Date;
pub use descent::FormerOrigin;
pub use evaluation::{Evaluation, FEATURES, Features};
pub use models::{Chance, FewestCells, LookAhead, MakeModel, Model, Ties};
pub use pruning::Pruning;
pub use thesis::{thesis_board, thesis_boards};
pub use variant::FormerVariant;

use ludens_core::bits::{mix_all, nth_bit, pdep, pext};
use ludens_core::{
    ArrayVec, Deterministic, FixedActions, Game, Playout, Position, Reward, Rng, Solo,
    deterministic,
};

use grid::{Grid, Links};

/// What a move pays.
const MOVE: Reward = -1;

/// A Former position: a board whose shapes have all fallen down.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Former {
    /// The cells that hold a shape.
    occupied: u64,
    /// The bits of the shapes' numbers, lowest first; 0 in empty cells.
    planes: [u64; 3],
    variant: FormerVariant,
}

/// A group to remove, named by its lowest cell: the leftmost column it touches,
/// and there the lowest row. Cell `r` of column `c` is number `c * rows + r`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Group(pub u8);

/// The groups of a position, by their first cells in reading order.
pub type Groups = <ArrayVec<Group, 64> as IntoIterator>::IntoIter;

#[inline(always)]
fn lowest(cells: u64) -> u64 {
    cells & cells.wrapping_neg()
}

impl Former {
    /// The board of these shapes in reading order: from the top, left to right.
    /// The caller sees to it that nothing floats and all are shapes of the variant.
    fn from_reading_order(variant: FormerVariant, mut next: impl FnMut() -> Option<u8>) -> Self {
        let mut board = Former { occupied: 0, planes: [0; 3], variant };
        for (column, row) in variant.reading_order() {
            if let Some(shape) = next() {
                let cell = column * usize::from(variant.rows()) + row;
                board.occupied |= 1 << cell;
                for (bit, plane) in board.planes.iter_mut().enumerate() {
                    *plane |= u64::from(shape >> bit & 1) << cell;
                }
            }
        }
        board
    }

    /// The shape in a cell of the board, by column from the left and row from the bottom.
    pub fn shape_at(&self, column: usize, row: usize) -> Option<u8> {
        let cell = column * usize::from(self.variant.rows()) + row;
        let bit = |cells: u64| (cells >> cell & 1) as u8;
        let [a, b, c] = self.planes.map(bit);
        (bit(self.occupied) != 0).then_some(a | b << 1 | c << 2)
    }

    /// The cells of one shape.
    #[inline]
    fn cells_of(&self, shape: u8) -> u64 {
        self.planes.iter().enumerate().fold(self.occupied, |cells, (bit, &plane)| {
            cells & if shape >> bit & 1 != 0 { plane } else { !plane }
        })
    }

    #[inline(always)]
    fn links(&self, grid: Grid) -> Links {
        grid.links(self.occupied, self.planes)
    }

    /// The number of groups.
    ///
    /// ```
    /// use ludens_core::Notation;
    /// use ludens_games::former::{Former, FormerVariant};
    /// let variant = FormerVariant::new(2, 3, 2).unwrap();
    /// assert_eq!(Former::parse(&variant, "010/000").unwrap().groups(), 2);
    /// ```
    pub fn groups(&self) -> u32 {
        with_grid!(self, |grid| {
            let links = self.links(grid);
            let (mut left, mut count) = (self.occupied, 0);
            while left != 0 {
                left &= !links.flood(lowest(left));
                count += 1;
            }
            count
        })
    }

    /// The cells of the group a cell belongs to, as bits numbered like
    /// [`Group`]s; 0 for an empty cell or one outside the board.
    #[inline]
    pub fn group_of(&self, cell: u8) -> u64 {
        let seed = self.occupied & 1u64.checked_shl(u32::from(cell)).unwrap_or(0);
        with_grid!(self, |grid| self.links(grid).flood(seed))
    }

    /// Groups minus holes, where a hole is a part of the board enclosed by one
    /// group (cells that meet at a corner are one part). An almost free stand-in
    /// for [`groups`](Former::groups): cells, minus pairs of equal neighbours, plus
    /// squares of four equal cells.
    #[inline]
    pub fn euler(&self) -> i32 {
        with_grid!(self, |grid| self.links(grid).euler(self.occupied))
    }

    /// A number of moves that no solution can go below: for each shape, the
    /// maximal runs of adjacent columns that contain it. A group lies within one
    /// run, and columns never meet, so a move lowers the sum by at most 1.
    #[inline]
    pub fn column_run_bound(&self) -> u32 {
        with_grid!(self, |grid| {
            (0..self.variant.shapes()).map(|shape| grid.column_runs(self.cells_of(shape))).sum()
        })
    }

    /// The board without a group, everything above it fallen down.
    #[inline(always)]
    fn without(&self, grid: Grid, group: u64) -> Self {
        let kept = self.occupied & !group;
        let mut occupied = self.occupied;
        let mut left = group;
        while left != 0 {
            let column = grid.lowest_column(left);
            let removed = (left & column).count_ones();
            let filled = occupied & column;
            // Two shifts, because a column of 64 cells may go at once.
            occupied ^= filled & !((filled >> (removed - 1)) >> 1);
            left &= !column;
        }
        // Cells keep their order, so they fall by being packed and spread again.
        let fall = |plane: u64| pdep(pext(plane, kept), occupied);
        let [a, b, c] = self.planes;
        let planes = [fall(a), fall(b), if c == 0 { 0 } else { fall(c) }];
        Former { occupied, planes, variant: self.variant }
    }

    /// Calls `f` with every group, by first cells in reading order.
    #[inline(always)]
    fn each_group(&self, grid: Grid, mut f: impl FnMut(u64)) {
        let links = self.links(grid);
        let mut left = self.occupied;
        let mut row = grid.top_row();
        while left != 0 {
            while left & row != 0 {
                let group = links.flood(lowest(left & row));
                left &= !group;
                f(group);
            }
            row >>= 1;
        }
    }

    /// A group drawn uniformly; the board is not empty.
    #[inline(always)]
    fn random_group(&self, grid: Grid, rng: &mut Rng) -> u64 {
        let links = self.links(grid);
        let corners = links.corners(self.occupied);
        let count = corners.count_ones();
        loop {
            // Each group has one lowest cell, so accepting only that is uniform.
            let corner = nth_bit(corners, rng.below(count));
            let group = links.flood(corner);
            if lowest(group) == corner {
                return group;
            }
        }
    }
}

impl Group {
    #[inline]
    fn of(cells: u64) -> Self {
        Group(cells.trailing_zeros() as u8)
    }
}

impl Position for Former {
    #[inline]
    fn key(&self) -> u64 {
        let v = self.variant;
        let sizes = u64::from_le_bytes([v.rows(), v.cols(), v.shapes(), 0, 0, 0, 0, 0]);
        let [a, b, c] = self.planes;
        mix_all(&[sizes, self.occupied, a, b, c])
    }
}

impl Game for Former {
    deterministic!(players: 1, variant: FormerVariant, action: Group, actions: Groups);

    fn variant(&self) -> FormerVariant {
        self.variant
    }

    /// A full board of independent, equally likely shapes.
    fn start(variant: &FormerVariant, rng: &mut Rng) -> Self {
        let shapes = u32::from(variant.shapes());
        Former::from_reading_order(*variant, || Some(rng.below(shapes) as u8))
    }

    #[inline]
    fn actions(&self) -> Groups {
        let mut list = ArrayVec::new();
        with_grid!(self, |grid| self.each_group(grid, |group| list.push(Group::of(group))));
        list.into_iter()
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.occupied == 0
    }

    #[inline]
    fn is_legal(&self, action: Group) -> bool {
        let group = self.group_of(action.0);
        group != 0 && Group::of(group) == action
    }

    #[inline]
    fn apply(&self, action: Group) -> (Self, Reward) {
        debug_assert!(self.is_legal(action), "{action:?} in {self:?}");
        with_grid!(self, |grid| {
            let group = self.links(grid).flood(1 << action.0);
            (self.without(grid, group), MOVE)
        })
    }

    #[inline]
    fn children(&self, mut f: impl FnMut(Group, Self, Reward)) {
        with_grid!(self, |grid| {
            self.each_group(grid, |group| f(Group::of(group), self.without(grid, group), MOVE));
        });
    }

    #[inline]
    fn step(&self, rng: &mut Rng) -> Option<(Group, Self, Reward)> {
        if self.occupied == 0 {
            return None;
        }
        with_grid!(self, |grid| {
            let group = self.random_group(grid, rng);
            Some((Group::of(group), self.without(grid, group), MOVE))
        })
    }

    fn playout(&self, rng: &mut Rng) -> Playout<Self> {
        let mut playout = Playout { end: *self, moves: 0, total: 0 };
        with_grid!(self, |grid| {
            while playout.end.occupied != 0 {
                playout.end = playout.end.without(grid, playout.end.random_group(grid, rng));
                playout.moves += 1;
            }
        });
        playout.total = i64::from(MOVE) * i64::from(playout.moves);
        playout
    }
}

impl Deterministic for Former {}
impl Solo for Former {}

impl FixedActions for Former {
    fn action_space(variant: &FormerVariant) -> usize {
        variant.cells() as usize
    }

    fn action_index(&self, action: Group) -> usize {
        usize::from(action.0)
    }

    fn action_of_index(&self, index: usize) -> Option<Group> {
        (index < Self::action_space(&self.variant)).then_some(Group(index as u8))
    }
}
