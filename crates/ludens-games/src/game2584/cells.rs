//! Boards as n-tuple networks see them.

use ludens_core::{CellShape, Cells, Downgrade};

use super::{After2584, Game2584, LARGEST, VALUES, Variant2584};
use crate::tiles::cells::shape;

impl Cells for Game2584 {
    fn cell_shape(variant: &Variant2584) -> CellShape {
        shape(variant.setup.size, LARGEST + 1, 1)
    }

    fn write_cells(after: &After2584, out: &mut [u8]) {
        out.copy_from_slice(&after.0.grid());
    }

    #[inline(always)]
    fn shown(&self) -> After2584 {
        After2584(*self)
    }

    fn tile(number: u8) -> u64 {
        VALUES.get(usize::from(number)).map_or(0, |&value| u64::from(value))
    }
}

/// What tiles merge depends on their values.
impl Downgrade for Game2584 {
    const POSSIBLE: bool = false;

    fn downgraded(&self, _: u64) -> Option<Self> {
        None
    }
}
