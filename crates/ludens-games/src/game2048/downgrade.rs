//! Positions with smaller tiles.

use ludens_core::Downgrade;

use super::Game2048;

impl Downgrade for Game2048 {
    const POSSIBLE: bool = true;

    /// Halves all tiles above the largest one that is missing. Equal tiles stay equal and
    /// others do not become so: nobody has the tile that the next one turns into.
    fn downgraded(&self, threshold: u64) -> Option<Self> {
        let mut grid = self.grid();
        let tiles = grid.iter().fold(0u64, |set, &index| set | 1 << index) & !1;
        if tiles < threshold {
            return None;
        }
        let missing = (1..tiles.ilog2() as u8).rev().find(|&index| tiles >> index & 1 == 0)?;
        grid.iter_mut().filter(|index| **index > missing).for_each(|index| *index -= 1);
        Some(Game2048::from_grid(&grid, self.variant()))
    }
}

#[cfg(test)]
mod tests {
    use ludens_core::{Game, Notation};

    use super::*;

    #[test]
    fn the_example_of_the_text() {
        let read = |text: &str| Game2048::parse(&Default::default(), text).unwrap();
        let board = read("32768,16384,8192,4096/2048,1024,512,128/64,32,16,8/0,2,4,2");
        let smaller = board.downgraded(1 << 15).unwrap();
        assert_eq!(smaller, read("16384,8192,4096,2048/1024,512,256,128/64,32,16,8/0,2,4,2"));
        let (ours, theirs) = (board.actions(), smaller.actions());
        assert_eq!(ours.collect::<Vec<_>>(), theirs.collect::<Vec<_>>());
        assert_eq!(board.downgraded(1 << 16), None, "below the threshold");
        assert_eq!(read("8,4,2,0/0,0,0,0/0,0,0,0/0,0,0,0").downgraded(0), None, "none missing");
    }
}
