//! What games of sliding tiles share: slides, board sizes, squares,
//! symmetries, text and drawing.
//!
//! A board has 1 to 4 rows and 1 to 4 columns and lies in the top left corner
//! of a 4x4 grid of *squares*, numbered row by row whatever the size of the board:
//!
//! ```text
//!  0  1  2  3
//!  4  5  6  7
//!  8  9 10 11
//! 12 13 14 15
//! ```
//!
//! Code works with squares. Text and drawings count the *cells* of the board
//! alone, row by row from the top left: on a 2x3 board cell 3 is square 4. On
//! 4x4 boards the two are the same.

pub(crate) mod cells;
pub mod line;
pub(crate) mod merging;
pub mod motion;
pub mod nibbles;
mod setup;
mod size;
mod slide;
mod spawn;
pub mod symmetry;
pub mod text;
pub mod turning;
pub mod view;

#[cfg(test)]
pub(crate) mod reference;
#[cfg(test)]
pub(crate) mod tests;

pub use setup::{Growth, Setup};
pub use size::Size;
pub use slide::{Slide, Slides};
pub(crate) use slide::{slide_actions, slide_game};
pub use spawn::{Odds, Spawn};

/// Something per square.
pub type Grid<T> = [T; 16];
