//! The eight turns and reflections of the board, times all exchanges of colours.

use std::cmp::Ordering;

use ludens_core::symmetry::{permutation, permutations};
use ludens_core::{Sym, Symmetric};

use super::{Base, MAX_BASE, Scores, Sevn, Tiles};

/// The turns and reflections of a square.
const TURNS: u32 = 8;

const CELLS: usize = MAX_BASE * MAX_BASE;

/// Where a turn takes a cell: columns mirrored, rows mirrored, then both exchanged.
#[inline]
fn mapped_cell(n: usize, row: usize, column: usize, turn: u32) -> usize {
    let column = if turn & 1 == 0 { column } else { n - 1 - column };
    let row = if turn & 2 == 0 { row } else { n - 1 - row };
    if turn & 4 == 0 { row * n + column } else { column * n + row }
}

/// The cells of a set, in row order.
pub(super) fn cells(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let cell = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (cell < 128).then_some(cell)
    })
}

/// A board with its colours named in the order they appear on it.
struct Renamed {
    codes: [u8; CELLS],
    scores: Scores,
}

impl Renamed {
    /// The image of a position, if it comes before `best` or there is none yet.
    fn before(
        position: &Sevn,
        codes: &[u8; CELLS],
        turn: u32,
        best: Option<&Renamed>,
    ) -> Option<Self> {
        let n = position.base.get();
        let mut names = [0; MAX_BASE + 1];
        let mut named = 0;
        let mut image = Renamed { codes: [0; CELLS], scores: Scores::new() };
        let mut order = best.map_or(Ordering::Less, |_| Ordering::Equal);
        for row in 0..n {
            for column in 0..n {
                let code = usize::from(codes[mapped_cell(n, row, column, turn)]);
                if code != 0 && names[code] == 0 {
                    image.scores.add(named, position.scores.get(code - 1));
                    named += 1;
                    names[code] = named as u8;
                }
                let cell = row * n + column;
                image.codes[cell] = names[code];
                if let (Ordering::Equal, Some(best)) = (order, best) {
                    order = image.codes[cell].cmp(&best.codes[cell]);
                    if order == Ordering::Greater {
                        return None;
                    }
                }
            }
        }
        // Colours that are gone differ only in their scores.
        let mut gone = [0; MAX_BASE];
        let gone = &mut gone[..n - named];
        let unnamed = (0..n).filter(|colour| names[colour + 1] == 0);
        for (slot, colour) in gone.iter_mut().zip(unnamed) {
            *slot = position.scores.get(colour);
        }
        gone.sort_unstable();
        for (colour, &score) in (named..n).zip(gone.iter()) {
            image.scores.add(colour, score);
        }
        let order =
            order.then_with(|| best.map_or(Ordering::Less, |b| image.scores.cmp(&b.scores)));
        (order == Ordering::Less).then_some(image)
    }
}

impl Symmetric for Sevn {
    /// 8 times the factorial of the base.
    fn symmetries(base: &Base) -> u32 {
        TURNS * permutations(base.get())
    }

    fn map(&self, sym: Sym) -> Self {
        let n = self.base.get();
        let order: [u8; MAX_BASE] = permutation(sym.0 / TURNS, n);
        let mut codes = [0; CELLS];
        for cell in cells(self.tiles()) {
            let to = mapped_cell(n, cell / n, cell % n, sym.0 % TURNS);
            codes[to] = order[self.code(cell) - 1] + 1;
        }
        let mut scores = Scores::new();
        for (colour, &to) in order[..n].iter().enumerate() {
            scores.add(usize::from(to), self.scores.get(colour));
        }
        Sevn { planes: Sevn::planes_of(&codes[..n * n]), scores, ..*self }
    }

    fn map_action(&self, action: Tiles, sym: Sym) -> Tiles {
        let n = self.base.get();
        let image = |cell| mapped_cell(n, cell / n, cell % n, sym.0 % TURNS);
        Tiles(cells(action.0).fold(0, |set, cell| set | 1 << image(cell)))
    }

    fn map_after(after: &Self, sym: Sym) -> Self {
        after.map(sym)
    }

    fn map_chance(_: &Self, (): (), _: Sym) {}

    /// Of the eight images, each with its colours named in the order they
    /// appear and those no longer on the board sorted by score, the one whose
    /// cells come first in the order of the alphabet, an empty cell before all letters.
    fn canonical(&self) -> Self {
        let mut codes = [0; CELLS];
        for cell in cells(self.tiles()) {
            codes[cell] = self.code(cell) as u8;
        }
        let mut best: Option<Renamed> = None;
        for turn in 0..TURNS {
            best = Renamed::before(self, &codes, turn, best.as_ref()).or(best);
        }
        let best = best.expect("the first image comes before none");
        let n = self.base.get();
        Sevn { planes: Sevn::planes_of(&best.codes[..n * n]), scores: best.scores, ..*self }
    }
}
