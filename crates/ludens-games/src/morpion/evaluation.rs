//! A guess of how many lines can still be drawn, for beams.

use ludens_core::Heuristic;

use super::Morpion;

/// The number of lines that can be drawn now.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Evaluation;

impl Heuristic<Morpion> for Evaluation {
    #[inline]
    fn value(&self, position: &Morpion) -> f32 {
        f32::from(position.open_count)
    }
}
