//! Sets of cells as bits, and what depends only on the number of rows.
//!
//! Column by column, lowest cell first, without gaps: cell `r` of column `c` is
//! bit `c * rows + r`. Four columns of three rows:
//!
//! ```text
//!  2  5  8 11
//!  1  4  7 10
//!  0  3  6  9
//! ```

/// The lowest cell of every column, by number of rows.
const FLOORS: [u64; 65] = {
    let mut floors = [0; 65];
    let mut rows = 1;
    while rows <= 64 {
        let mut bit = 0;
        while bit < 64 {
            floors[rows] |= 1 << bit;
            bit += rows;
        }
        rows += 1;
    }
    floors
};

/// The columns of a board.
#[derive(Clone, Copy)]
pub(super) struct Grid {
    /// Cells of a column, 1 to 64; also the distance to the cell at the right.
    rows: u32,
    /// The lowest cell of every column. May go on to the right of the board.
    floor: u64,
}

impl Grid {
    /// The grid of the daily puzzle, a constant so that shifts and masks are too.
    pub(super) const NINE_ROWS: Grid = Grid { rows: 9, floor: FLOORS[9] };

    #[inline]
    pub(super) fn new(rows: u8) -> Self {
        Grid { rows: u32::from(rows), floor: FLOORS[usize::from(rows)] }
    }

    /// Every cell moved one column to the right. Two shifts, because a single
    /// column may be as long as the word.
    #[inline(always)]
    pub(super) fn right(self, cells: u64) -> u64 {
        (cells << (self.rows - 1)) << 1
    }

    /// Every cell moved one column to the left.
    #[inline(always)]
    pub(super) fn left(self, cells: u64) -> u64 {
        (cells >> (self.rows - 1)) >> 1
    }

    /// The highest cell of every column.
    #[inline(always)]
    pub(super) fn top_row(self) -> u64 {
        self.floor << (self.rows - 1)
    }

    /// The whole column of the lowest cell of a set that is not empty.
    #[inline(always)]
    pub(super) fn lowest_column(self, cells: u64) -> u64 {
        let up_to_lowest = cells ^ (cells - 1);
        let base = 63 - (self.floor & up_to_lowest).leading_zeros();
        (u64::MAX >> (64 - self.rows)) << base
    }

    /// The number of maximal runs of adjacent columns with a cell of the set.
    #[inline(always)]
    pub(super) fn column_runs(self, cells: u64) -> u32 {
        let touched = self.touched(cells);
        (touched & !self.right(touched)).count_ones()
    }

    /// The highest cell of every column with a cell of the set.
    #[inline(always)]
    pub(super) fn touched(self, cells: u64) -> u64 {
        // Adding all ones below the top cell carries into it unless all are 0.
        let lower = !self.top_row();
        (((cells & lower) + lower) | cells) & !lower
    }

    /// The lowest cell of every column.
    #[inline(always)]
    pub(super) fn floor(self) -> u64 {
        self.floor
    }

    /// The columns, whole, that hold a cell of the set.
    #[inline(always)]
    pub(super) fn columns(self, cells: u64) -> u64 {
        let lower = !self.top_row();
        let touched = (((cells & lower) + lower) | cells) & !lower;
        touched | (touched - (touched >> (self.rows - 1)))
    }

    /// The columns, whole, from the leftmost that holds a cell of the set to the
    /// last before one that holds none. The set is not empty.
    #[inline(always)]
    pub(super) fn first_run(self, cells: u64) -> u64 {
        let columns = self.columns(cells);
        // A carry from the lowest bit runs up to the first gap.
        let start = columns & columns.wrapping_neg();
        columns & !columns.wrapping_add(start)
    }

    /// In every column with a cell of the set, its lowest one and all cells above.
    #[inline(always)]
    pub(super) fn lowest_and_above(self, cells: u64) -> u64 {
        let columns = self.columns(cells);
        // Taking 1 from a column flips its bits up to the lowest cell, and no others.
        let below = !cells & (cells - (columns & self.floor));
        columns & !below
    }

    /// Links between equal neighbours of a board without gaps, from the occupied
    /// cells and the bits of their shapes.
    #[inline(always)]
    pub(super) fn links(self, occupied: u64, planes: [u64; 3]) -> Links {
        let [a, b, c] = planes;
        let mut differs_up = (a ^ (a >> 1)) | (b ^ (b >> 1));
        let mut differs_right = (a ^ self.left(a)) | (b ^ self.left(b));
        if c != 0 {
            differs_up |= c ^ (c >> 1);
            differs_right |= c ^ self.left(c);
        }
        Links {
            grid: self,
            // What lies below an occupied cell is occupied.
            up: (occupied >> 1) & !self.top_row() & !differs_up,
            right: occupied & self.left(occupied) & !differs_right,
        }
    }
}

/// Which cells have the same shape as their neighbour above and at the right.
#[derive(Clone, Copy)]
pub(super) struct Links {
    grid: Grid,
    up: u64,
    right: u64,
}

impl Links {
    /// The cells with an equal neighbour above.
    #[inline(always)]
    pub(super) fn up(self) -> u64 {
        self.up
    }

    /// The cells with an equal neighbour at the right.
    #[inline(always)]
    pub(super) fn right(self) -> u64 {
        self.right
    }

    /// The cells among `occupied` without an equal neighbour below or at the
    /// left. The lowest cell of every group is one of them.
    #[inline(always)]
    pub(super) fn corners(self, occupied: u64) -> u64 {
        occupied & !(self.up << 1) & !self.grid.right(self.right)
    }

    /// All cells linked with those of `seed`, themselves included.
    #[inline(always)]
    pub(super) fn flood(self, seed: u64) -> u64 {
        // A step before the first comparison: one hard-to-predict branch less.
        let mut group = self.spread(seed);
        loop {
            let wider = self.spread(group);
            if wider == group {
                return group;
            }
            group = wider;
        }
    }

    /// The cells and those linked with them, first within columns, then across.
    #[inline(always)]
    fn spread(self, cells: u64) -> u64 {
        let column = cells | ((cells & self.up) << 1) | ((cells >> 1) & self.up);
        column | self.grid.right(column & self.right) | (self.grid.left(column) & self.right)
    }

    /// Cells minus links plus squares of four, for the cells `occupied`.
    #[inline(always)]
    pub(super) fn euler(self, occupied: u64) -> i32 {
        let squares = self.up & self.grid.left(self.up) & self.right;
        let [v, e, f, s] = [occupied, self.up, self.right, squares].map(|x| x.count_ones() as i32);
        v - e - f + s
    }
}
