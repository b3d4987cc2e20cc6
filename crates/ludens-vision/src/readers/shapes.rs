//! Former and SameGame: pieces by their colour, which fall.

use ludens_core::Ink;
use ludens_games::{Former, SameGame};

use super::pieces::{Kinds, Pieces};
use super::{Readable, Seen};
use crate::board::Board;
use crate::cluster::groups;
use crate::find::{Layout, Settles};

/// The inks of Former's shapes on the page, by their numbers.
const FORMER: [Ink; 8] =
    [Ink::Pink, Ink::Blue, Ink::Green, Ink::Orange, Ink::Purple, Ink::Cyan, Ink::Yellow, Ink::Red];

/// What is read by groups of colours: nothing else is known of them.
const COLOURS: &[&str] = &["colours"];

/// The number of each piece by its colour, and the board they make.
fn see(board: &Board, inks: &[Ink]) -> Seen {
    let pieces = Pieces::of(board);
    let cols = board.cols;
    let settled =
        |empty: &[bool]| (cols..empty.len()).all(|cell| !empty[cell] || empty[cell - cols]);
    let empty = pieces.empty(inks.len(), settled);
    let (cells, features) = pieces.occupied(&empty);
    let found = Kinds::of(&features, &groups(&features, inks.len()), inks);
    let mut out: Vec<(String, f64)> =
        (0..board.cells()).map(|cell| (String::new(), pieces.emptiness(cell, &empty))).collect();
    for ((&cell, kind), sure) in cells.iter().zip(found.kinds).zip(found.confidence) {
        out[cell] = (kind.to_string(), sure);
    }
    let text = out.iter().map(|(text, _)| if text.is_empty() { "." } else { text }).collect();
    Seen { cells: out, position: Ok(text), notes: Vec::new() }
}

impl Readable for Former {
    const METHODS: &'static [&'static str] = COLOURS;
    const SIDE: usize = 32;

    fn layout(variant: &Self::Variant) -> Layout {
        Layout { rows: variant.rows().into(), cols: variant.cols().into(), settles: Settles::Down }
    }

    fn see(variant: &Self::Variant, board: &Board, _: &str) -> Seen {
        let seen = see(board, &FORMER[..variant.shapes().into()]);
        Seen { position: seen.position.and_then(|text| Self::checked(variant, &text)), ..seen }
    }
}

impl Readable for SameGame {
    const METHODS: &'static [&'static str] = COLOURS;
    const SIDE: usize = 32;

    fn layout(variant: &Self::Variant) -> Layout {
        Layout {
            rows: variant.rows().into(),
            cols: variant.cols().into(),
            settles: Settles::DownLeft,
        }
    }

    fn see(variant: &Self::Variant, board: &Board, _: &str) -> Seen {
        let seen = see(board, &Ink::PIECES[..variant.colours().into()]);
        Seen { position: seen.position.and_then(|text| Self::checked(variant, &text)), ..seen }
    }
}
