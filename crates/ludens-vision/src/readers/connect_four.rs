//! Connect Four: three colours at most, and the rules say which of them is empty.

use ludens_games::ConnectFour;

use super::{Readable, Seen};
use crate::board::{Board, CORE};
use crate::cluster::{centres, groups};
use crate::colour::{Feature, distance, feature, margin};
use crate::find::{Layout, Settles};

/// Holes may differ from stones by their value alone.
const VALUE_WEIGHT: f32 = 0.5;

const ROWS: usize = 6;
const COLS: usize = 7;

/// What a group of cells is: a character of the notation.
const MEANINGS: [char; 3] = ['.', 'X', 'O'];

impl Readable for ConnectFour {
    const METHODS: &'static [&'static str] = &["discs"];
    const SIDE: usize = 32;

    fn layout(_: &Self::Variant) -> Layout {
        Layout { rows: ROWS, cols: COLS, settles: Settles::No }
    }

    fn see(variant: &Self::Variant, board: &Board, _: &str) -> Seen {
        let features: Vec<Feature> = (0..board.cells())
            .map(|cell| feature(board.median(cell, CORE), VALUE_WEIGHT))
            .collect();
        let found = groups(&features, MEANINGS.len());
        let centres = centres(&features, &found);
        let text = |meaning: &[char]| -> String {
            let row =
                |row: usize| (0..COLS).map(|c| meaning[found[row * COLS + c]]).collect::<String>();
            (0..ROWS).map(row).collect::<Vec<_>>().join("/")
        };
        let legal = meanings(centres.len())
            .into_iter()
            .map(|meaning| (unlikely(&centres, &meaning), meaning))
            .filter(|(_, meaning)| Self::checked(variant, &text(meaning)).is_ok())
            .min_by(|a, b| a.0.total_cmp(&b.0));
        let meaning = legal.map_or_else(|| likeliest(&centres), |(_, meaning)| meaning);
        let position = Self::checked(variant, &text(&meaning));
        let sure = |cell: usize| {
            let others = centres.iter().enumerate().filter(|&(other, _)| other != found[cell]);
            let nearest = others.map(|(_, &c)| distance(features[cell], c)).min_by(f32::total_cmp);
            margin(distance(features[cell], centres[found[cell]]), nearest.unwrap_or(1.0))
        };
        let cell = |cell: usize| {
            let text = Some(meaning[found[cell]]).filter(|&c| c != '.');
            (text.map(String::from).unwrap_or_default(), sure(cell))
        };
        let stones = |c: char| found.iter().filter(|&&group| meaning[group] == c).count();
        let mut notes = Vec::new();
        if stones('X') == stones('O') && stones('X') > 0 {
            notes.push(
                "both have as many stones: the redder or darker are taken to have begun".to_owned(),
            );
        }
        Seen { cells: (0..board.cells()).map(cell).collect(), position, notes }
    }
}

/// Every way to give groups different meanings.
fn meanings(count: usize) -> Vec<Vec<char>> {
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        all = all
            .into_iter()
            .flat_map(|some: Vec<char>| {
                MEANINGS
                    .into_iter()
                    .filter(|c| !some.contains(c))
                    .map(|c| [&some[..], &[c]].concat())
                    .collect::<Vec<_>>()
            })
            .collect();
    }
    all
}

/// How little meanings fit colours: holes are pale or dark, and the first player's stones are
/// redder, or darker, than the second's.
fn unlikely(centres: &[Feature], meaning: &[char]) -> f32 {
    let of = |c: char| meaning.iter().position(|&m| m == c).map(|group| centres[group]);
    let saturation = |f: Feature| f[0].hypot(f[1]);
    let empty = of('.').map_or(0.0, |f| 4.0 * saturation(f));
    let order = match (of('X'), of('O')) {
        (Some(x), Some(o)) => warmth(o) - warmth(x),
        (None, Some(_)) => 1.0,
        (Some(_) | None, None) => 0.0,
    };
    empty + order
}

/// High for red, low for yellow; higher for dark than for bright.
fn warmth([x, y, value]: Feature) -> f32 {
    x - y.abs() - value
}

/// The meanings that fit best where none makes a position.
fn likeliest(centres: &[Feature]) -> Vec<char> {
    let fits = |m: &Vec<char>| unlikely(centres, m);
    meanings(centres.len())
        .into_iter()
        .min_by(|a, b| fits(a).total_cmp(&fits(b)))
        .unwrap_or_default()
}
