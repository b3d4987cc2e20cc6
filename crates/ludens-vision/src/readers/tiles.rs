//! 2048, 2584 and Threes!: the numbers on the tiles.

use ludens_core::ParseError;
use ludens_games::threes::{Bonus, ThreesVariant};
use ludens_games::tiles::{Size, text};
use ludens_games::{Game2048, Game2584, Threes};

use super::{Readable, Seen};
use crate::board::Board;
use crate::digits::number;
use crate::find::{Layout, Settles};

/// Tiles are read by their digits.
const DIGITS: &[&str] = &["digits"];
/// Five digits on one tile need as many pixels.
const SIDE: usize = 96;
/// The largest account of bonus tiles that is tried.
const MOST_SPARE: u16 = 200;

fn layout(size: Size) -> Layout {
    Layout { rows: size.rows(), cols: size.cols(), settles: Settles::No }
}

/// The numbers of all cells, and the board they make.
fn see(board: &Board, size: Size, numbers: &[u32]) -> Seen {
    let found: Vec<(u32, f64)> =
        (0..board.cells()).map(|cell| number(board, cell, numbers)).collect();
    let cell = |&(number, sure): &(u32, f64)| {
        (if number == 0 { String::new() } else { number.to_string() }, sure)
    };
    let cells = found.iter().map(cell).collect();
    let position = Ok(text::write(size, |square| found[size.cell(square)].0));
    Seen { cells, position, notes: Vec::new() }
}

impl Readable for Game2048 {
    const METHODS: &'static [&'static str] = DIGITS;
    const SIDE: usize = SIDE;

    fn layout(variant: &Self::Variant) -> Layout {
        layout(variant.setup.size)
    }

    fn see(variant: &Self::Variant, board: &Board, _: &str) -> Seen {
        let powers: Vec<u32> = (1..=17).map(|power| 1 << power).collect();
        let seen = see(board, variant.setup.size, &powers);
        Seen { position: seen.position.and_then(|text| Self::checked(variant, &text)), ..seen }
    }
}

impl Readable for Game2584 {
    const METHODS: &'static [&'static str] = DIGITS;
    const SIDE: usize = SIDE;

    fn layout(variant: &Self::Variant) -> Layout {
        layout(variant.setup.size)
    }

    fn see(variant: &Self::Variant, board: &Board, _: &str) -> Seen {
        let pairs = std::iter::successors(Some((1, 2)), |&(a, b)| Some((b, a + b)));
        let fibonacci: Vec<u32> = pairs.map(|(a, _)| a).take_while(|&v| v <= 5_702_887).collect();
        let seen = see(board, variant.setup.size, &fibonacci);
        Seen { position: seen.position.and_then(|text| Self::checked(variant, &text)), ..seen }
    }
}

impl Readable for Threes {
    const METHODS: &'static [&'static str] = DIGITS;
    const SIDE: usize = SIDE;

    fn layout(variant: &Self::Variant) -> Layout {
        layout(variant.size())
    }

    fn see(variant: &Self::Variant, board: &Board, _: &str) -> Seen {
        let doubled = (0..12).map(|power| 3 << power);
        let numbers: Vec<u32> = [1, 2].into_iter().chain(doubled).collect();
        let mut seen = see(board, variant.size(), &numbers);
        seen.position = seen.position.and_then(|text| with_supply(variant, &text));
        let unseen = "the next tile and the bag are not on the board: the first that fit are taken";
        seen.notes.push(unseen.to_owned());
        seen
    }
}

/// The board with the first hint, bag and account of bonus tiles that it can have.
fn with_supply(variant: &ThreesVariant, board: &str) -> Result<String, ParseError> {
    let most = variant.bag() / 3;
    // Full bags first: they are what most boards have.
    let counts = || (0..=most).rev();
    let bags =
        || counts().flat_map(move |a| counts().flat_map(move |b| counts().map(move |c| (a, b, c))));
    let spares: Vec<String> = match variant.bonus() {
        Bonus::Capped => (0..=MOST_SPARE).map(|spare| format!(" {spare}")).collect(),
        _ => vec![String::new()],
    };
    for spare in &spares {
        for hint in ["1", "2", "3", "+"] {
            for (a, b, c) in bags() {
                let text = format!("{board} {hint} {a}.{b}.{c}{spare}");
                if let Ok(position) = Threes::checked(variant, &text) {
                    return Ok(position);
                }
            }
        }
    }
    Threes::checked(variant, &format!("{board} 1"))
}
