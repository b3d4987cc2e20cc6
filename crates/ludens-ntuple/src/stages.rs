//! Stages of a game, each with tables of its own.

use ludens_core::error::quote;
use ludens_core::{Cells, ParseError};

/// Where stages of a game begin: a position is in the stage after the last
/// boundary that the set of its numbers has reached.
///
/// Sets are compared by their largest number, then the next one, so that a game
/// that goes on never falls back. Written with the tiles' names, `16384,16384+8192`
/// splits 2048 into three: before 16384, from there on, and with 8192 besides.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stages {
    /// The sets as bits, in rising order.
    boundaries: Vec<u64>,
}

impl Stages {
    /// Reads boundaries; an empty text or `none` is a single stage.
    ///
    /// # Errors
    /// When a tile is none of the game, or the order is not rising.
    pub fn parse<G: Cells>(text: &str, values: usize) -> Result<Self, ParseError> {
        let wrong = |found: &str, expected: &str| {
            ParseError::new("stages", quote(found), expected.to_owned())
        };
        let mut boundaries = Vec::new();
        if text == "none" || text.is_empty() {
            return Ok(Stages { boundaries });
        }
        for piece in text.split(',') {
            let mut set = 0u64;
            for tile in piece.split('+') {
                let number = (1..values.min(64) as u8).find(|&n| G::tile(n).to_string() == tile);
                let number = number.ok_or_else(|| {
                    wrong(tile, "tiles of the game such as 16384,16384+8192, or none")
                })?;
                set |= 1 << number;
            }
            if boundaries.last().is_some_and(|&last| last >= set) {
                return Err(wrong(text, "each boundary above the one before"));
            }
            boundaries.push(set);
        }
        Ok(Stages { boundaries })
    }

    /// The number of stages, at least 1.
    pub fn count(&self) -> usize {
        self.boundaries.len() + 1
    }

    /// The stage of a set of numbers.
    #[inline]
    fn of_set(&self, set: u64) -> usize {
        self.boundaries.iter().take_while(|&&boundary| set >= boundary).count()
    }

    /// The stage of sixteen cells as nibbles.
    #[inline]
    pub fn of_word(&self, word: u64) -> usize {
        if self.boundaries.is_empty() {
            return 0;
        }
        self.of_set((0..16).fold(0, |set, cell| set | 1 << (word >> (4 * cell) & 0xF)))
    }

    /// The stage of any cells.
    #[inline]
    pub fn of_cells(&self, cells: &[u8]) -> usize {
        if self.boundaries.is_empty() {
            return 0;
        }
        self.of_set(cells.iter().fold(0, |set, &number| set | 1 << number.min(63)))
    }

    /// The stage of an afterstate of at most 64 cells.
    pub fn of<G: Cells>(&self, after: &G::After, cells: usize) -> usize {
        if self.boundaries.is_empty() {
            return 0;
        }
        let mut all = [0; 64];
        let cells = &mut all[..cells];
        G::write_cells(after, cells);
        self.of_cells(cells)
    }

    /// The boundaries as sets of numbers in bits, as files keep them.
    pub fn bits(&self) -> &[u64] {
        &self.boundaries
    }

    /// The stages of boundaries from a file; `None` when they do not rise.
    pub fn from_bits(boundaries: Vec<u64>) -> Option<Self> {
        boundaries.is_sorted_by(|a, b| a < b).then_some(Stages { boundaries })
    }
}
