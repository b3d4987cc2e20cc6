//! A fast guess of how many moves a board still takes, for beams.
//!
//! A weighted sum of numbers that a few bit operations give. The number of
//! groups (as Euler number) counts most, then the column runs that remain
//! whatever happens; cells that meet an equal one as soon as what separates them
//! goes lower the guess. One shape is cleared for its column runs alone if it
//! goes last, hence the largest slack of a shape counts in favour.
//!
//! The weights come from a random walk on the mean length of lines that a narrow
//! beam finds on random boards: change up to three weights, keep what is not
//! worse. It began at the Euler number alone, with width 32 on 300 and then 400
//! boards, and ended with width 64 on 500; about eight minutes in all. `cargo run
//! --release -p ludens-learn --example former_weights fit` goes on from there.
//! Against groups alone it gains a factor of about eight in width: on boards
//! not used for it a beam of width 32 comes to 14.23 moves (500 boards), as one of
//! width 256 does with the Euler number (14.30 on the first 300 of them).

use ludens_core::{Bounded, Heuristic, Rng};

use super::Former;
use super::grid::Grid;

impl Bounded for Former {
    /// Minus the column runs: see [`Former::column_run_bound`].
    #[inline]
    fn upper_bound(&self) -> i64 {
        -i64::from(self.column_run_bound())
    }
}

/// The number of [`Features`].
pub const FEATURES: usize = 14;

/// What the evaluation looks at, in this order:
///
/// | number | what |
/// |---|---|
/// | 0 | Euler number: groups minus holes |
/// | 1 | column runs, the lower bound on moves |
/// | 2 | pairs of adjacent columns joined by a shape, once per shape |
/// | 3 | cells without an equal neighbour |
/// | 4 | equal cells of a column with one other cell between |
/// | 5 | equal cells of adjacent columns one row apart, not yet joined |
/// | 6 | cells |
/// | 7 | differences in height of adjacent columns, below the top row; the right edge is height 0 |
/// | 8 | cells without an equal neighbour that lie on top |
/// | 9 | shapes left |
/// | 10 | the largest slack of a shape: its Euler number minus its column runs |
/// | 11 | equal cells of a column with two linked others between |
/// | 12 | equal cells of adjacent columns two rows apart, not near a link |
/// | 13 | runs of equal cells within columns |
pub type Features = [i32; FEATURES];

/// The tuned weights: moves per unit of each feature, times some constant.
const WEIGHTS: [f32; FEATURES] = [
    1.231, 0.843, 0.031, -0.168, -0.140, -0.287, -0.107, -0.062, -0.239, 0.584, -0.214, -0.076,
    -0.040, 0.052,
];

/// How far weights go up or down in repeated searches, as a share.
const SPREAD: f32 = 0.3;

/// The evaluation. Values are minus a weighted sum of [`Features`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Evaluation {
    /// One weight per feature; what is bad for the player has a positive one.
    pub weights: [f32; FEATURES],
    /// In [`varied`](Heuristic::varied) forms each weight is multiplied with a
    /// random number between 1 minus this and 1 plus this.
    pub spread: f32,
}

impl Default for Evaluation {
    fn default() -> Self {
        Evaluation { weights: WEIGHTS, spread: SPREAD }
    }
}

impl Evaluation {
    /// Only the Euler number, always.
    pub const EULER: Evaluation = {
        let mut weights = [0.0; FEATURES];
        weights[0] = 1.0;
        Evaluation { weights, spread: 0.0 }
    };

    /// The numbers the evaluation weighs.
    #[inline]
    pub fn features(position: &Former) -> Features {
        with_grid!(position, |grid| features(position, grid))
    }
}

/// The number of cells of a set.
#[inline(always)]
fn count(cells: u64) -> i32 {
    cells.count_ones() as i32
}

/// The occupied cells whose shape is that of the cell which `moved` brings onto
/// them, also across the end of a column.
#[inline(always)]
fn equal(position: &Former, moved: impl Fn(u64) -> u64) -> u64 {
    let differs = position.planes.iter().fold(0, |sum, &plane| sum | (plane ^ moved(plane)));
    position.occupied & moved(position.occupied) & !differs
}

#[inline(always)]
fn features(position: &Former, grid: Grid) -> Features {
    let occupied = position.occupied;
    let links = position.links(grid);
    let (up, right) = (links.up(), links.right());
    let squares = up & grid.left(up) & right;
    let (top, floor) = (grid.top_row(), grid.floor());

    let (mut euler, mut runs, mut bridges, mut shapes, mut slack) = (0, 0, 0, 0, 0);
    for shape in 0..position.variant.shapes() {
        let cells = position.cells_of(shape);
        let own_runs = grid.column_runs(cells) as i32;
        let own_euler =
            count(cells) - count(cells & up) - count(cells & right) + count(cells & squares);
        runs += own_runs;
        euler += own_euler;
        bridges += count(grid.touched(cells & right));
        shapes += i32::from(cells != 0);
        slack = slack.max(own_euler - own_runs);
    }

    // The two upper and the two lower rows.
    let (tops, floors) = (top | (top >> 1), floor | (floor << 1));
    let isolated = occupied & !(up | (up << 1) | right | grid.right(right));
    let one_between = equal(position, |cells| cells >> 2) & !tops & !up;
    let two_between = equal(position, |cells| cells >> 3) & !tops & !(top >> 2) & !up & (up >> 1);
    // A square of which three cells are equal is joined already, either way round.
    let rising = equal(position, |cells| grid.left(cells) >> 1)
        & !top
        & !(up & (right >> 1))
        & !(right & grid.left(up));
    let falling = equal(position, |cells| grid.left(cells) << 1)
        & !floor
        & !((up << 1) & (right << 1))
        & !(right & (grid.left(up) << 1));
    let far_up = equal(position, |cells| grid.left(cells) >> 2)
        & !tops
        & !(right | (right >> 1) | (right >> 2));
    let far_down = equal(position, |cells| grid.left(cells) << 2)
        & !floors
        & !(right | (right << 1) | (right << 2));
    let surface = occupied & !((occupied & !floor) >> 1);
    let steps = (occupied ^ grid.left(occupied)) & !top;
    [
        euler,
        runs,
        bridges,
        count(isolated),
        count(one_between),
        count(rising) + count(falling),
        count(occupied),
        count(steps),
        count(isolated & surface),
        shapes,
        slack,
        count(two_between),
        count(far_up) + count(far_down),
        count(occupied) - count(up),
    ]
}

impl Heuristic<Former> for Evaluation {
    #[inline]
    fn value(&self, position: &Former) -> f32 {
        let features = Self::features(position);
        -self.weights.iter().zip(features).map(|(weight, n)| weight * n as f32).sum::<f32>()
    }

    fn varied(&self, round: u64, rng: &mut Rng) -> Self {
        let mut varied = *self;
        if round > 0 {
            for weight in &mut varied.weights {
                *weight *= 1.0 + self.spread * (2.0 * rng.unit() as f32 - 1.0);
            }
        }
        varied
    }
}
